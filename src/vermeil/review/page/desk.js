// The working surface: a document, the name under the hand, and what each key does to it.

import * as answers from "./answers.js";
import { byId, element, quoted } from "./elements.js";
import { drawList, drawPanel, shortened, support } from "./panel.js";
import { get } from "./server.js";
import { drawText } from "./view.js";
import { CodePoints, placeIn } from "./votes.js";

const EMPTY = {
  document: null, points: new CodePoints(""), hearts: [], lanes: [], wave: [], remarks: [],
  work: new Map(), items: [], current: 0, variant: 0, draft: null, isDone: false,
};

export class Desk {
  // `outbox` takes decisions, `queue` knows what comes next, `tell` shows a line to the curator.
  constructor({ outbox, queue, tell, labels }) {
    Object.assign(this, { outbox, queue, tell });
    this.kind = "review";
    this.nOpened = 0;
    this.state = { ...EMPTY, labels, lastLabel: labels[0] ?? "Name" };
    this.act = this.actions();
    this.text = byId("text");
    this.text.addEventListener("mouseup", () => this.selected());
    byId("history").addEventListener("toggle", () => this.drawHistory());
  }

  async open(kind, number) {
    this.kind = kind;
    this.nOpened += 1;
    const turn = this.nOpened;
    const { status, data } = await get(`/api/documents/${number}?desk=${kind}`);
    if (turn !== this.nOpened) return; // another one was opened meanwhile, or this one closed
    if (status !== 200) {
      this.tell(data.error ?? "the document could not be read");
      return;
    }
    let work = new Map(data.answers.map((answer) => [answers.keyOf(answer.place), answer]));
    for (const entry of this.outbox.entries()) {
      if (entry.document === number && entry.desk === kind && entry.changes) {
        work = answers.apply(work, entry.changes);
      }
    }
    const { labels, lastLabel } = this.state;
    this.state = {
      ...EMPTY, labels, lastLabel, work, document: data, points: new CodePoints(data.text),
      hearts: data.hearts.map((heart, n) => ({ ...heart, nLooked: data.looked[n] })),
      lanes: data.lanes, wave: data.wave, remarks: data.remarks,
    };
    this.rebuild();
    this.state.current = this.nextOpen(-1) ?? 0;
    this.draw();
    this.speak();
  }

  close() {
    this.nOpened += 1;
    this.state = { ...EMPTY, labels: this.state.labels, lastLabel: this.state.lastLabel };
  }

  // Take the name under the hand along when the list changes around it.
  rebuild() {
    const { state } = this;
    const held = state.items[state.current];
    const place = held && answers.keyOf(answers.placeOf(held));
    state.items = answers.itemsOf(state.hearts, state.work);
    const found = state.items.findIndex((item) => answers.keyOf(answers.placeOf(item)) === place);
    state.current = found >= 0 ? found : Math.min(state.current, Math.max(0, state.items.length - 1));
    const nSpans = 1 + (answers.nameOf(this.item ?? { answer: null })?.alternatives?.length ?? 0);
    state.variant = Math.min(state.variant, nSpans - 1);
    const isDecided = [...state.work.values()].some(
      (answer) => answers.isSettled(answer) || answer.verdict === "looked",
    );
    state.isDone = isDecided && this.openItems().length === 0;
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
    this.queue.note(document.number, this.openItems().length, this.state.isDone);
  }

  // An acknowledged undo or redo may be about another document.
  async took(entry, data) {
    this.queue.refresh();
    if (entry.action !== "undo" && entry.action !== "redo") return;
    if (entry.shown) return;
    if (this.state.document?.number === data.document) {
      this.state.work = answers.apply(this.state.work, data.changes);
      this.rebuild();
      this.choosePlace(data.changes[0].place);
      this.draw();
      this.speak(entry.action === "undo" ? "Undone. " : "Done again. ");
    } else {
      location.hash = `#/${this.kind}/${data.document}`;
    }
  }

  draw() {
    const { state } = this;
    const { document } = state;
    byId("document-id").replaceChildren(quoted(document?.id ?? ""));
    byId("facts").textContent = document
      ? `${state.points.length.toLocaleString()} characters${state.isDone ? ", settled" : ""}`
      : "";
    const names = state.lanes.flatMap(({ annotator }, n) => [n ? ", " : "", quoted(annotator)]);
    byId("legend").replaceChildren(...(names.length ? ["Lanes from the top: ", ...names] : []));
    drawText(this.text, state);
    drawPanel(byId("panel"), state, this.act);
    drawList(byId("names"), state, this.act);
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
      const [start, end] = answers.spanOf(item);
      const marked = shortened(state.points.slice(start, end), 80);
      words = `${marked}, ${answers.labelOf(item)}, ${support(item)}, ${answers.verdictOf(item)}`;
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
    const found = this.state.items.findIndex((item) => {
      const { heart } = item;
      const own = heart && answers.keyOf([heart.start, heart.end, heart.label]) === key;
      return own || answers.keyOf(answers.placeOf(item)) === key;
    });
    if (found >= 0) this.state.current = found;
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

  // The next name on which annotators differ; past the last one, the next document.
  step(direction) {
    const { items, current } = this.state;
    for (let n = current + direction; n >= 0 && n < items.length; n += direction) {
      if (items[n].heart && !answers.isAgreed(items[n])) {
        this.choose(n);
        return;
      }
    }
    this.queue.step(direction);
  }

  setSpan(span, action = "boundary") {
    const { items, variant, points } = this.state;
    const [start, end] = span;
    if (!(start >= 0 && start < end && end <= points.length)) return;
    this.decide(action, answers.setEdges(items, this.item, variant, span));
    this.speak();
  }

  edgesNow() {
    const { variant } = this.state;
    return variant === 0 ? answers.spanOf(this.item) : answers.nameOf(this.item).alternatives[variant - 1];
  }

  selected() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed) {
      const inside = selection?.anchorNode?.parentElement?.closest?.("[data-item]");
      if (inside && this.text.contains(inside)) this.choose(Number(inside.dataset.item));
      return;
    }
    const ends = [
      placeIn(this.text, selection.anchorNode, selection.anchorOffset),
      placeIn(this.text, selection.focusNode, selection.focusOffset),
    ];
    if (ends.includes(null)) return;
    const span = this.state.points.trimmed(Math.min(...ends), Math.max(...ends));
    if (span) this.draft(span);
  }

  draft(span) {
    this.state.draft = span;
    this.draw();
    byId("spoken").textContent = `New name: ${shortened(this.state.points.slice(...span), 80)}`;
  }

  // Move a new name by words, or stretch it.
  moveDraft(direction, stretch) {
    const words = this.state.points.words();
    const [start, end] = this.state.draft;
    const first = words.findIndex((word) => word[1] > start);
    const last = words.findLastIndex((word) => word[0] < end);
    const next = Math.min(words.length - 1, Math.max(0, (stretch ? last : first) + direction));
    if (words.length === 0 || (stretch && next < first)) return;
    this.draft(stretch ? [start, words[next][1]] : words[next]);
  }

  actions() {
    const guarded = (action) => (...values) => {
      if (this.item && !this.state.draft) action(this.item, ...values);
    };
    return {
      choose: (number) => this.choose(number),
      edgesNow: () => this.edgesNow(),
      accept: () => {
        if (this.state.draft) return this.act.addDraft(this.state.lastLabel);
        if (!this.item) return undefined;
        if (answers.verdictOf(this.item) !== "accepted") {
          this.decide("accept", answers.accept(this.state.items, this.item));
        }
        return this.advance();
      },
      reject: guarded((item) => {
        this.decide(item.heart ? "reject" : "remove", answers.reject(item));
        this.advance();
      }),
      skip: guarded((item) => {
        if (answers.isOpen(item)) this.decide("skip", answers.skip(item));
        const next = this.nextOpen(this.state.current);
        if (next === null) this.queue.step(1);
        else this.choose(next);
      }),
      relabel: guarded((item, label) => {
        this.state.lastLabel = label;
        this.decide("label", answers.relabel(this.state.items, item, label));
        this.speak();
      }),
      snap: guarded((item, side, direction) => {
        const voted = (item.heart?.[side] ?? []).map(([at]) => at);
        if (voted.length === 0) return;
        const span = [...this.edgesNow()];
        const place = side === "left" ? 0 : 1;
        const found = voted.indexOf(span[place]);
        const next = found < 0 ? 0 : (found + direction + voted.length) % voted.length;
        span[place] = voted[next];
        this.setSpan(span);
      }),
      setEdge: guarded((item, side, at) => {
        const span = [...this.edgesNow()];
        span[side === "left" ? 0 : 1] = at;
        this.setSpan(span);
      }),
      move: guarded((item, side, by) => {
        const span = [...this.edgesNow()];
        span[side === "left" ? 0 : 1] += by;
        this.setSpan(span);
      }),
      alternative: () => {
        const { draft, items } = this.state;
        if (!this.item) return;
        const span = draft ?? answers.nextAlternative(this.item) ?? answers.spanOf(this.item);
        const changes = answers.addAlternative(items, this.item, span);
        this.state.draft = null;
        if (changes === null) {
          this.tell("Select the other acceptable span in the text, then press o.", true);
          this.draw();
          return;
        }
        this.decide("alternative", changes);
        this.state.variant = answers.nameOf(this.item).alternatives.length;
        this.draw();
        this.speak("Alternative added. ");
      },
      chooseVariant: (number) => {
        this.state.variant = number;
        this.draw();
      },
      nextVariant: guarded((item) => {
        const nSpans = 1 + (answers.nameOf(item)?.alternatives?.length ?? 0);
        this.state.variant = (this.state.variant + 1) % nSpans;
        this.draw();
      }),
      dropAlternative: guarded((item) => {
        const { variant, items } = this.state;
        if (variant > 0) this.decide("alternative", answers.removeAlternative(items, item, variant));
      }),
      opinion: guarded((item) => {
        this.decide("opinion", answers.setOpinion(item, !(item.answer?.opinion ?? false)));
        this.speak();
      }),
      focusComment: guarded(() => byId("comment")?.focus()),
      comment: (item, text) => {
        const now = this.state.items.find(
          (each) => answers.keyOf(answers.placeOf(each)) === answers.keyOf(answers.placeOf(item)),
        );
        if (now && text !== (now.answer?.comment ?? "")) this.decide("comment", answers.setComment(now, text));
      },
      rejectAll: () => {
        const changes = this.openItems().flatMap((item) => answers.reject(item));
        this.decide("reject all", changes);
        this.advance();
      },
      acceptAgreed: () => {
        const { items } = this.state;
        const agreed = this.openItems().filter((item) => answers.isAgreed(item));
        const changes = agreed.flatMap((item) => answers.accept(items, item));
        const once = new Map(changes.map((change) => [answers.keyOf(change.place), change]));
        this.decide("accept agreed", [...once.values()]);
        this.advance();
      },
      undo: () => this.undo(),
      redo: () => this.outbox.push({ desk: this.kind, action: "redo" }),
      done: () => this.done(),
      beginDraft: () => {
        const words = this.state.points.words();
        const from = this.item ? answers.spanOf(this.item)[1] : 0;
        const word = words.find(([start]) => start >= from) ?? words.at(-1);
        if (word) this.draft(word);
      },
      addDraft: (label) => {
        const [start, end] = this.state.draft;
        this.state.lastLabel = label;
        this.state.draft = null;
        this.decide("add", answers.add(this.state.work, start, end, label));
        this.choosePlace([start, end, label]);
        this.draw();
        this.speak("Added. ");
      },
      dropDraft: () => {
        this.state.draft = null;
        this.draw();
      },
    };
  }

  // What was not sent yet can be shown undone at once; for the rest the server knows what was last.
  undo() {
    const last = this.outbox.last();
    const shown = last !== null && last.desk === this.kind && last.document === this.state.document?.number;
    if (shown) {
      this.state.work = answers.apply(this.state.work, answers.inverse(last.changes));
      this.rebuild();
      this.choosePlace(last.changes[0].place);
      this.draw();
      this.speak("Undone. ");
    }
    this.outbox.push({ desk: this.kind, action: "undo", shown });
  }

  done() {
    const nOpen = this.openItems().length;
    if (nOpen > 0) {
      this.tell(`${nOpen} still open: n goes to the next, X rejects them all, N leaves them.`, true);
      this.choose(this.openItems().map((item) => this.state.items.indexOf(item))[0]);
      return;
    }
    if (!this.state.isDone) this.decide("done", answers.changeWhole(this.state.work, { verdict: "looked" }));
    this.queue.step(1);
  }

  key(event) {
    const { act, state } = this;
    if (state.draft && event.key.startsWith("Arrow")) {
      const direction = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
      this.moveDraft(direction, event.shiftKey);
      return true;
    }
    if (/^[1-9]$/.test(event.key)) {
      const label = state.labels[Number(event.key) - 1];
      if (label && state.draft) act.addDraft(label);
      else if (label) act.relabel(label);
      return true;
    }
    const action = {
      a: act.accept, x: act.reject, " ": act.skip, Backspace: act.undo, y: act.redo,
      n: () => this.step(1), p: () => this.step(-1),
      N: () => this.queue.step(1), P: () => this.queue.step(-1),
      ArrowDown: () => this.choose(Math.min(state.items.length - 1, state.current + 1)),
      ArrowUp: () => this.choose(Math.max(0, state.current - 1)),
      "[": () => act.snap("left", 1), "{": () => act.snap("left", -1),
      "]": () => act.snap("right", 1), "}": () => act.snap("right", -1),
      ",": () => act.move("left", -1), ".": () => act.move("left", 1),
      "<": () => act.move("right", -1), ">": () => act.move("right", 1),
      o: act.alternative, O: act.dropAlternative, v: act.nextVariant,
      s: act.opinion, c: act.focusComment, l: () => byId("other-label")?.focus(),
      A: act.acceptAgreed, X: act.rejectAll, i: act.beginDraft,
      Enter: () => (state.draft ? act.addDraft(state.lastLabel) : this.done()),
      Escape: () => (state.draft ? act.dropDraft() : undefined),
    }[event.key];
    if (!action) return false;
    action();
    return true;
  }
}
