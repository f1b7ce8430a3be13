// What the owner sets: labels, guidelines, people, shares, learning, annotators. Each part is sent by itself.

import { button, element, quoted } from "./elements.js";
import { get, post } from "./server.js";

const MANY = 20; // annotators of which all are listed; of more, those whose name has some words

// Draw the page; `changed` is told when something was set that other views show.
export async function drawSettings(target, { tell, session, isHere, changed }) {
  const { status, data } = await get("/api/settings").catch(() => ({ status: 0, data: {} }));
  if (!isHere()) return;
  if (status !== 200) {
    target.replaceChildren(element("h1", {}, "Settings"), element("p", {}, data.error ?? "The settings could not be read; load the page again."));
    return;
  }
  const send = async (part, body, said, opener) => {
    if (opener) opener.disabled = true;
    const reply = await post(`/api/settings/${part}`, body).catch(() => ({ status: 0, data: {} }));
    if (opener) opener.disabled = false;
    if (reply.status !== 200) {
      tell(reply.data.error ?? "The server does not answer; nothing was changed.");
      return;
    }
    await changed();
    if (!isHere()) return;
    await drawSettings(target, { tell, session, isHere, changed });
    tell(said, true);
  };
  target.replaceChildren(
    element("h1", {}, "Settings"),
    labelsPart(data, send), guidelinesPart(data, send), peoplePart(data, session, send),
    sharesPart(data, send), learningPart(data, send), annotatorsPart(data, send), ...actsPart(data),
  );
}

function part(title, ...children) {
  return element("section", { "aria-label": title }, element("h2", {}, title), ...children);
}

function note(...words) {
  return element("p", { class: "quiet" }, ...words);
}

function labelsPart({ labels, used, colours }, send) {
  const body = element("tbody", { id: "label-rows" });
  const rowOf = ({ label, colour, key }) => {
    const name = element("input", { "aria-label": "Label", maxlength: 200, value: label, list: "used-labels" });
    const shade = element("select", { "aria-label": "Colour" }, ...colours.map((each, n) => element("option", { value: n, selected: n === colour }, each)));
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    const paint = () => (swatch.style.background = `var(--c${shade.value})`);
    shade.addEventListener("change", paint);
    paint();
    const letter = element("select", { "aria-label": "Key" }, element("option", { value: "" }, "none"), ...[..."123456789"].map((each) => element("option", { value: each, selected: each === key }, each)));
    const row = element(
      "tr", {}, element("td", {}, name), element("td", { class: "shade" }, swatch, shade), element("td", {}, letter),
      element("td", {}, button("Remove", "", () => row.remove(), { "aria-label": `Remove ${label || "this label"}` })),
    );
    return row;
  };
  const table = element("table", { class: "form", hidden: labels.length === 0 }, element("thead", {}, element("tr", {}, ...["label", "colour", "key", "take away"].map((head) => element("th", { scope: "col" }, head)))), body);
  body.append(...labels.map(rowOf));
  const read = () => [...body.rows].map((row) => {
    const [label, colour, key] = row.querySelectorAll("input, select");
    return { label: label.value.trim(), colour: Number(colour.value), key: key.value };
  }).filter(({ label }) => label);
  const add = () => {
    const taken = new Set(read().map(({ key }) => key));
    const key = [..."123456789"].find((each) => !taken.has(each)) ?? "";
    const row = rowOf({ label: "", colour: body.rows.length % colours.length, key });
    table.hidden = false;
    body.append(row);
    row.querySelector("input").focus();
  };
  const take = () => {
    table.hidden = false;
    body.append(...used.map((label, n) => rowOf({ label, colour: n % colours.length, key: String(n + 1).slice(0, n < 9 ? 1 : 0) })));
  };
  const save = button("Save labels", "", () => send("labels", { labels: read() }, "The labels are saved.", save), { class: "yes" });
  return part(
    "Labels",
    note(labels.length ? "Only these labels can be given." : "Any label can be given. Add labels to let only those be given.", used.length ? " The annotators use " : "", ...used.flatMap((label, n) => [n ? ", " : "", quoted(label)]), used.length ? "." : ""),
    element("datalist", { id: "used-labels" }, ...used.map((label) => element("option", { value: label }))),
    element("div", { class: "scrolls" }, table),
    element("div", { class: "choices" }, button("Add a label", "", add), labels.length || !used.length ? null : button("Begin with those in use", "", take), save),
  );
}

function guidelinesPart({ guidelines }, send) {
  const text = element("textarea", { id: "guidelines-text", rows: 8, "aria-label": "Guidelines", maxlength: 200000, placeholder: "What is a name here, and where does it end?" });
  text.value = guidelines;
  const save = button("Save guidelines", "", () => send("guidelines", { text: text.value }, "The guidelines are saved.", save), { class: "yes" });
  return part("Guidelines", note("In Markdown; curators see them beside the text with the key G."), text, element("div", { class: "choices" }, save));
}

function peoplePart({ people, roles }, session, send) {
  const about = element("dl", { class: "roles" }, ...Object.entries(roles).flatMap(([role, may]) => [element("dt", {}, role), element("dd", {}, may)]));
  if (people.length === 0) {
    return part(
      "People",
      note("There are no accounts: everybody at this machine gives a name and may do everything. The first account is made at the command line, and is the owner's:"),
      element("code", {}, "vermeil review FILE --account NAME"), about,
    );
  }
  const choose = (role, label) => element("select", { "aria-label": label }, ...Object.keys(roles).map((each) => element("option", { value: each, selected: each === role }, each)));
  const rows = people.map(({ name, role }) => {
    const chosen = choose(role, `Role of ${name}`);
    chosen.addEventListener("change", () => send("people", { name, role: chosen.value }, "The role is changed."));
    const remove = button("Remove", "", () => {
      if (confirm(`Take the account of ${name} away? What ${name} decided stays.`)) send("people", { name }, "The account is gone.", remove);
    }, { "aria-label": `Remove ${name}` });
    return element("tr", {}, element("th", { scope: "row" }, quoted(name), name === session.curator ? " (you)" : ""), element("td", {}, chosen), element("td", {}, remove));
  });
  const name = element("input", { maxlength: 60, autocomplete: "off" });
  const password = element("input", { type: "password", maxlength: 1000, minlength: 8, autocomplete: "new-password" });
  const role = choose("curator", "Role of the new account");
  const add = button("Save account", "", () => send("people", { name: name.value, role: role.value, password: password.value }, "The account is saved.", add), { class: "yes" });
  return part(
    "People", about,
    element("div", { class: "scrolls" }, element("table", { class: "form" }, element("thead", {}, element("tr", {}, ...["name", "role", "take away"].map((head) => element("th", { scope: "col" }, head)))), element("tbody", {}, ...rows))),
    note("A new account, or a new password for one that is there:"),
    element("div", { class: "choices" }, element("label", {}, "Name", name), element("label", {}, "Password", password), element("label", {}, "Role", role), add),
  );
}

function sharesPart({ people, progress }, send) {
  const nCurators = people.filter(({ role }) => role === "curator").length;
  if (nCurators === 0) {
    return part("Shares", note("Documents can be given out as soon as there are accounts of curators; until then everybody sees all of them."));
  }
  const overlap = element("input", { type: "number", min: 1, max: nCurators, value: Math.min(2, nCurators) });
  const share = element("input", { type: "number", min: 0, max: 1, step: 0.05, value: 0.2 });
  const give = button("Give out", "", () => send("shares", { overlap: Number(overlap.value), share: Number(share.value) }, "The documents are given out.", give), { class: "yes" });
  const given = progress.curators.filter(({ n_given: n }) => n !== null);
  return part(
    "Shares",
    note("Documents that nobody has yet go to one curator each, and a share of them to several, so that they can be compared. What was given out stays."),
    given.length ? note("Given out: ", ...given.flatMap(({ curator, n_given: n, n_done: done }, k) => [k ? ", " : "", quoted(curator), ` ${n.toLocaleString()} (${done.toLocaleString()} settled)`]), ".") : null,
    element("div", { class: "choices" }, element("label", {}, "Curators of a shared document", overlap), element("label", {}, "Share of the documents, 0 to 1", share), give),
  );
}

function learningPart({ learning }, send) {
  const isOn = element("input", { type: "checkbox", checked: learning.is_on });
  const unit = element("select", {}, ...[["name", "a name at a time"], ["document", "a document at a time"]].map(([value, words]) => element("option", { value, selected: value === learning.unit }, words)));
  const every = element("input", { type: "number", min: 0, max: 100000, value: learning.every });
  const save = button("Save learning", "", () => send("learning", { is_on: isOn.checked, unit: unit.value, every: Number(every.value) }, "Saved."), { class: "yes" });
  return part(
    "Learning",
    note("What is settled teaches how far to trust each annotator, and what comes next. A recogniser is trained again after so many settled documents; 0 trains none."),
    element("label", { class: "tick" }, isOn, " Learn from decisions"),
    element("div", { class: "choices" }, element("label", {}, "What comes next", unit), element("label", {}, "Documents between trainings", every), save),
  );
}

function annotatorsPart({ annotators }, send) {
  const words = element("input", { type: "search", "aria-label": "Find annotators", placeholder: "find annotators" });
  const body = element("tbody", {});
  const more = note("");
  const rowOf = ({ name, trust, is_archived: isArchived = false }) => {
    const act = button(isArchived ? "Restore" : "Archive", "", () => {
      if (isArchived || confirm(`Archive ${name}? It has no vote any more; what was decided stays, and it can be restored.`)) {
        send("annotators", { annotator: name, is_archived: !isArchived }, isArchived ? "Restored." : "Archived.", act);
      }
    }, { "aria-label": `${isArchived ? "Restore" : "Archive"} ${name}` });
    const state = isArchived ? "archived, has no vote" : trust === null || trust === undefined ? "–" : trust.toFixed(2);
    return element("tr", {}, element("th", { scope: "row" }, quoted(name)), element("td", {}, state), element("td", {}, act));
  };
  const draw = () => {
    const wanted = annotators.filter(({ name }) => name.toLocaleLowerCase().includes(words.value.toLocaleLowerCase()));
    body.replaceChildren(...wanted.slice(0, MANY).map(rowOf));
    more.textContent = wanted.length > MANY ? `${(wanted.length - MANY).toLocaleString()} more; type a part of the name to find them.` : "";
  };
  words.addEventListener("input", draw);
  draw();
  return part(
    "Annotators",
    note("An annotator that is archived has no vote: the consensus and the queue follow. It can be restored. Trust is the share of what it marks that is a name with these very edges."),
    annotators.length > MANY ? words : null,
    element("div", { class: "scrolls" }, element("table", { class: "form" }, element("thead", {}, element("tr", {}, ...["annotator", "trust", "vote"].map((head) => element("th", { scope: "col" }, head)))), body)),
    more,
  );
}

function actsPart({ acts }) {
  if (acts.length === 0) return [];
  const lines = acts.map(({ time, curator, action, subject }) => (
    element("li", { class: "quiet" }, `${new Date(time).toLocaleString()}, `, quoted(curator), `: ${action}, `, quoted(subject))
  ));
  return [part("What was done", element("ol", { class: "acts" }, ...lines))];
}
