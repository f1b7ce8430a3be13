// The guidelines of the team, beside the text. They come as a tree of elements: [tag, attributes, children].

import { button, element } from "./elements.js";
import { get } from "./server.js";

export async function drawGuidelines(target, opener) {
  target.hidden = !target.hidden;
  opener.setAttribute("aria-expanded", String(!target.hidden));
  if (target.hidden || target.children.length > 0) return;
  const { status, data } = await get("/api/guidelines");
  const close = button("Close", "G", () => opener.click());
  target.replaceChildren(close, ...(status === 200 ? data.map(made) : ["The guidelines could not be read."]));
}

function made(part) {
  if (typeof part === "string") return part;
  const [tag, attributes, children] = part;
  const lower = { h1: "h2", h2: "h3", h3: "h4" }[tag] ?? tag; // the document has the first heading
  return element(lower, attributes, ...children.map(made));
}
