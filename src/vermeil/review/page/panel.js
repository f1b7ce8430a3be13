// The panel beside the text: the name under the hand, what was said about it and what can be done,
// all of it in words, with a button for every key.

import { fragmentsOf, labelOf, nameOf, spanOf, verdictOf, wordsOf } from "./answers.js";
import { button, element, quoted } from "./elements.js";
import { MANY, agreementOn, colourOfLabel, doubtIn } from "./view.js";

export const VERDICTS = {
  open: "open",
  accepted: "accepted",
  rejected: "rejected",
  skipped: "skipped, still open",
  covered: "inside an accepted name",
};

// Draw the panel of the current item; `act` has a function for each action.
export function drawPanel(target, state, act) {
  if (!state.document) {
    target.replaceChildren();
    return;
  }
  const item = state.items[state.current];
  const parts = state.draft ? [draftPart(state, act)] : item ? namePart(item, state, act) : [];
  if (!state.draft && !item) {
    parts.push(
      element("p", {}, state.hearts.length ? "All names are behind you." : "Nobody marked a name here."),
    );
  }
  target.replaceChildren(...parts, documentPart(state, act));
}

export function support(item) {
  if (!item.heart) return "added";
  return `${item.heart.annotators.length} of ${item.heart.nLooked}`;
}

function namePart(item, state, act) {
  const { heart } = item;
  const sure = certaintyOf(item);
  const agreement = agreementOn(item, state.doubtful);
  return [
    element(
      "header",
      { class: "card" },
      element("h2", {}, quoted(shortened(wordsOf(state.points, spanOf(item), fragmentsOf(item)), 120))),
      element(
        "p",
        { class: "facts" },
        swatch(labelOf(item), state),
        quoted(labelOf(item)),
        ` · ${VERDICTS[verdictOf(item)]}`,
        heart ? ` · ${support(item)} marked it` : " · added by hand",
        sure === null ? "" : ` · ${Math.round(sure * 100)}% sure`,
        agreement === null ? "" : ` · ${doubtIn(agreement)}`,
        item.answer?.opinion ? " · second opinion wanted" : "",
      ),
      element(
        "div",
        { class: "actions", role: "group", "aria-label": "Decide" },
        button("Accept", "a", act.accept, { class: "yes" }),
        button(heart ? "Reject" : "Remove", "x", act.reject, { class: "no" }),
        button("Skip", "space", act.skip),
      ),
    ),
    labelPart(state, labelOf(item), act.relabel),
    edgesPart(item, state, act),
    alternativesPart(item, state, act),
    saidPart(item, state),
    remarkPart(item, state, act),
  ];
}

// How sure the annotators are of the very span that is shown: that there is a name, and of its edges.
function certaintyOf(item) {
  const { heart } = item;
  if (!heart || heart.confidence === null) return null;
  const share = (votes, at) => {
    const total = votes.reduce((sum, [, n]) => sum + n, 0);
    return total ? (votes.find(([place]) => place === at)?.[1] ?? 0) / total : 0;
  };
  const [start, end] = spanOf(item);
  return heart.confidence * share(heart.left, start) * share(heart.right, end);
}

function labelPart(state, chosen, choose) {
  const keys = new Map(Object.entries(state.keys).map(([key, label]) => [label, key]));
  const shown = state.labels.filter((label) => state.isClosed || keys.has(label));
  const buttons = shown.map((label) =>
    button(quoted(label), keys.get(label) ?? "", () => choose(label), {
      "aria-pressed": String(label === chosen),
      class: "label",
    }),
  );
  buttons.forEach((each, number) => each.prepend(swatch(shown[number], state), " "));
  const other = element("input", {
    id: "other-label",
    placeholder: "another label",
    "aria-label": "Another label",
    maxlength: 200,
    size: 12,
    list: "labels",
    onkeydown: (event) => {
      if (event.key === "Enter" && other.value.trim()) choose(other.value.trim());
      if (event.key === "Escape") other.blur();
    },
  });
  return element(
    "section",
    { "aria-label": "Label" },
    element("h3", {}, "Label"),
    element("div", { class: "chips" }, ...buttons, other),
    element("datalist", { id: "labels" }, ...state.labels.map((value) => element("option", { value }))),
  );
}

function edgesPart(item, state, act) {
  const rows = [
    ["left", "Begins", "[", ",", "."],
    ["right", "Ends", "]", "<", ">"],
  ].map(([side, title, snapKey, backKey, onKey]) => {
    const voted = item.heart ? item.heart[side] : [];
    const now = act.edgesNow()[side === "left" ? 0 : 1];
    const chips = voted.map(([at, votes]) =>
      button(`${quote(state, side, at)} · ${votes}`, "", () => act.setEdge(side, at), {
        "aria-pressed": String(at === now),
        "aria-label": `${title} at ${at}, ${votes} votes`,
      }),
    );
    return element(
      "div",
      { class: "edge", role: "group", "aria-label": title },
      element("span", { class: "edge-name" }, title),
      ...chips,
      chips.length > 1 ? button("next", snapKey, () => act.snap(side, 1)) : null,
      button("−1", backKey, () => act.move(side, -1), { "aria-label": `${title} one earlier` }),
      button("+1", onKey, () => act.move(side, 1), { "aria-label": `${title} one later` }),
    );
  });
  return element("section", { "aria-label": "Edges" }, element("h3", {}, "Edges"), ...rows);
}

function alternativesPart(item, state, act) {
  const spans = [spanOf(item), ...(nameOf(item)?.alternatives ?? [])];
  const chips = spans.map((span, number) =>
    button(quoted(shortened(wordsOf(state.points, span, number ? [] : fragmentsOf(item)), 40)), "", () => act.chooseVariant(number), {
      "aria-pressed": String(number === state.variant),
    }),
  );
  return element(
    "section",
    { "aria-label": "Acceptable spans" },
    element("h3", {}, "As good"),
    element(
      "div",
      { class: "chips" },
      ...chips,
      button("or …", "o", act.alternative, { "aria-label": "Add an alternative" }),
      spans.length > 1 ? button("next", "v", act.nextVariant, { "aria-label": "Next span" }) : null,
      spans.length > 1 ? button("drop", "O", act.dropAlternative, { "aria-label": "Drop this alternative" }) : null,
    ),
  );
}

function saidPart(item, state) {
  if (!item.heart) return null;
  const [from, to] = item.heart.extent;
  const here = state.lanes.map((lane) => [lane, lane.spans.filter(([start, end]) => start < to && from < end)]);
  const folded = here.length > MANY ? here.filter(([, marked]) => marked.length === 0) : [];
  const shown = folded.length ? here.filter(([, marked]) => marked.length > 0) : here;
  const rows = shown.map(([lane, marked]) => {
    const words = marked.map(([start, end, label, confidence, fragments]) =>
      element(
        "span",
        { class: "said" },
        swatch(label, state),
        quoted(shortened(wordsOf(state.points, [start, end], fragments), 60)),
        confidence === null ? "" : ` ${Math.round(confidence * 100)}%`,
      ),
    );
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, quoted(lane.annotator), lane.isBelow ? element("span", { class: "quiet" }, " annotator") : ""),
      element("td", {}, ...(words.length ? words : ["–"])),
    );
  });
  return element(
    "section",
    { "aria-label": "Who said what" },
    element("h3", {}, "Who said what"),
    element("table", {}, element("tbody", {}, ...rows)),
    folded.length ? othersPart(folded) : null,
  );
}

// Of a crowd, those who looked and marked nothing here are named only where asked for.
function othersPart(folded) {
  const names = folded.flatMap(([lane], n) => [n ? ", " : "", quoted(lane.annotator)]);
  return element("details", { class: "quiet" }, element("summary", {}, `${folded.length} others marked nothing here`), element("p", {}, ...names));
}

function remarkPart(item, state, act) {
  const { document } = state;
  const box = element("textarea", {
    id: "comment",
    rows: 2,
    maxlength: 10000,
    "aria-label": "Comment",
    placeholder: "Comment",
    onkeydown: (event) => {
      if (event.key === "Escape") {
        box.value = item.answer?.comment ?? "";
        box.blur();
      } else if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        box.blur();
      }
    },
    onchange: () => act.comment(document, item, box.value.trim()),
  });
  box.value = item.answer?.comment ?? "";
  const said = state.remarks
    .filter(({ place }) => place[1] === 0 || (place[0] < spanOf(item)[1] && spanOf(item)[0] < place[1]))
    .map(({ curator, comment, opinion }) =>
      element(
        "li",
        {},
        quoted(curator),
        opinion ? " wants a second opinion" : "",
        comment ? ": " : "",
        quoted(comment),
      ),
    );
  return element(
    "section",
    { "aria-label": "Remarks" },
    element(
      "div",
      { class: "actions" },
      button("Second opinion", "s", act.opinion, { "aria-pressed": String(item.answer?.opinion ?? false) }),
      button("Comment", "c", () => box.focus()),
    ),
    said.length ? element("ul", { class: "remarks" }, ...said) : null,
    box,
  );
}

function draftPart(state, act) {
  const words = wordsOf(state.points, [state.draft[0][0], state.draft.at(-1)[1]], state.draft);
  return element(
    "header",
    { class: "card" },
    element("h2", {}, quoted(shortened(words, 120))),
    element("p", { class: "facts" }, "A new name. Arrows move it by words, with shift they stretch it."),
    labelPart(state, state.lastLabel, act.addDraft),
    element(
      "div",
      { class: "actions" },
      button("Add", "a", () => act.addDraft(state.lastLabel), { class: "yes" }),
      button("Another fragment", "f", act.addFragment),
      button("Or: an alternative", "o", act.alternative),
      button("Leave it", "Esc", act.dropDraft),
    ),
  );
}

function documentPart(state, act) {
  const { nOpen } = state;
  return element(
    "section",
    { class: "document-actions", "aria-label": "Document" },
    element("h3", {}, "Document"),
    element("p", { class: "quiet" }, nOpen ? `${nOpen} of ${state.items.length} open` : state.isDone ? "settled" : "not looked at yet"),
    element(
      "div",
      { class: "actions" },
      button("Add a name", "i", act.beginDraft),
      button("Accept agreed", "A", act.acceptAgreed),
      button("Reject all", "X", act.rejectAll),
      button("Undo", "⌫", act.undo),
      button("Redo", "y", act.redo),
      state.isFinal && state.isDone ? button("Reopen", "R", act.reopen) : null,
      button("Done, next", "⏎", act.done, { class: "yes" }),
    ),
    documentComment(state, act),
  );
}

function documentComment(state, act) {
  const { document, wholeComment } = state;
  const box = element("textarea", {
    id: "document-comment", rows: 1, maxlength: 10000, "aria-label": "Comment on the document",
    placeholder: "Comment on the document",
    onkeydown: (event) => {
      if (event.key === "Escape") box.value = wholeComment;
      if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey)) {
        event.preventDefault();
        box.blur();
      }
    },
    onchange: () => act.commentDocument(document, box.value.trim()),
  });
  box.value = wholeComment;
  return box;
}

export function swatch(label, state) {
  const made = element("span", { class: "swatch", "aria-hidden": "true" });
  made.style.background = colourOfLabel(label, state.colours);
  return made;
}

// The text next to a boundary, so that it can be told from the others.
function quote(state, side, at) {
  const { points } = state;
  return side === "left"
    ? `${shortened(points.slice(at, Math.min(points.length, at + 8)), 8)}…`
    : `…${points.slice(Math.max(0, at - 8), at)}`;
}

export function shortened(text, most = 60) {
  const letters = [...text.slice(0, 2 * most + 2)];
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : text;
}
