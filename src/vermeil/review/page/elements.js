// Elements without markup: text only ever becomes text.

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

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
