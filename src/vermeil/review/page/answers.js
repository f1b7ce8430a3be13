// What a decision changes, as pure functions; the twin of vermeil.review.decisions.
//
// An item is what a curator decides on: a heart with the answer that speaks of it, or a name that
// was added where no heart is. A heart that only lies inside a name accepted elsewhere is covered: it
// needs no answer but may get one; a nested heart, which has another level, is never covered. A change is
// {place, before, after}; a place is [start, end, label].

import { broken } from "./votes.js";

export const WHOLE = [0, 0, ""];

export function keyOf(place) {
  return JSON.stringify(place);
}

// A heart as it came, with what is asked of it again and again.
export function heartOf(heart, nLooked) {
  const { start, end, label, modal, fragments } = heart;
  return { ...heart, nLooked, key: keyOf([start, end, label]), stretch: `${modal} ${fragments}` };
}

export function isSettled(answer) {
  return answer !== null && (answer.verdict === "accepted" || answer.verdict === "rejected");
}

// Pair each heart with its answer, and list the names without a heart, in reading order. An item has an
// `id` that it keeps, the `key` of its place, and its `rivals`: those of the very same stretch. What is as it
// was `before` is the very same object.
export function itemsOf(hearts, work, before = []) {
  const settled = new Settled(hearts, work);
  const known = new Map(before.map((item) => [item.id, item]));
  const taken = new Set();
  const itemOf = (id, heart, answer, cover) => {
    const old = known.get(id);
    if (old && old.heart === heart && old.answer === answer && old.cover === cover) return old;
    return { id, key: answer ? keyOf(answer.place) : heart.key, heart, answer, cover, rivals: [] };
  };
  const items = hearts.map((heart, number) => {
    let answer = work.get(heart.key) ?? null;
    if (!isSettled(answer)) answer = settled.places.first(heart) ?? answer;
    if (answer) taken.add(answer);
    return itemOf(String(number), heart, answer, isSettled(answer) ? null : settled.names.first(heart));
  });
  const byModal = new Map();
  for (const item of items) {
    const { stretch } = item.heart;
    if (!byModal.has(stretch)) byModal.set(stretch, []);
    byModal.get(stretch).push(item);
    item.rivals = byModal.get(stretch);
  }
  for (const [key, answer] of work) {
    if (!taken.has(answer) && answer.name) {
      items.push(itemOf(`+${key}`, null, answer, null));
    }
  }
  return items.sort((a, b) => spanOf(a)[0] - spanOf(b)[0] || spanOf(a)[1] - spanOf(b)[1]);
}

export function isOpen(item) {
  return item.heart !== null && !isSettled(item.answer) && item.cover === null;
}

export function placeOf(item) {
  return item.answer ? item.answer.place : [item.heart.start, item.heart.end, item.heart.label];
}

export function nameOf(item) {
  return item.answer?.name ?? null;
}

// The span to show: as it was accepted, or as most annotators have it.
export function spanOf(item) {
  const name = nameOf(item);
  if (name) return [name.start, name.end];
  return item.heart ? item.heart.modal : item.answer.place.slice(0, 2);
}

// The pieces of that span, [] where it has no gap.
export function fragmentsOf(item) {
  const name = nameOf(item);
  return (name ? name.fragments : item.heart?.fragments) ?? [];
}

// What is marked, as it is said: pieces stand side by side.
export function wordsOf(points, [start, end], fragments = []) {
  return broken(start, end, fragments)
    .filter(([, , isGap]) => !isGap)
    .map(([from, to]) => points.slice(from, to))
    .join(" … ");
}

export function labelOf(item) {
  return nameOf(item)?.label ?? (item.heart ? item.heart.label : item.answer.place[2]);
}

export function verdictOf(item) {
  return item.cover ? "covered" : item.answer?.verdict ?? "open";
}

// Everybody who looked for that label has the name, with the same edges.
export function isAgreed(item) {
  const heart = item.heart;
  return (
    heart !== null &&
    heart.annotators.length === heart.nLooked &&
    heart.left.length === 1 &&
    heart.right.length === 1
  );
}

export function accept(item) {
  return named(item, nameOf(item) ?? proposed(item));
}

export function reject(item) {
  if (item.heart === null) return [change(item, null)];
  return [change(item, { ...base(item), verdict: "rejected" })];
}

export function skip(item) {
  return [change(item, { ...base(item), verdict: "skipped" })];
}

export function relabel(item, label) {
  return named(item, { ...(nameOf(item) ?? proposed(item)), label });
}

// Set the edges of a name (variant 0) or of its alternative number `variant`.
export function setEdges(item, variant, [start, end]) {
  const name = nameOf(item) ?? proposed(item);
  const others = name.alternatives ?? [];
  const spans = [[name.start, name.end], ...others];
  if (spans.some((span, number) => number !== variant && span[0] === start && span[1] === end)) {
    return null;
  }
  if (variant === 0) {
    return named(item, { ...name, start, end, fragments: between(name.fragments ?? [], start, end) });
  }
  const alternatives = others.map((span, number) => (number + 1 === variant ? [start, end] : span));
  return named(item, { ...name, alternatives });
}

export function addAlternative(item, span) {
  const name = nameOf(item) ?? proposed(item);
  const spans = [[name.start, name.end], ...(name.alternatives ?? [])];
  if (spans.some(([start, end]) => start === span[0] && end === span[1])) return null;
  return named(item, { ...name, alternatives: [...spans.slice(1), span] });
}

export function removeAlternative(item, variant) {
  const name = nameOf(item);
  const alternatives = name.alternatives.filter((_, number) => number + 1 !== variant);
  return named(item, { ...name, alternatives });
}

// The best-supported pair of voted edges that is not among the acceptable spans yet.
export function nextAlternative(item) {
  if (item.heart === null) return null;
  const name = nameOf(item);
  const known = new Set([spanOf(item), ...(name?.alternatives ?? [])].map(String));
  let best = null;
  for (const [start, lefts] of item.heart.left) {
    for (const [end, rights] of item.heart.right) {
      const worth = lefts * rights;
      if (!known.has(String([start, end])) && (best === null || worth > best.worth)) {
        best = { worth, span: [start, end] };
      }
    }
  }
  return best?.span ?? null;
}

// Add a name of one piece or several.
export function add(work, pieces, label) {
  const [start, end] = [pieces[0][0], pieces.at(-1)[1]];
  const place = [start, end, label];
  const before = work.get(keyOf(place)) ?? null;
  const name = tidyName({ start, end, label, fragments: pieces.length > 1 ? pieces : [] });
  return [{ place, before, after: { ...(before ?? { place }), verdict: "accepted", name } }];
}

export function setOpinion(item, opinion) {
  return [change(item, { ...base(item, true), opinion })];
}

export function setComment(item, comment) {
  return [change(item, { ...base(item, true), comment })];
}

// What is said of the document as a whole is an answer like any other, at the place WHOLE.
export function changeWhole(work, fields) {
  const before = work.get(keyOf(WHOLE)) ?? null;
  return [{ place: WHOLE, before, after: tidy({ ...(before ?? { place: WHOLE }), ...fields }) }];
}

export function apply(work, changes) {
  const after = new Map(work);
  for (const { place, after: answer } of changes) {
    if (answer === null) after.delete(keyOf(place));
    else after.set(keyOf(place), answer);
  }
  return after;
}

export function inverse(changes) {
  return changes.map(({ place, before, after }) => ({ place, before: after, after: before })).reverse();
}

// Which settled answers speak of a heart: by the place they were given for, or by the name they accept.
class Settled {
  constructor(hearts, work) {
    const levels = new Map(hearts.map((heart) => [heart.key, heart.level]));
    const near = new Stretches(hearts.map((heart) => ({ ...heart, group: heart.label, said: heart.level })));
    const stretch = (key, answer, start, end, label) => {
      const isOwn = label === answer.place[2] && levels.has(key);
      const level = isOwn ? levels.get(key) : near.mostLike(start, end, label);
      return level === null ? [] : [{ start, end, group: `${level} ${label}`, said: answer }];
    };
    const settled = [...work].filter(([key, answer]) => isSettled(answer) && key !== keyOf(WHOLE));
    this.places = new Stretches(settled.flatMap(([key, answer]) => stretch(key, answer, ...answer.place)));
    this.names = new Stretches(settled.flatMap(([key, answer]) => {
      const { name } = answer;
      return name ? stretch(key, answer, name.start, name.end, name.label) : [];
    }));
  }
}

// Stretches {start, end, group, said}, by group and in order, so that a long text is quickly asked.
class Stretches {
  constructor(rows) {
    this.groups = new Map();
    rows.forEach((row, number) => {
      if (!this.groups.has(row.group)) this.groups.set(row.group, []);
      this.groups.get(row.group).push({ ...row, number });
    });
    for (const group of this.groups.values()) {
      group.sort((a, b) => a.start - b.start || a.end - b.end);
      let reach = 0;
      for (const row of group) row.reach = reach = Math.max(reach, row.end);
    }
  }

  // Those of a group that share a character with a stretch, the last first.
  meeting(start, end, group) {
    const rows = this.groups.get(group) ?? [];
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].start < end) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let n = low - 1; n >= 0 && rows[n].reach > start; n -= 1) if (rows[n].end > start) found.push(rows[n]);
    return found;
  }

  // What is said first of a heart, null if nothing is.
  first({ start, end, level, label }) {
    const found = this.meeting(start, end, `${level} ${label}`);
    return found.reduce((best, row) => (best && best.number < row.number ? best : row), null)?.said ?? null;
  }

  // What is said of the stretch that shares most with this one, of equals the first.
  mostLike(start, end, group) {
    let best = null;
    for (const row of this.meeting(start, end, group)) {
      const shared = Math.min(end, row.end) - Math.max(start, row.start);
      const likeness = shared / (Math.max(end, row.end) - Math.min(start, row.start));
      const isBetter = !best || likeness > best.likeness || (likeness === best.likeness && row.start < best.row.start);
      if (isBetter) best = { likeness, row };
    }
    return best ? best.row.said : null;
  }
}

// Accept with this name; other labels of the very same stretch are rejected along with it.
function named(item, name) {
  const accepted = change(item, { ...base(item), verdict: "accepted", name: tidyName(name) });
  const rivals = item.rivals.filter((other) => other !== item && !isSettled(other.answer));
  return [accepted, ...rivals.flatMap(reject)];
}

function proposed(item) {
  const [start, end] = spanOf(item);
  return { start, end, label: labelOf(item), fragments: fragmentsOf(item) };
}

function tidyName({ start, end, label, alternatives = [], fragments = [] }) {
  const name = { start, end, label };
  if (alternatives.length) name.alternatives = alternatives;
  if (fragments.length) name.fragments = fragments;
  return name;
}

// The pieces of a name whose edges have moved: the outer ones reach to the edges.
function between(fragments, start, end) {
  const kept = fragments.filter(([from, to]) => from < end && to > start).map((piece) => [...piece]);
  if (kept.length < 2) return [];
  kept[0][0] = start;
  kept.at(-1)[1] = end;
  return kept;
}

function base(item, keepVerdict = false) {
  const { place, verdict, name, opinion, comment } = item.answer ?? { place: placeOf(item) };
  const kept = { place, opinion, comment };
  return keepVerdict ? { ...kept, verdict, name } : kept;
}

function change(item, after) {
  return { place: placeOf(item), before: item.answer, after: after && tidy(after) };
}

// Leave out what is as usual; an answer that says nothing is none.
function tidy({ place, verdict, name, opinion, comment }) {
  const answer = { place };
  if (verdict && verdict !== "open") answer.verdict = verdict;
  if (name) answer.name = name;
  if (opinion) answer.opinion = true;
  if (comment) answer.comment = comment;
  return Object.keys(answer).length > 1 ? answer : null;
}
