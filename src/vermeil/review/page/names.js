// The names of a document as a list, for the keyboard and for those who do not see the text. Of a full text
// those near the name under the hand are listed. Lines that look as before are left alone.

import { fragmentsOf, labelOf, spanOf, verdictOf, wordsOf } from "./answers.js";
import { element, quoted } from "./elements.js";
import { VERDICTS, shortened, support, swatch } from "./panel.js";
import { agreementOn, doubtIn } from "./view.js";

const PART = 100; // names of which all are listed where one of them is under the hand, with those beside

export class NameList {
  constructor(target, choose) {
    this.target = target;
    this.lines = new Map();
    target.addEventListener("click", (event) => {
      const line = event.target.closest("[data-name]");
      if (line) choose(line.dataset.name);
    });
  }

  clear() {
    this.lines.clear();
    this.target.replaceChildren();
  }

  draw(state) {
    const part = Math.floor(state.current / PART);
    const [first, end] = [Math.max(0, (part - 1) * PART), Math.min(state.items.length, (part + 2) * PART)];
    const nodes = state.items.slice(first, end).map((item, n) => this.line(item, first + n, state));
    if (first > 0) nodes.unshift(this.note(`before-${first}`, `${first.toLocaleString()} names before these`));
    const nAfter = state.items.length - end;
    if (nAfter > 0) nodes.push(this.note(`after-${nAfter}`, `${nAfter.toLocaleString()} names after these`));
    const there = new Set(nodes);
    for (const [id, { node }] of this.lines) {
      if (there.has(node)) continue;
      node.remove();
      this.lines.delete(id);
    }
    let place = this.target.firstElementChild;
    for (const node of nodes) {
      if (node === place) place = place.nextElementSibling;
      else this.target.insertBefore(node, place);
    }
  }

  // The line of an item, which is made again where it would look different.
  line(item, number, state) {
    const isCurrent = number === state.current && !state.draft;
    const known = this.lines.get(item.id);
    if (known && known.item === item && known.isCurrent === isCurrent) return known.node;
    const node = lineOf(item, isCurrent, state);
    node.setAttribute("aria-setsize", state.items.length);
    node.setAttribute("aria-posinset", number + 1);
    known?.node.remove();
    this.lines.set(item.id, { item, isCurrent, node });
    return node;
  }

  note(id, words) {
    if (!this.lines.has(id)) this.lines.set(id, { node: element("li", { class: "quiet more" }, words) });
    return this.lines.get(id).node;
  }
}

function lineOf(item, isCurrent, state) {
  const agreement = agreementOn(item, state.doubtful);
  const line = element(
    "button",
    {
      type: "button", class: `name-line ${verdictOf(item)}`, "data-name": item.id,
      "aria-current": isCurrent ? "true" : undefined,
    },
    swatch(labelOf(item), state),
    quoted(shortened(wordsOf(state.points, spanOf(item), fragmentsOf(item))), { class: "marked" }),
    element("span", { class: "quiet" }, quoted(labelOf(item)), `, ${support(item)}, ${VERDICTS[verdictOf(item)]}${agreement === null ? "" : `, ${doubtIn(agreement)}`}`),
  );
  return element("li", {}, line);
}
