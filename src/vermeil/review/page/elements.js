// What the page is made of.

import { element } from "./votes.js";

export { element };

// Somebody else's words: kept from turning the direction of ours.
export function quoted(text, properties = {}) {
  return element("bdi", properties, text);
}

export function button(text, key, action, properties = {}) {
  const made = element("button", { type: "button", ...properties }, text);
  if (key) {
    made.append(" ", element("kbd", { "aria-hidden": "true" }, key));
    made.setAttribute("aria-keyshortcuts", key);
  }
  made.addEventListener("click", (event) => {
    action(event);
    if (event.detail > 0) made.blur(); // a click by mouse must not take space and enter with it
  });
  return made;
}

export function byId(id) {
  return document.getElementById(id);
}
