// What each key and button does to what is on the desk.

import * as answers from "./answers.js";
import { byId } from "./elements.js";

// All actions of a desk. None does anything while the document that the address names is on its way.
export function actionsOn(desk) {
  const here = (action) => (...values) => (desk.isHere() ? action(...values) : undefined);
  const onItem = (action) => here((...values) => {
    if (desk.item && !desk.state.draft) action(desk.item, ...values);
  });
  const act = {
    choose: here((number) => desk.choose(number)),
    chooseItem: here((id) => {
      const number = desk.state.items.findIndex((item) => item.id === id);
      if (number >= 0) desk.choose(number);
    }),
    edgesNow: () => desk.edgesNow(),
    accept: here(() => {
      if (desk.state.draft) return act.addDraft(desk.state.lastLabel);
      if (!desk.item) return undefined;
      if (answers.verdictOf(desk.item) !== "accepted") desk.decide("accept", answers.accept(desk.item));
      return desk.advance();
    }),
    reject: onItem((item) => {
      desk.decide(item.heart ? "reject" : "remove", answers.reject(item));
      desk.advance();
    }),
    skip: onItem((item) => {
      if (answers.isOpen(item)) desk.decide("skip", answers.skip(item));
      const next = desk.nextOpen(desk.state.current);
      if (next === null) desk.queue.step(1);
      else desk.choose(next);
    }),
    relabel: onItem((item, label) => {
      if (!desk.knows(label)) return;
      desk.state.lastLabel = label;
      desk.decide("label", answers.relabel(item, label));
      desk.speak();
    }),
    snap: onItem((item, side, direction) => {
      const voted = (item.heart?.[side] ?? []).map(([at]) => at);
      if (voted.length === 0) return;
      const span = [...desk.edgesNow()];
      const place = side === "left" ? 0 : 1;
      const found = voted.indexOf(span[place]);
      span[place] = voted[found < 0 ? 0 : (found + direction + voted.length) % voted.length];
      desk.setSpan(span);
    }),
    setEdge: onItem((item, side, at) => {
      const span = [...desk.edgesNow()];
      span[side === "left" ? 0 : 1] = at;
      desk.setSpan(span);
    }),
    move: onItem((item, side, by) => {
      const span = [...desk.edgesNow()];
      span[side === "left" ? 0 : 1] += by;
      desk.setSpan(span);
    }),
    alternative: here(() => {
      const { draft } = desk.state;
      if (!desk.item) return;
      const drawn = draft && [draft[0][0], draft.at(-1)[1]];
      const span = drawn ?? answers.nextAlternative(desk.item) ?? answers.spanOf(desk.item);
      const changes = answers.addAlternative(desk.item, span);
      desk.state.draft = null;
      if (changes === null) {
        desk.tell("Select the other acceptable span in the text, then press o.", true);
        desk.draw();
        return;
      }
      desk.decide("alternative", changes);
      desk.state.variant = answers.nameOf(desk.item).alternatives.length;
      desk.draw();
      desk.speak("Alternative added. ");
    }),
    chooseVariant: here((number) => {
      desk.state.variant = number;
      desk.draw();
    }),
    nextVariant: onItem((item) => {
      const nSpans = 1 + (answers.nameOf(item)?.alternatives?.length ?? 0);
      desk.state.variant = (desk.state.variant + 1) % nSpans;
      desk.draw();
    }),
    dropAlternative: onItem((item) => {
      const { variant } = desk.state;
      if (variant > 0) desk.decide("alternative", answers.removeAlternative(item, variant));
    }),
    opinion: onItem((item) => {
      desk.decide("opinion", answers.setOpinion(item, !(item.answer?.opinion ?? false)));
      desk.speak();
    }),
    focusComment: onItem(() => byId("comment")?.focus()),
    // A comment is kept also when it is left by going on to another document, which was asked for already.
    comment: (document, item, text) => {
      if (document !== desk.state.document) return;
      const now = desk.state.items.find((each) => each.key === item.key);
      if (now && text !== (now.answer?.comment ?? "")) desk.decide("comment", answers.setComment(now, text));
    },
    commentDocument: (document, text) => {
      if (document !== desk.state.document || text === desk.state.wholeComment) return;
      desk.decide("comment", answers.changeWhole(desk.state.work, { comment: text }));
    },
    // What was adjudicated is final for curators; an adjudicator can take it up again.
    reopen: here(() => {
      if (!desk.state.isFinal || !desk.state.isDone) return;
      desk.decide("reopen", answers.changeWhole(desk.state.work, { verdict: "reopened" }));
      desk.speak("Reopened. ");
    }),
    rejectAll: here(() => {
      desk.decide("reject all", desk.openItems().flatMap((item) => answers.reject(item)));
      desk.advance();
    }),
    acceptAgreed: here(() => {
      const agreed = desk.openItems().filter((item) => answers.isAgreed(item));
      const changes = agreed.flatMap((item) => answers.accept(item));
      const once = new Map(changes.map((change) => [answers.keyOf(change.place), change]));
      desk.decide("accept agreed", [...once.values()]);
      desk.advance();
    }),
    undo: here(() => undo(desk)),
    redo: here(() => desk.outbox.push({ desk: desk.kind, action: "redo" })),
    done: here(() => done(desk)),
    beginDraft: here(() => {
      const words = desk.state.points.words();
      const from = desk.item ? answers.spanOf(desk.item)[1] : 0;
      const word = words.find(([start]) => start >= from) ?? words.at(-1);
      if (word) desk.draft([word]);
    }),
    addFragment: here(() => {
      const { draft, points } = desk.state;
      const word = draft && points.words().find(([start]) => start > draft.at(-1)[1]);
      if (word) desk.draft([...draft, word]);
    }),
    addDraft: here((label) => {
      if (!desk.knows(label)) return;
      const pieces = desk.state.draft;
      desk.state.lastLabel = label;
      desk.state.draft = null;
      desk.decide("add", answers.add(desk.state.work, pieces, label));
      desk.choosePlace([pieces[0][0], pieces.at(-1)[1], label]);
      desk.draw();
      desk.speak("Added. ");
    }),
    dropDraft: here(() => {
      desk.state.draft = null;
      desk.draw();
    }),
  };
  return act;
}

// Do what a key stands for; whether it stands for anything.
export function keyOn(desk, event) {
  const { act, state } = desk;
  if (state.draft && event.key.startsWith("Arrow")) {
    const direction = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
    desk.moveDraft(direction, event.shiftKey);
    return true;
  }
  if (/^[1-9]$/.test(event.key)) {
    const label = state.keys[event.key];
    if (label && state.draft) act.addDraft(label);
    else if (label) act.relabel(label);
    return true;
  }
  const action = {
    a: act.accept, x: act.reject, " ": act.skip, Backspace: act.undo, y: act.redo,
    n: () => desk.step(1), p: () => desk.step(-1),
    N: () => desk.queue.step(1), P: () => desk.queue.step(-1),
    ArrowDown: () => desk.choose(Math.min(state.items.length - 1, state.current + 1)),
    ArrowUp: () => desk.choose(Math.max(0, state.current - 1)),
    "[": () => act.snap("left", 1), "{": () => act.snap("left", -1),
    "]": () => act.snap("right", 1), "}": () => act.snap("right", -1),
    ",": () => act.move("left", -1), ".": () => act.move("left", 1),
    "<": () => act.move("right", -1), ">": () => act.move("right", 1),
    o: act.alternative, O: act.dropAlternative, v: act.nextVariant, f: act.addFragment,
    s: act.opinion, c: act.focusComment, l: () => byId("other-label")?.focus(),
    C: () => byId("document-comment")?.focus(), R: act.reopen,
    G: () => byId("guidelines-button").click(),
    A: act.acceptAgreed, X: act.rejectAll, i: act.beginDraft,
    Enter: () => (state.draft ? act.addDraft(state.lastLabel) : act.done()),
    Escape: () => (state.draft ? act.dropDraft() : undefined),
  }[event.key];
  if (!action) return false;
  action();
  return true;
}

// What was not sent yet can be shown undone at once; for the rest the server knows what was last.
function undo(desk) {
  const last = desk.outbox.last();
  const shown = last !== null && last.desk === desk.kind && last.document === desk.state.document.number;
  if (shown) {
    desk.state.work = answers.apply(desk.state.work, answers.inverse(last.changes));
    desk.rebuild();
    desk.choosePlace(last.changes[0].place);
    desk.draw();
    desk.speak("Undone. ");
  }
  desk.outbox.push({ desk: desk.kind, action: "undo", shown });
}

function done(desk) {
  const { nOpen, items, work, isDone } = desk.state;
  if (nOpen > 0) {
    desk.tell(`${nOpen} still open: n goes to the next, X rejects them all, N leaves them.`, true);
    desk.choose(items.findIndex(answers.isOpen));
    return;
  }
  const isReopened = work.get(answers.keyOf(answers.WHOLE))?.verdict === "reopened";
  if (!isDone || isReopened) desk.decide("done", answers.changeWhole(work, { verdict: "looked" }));
  desk.queue.step(1);
}
