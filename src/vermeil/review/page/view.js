// What a curator sees of a document: its votes, with the verdicts, the name under the hand and the span
// that is being added. The drawing itself is that of the report. Only blocks in which something changed are
// drawn again, so that a key costs the same in a full text as in an abstract.

import { fragmentsOf, labelOf, nameOf, spanOf, verdictOf } from "./answers.js";
import { element } from "./elements.js";
import { VoteDrawing, broken, colourOf, heartMarks, stacked } from "./votes.js";

export function colourOfLabel(label, colours) {
  return colourOf(colours[label] ?? Object.keys(colours).length);
}

export const MANY = 12; // lanes of which all are drawn and named

// The rows of each lane: where they begin, and which of them each name is in. Of many lanes, those without
// a name have no row; `nSilent` counts them.
export function rowsOf(lanes) {
  let first = 0;
  let nSilent = 0;
  const rows = lanes.map(({ spans }) => {
    const isSilent = lanes.length > MANY && spans.length === 0;
    const stack = isSilent ? { n: 0, rows: [] } : stacked(spans);
    nSilent += isSilent;
    first += stack.n;
    return { ...stack, first: first - stack.n };
  });
  return { rows, nSilent };
}

// A text as it is drawn. `state` has points, items, lanes, rows, wave, colours, current, variant and draft
// (the pieces of a name being added, or null), and doubtful, the stretches on which parsers differ.
export class TextView {
  constructor(target) {
    this.target = target;
    this.drawing = null;
    this.forget();
  }

  forget() {
    Object.assign(this, { items: new Map(), strong: null, draft: null, shown: null });
  }

  open(state) {
    const { points, wave } = state;
    this.drawing = new VoteDrawing(this.target, { points, wave, bars: barsOf(state) });
    this.forget();
    this.draw(state, this.drawing.blocks);
    if (points.length === 0 && state.document) this.target.append(element("em", {}, "This document is empty."));
  }

  // Draw what is not as it was before.
  draw(state, blocks = this.stale(state)) {
    const { items, colours, current, draft } = state;
    this.items = new Map(items.map((item) => [item.id, item]));
    Object.assign(this, { strong: items[current] ?? null, draft });
    if (blocks.length > 0) {
      const isAll = blocks.length === this.drawing.blocks.length;
      const isNear = ([from, to]) => blocks.some((block) => block.from < to && from < block.to);
      const marks = items.flatMap((item, number) => (
        isAll || isNear(reachOf(item)) ? itemMarks(item, number === current, colours) : []
      ));
      for (const [start, end, agreement] of state.doubtful) {
        if (isAll || isNear([start, end])) marks.push({ start, end, kind: "doubtful", title: doubtIn(agreement) });
      }
      for (const [start, end] of draft ?? []) marks.push({ start, end, kind: "draft" });
      this.drawing.draw({ marks, edges: edgesOf(items[current]) }, blocks);
    }
    this.follow(state);
  }

  // The blocks with an item that is not the one that was there, or under the hand then or now.
  stale({ items, current, draft }) {
    const changed = items.filter((item) => this.items.get(item.id) !== item);
    const there = new Set(items.map((item) => item.id));
    for (const [id, item] of this.items) if (!there.has(id)) changed.push(item);
    changed.push(...changed.map(({ id }) => this.items.get(id)));
    if (items[current] !== this.strong) changed.push(items[current], this.strong);
    const stretches = changed.filter(Boolean).map(reachOf);
    if (String(draft) !== String(this.draft)) stretches.push(...(draft ?? []), ...(this.draft ?? []));
    return [...new Set(stretches.flatMap((stretch) => this.drawing.blocksAt(...stretch)))];
  }

  // Bring the name under the hand into sight when it is another one.
  follow(state) {
    const id = state.draft ? String(state.draft) : state.items[state.current]?.id;
    if (id === undefined || id === this.shown) return;
    this.shown = id;
    const [start] = state.draft?.at(-1) ?? spanOf(state.items[state.current]);
    const [block] = this.drawing.blocksAt(start, start + 1);
    block?.node.querySelector(state.draft ? ".draft" : ".current")?.scrollIntoView({ block: "nearest" });
  }
}

// How far parsers agree on the structure of a stretch, in words.
export function doubtIn(agreement) {
  return `parsers agree only ${Math.round(100 * agreement)}% here`;
}

// The lowest agreement of parsers on a stretch that an item touches; null where they do not differ.
export function agreementOn(item, doubtful) {
  const [start, end] = spanOf(item);
  const lows = doubtful.filter(([from, to]) => from < end && start < to).map(([, , agreement]) => agreement);
  return lows.length ? Math.min(...lows) : null;
}

// The stretch of the text on which an item draws anything.
function reachOf(item) {
  const spans = [spanOf(item), ...(nameOf(item)?.alternatives ?? [])];
  if (item.heart) spans.push(item.heart.extent);
  return [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))];
}

function barsOf({ lanes, rows, colours }) {
  return lanes.flatMap(({ annotator, spans }, n) => spans.flatMap(([start, end, label, , fragments], place) => {
    const what = { lane: rows[n].first + rows[n].rows[place], colour: colourOfLabel(label, colours), title: `${annotator}: ${label}` };
    return broken(start, end, fragments).map(([from, to, isJoin]) => ({ ...what, start: from, end: to, isJoin }));
  }));
}

function itemMarks(item, strong, colours) {
  const verdict = verdictOf(item);
  const { heart } = item;
  const name = nameOf(item);
  const what = {
    item: item.id, strong, faint: verdict === "rejected", level: heart?.level ?? 0,
    classes: strong ? [verdict, "current"] : [verdict], colour: colourOfLabel(labelOf(item), colours),
  };
  const marks = [];
  if (heart) {
    const voted = { ...what, colour: colourOfLabel(heart.label, colours) };
    marks.push(...heartMarks(heart, voted));
    marks.push({ ...voted, start: heart.extent[0], end: heart.extent[1], kind: "extent" });
  }
  if (name || strong) {
    for (const [start, end, isGap] of broken(...spanOf(item), fragmentsOf(item))) {
      marks.push({ ...what, start, end, kind: isGap ? "join" : name ? "name" : "proposal" });
    }
  }
  for (const [from, to] of name?.alternatives ?? []) {
    marks.push({ ...what, start: from, end: to, kind: "alternative" });
  }
  return marks;
}

// Only the votes for the edges of the name under the hand are shown; the panel has a button for each.
function edgesOf(item) {
  return { left: new Map(item?.heart?.left), right: new Map(item?.heart?.right) };
}
