// The quiet pages: how far curators agree, and files in and out.

import { button, element, quoted } from "./elements.js";
import { get, upload } from "./server.js";

const PAGE = 50; // rows of a long table that are shown at a time

export function drawAgreement(target, { status, data }, { data: team = {} }) {
  if (status !== 200) {
    target.replaceChildren(element("h1", {}, "Agreement among curators"), element("p", {}, data?.error ?? "The server does not answer; load the page again."));
    return;
  }
  target.replaceChildren(element("h1", {}, "Agreement among curators"), ...progressParts(team));
  if (!data.pairs?.length) {
    target.append(element("p", {}, "Two curators who have settled documents are needed for this."));
    return;
  }
  const figures = [
    ["F1, exact, all pairs", data.exact], ["Krippendorff’s alpha", data.alpha], ["Fleiss’ kappa", data.fleiss],
  ];
  target.append(
    element("p", { class: "quiet" }, `Over ${data.n_documents.toLocaleString()} settled documents.`),
    table(["all together", "value"], figures.map(([name, value]) => [name, figure(value)])),
    ...longTable(
      "pairs of curators", ["curators", "documents", "F1, exact", "F1, overlap", "F1 over hearts", "Cohen’s kappa"],
      data.pairs.map((pair) => [
        element("span", {}, quoted(pair.first), " and ", quoted(pair.second)),
        pair.n_documents.toLocaleString(),
        figure(pair.exact), figure(pair.overlap), figure(pair.hearts), figure(pair.kappa),
      ]),
    ),
    element("p", {}, element("a", { href: "#/adjudicate" }, "Settle what they differ on")),
  );
}

function progressParts({ curators = [], n_disputed: nDisputed = 0, n_adjudicated: nAdjudicated = 0 }) {
  if (curators.length === 0) return [];
  const rows = curators.map(({ curator, n_given: nGiven, n_done: nDone }) => (
    [quoted(curator), nGiven === null ? "–" : nGiven.toLocaleString(), nDone.toLocaleString()]
  ));
  return [
    table(["curator", "given out", "settled"], rows),
    element("p", { class: "quiet" }, `Adjudicated: ${nAdjudicated.toLocaleString()} of ${nDisputed.toLocaleString()} documents on which curators differ.`),
  ];
}

export function drawFiles(target, session, tell) {
  target.replaceChildren(element("h1", {}, "Files"), exportPart(session));
  if (session.largest_upload > 0) target.append(importPart(session, tell));
}

function exportPart(session) {
  const what = select("what", Object.entries(session.exports).map(([name, words]) => [name, `${name}: ${words}`]));
  const format = select("format", session.formats.map((name) => [name, name]));
  const link = element("a", { class: "button", id: "download", download: true }, "Export");
  const told = element("p", { id: "settled", role: "status" });
  if ("gold" in session.exports) drawSettled(told);
  const update = () => {
    const query = new URLSearchParams({ what: what.value, format: format.value });
    link.setAttribute("href", `/api/export?${query}`);
    format.disabled = what.value === "disagreements" || what.value === "history";
  };
  what.addEventListener("change", update);
  format.addEventListener("change", update);
  update();
  return element(
    "section", { "aria-label": "Export" },
    element("h2", {}, "Export"),
    "gold" in session.exports && element("p", { class: "quiet" }, "Gold holds what was adjudicated, or what all who settled a document say; documents on which they differ are left out until somebody adjudicates."),
    told,
    element("div", { class: "choices" }, element("label", {}, "What", what), element("label", {}, "Format", format), link),
  );
}

async function drawSettled(target) {
  const { status, data } = await get("/api/export/notes");
  if (status !== 200) return;
  const n = (count) => `${count.toLocaleString()} ${count === 1 ? "document" : "documents"}`;
  target.textContent = `Gold holds ${n(data.n_settled)} now.`;
  if (data.n_left_out > 0) {
    const link = element("a", { href: "#/adjudicate" }, "adjudicate them");
    target.append(` ${n(data.n_left_out)} left out because curators differ: `, link, ".");
  }
}

function importPart(session, tell) {
  const file = element("input", { type: "file", id: "file", required: true });
  const annotator = element("input", { id: "annotator", maxlength: 60, placeholder: "whose annotation" });
  const format = select("reads", [["", "guess"], ...session.reads.map((name) => [name, name])]);
  const told = element("p", { id: "imported", role: "status" });
  file.addEventListener("change", () => {
    if (!annotator.value && file.files[0]) annotator.value = file.files[0].name.split(".")[0];
  });
  const send = async () => {
    const chosen = file.files[0];
    if (!chosen) return tell("Choose a file first.");
    if (chosen.size > session.largest_upload) {
      return tell(`A file has up to ${session.largest_upload.toLocaleString()} bytes; use vermeil review FILE IN…`);
    }
    told.textContent = "Importing …";
    begins.disabled = true;
    const query = new URLSearchParams({ annotator: annotator.value, format: format.value, file: chosen.name });
    const { status, data } = await upload(`/api/import?${query}`, chosen)
      .catch(() => ({ status: 0, data: { error: "The server does not answer; nothing is known of the import. Look at the queue, and try again." } }));
    begins.disabled = false;
    told.textContent =
      status === 200
        ? [`${data.n_new} new, ${data.n_changed} with new annotation, ${data.n_same} as before, ${data.n_refused} refused.`, ...data.refused, ...data.notes].join(" ")
        : data.error;
    return undefined;
  };
  const begins = button("Import", "", send);
  return element(
    "section", { "aria-label": "Import" },
    element("h2", {}, "Import"),
    element("p", { class: "quiet" }, "New documents join the queue; new annotators of documents that are here are added to them. What was decided stays."),
    element("div", { class: "choices" }, element("label", {}, "File", file), element("label", {}, "Annotator", annotator), element("label", {}, "Format", format), begins),
    told,
  );
}

// A table of which only so many rows are shown: those with some words in them, and more where asked for.
function longTable(what, heads, rows) {
  const made = table(heads, rows);
  if (rows.length <= PAGE) return [made];
  const [body] = made.tBodies;
  const lines = [...body.rows];
  const words = element("input", { type: "search", "aria-label": `Find ${what}`, placeholder: "find a name" });
  const more = button("Show more", "", () => draw(nShown + PAGE));
  const told = element("p", { class: "quiet", role: "status" });
  let nShown = PAGE;
  const draw = (n) => {
    nShown = n;
    const wanted = lines.filter((line) => line.textContent.toLocaleLowerCase().includes(words.value.toLocaleLowerCase()));
    body.replaceChildren(...wanted.slice(0, n));
    told.textContent = `${Math.min(n, wanted.length).toLocaleString()} of ${wanted.length.toLocaleString()} ${what}`;
    more.hidden = wanted.length <= n;
  };
  words.addEventListener("input", () => draw(PAGE));
  draw(PAGE);
  return [words, told, made, more];
}

function table(heads, rows) {
  const cell = (tag) => (value, n) => element(tag, { class: n ? "number" : undefined, scope: tag === "th" ? "col" : undefined }, value);
  return element(
    "table", {},
    element("thead", {}, element("tr", {}, ...heads.map(cell("th")))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell("td"))))),
  );
}

function select(id, options) {
  return element("select", { id }, ...options.map(([value, words]) => element("option", { value }, words)));
}

function figure(value) {
  return value === null ? "–" : value.toFixed(3);
}
