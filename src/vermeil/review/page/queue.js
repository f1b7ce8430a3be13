// The list of documents, and which one comes next.

import { byId, element, quoted } from "./elements.js";
import { get } from "./server.js";

const SHOWN = {
  review: [["open", "open, best first"], ["all", "all"], ["done", "settled"], ["doubtful", "open, parsers differ"], ["opinion", "second opinion wanted"], ["archived", "put aside"]],
  adjudicate: [["adjudicate", "curators differ"], ["disputed", "differed, also adjudicated"], ["all", "all"]],
};

export class Queue {
  constructor({ go, tell }) {
    Object.assign(this, { go, tell });
    this.kind = "review";
    this.entries = [];
    this.current = null;
    byId("show").addEventListener("change", () => this.load());
    byId("search").addEventListener("input", () => this.soon());
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Escape" || event.key === "Enter") byId("search").blur();
    });
    byId("more").addEventListener("click", () => this.load(this.entries.length));
  }

  async show(kind) {
    if (kind !== this.kind || byId("show").options.length === 0) {
      this.kind = kind;
      this.entries = [];
      byId("show").replaceChildren(
        ...SHOWN[kind].map(([value, words]) => element("option", { value }, words)),
      );
      await this.load();
    }
  }

  // Ask for the list again when it is next shown.
  forget() {
    byId("show").replaceChildren();
  }

  // Wait until nobody types any more.
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 200);
  }

  refresh() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.load(0, true), 300);
  }

  // Which documents are listed, as the server is asked for them.
  list() {
    const fields = { desk: this.kind, show: byId("show").value, search: byId("search").value };
    return new URLSearchParams(fields).toString();
  }

  async load(skip = 0, keepOrder = false) {
    const list = this.list();
    let reply;
    try {
      reply = await get(`/api/queue?${list}&skip=${skip}`);
    } catch {
      return; // the outbox says that the server is away
    }
    if (list !== this.list()) return; // another list was asked for meanwhile
    if (reply.status !== 200) {
      this.tell(reply.data.error);
      return;
    }
    const { entries, progress, page } = reply.data;
    if (!keepOrder) {
      this.entries = skip ? [...this.entries, ...entries] : entries;
      byId("more").hidden = entries.length < page;
    }
    const { n_documents: all, n_done: done, n_disputed: disputed, n_doubtful: doubtful } = progress;
    const option = byId("show").querySelector("[value=doubtful]");
    if (option) option.hidden = doubtful === 0;
    byId("progress").textContent =
      this.kind === "review"
        ? `${done.toLocaleString()} of ${all.toLocaleString()} settled`
        : `${disputed.toLocaleString()} on which curators differ`;
    this.draw();
    if (this.entries.length === 0 && byId("search").value) {
      byId("entries").replaceChildren(element("li", { class: "quiet" }, "Nothing found in texts, names, labels, annotators, comments and ids of this list."));
    }
  }

  draw() {
    const most = Math.max(1e-9, ...this.entries.map((entry) => this.worth(entry)));
    byId("entries").replaceChildren(...this.entries.map((entry) => this.line(entry, most)));
    byId("entries").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  worth(entry) {
    if (this.kind === "adjudicate") return entry.dispute ?? 0;
    if (byId("show").value === "doubtful") return entry.doubt ?? 0;
    return entry.gain ?? entry.information ?? entry.contested ?? 0;
  }

  line(entry, most) {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${Math.round((100 * this.worth(entry)) / most)}%`;
    return element(
      "li", { class: entry.is_done ? "done" : undefined },
      element(
        "a",
        { href: `#/${this.kind}/${entry.number}`, "aria-current": entry.number === this.current ? "true" : undefined },
        quoted(entry.id, { class: "id" }),
        element("span", { class: "quiet" }, stateOf(entry)),
        bar,
      ),
    );
  }

  // A document does not jump away under the hand: it only shows its new state.
  note(number, nOpen, isDone) {
    const place = this.entries.findIndex((entry) => entry.number === number);
    if (place < 0) return;
    const entry = { ...this.entries[place], n_open: nOpen, is_done: isDone };
    this.entries = this.entries.with(place, entry);
    const line = byId("entries").children[place];
    line.className = isDone ? "done" : "";
    line.querySelector(".quiet").textContent = stateOf(entry);
  }

  mark(number) {
    this.current = number;
    this.draw();
  }

  first() {
    return this.entries[0]?.number ?? null;
  }

  // Go to the open name of all documents where a decision is expected to mend most.
  async best() {
    const reply = await get(`/api/learned/${this.current ?? 0}`).catch(() => null);
    if (!reply?.data.next) {
      await this.step(1);
      return;
    }
    const [number, start, end] = reply.data.next;
    this.wanted = { number, start, end };
    this.go(number);
  }

  async step(direction) {
    let place = this.entries.findIndex((entry) => entry.number === this.current) + direction;
    if (place >= this.entries.length && !byId("more").hidden) await this.load(this.entries.length);
    const next = this.entries[place];
    if (next) this.go(next.number);
    else if (direction > 0) {
      await this.load();
      const left = this.entries.find((entry) => entry.number !== this.current && !entry.is_done);
      if (left) this.go(left.number);
      else this.tell("That was the last document of this list.", true);
    }
  }
}

function stateOf(entry) {
  const { is_done: isDone, n_open: nOpen, n_hearts: nHearts, asks, doubt } = entry;
  const said = isDone ? "settled" : nOpen === null ? `${nHearts} names` : `${nOpen} of ${nHearts} open`;
  const differ = doubt === null || isDone ? "" : " · parsers differ";
  return `${said}${differ}${asks ? " · opinion wanted" : ""}`;
}
