// The working surface: a document and the name under the hand. What is on the desk is what the address
// says; while another document is on its way, the desk takes neither keys nor clicks.

import { actionsOn, keyOn } from "./acts.js";
import * as answers from "./answers.js";
import { byId, element, quoted } from "./elements.js";
import { NameList } from "./names.js";
import { drawPanel, shortened, support } from "./panel.js";
import { get, post } from "./server.js";
import { MANY, TextView, agreementOn, doubtIn, rowsOf } from "./view.js";
import { CodePoints, placeIn } from "./votes.js";

const AGAIN = 2000; // milliseconds after which a document is asked for again

const EMPTY = {
  document: null, points: new CodePoints(""), hearts: [], lanes: [], rows: [], nSilent: 0, wave: [], doubtful: [], remarks: [],
  work: new Map(), items: [], current: 0, variant: 0, draft: null, nOpen: 0, isDone: false,
  isFinal: false, wholeComment: "",
};

export class Desk {
  // `outbox` takes decisions, `queue` knows what comes next, `tell` shows a line to the curator.
  constructor({ outbox, queue, tell, session }) {
    Object.assign(this, { outbox, queue, tell });
    this.kind = "review";
    this.nOpened = 0;
    this.isDrawing = false;
    this.mayArchive = session.role === "owner";
    this.learnLabels(session);
    this.act = actionsOn(this);
    this.text = byId("text");
    this.view = new TextView(this.text);
    this.names = new NameList(byId("names"), (id) => this.act.chooseItem(id));
    this.text.addEventListener("mouseup", (event) => this.selected(event));
    byId("history").addEventListener("toggle", () => this.drawHistory());
  }

  // Take what labels there are from the session; what is on the desk is read again.
  learnLabels({ labels, colours, keys, is_closed: isClosed }) {
    this.stays = { labels, colours, keys, isClosed };
    this.state = { ...EMPTY, ...this.stays, lastLabel: labels[0] ?? "Name" };
  }

  // Whether what is on the desk is what the address says.
  isHere() {
    const { document } = this.state;
    return document !== null && location.hash === `#/${this.kind}/${document.number}`;
  }

  // Take no more keys and clicks: another document was asked for. What is written in the comment is kept.
  lock() {
    if (byId("panel").contains(window.document.activeElement)) window.document.activeElement.blur();
    this.nOpened += 1;
    this.setBusy(true);
    byId("facts").textContent = "Loading …";
  }

  setBusy(isBusy) {
    for (const id of ["document", "panel"]) byId(id).inert = isBusy;
    byId("document").setAttribute("aria-busy", String(isBusy));
  }

  async open(kind, number) {
    this.lock();
    const turn = this.nOpened;
    const reply = await get(`/api/documents/${number}?desk=${kind}`).catch(() => null);
    if (turn !== this.nOpened) return; // another one was opened meanwhile, or this one closed
    if (reply === null || reply.status >= 500) {
      this.tell("The document could not be read; trying again …");
      setTimeout(() => turn === this.nOpened && this.open(kind, number), AGAIN);
      return;
    }
    if (reply.status !== 200) {
      this.close();
      this.tell(reply.data.error ?? "the document could not be read");
      return;
    }
    this.kind = kind;
    this.put(reply.data);
  }

  // Lay a document on the desk.
  put(data) {
    let work = new Map(data.answers.map((answer) => [answers.keyOf(answer.place), answer]));
    for (const entry of this.outbox.entries()) {
      if (entry.document === data.number && entry.desk === this.kind && entry.changes) {
        work = answers.apply(work, entry.changes);
      }
    }
    const { lastLabel } = this.state;
    const lanes = data.lanes.map((lane, n) => ({ ...lane, isBelow: n >= data.n_above }));
    const hearts = data.hearts.map((heart, n) => answers.heartOf(heart, data.looked[n]));
    this.state = {
      ...EMPTY, ...this.stays, lastLabel, work, hearts, document: data, points: new CodePoints(data.text),
      isFinal: data.is_final, lanes, ...rowsOf(lanes), wave: data.wave, doubtful: data.doubtful, remarks: data.remarks,
    };
    this.rebuild();
    this.state.current = this.wanted() ?? this.nextOpen(-1) ?? 0;
    this.show();
    this.speak();
  }

  // Leave nothing on the desk.
  close() {
    this.lock();
    this.state = { ...EMPTY, ...this.stays, lastLabel: this.state.lastLabel };
    this.show();
  }

  // Take the name under the hand along when the list changes around it.
  rebuild() {
    const { state } = this;
    const id = state.items[state.current]?.id;
    state.items = answers.itemsOf(state.hearts, state.work, state.items);
    const found = state.items.findIndex((item) => item.id === id);
    state.current = found >= 0 ? found : Math.min(state.current, Math.max(0, state.items.length - 1));
    const nSpans = 1 + (answers.nameOf(this.item ?? { answer: null })?.alternatives?.length ?? 0);
    state.variant = Math.min(state.variant, nSpans - 1);
    const isDecided = [...state.work.values()].some(
      (answer) => answers.isSettled(answer) || answer.verdict === "looked",
    );
    const whole = state.work.get(answers.keyOf(answers.WHOLE));
    state.wholeComment = whole?.comment ?? "";
    state.nOpen = this.openItems().length;
    state.isDone = whole?.verdict !== "reopened" && (state.isFinal || (isDecided && state.nOpen === 0));
  }

  get item() {
    return this.state.items[this.state.current] ?? null;
  }

  openItems() {
    return this.state.items.filter(answers.isOpen);
  }

  decide(action, changes) {
    if (!changes || changes.length === 0) return;
    const { document } = this.state;
    this.state.work = answers.apply(this.state.work, changes);
    this.rebuild();
    this.outbox.push({ desk: this.kind, document: document.number, action, changes });
    this.draw();
    this.queue.note(document.number, this.state.nOpen, this.state.isDone);
  }

  // An acknowledged undo or redo may be about another document.
  took(entry, data) {
    this.queue.refresh();
    if (entry.action !== "undo" && entry.action !== "redo") return;
    if (entry.shown) return;
    if (this.isHere() && this.kind === entry.desk && this.state.document.number === data.document) {
      this.state.work = answers.apply(this.state.work, data.changes);
      this.rebuild();
      this.choosePlace(data.changes[0].place);
      this.draw();
      this.speak(entry.action === "undo" ? "Undone. " : "Done again. ");
    } else {
      location.hash = `#/${entry.desk}/${data.document}`;
    }
  }

  // Read again what is on the desk after the server refused something that was shown as decided.
  refused(entry) {
    if (this.isHere() && (entry.document ?? this.state.document.number) === this.state.document.number) {
      this.open(this.kind, this.state.document.number);
    }
  }

  // Draw everything of a document that has just come, or that there is none.
  show() {
    const { state } = this;
    const { document } = state;
    byId("document-id").replaceChildren(quoted(document?.id ?? "Nothing here"));
    byId("legend").replaceChildren(...legendOf(state), ...doubtsOf(state));
    for (const id of ["names-title", "history", "panel"]) byId(id).hidden = document === null;
    byId("archive-button").hidden = document === null || !this.mayArchive;
    this.names.clear();
    this.view.open(state);
    this.drawNow();
    this.setBusy(false);
  }

  // Put the document aside, or restore it.
  async archive() {
    if (!this.isHere()) return;
    const { number, id, is_archived: isArchived } = this.state.document;
    if (!isArchived && !confirm(`Archive ${id}? It is no longer listed or exported, and can be restored.`)) return;
    const { status, data } = await post(`/api/documents/${number}/archive`, { is_archived: !isArchived });
    if (status !== 200) this.tell(data.error);
    else {
      this.tell(isArchived ? "Restored." : "Archived: it is in the list of what was put aside.", true);
      if (this.state.document?.number === number) this.state.document.is_archived = !isArchived;
      this.draw();
      this.queue.load();
    }
  }

  // Draw what changed, once when all that a key does is done.
  draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    queueMicrotask(() => {
      this.isDrawing = false;
      this.drawNow();
    });
  }

  drawNow() {
    const { state } = this;
    byId("facts").textContent = state.document
      ? `${state.points.length.toLocaleString()} characters${state.isDone ? ", settled" : ""}`
      : "";
    byId("archive-button").textContent = state.document?.is_archived ? "Restore" : "Archive";
    this.view.draw(state);
    drawPanel(byId("panel"), state, this.act);
    this.names.draw(state);
    if (byId("history").open) this.drawHistory();
  }

  async drawHistory() {
    const { document } = this.state;
    if (!byId("history").open || !document) return;
    const { data } = await get(`/api/documents/${document.number}/history?desk=${this.kind}`);
    if (document !== this.state.document) return;
    const lines = (Array.isArray(data) ? data : []).map((event) =>
      element(
        "li", { class: "quiet" },
        `${new Date(event.time).toLocaleString()}, `, quoted(event.curator), `: ${event.action}, `,
        event.changes.map(({ place }) => `${place[0]}–${place[1]}`).slice(0, 5).join(", "),
      ),
    );
    byId("events").replaceChildren(...lines);
  }

  speak(before = "") {
    const { item, state } = this;
    let words = state.items.length ? "" : "No names. ";
    if (item) {
      const marked = shortened(answers.wordsOf(state.points, answers.spanOf(item), answers.fragmentsOf(item)), 80);
      const agreement = agreementOn(item, state.doubtful);
      words = `${marked}, ${answers.labelOf(item)}, ${support(item)}, ${answers.verdictOf(item)}`;
      if (agreement !== null) words += `, ${doubtIn(agreement)}`;
    }
    byId("spoken").textContent = before + words;
  }

  choose(number) {
    this.state.current = number;
    this.state.variant = 0;
    this.state.draft = null;
    this.draw();
    this.speak();
  }

  choosePlace(place) {
    const key = answers.keyOf(place);
    const found = this.state.items.findIndex((item) => item.heart?.key === key || item.key === key);
    if (found >= 0) this.state.current = found;
  }

  // The open name for which this document was opened, if it was for one.
  wanted() {
    const { number, start, end } = this.queue.wanted ?? {};
    this.queue.wanted = null;
    if (number !== this.state.document.number) return null;
    const found = this.state.items.findIndex(
      (item) => answers.isOpen(item) && item.heart.start < end && start < item.heart.end,
    );
    return found >= 0 ? found : null;
  }

  nextOpen(from) {
    const { items } = this.state;
    for (let step = 1; step <= items.length; step += 1) {
      const number = (from + step + items.length) % items.length;
      const isNext = answers.isOpen(items[number]) && answers.verdictOf(items[number]) !== "skipped";
      if (isNext && number !== from) return number;
    }
    return null;
  }

  advance() {
    const next = this.nextOpen(this.state.current);
    if (next !== null) this.choose(next);
    else {
      this.draw();
      this.speak(this.state.isDone ? "All settled; enter goes to the next document. " : "");
      if (this.state.isDone) this.tell("All settled. Enter goes to the next document.", true);
    }
  }

  // The next open name; past the last one, that of the whole queue where a decision mends most.
  step(direction) {
    const { items, current } = this.state;
    for (let n = current + direction; n >= 0 && n < items.length; n += direction) {
      if (answers.isOpen(items[n])) {
        this.choose(n);
        return;
      }
    }
    if (direction > 0 && this.kind === "review") this.queue.best();
    else this.queue.step(direction);
  }

  setSpan(span) {
    const { variant, points } = this.state;
    const [start, end] = span;
    if (!(start >= 0 && start < end && end <= points.length)) return;
    this.decide("boundary", answers.setEdges(this.item, variant, span));
    this.speak();
  }

  edgesNow() {
    const { variant } = this.state;
    return variant === 0 ? answers.spanOf(this.item) : answers.nameOf(this.item).alternatives[variant - 1];
  }

  // Whether a label may be given; if not, the curator is told which one may be meant.
  knows(label) {
    const { labels, isClosed } = this.stays;
    if (!isClosed || labels.includes(label)) return true;
    const best = labels.toSorted((a, b) => distance(a, label) - distance(b, label))[0];
    this.tell(`${label}: did you mean ${best}? The labels of this review are ${labels.join(", ")}.`);
    return false;
  }

  // Text that was selected becomes a new name: whole words, or with alt the very characters; with ctrl it
  // becomes one more fragment of the new name that is there.
  selected({ altKey, ctrlKey, metaKey }) {
    if (!this.isHere()) return;
    const selection = getSelection();
    if (!selection || selection.isCollapsed) {
      const inside = selection?.anchorNode?.parentElement?.closest?.("[data-item]");
      if (inside && this.text.contains(inside)) this.act.chooseItem(inside.dataset.item);
      return;
    }
    const ends = [
      placeIn(this.text, selection.anchorNode, selection.anchorOffset),
      placeIn(this.text, selection.focusNode, selection.focusOffset),
    ];
    if (ends.includes(null)) return;
    const { points, draft } = this.state;
    const span = points.trimmed(Math.min(...ends), Math.max(...ends));
    if (!span) return;
    const piece = altKey ? span : points.wholeWords(...span);
    const isMore = (ctrlKey || metaKey) && draft;
    this.draft(isMore ? joined([...draft, piece]) : [piece]);
  }

  draft(pieces) {
    this.state.draft = pieces;
    this.draw();
    const words = answers.wordsOf(this.state.points, [pieces[0][0], pieces.at(-1)[1]], pieces);
    byId("spoken").textContent = `New name: ${shortened(words, 80)}`;
  }

  // Move a new name, or its last fragment, by words, or stretch it.
  moveDraft(direction, stretch) {
    const words = this.state.points.words();
    const kept = this.state.draft.slice(0, -1);
    const [start, end] = this.state.draft.at(-1);
    const first = words.findIndex((word) => word[1] > start);
    const last = words.findLastIndex((word) => word[0] < end);
    const next = Math.min(words.length - 1, Math.max(0, (stretch ? last : first) + direction));
    if (words.length === 0 || (stretch && next < first)) return;
    const piece = stretch ? [start, words[next][1]] : words[next];
    if (kept.length > 0 && piece[0] <= kept.at(-1)[1]) return;
    this.draft([...kept, piece]);
  }

  key(event) {
    return this.isHere() && keyOn(this, event);
  }
}

// Who has which lane. Of a crowd, those who marked nothing have none, and are only counted.
function legendOf({ lanes, rows, nSilent }) {
  if (lanes.length === 0) return [];
  const named = (isBelow) => lanes.flatMap((lane, n) => (lane.isBelow !== isBelow || rows[n].n === 0 ? [] : [
    ", ", quoted(lane.annotator), rows[n].n > 1 ? ` (${rows[n].n} rows)` : "",
  ])).slice(1);
  const [above, below] = [named(false), named(true)];
  const names = below.length ? ["curators ", ...above, "; annotators ", ...below] : above;
  const nNamed = lanes.length - nSilent;
  const others = nSilent ? `${nNamed ? "; " : ""}${nSilent} who looked marked nothing` : "";
  if (nNamed <= MANY) return ["Lanes from the top: ", ...names, others];
  const summary = element("summary", {}, `Lanes of ${nNamed} annotators${others}`);
  return [element("details", {}, summary, "From the top: ", ...names)];
}

// What the dotted lines mean, and how far the tree of the text is trusted.
function doubtsOf({ document, doubtful }) {
  if (!document || (doubtful.length === 0 && document.trust === null)) return [];
  const dotted = doubtful.length ? "Dotted below: parsers differ on how this is built" : "Parsers agree on how this is built";
  const trust = document.trust === null ? "" : `; their tree is trusted ${Math.round(100 * document.trust)}%`;
  return [element("div", { id: "doubts" }, `${dotted}${trust}.`)];
}

// How many letters have to be put in, taken out or changed to make one word of another.
function distance(one, other) {
  const [a, b] = [[...one.toLowerCase()], [...other.toLowerCase()]];
  let row = b.map((_, n) => n + 1);
  row.unshift(0);
  a.forEach((letter, n) => {
    const next = [n + 1];
    b.forEach((each, m) => next.push(Math.min(next[m] + 1, row[m + 1] + 1, row[m] + (letter === each ? 0 : 1))));
    row = next;
  });
  return row.at(-1);
}

// Pieces in order; those that touch are one.
function joined(pieces) {
  const found = [];
  for (const [start, end] of [...pieces].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}
