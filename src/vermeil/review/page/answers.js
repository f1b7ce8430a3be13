// What a decision changes, as pure functions; the twin of vermeil.review.decisions.
//
// An item is what a curator decides on: a heart with the answer that speaks of it, or a name that
// was added where no heart is. A heart that only lies inside a name accepted elsewhere is covered: it
// needs no answer but may get one. A change is {place, before, after}; a place is [start, end, label].

export const WHOLE = [0, 0, ""];

export function keyOf(place) {
  return JSON.stringify(place);
}

export function isSettled(answer) {
  return answer !== null && (answer.verdict === "accepted" || answer.verdict === "rejected");
}

// Pair each heart with its answer, and list the names without a heart, in reading order.
export function itemsOf(hearts, work) {
  const answers = [...work.values()].filter((answer) => keyOf(answer.place) !== keyOf(WHOLE));
  const settled = answers.filter(isSettled);
  const taken = new Set();
  const items = hearts.map((heart) => {
    const meets = (start, end, label) =>
      label === heart.label && start < heart.end && heart.start < end;
    let answer = work.get(keyOf([heart.start, heart.end, heart.label])) ?? null;
    if (!isSettled(answer)) answer = settled.find(({ place }) => meets(...place)) ?? answer;
    if (answer) taken.add(answer);
    const covers = ({ name }) => name && meets(name.start, name.end, name.label);
    const cover = isSettled(answer) ? null : settled.find(covers) ?? null;
    return { heart, answer, cover };
  });
  for (const answer of answers) {
    if (!taken.has(answer) && answer.name) items.push({ heart: null, answer, cover: null });
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

export function accept(items, item) {
  const [start, end] = spanOf(item);
  const name = nameOf(item) ?? { start, end, label: labelOf(item) };
  return named(items, item, name);
}

export function reject(item) {
  if (item.heart === null) return [change(item, null)];
  return [change(item, { ...base(item), verdict: "rejected" })];
}

export function skip(item) {
  return [change(item, { ...base(item), verdict: "skipped" })];
}

export function relabel(items, item, label) {
  const [start, end] = spanOf(item);
  return named(items, item, { ...(nameOf(item) ?? { start, end }), label });
}

// Set the edges of a name (variant 0) or of its alternative number `variant`.
export function setEdges(items, item, variant, [start, end]) {
  const name = nameOf(item) ?? { ...edges(spanOf(item)), label: labelOf(item) };
  const others = name.alternatives ?? [];
  const spans = [[name.start, name.end], ...others];
  if (spans.some((span, number) => number !== variant && span[0] === start && span[1] === end)) {
    return null;
  }
  if (variant === 0) return named(items, item, { ...name, start, end });
  const alternatives = others.map((span, number) => (number + 1 === variant ? [start, end] : span));
  return named(items, item, { ...name, alternatives });
}

export function addAlternative(items, item, span) {
  const name = nameOf(item) ?? { ...edges(spanOf(item)), label: labelOf(item) };
  const spans = [[name.start, name.end], ...(name.alternatives ?? [])];
  if (spans.some(([start, end]) => start === span[0] && end === span[1])) return null;
  return named(items, item, { ...name, alternatives: [...spans.slice(1), span] });
}

export function removeAlternative(items, item, variant) {
  const name = nameOf(item);
  const alternatives = name.alternatives.filter((_, number) => number + 1 !== variant);
  return named(items, item, { ...name, alternatives });
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

export function add(work, start, end, label) {
  const place = [start, end, label];
  const before = work.get(keyOf(place)) ?? null;
  const after = { ...(before ?? { place }), verdict: "accepted", name: { start, end, label } };
  return [{ place, before, after }];
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

// Accept with this name; other labels of the very same stretch are rejected along with it.
function named(items, item, name) {
  if (name.alternatives?.length === 0) {
    name = { start: name.start, end: name.end, label: name.label };
  }
  const accepted = change(item, { ...base(item), verdict: "accepted", name });
  const rivals = items.filter(
    (other) =>
      other !== item && other.heart && item.heart && !isSettled(other.answer) &&
      String(other.heart.modal) === String(item.heart.modal),
  );
  return [accepted, ...rivals.flatMap(reject)];
}

function edges([start, end]) {
  return { start, end };
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
