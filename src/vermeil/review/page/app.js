// The page: who is there, which view is open, and keys.

import { Desk } from "./desk.js";
import { button, byId, element, quoted } from "./elements.js";
import { drawHelp } from "./help.js";
import { Lessons } from "./learned.js";
import { Outbox } from "./outbox.js";
import { Queue } from "./queue.js";
import { drawGuidelines } from "./guidelines.js";
import { get, keepToken, post } from "./server.js";
import { drawSettings } from "./settings.js";
import { drawAgreement, drawFiles } from "./sheets.js";

const ROLES = ["curator", "adjudicator", "owner"];
const SHEETS = ["agreement", "files", "settings"];

let session = null;
let desk = null;
let queue = null;
let lessons = null;
let outbox = null;
let timer = null;
let nRouted = 0;

function tell(words, isGood = false) {
  byId("message").textContent = isGood ? "" : words;
  byId("sent").textContent = isGood ? words : byId("sent").textContent;
  clearTimeout(timer);
  timer = setTimeout(() => {
    byId("message").textContent = "";
    showSent();
  }, 8000);
}

function showSent() {
  const n = outbox?.entries().length ?? 0;
  const { complaint } = outbox ?? { complaint: "" };
  byId("sent").classList.toggle("waiting", complaint !== "");
  byId("sent").textContent = complaint
    ? `${n} not saved yet: ${complaint}. Kept here, trying again …`
    : n > 0 ? "Saving …" : session?.curator ? "All saved" : "";
}

async function begin() {
  const { data } = await get("/api/session");
  session = data;
  keepToken(data.token);
  byId("login").hidden = Boolean(data.curator);
  byId("tabs").hidden = byId("help-button").hidden = !data.curator;
  if (!data.curator) {
    askWho();
    return;
  }
  byId("who").replaceChildren(quoted(data.curator), button("Log out", "", leave));
  for (const link of byId("tabs").querySelectorAll("[data-needs]")) {
    link.hidden = ROLES.indexOf(data.role) < ROLES.indexOf(link.dataset.needs);
  }
  outbox = new Outbox(`vermeil-review ${data.review} ${data.curator}`, {
    post: (entry) => {
      const { shown, ...sent } = entry;
      return post("/api/decisions", sent);
    },
    onAcknowledged: (entry, reply) => {
      desk.took(entry, reply);
      lessons.hear();
    },
    onRefused: (entry, why) => {
      tell(why);
      desk.refused(entry);
    },
    onState: () => {
      showSent();
      if (outbox.complaint.startsWith("say who you are") && byId("login").hidden) begin();
    },
  });
  queue = new Queue({ go: (number) => (location.hash = `#/${queue.kind}/${number}`), tell });
  lessons = new Lessons(queue);
  lessons.hear();
  desk = new Desk({ outbox, queue, tell, session: data });
  byId("guidelines-button").hidden = !data.has_guidelines;
  outbox.flush();
  await route();
}

function askWho() {
  for (const id of ["desk", "sheet"]) byId(id).hidden = true;
  byId("who").replaceChildren();
  byId("password-row").hidden = !session.accounts;
  byId("login-hint").textContent = session.accounts
    ? "This review has accounts."
    : "Your decisions are kept under this name.";
  byId("login-name").focus();
}

async function enter(event) {
  event.preventDefault();
  const begins = byId("login-button");
  if (begins.disabled) return;
  begins.disabled = true;
  begins.textContent = "One moment …";
  const { status, data } = await post("/api/login", {
    name: byId("login-name").value,
    password: byId("login-password").value,
  }).catch(() => ({ status: 0, data: { error: "The server does not answer; try again." } }));
  if (status === 200) {
    location.reload();
    return;
  }
  begins.disabled = false;
  begins.textContent = "Begin";
  byId("login-password").value = "";
  tell(data.error);
}

async function leave() {
  await post("/api/logout", {});
  location.hash = "";
  location.reload();
}

// Answers may overtake each other: what comes after another link was followed is not shown.
async function route() {
  if (!session?.curator) return;
  const [, view = "", number = ""] = location.hash.split("/");
  const kind = view === "adjudicate" ? "adjudicate" : "review";
  const isSheet = SHEETS.includes(view);
  byId("desk").hidden = isSheet;
  byId("sheet").hidden = !isSheet;
  byId("queue").classList.remove("open");
  for (const link of byId("tabs").children) {
    const isHere = link.getAttribute("href") === `#/${isSheet ? view : kind}`;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  nRouted += 1;
  const turn = nRouted;
  if (!isSheet && !desk.isHere()) desk.lock();
  const isHere = () => turn === nRouted;
  if (isSheet) byId("sheet").replaceChildren(element("p", { class: "quiet", role: "status" }, "Loading …"));
  if (view === "agreement") {
    const replies = await Promise.all([get("/api/agreement"), get("/api/progress")]).catch(() => null);
    if (isHere()) drawAgreement(byId("sheet"), ...(replies ?? [{}, {}]));
  } else if (view === "files") drawFiles(byId("sheet"), session, tell);
  else if (view === "settings") await drawSettings(byId("sheet"), { tell, session, isHere, changed: renew });
  else {
    await queue.show(kind);
    if (turn !== nRouted) return;
    const chosen = /^\d+$/.test(number) ? Number(number) : queue.first();
    // A reload comes back to this document, also when it has left the queue by then.
    if (chosen !== null) history.replaceState(null, "", `#/${kind}/${chosen}`);
    queue.mark(chosen);
    if (chosen === null) {
      desk.close();
      byId("facts").textContent =
        kind === "review" ? "Nothing is open." : "There is nothing on which finished curators differ.";
    } else await desk.open(kind, chosen);
  }
}

// What was set is seen at once: labels, colours and keys, guidelines, roles.
async function renew() {
  const { data } = await get("/api/session").catch(() => ({ data: null }));
  if (data === null) return;
  if (!data.curator || data.role !== session.role) location.reload();
  session = data;
  keepToken(data.token);
  desk.learnLabels(data);
  queue.forget();
  byId("guidelines").replaceChildren();
  byId("guidelines").hidden = true;
  byId("guidelines-button").hidden = !data.has_guidelines;
}

function pressed(event) {
  if (!session?.curator || byId("help").open) return;
  if (event.target.closest("input, textarea, select, summary")) return;
  if (event.target.closest("a, button") && (event.key === "Enter" || event.key === " ")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !byId("desk").hidden && (event.key === "z" || event.key === "y")) {
    event.preventDefault();
    if (event.key === "z") desk.act.undo();
    else desk.act.redo();
    return;
  }
  if (isCommand || event.altKey) return;
  if (event.key === "?") showHelp();
  else if (byId("desk").hidden || !desk.key(event)) return;
  event.preventDefault();
}

function showHelp() {
  drawHelp(byId("help"));
  byId("help").showModal();
}

byId("login-form").addEventListener("submit", enter);
byId("help-button").addEventListener("click", showHelp);
byId("queue-button").addEventListener("click", () => {
  const isOpen = byId("queue").classList.toggle("open");
  byId("queue-button").setAttribute("aria-expanded", String(isOpen));
});
byId("guidelines-button").addEventListener("click", () => drawGuidelines(byId("guidelines"), byId("guidelines-button")));
byId("archive-button").addEventListener("click", () => desk?.archive());
addEventListener("hashchange", route);
addEventListener("keydown", pressed);
addEventListener("online", () => outbox?.flush());
begin();
