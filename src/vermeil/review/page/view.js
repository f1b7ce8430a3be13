// The vote view: the text with each heart solid, its extensions shaded by their share of the votes,
// ticks at voted boundaries, a wave of votes above and a lane for each annotator below.
//
// The text is cut into segments at every place where something begins or ends; all that is drawn on
// a segment is a stack of plain gradients, so it wraps like text and can be selected like text.

import { labelOf, nameOf, spanOf, verdictOf } from "./answers.js";
import { count } from "./code-points.js";
import { element } from "./elements.js";

const WAVE = 16; // pixels above the text
const LANE = 5; // pixels for each annotator below it

export function colourOf(label, labels) {
  const number = labels.indexOf(label);
  return `var(--label-${(number < 0 ? labels.length : number) % 9})`;
}

// Draw the text into `target`. `state` has points, items, lanes, wave, labels, current, variant and
// draft (a span being added, or null).
export function drawText(target, state) {
  const { points, lanes, items } = state;
  target.replaceChildren();
  target.style.setProperty("--lanes", `${lanes.length * LANE}px`);
  target.style.setProperty("--wave", `${WAVE}px`);
  const fragment = document.createDocumentFragment();
  for (const segment of segmentsOf(state)) {
    for (const votes of segment.votes) fragment.append(voteMark(votes));
    fragment.append(drawSegment(segment, state));
  }
  if (points.length === 0) fragment.append(element("em", {}, "This document is empty."));
  target.append(fragment);
  const shown = items[state.current];
  if (shown) target.querySelector(".current")?.scrollIntoView({ block: "nearest" });
}

// The place in the text that a point of a selection stands for, in code points; null outside it.
export function placeIn(target, node, offset) {
  if (node === target) {
    const child = target.childNodes[offset];
    if (!child) return null;
    node = child;
    offset = 0;
  }
  const inside = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const segment = inside?.closest?.("[data-start]");
  if (!segment || !target.contains(segment)) return null;
  const before = node.nodeType === Node.TEXT_NODE ? node.data.slice(0, offset) : "";
  return Number(segment.dataset.start) + count(before);
}

function segmentsOf({ points, items, lanes, wave, current, draft }) {
  const marks = [];
  const put = (start, end, what) => {
    if (start < end) marks.push({ start, end, ...what });
  };
  lanes.forEach((lane, number) => {
    for (const [start, end, label] of lane.spans) put(start, end, { lane: number, label });
  });
  for (const [start, end, height] of wave) put(start, end, { wave: height });
  items.forEach((item, number) => markItem(item, number, number === current, put));
  if (draft) put(draft[0], draft[1], { draft: true });
  const cuts = [...new Set([0, points.length, ...marks.flatMap(({ start, end }) => [start, end])])];
  cuts.sort((a, b) => a - b);
  marks.sort((a, b) => a.start - b.start);
  const votesAt = currentVotes(items[current]);
  const segments = [];
  let open = [];
  let next = 0;
  for (let n = 0; n + 1 < cuts.length; n += 1) {
    const [start, end] = [cuts[n], cuts[n + 1]];
    open = open.filter((mark) => mark.end > start);
    while (next < marks.length && marks[next].start <= start) open.push(marks[next++]);
    segments.push({ start, end, marks: [...open], votes: votesAt.get(start) ?? [] });
  }
  return segments;
}

function markItem(item, number, isCurrent, put) {
  const what = { item: number, current: isCurrent, verdict: verdictOf(item) };
  const name = nameOf(item);
  const [start, end] = spanOf(item);
  const heart = item.heart;
  if (heart) {
    put(heart.start, heart.end, { ...what, label: heart.label, share: 1, kind: "heart" });
    const [from, to] = heart.extent;
    extensions(heart.left, heart.start, (at, share) =>
      put(at[0], at[1], { ...what, label: heart.label, share, kind: "extension" }));
    extensions(heart.right, heart.end, (at, share) =>
      put(at[0], at[1], { ...what, label: heart.label, share, kind: "extension" }));
    put(from, to, { ...what, label: heart.label, kind: "extent" });
  }
  if (name) put(start, end, { ...what, label: name.label, kind: "name" });
  else if (isCurrent) put(start, end, { ...what, label: labelOf(item), kind: "proposal" });
  for (const [from, to] of name?.alternatives ?? []) {
    put(from, to, { ...what, label: name.label, kind: "alternative" });
  }
}

// Stretches between boundaries, each with the share of the votes that reach as far.
function extensions(boundaries, edge, put) {
  const total = boundaries.reduce((sum, [, votes]) => sum + votes, 0);
  let left = total;
  let place = edge;
  for (const [at, votes] of boundaries) {
    if (at !== place) put(at < place ? [at, place] : [place, at], left / total);
    place = at;
    left -= votes;
  }
}

function currentVotes(item) {
  const found = new Map();
  if (!item?.heart) return found;
  const put = (side) => ([at, votes]) => found.set(at, [...(found.get(at) ?? []), { side, votes }]);
  item.heart.left.forEach(put("left"));
  item.heart.right.forEach(put("right"));
  return found;
}

function voteMark({ side, votes }) {
  const shown = Number.isInteger(votes) ? votes : votes.toFixed(1);
  return element("span", { class: `votes ${side}`, "data-votes": shown, "aria-hidden": "true" });
}

function drawSegment({ start, end, marks }, { points, labels, lanes }) {
  const made = element("span", { "data-start": start }, points.slice(start, end));
  if (marks.length === 0) return made;
  made.className = "segment";
  const layers = [];
  const said = [];
  const names = marks.filter((mark) => mark.kind);
  const owner = names.find((mark) => mark.current) ?? names[0];
  if (owner) made.dataset.item = owner.item;
  for (const mark of marks) {
    if (mark.kind) {
      made.classList.add(mark.kind, mark.verdict);
      if (mark.current) made.classList.add("current");
      layers.push(...strokes(mark, start, end, colourOf(mark.label, labels)));
    }
    if (mark.draft) made.classList.add("draft");
  }
  for (const mark of marks) {
    if (mark.lane !== undefined) {
      const up = (lanes.length - 1 - mark.lane) * LANE;
      layers.push(fill(colourOf(mark.label, labels), 1, `0 calc(100% - ${up}px)`, "100% 3px"));
      said.push(`${lanes[mark.lane].annotator}: ${mark.label}`);
    } else if (mark.wave !== undefined) {
      const height = Math.max(1, mark.wave * (WAVE - 3));
      layers.push(fill("var(--wave-colour)", 1, `0 ${WAVE - 2 - height}px`, `100% ${height}px`));
    }
  }
  made.style.background = layers.join(", ");
  if (said.length > 0) made.title = said.join("\n");
  return made;
}

// What a mark draws on the band of the text itself.
function strokes({ start, end, kind, share, verdict, current }, from, to, colour) {
  const band = "calc(100% - var(--wave) - var(--lanes))";
  const under = "calc(100% - var(--lanes))";
  const drawn = [];
  const faded = verdict === "rejected" ? 0.35 : 1;
  if (kind === "name") drawn.push(fill(colour, 1, `0 ${under}`, "100% 3px"));
  if (kind === "alternative") drawn.push(dashes(colour, under));
  if (kind === "proposal") drawn.push(fill(colour, 0.7, `0 ${under}`, "100% 1px"));
  if (kind === "heart") drawn.push(fill(colour, 0.42 * faded, "0 var(--wave)", `100% ${band}`));
  if (kind === "extension") {
    drawn.push(fill(colour, 0.24 * share * faded, "0 var(--wave)", `100% ${band}`));
    const tick = current ? 1 : 0.5;
    if (from === start) drawn.unshift(fill(colour, tick, "0 var(--wave)", `1.5px ${band}`));
    if (to === end) drawn.unshift(fill(colour, tick, "100% var(--wave)", `1.5px ${band}`));
  }
  return drawn;
}

function fill(colour, share, position, size) {
  const shade = `color-mix(in srgb, ${colour} ${Math.round(share * 100)}%, transparent)`;
  return `linear-gradient(${shade}, ${shade}) ${position} / ${size} no-repeat`;
}

function dashes(colour, under) {
  const stops = `${colour} 0 4px, transparent 4px 7px`;
  return `repeating-linear-gradient(90deg, ${stops}) 0 ${under} / 100% 3px no-repeat`;
}
