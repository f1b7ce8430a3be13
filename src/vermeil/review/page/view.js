// What a curator sees of a document: its votes, with the verdicts, the name under the hand and the span
// that is being added. The drawing itself is that of the report.

import { labelOf, nameOf, spanOf, verdictOf } from "./answers.js";
import { element } from "./elements.js";
import { colourOf, drawVotes, heartMarks } from "./votes.js";

export function colourOfLabel(label, labels) {
  const number = labels.indexOf(label);
  return colourOf(number < 0 ? labels.length : number);
}

// Draw the text into `target`. `state` has points, items, lanes, wave, labels, current, variant and
// draft (a span being added, or null).
export function drawText(target, state) {
  const { points, wave, items } = state;
  const shown = items[state.current];
  drawVotes(target, { points, wave, edges: edgesOf(shown), bars: barsOf(state), marks: marksOf(state) });
  if (points.length === 0) target.append(element("em", {}, "This document is empty."));
  if (shown) target.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

function barsOf({ lanes, labels }) {
  return lanes.flatMap(({ annotator, spans }, lane) => spans.map(([start, end, label]) => (
    { lane, start, end, colour: colourOfLabel(label, labels), title: `${annotator}: ${label}` }
  )));
}

function marksOf({ items, labels, current, draft }) {
  const marks = items.flatMap((item, number) => itemMarks(item, number, number === current, labels));
  if (draft) marks.push({ start: draft[0], end: draft[1], kind: "draft" });
  return marks;
}

function itemMarks(item, number, strong, labels) {
  const verdict = verdictOf(item);
  const { heart } = item;
  const name = nameOf(item);
  const [start, end] = spanOf(item);
  const what = {
    item: number, strong, faint: verdict === "rejected",
    classes: strong ? [verdict, "current"] : [verdict], colour: colourOfLabel(labelOf(item), labels),
  };
  const marks = [];
  if (heart) {
    const voted = { ...what, colour: colourOfLabel(heart.label, labels) };
    marks.push(...heartMarks(heart, voted));
    marks.push({ ...voted, start: heart.extent[0], end: heart.extent[1], kind: "extent" });
  }
  if (name) marks.push({ ...what, start, end, kind: "name" });
  else if (strong) marks.push({ ...what, start, end, kind: "proposal" });
  for (const [from, to] of name?.alternatives ?? []) {
    marks.push({ ...what, start: from, end: to, kind: "alternative" });
  }
  return marks;
}

// Only the votes for the edges of the name under the hand are shown; the panel has a button for each.
function edgesOf(item) {
  return { left: new Map(item?.heart?.left), right: new Map(item?.heart?.right) };
}
