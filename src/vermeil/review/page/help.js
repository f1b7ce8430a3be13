// All keys on one sheet.

import { button, element } from "./elements.js";

const KEYS = [
  ["a", "accept the name as most annotators have it, or as you changed it"],
  ["x", "reject it (remove it, if you added it)"],
  ["space", "skip it for now"],
  ["backspace", "undo, wherever it was (also Ctrl-Z); y redoes (Ctrl-Y)"],
  ["1 – 9", "give it this label; l types another"],
  ["n p", "next and previous open name, n of the whole queue; N and P next and previous document"],
  ["↑ ↓", "previous and next name"],
  ["[ ]", "snap the left or right edge to the next voted boundary; { } to the previous"],
  [", .", "move the left edge by a character; < > the right edge"],
  ["o", "add another acceptable span: the next best, or what you selected; v next, O drop"],
  ["i", "add a name by keyboard: arrows move by words, shift stretches, f adds a fragment, enter adds"],
  ["s c", "ask for a second opinion; comment (enter keeps it); C comments on the document"],
  ["A X", "accept all on which everybody agrees; reject all that is open"],
  ["enter", "done with this document; R reopens what was adjudicated"],
  ["G", "the guidelines of the team, where there are some"],
  ["?", "this help"],
];

export function drawHelp(dialog) {
  const list = element(
    "dl", {},
    ...KEYS.flatMap(([key, what]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, what)]),
  );
  dialog.replaceChildren(
    element("h2", { id: "help-title" }, "Keys"),
    list,
    element("p", { class: "quiet" }, "Select text with the mouse to add a name: whole words, with alt the very characters, with ctrl one more fragment. Above the text: the share of annotators who marked it; below: a lane for each of them."),
    button("Close", "Esc", () => dialog.close()),
  );
}
