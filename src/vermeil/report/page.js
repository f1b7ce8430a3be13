// Draws the vote view of texts and finds the instances behind each count of the page.
// The data is described in text_data.py. Texts are only ever put in as text, never as markup.
"use strict";
(() => {
  // A link into something folded unfolds it.
  function unfold() {
    const there = document.getElementById(location.hash.slice(1));
    const folded = there && there.closest("details");
    if (folded) folded.open = true;
  }
  window.addEventListener("hashchange", unfold);
  unfold();
  if (!document.getElementById("texts")) return;

  const data = JSON.parse(document.getElementById("texts").textContent);
  const { annotators, labels, standard, texts } = data;
  const RIGHT = 0, PARTLY = 1, NEAR = 2, TOTAL = 3;
  const FATES = ["right", "partly", "near", "total"];
  const OUTCOMES = { right: RIGHT, near: NEAR, total: TOTAL };
  const PAGE = 8, LONGEST = 5000, CHUNK = 40;
  const element = (id) => document.getElementById(id);

  function make(name, kind, text) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // ---- finding: each function lists what of a text is asked for -------------------------------
  // An instance is [lane, span], ["v", heart] or ["g" or "h", name, system].

  const exactFate = (span) => (span[3] < 0 ? -1 : span[3] & 3);
  const centroidFate = (span) => (span[3] < 0 ? -1 : (span[3] >> 2) & 3);
  const matched = (text, span) => (span[3] < 16 ? null : text.g[(span[3] >> 4) - 1]);

  function spansWhere(text, asked, good) {
    const found = [];
    for (const [lane, ...spans] of text.a) {
      if (asked.who >= 0 && lane !== asked.who) continue;
      spans.forEach((span, n) => {
        if (!(asked.label >= 0 && span[2] !== asked.label) && good(span)) found.push([lane, n]);
      });
    }
    return found;
  }

  function namesWhere(text, asked, key, good) {
    const found = [];
    (text[key] || []).forEach((name, n) => {
      if (asked.label >= 0 && name[2] !== asked.label) return;
      for (let system = 0; system < name[3].length; system++) {
        if (asked.who >= 0 && system !== asked.who) continue;
        if (good(+name[3][system])) found.push([key, n, system]);
      }
    });
    return found;
  }

  function differing(text, asked) {
    const lanes = [asked.who, asked.other].map((n) => text.a.find((lane) => lane[0] === n));
    if (!lanes[0] || !lanes[1]) return [];
    const spell = (span) => JSON.stringify([span[0], span[1], span[2], span[5] || 0]);
    const [mine, theirs] = lanes.map((lane) => new Set(lane.slice(1).map(spell)));
    const found = [];
    lanes.forEach(([lane, ...spans], side) => spans.forEach((span, n) => {
      if (!(side ? mine : theirs).has(spell(span))) found.push([lane, n]);
    }));
    return found;
  }

  const hasVoted = (heart, n) => (BigInt(`0x${heart[7]}`) >> BigInt(n)) & 1n;

  function contested(text, asked) {
    const found = [];
    text.v.forEach((heart, n) => {
      if (!heart[8] || (asked.label >= 0 && heart[2] !== asked.label)) return;
      if (asked.who >= 0 && !hasVoted(heart, asked.who)) return;
      found.push(["v", n]);
    });
    return found;
  }

  // Spans whose edge is so many characters after the standard's: "left,-7,-6" or "right,12,".
  function isOff(text, span, asked) {
    const name = matched(text, span), [side, low, high] = asked.range;
    if (!name) return false;
    const edge = side === "left" ? 0 : 1, offset = span[edge] - name[edge];
    return isWithin(offset, low, high);
  }

  const isWithin = (value, low, high) => (low === "" || value >= +low) && (high === "" || value <= +high);

  const FINDERS = {
    all: (text, asked) => asked.who >= 0 || asked.label >= 0
      ? spansWhere(text, asked, () => true) : null,
    contested,
    text: (text, asked) => (text.i === asked.id ? null : []),
    places: (text, asked) => (text.i === asked.id ? text.v.map((_, n) => ["v", n]) : []),
    pair: (text, asked) => spansWhere(text, { who: asked.who, label: asked.other },
      (span) => (matched(text, span) || [])[2] === asked.label),
    off: (text, asked) => spansWhere(text, asked, (span) => isOff(text, span, asked)),
    doubt: (text, asked) => (isWithin(text.c, asked.range[0], asked.range[1]) ? null : []),
    names: (text, asked) => (text.g || []).map((_, n) => ["g", n])
      .filter(([, n]) => asked.label < 0 || text.g[n][2] === asked.label),
    differ: differing,
    "ep-wrong": (text, asked) => spansWhere(text, asked, (span) => exactFate(span) > RIGHT),
    "ew-wrong": (text, asked) => namesWhere(text, asked, "g", (fate) => fate > RIGHT),
  };
  for (const [name, fate] of Object.entries(OUTCOMES)) {
    FINDERS[`ep-${name}`] = (text, asked) =>
      spansWhere(text, asked, (span) => exactFate(span) === fate);
    FINDERS[`cp-${name}`] = (text, asked) =>
      spansWhere(text, asked, (span) => centroidFate(span) === fate);
    FINDERS[`ew-${name}`] = (text, asked) => namesWhere(text, asked, "g", (each) => each === fate);
    FINDERS[`cw-${name}`] = (text, asked) => namesWhere(text, asked, "h", (each) => each === fate);
  }

  // ---- the address: #find/kind/annotator/label/other ------------------------------------------

  function read(hash) {
    if (!hash.startsWith("#find/")) return null;
    let parts;
    try {
      parts = hash.slice(6).split("/").map(decodeURIComponent);
    } catch {
      return null;
    }
    const [kind, who = "", label = "", other = ""] = parts;
    if (!(kind in FINDERS)) return null;
    return { kind, who, label, other };
  }

  const spelt = ({ kind, who, label, other }) =>
    "#find/" + [kind, who, label, other].map(encodeURIComponent).join("/").replace(/\/+$/, "");

  let asking = { kind: "all", who: "", label: "", other: "" };
  let waiting = [];

  function ask() {
    const { kind, who, label, other } = asking;
    const asked = {
      who: who ? annotators.indexOf(who) : -1,
      label: label ? labels.indexOf(label) : -1,
      other: kind === "differ" ? annotators.indexOf(other) : labels.indexOf(other),
      id: who,
      range: other.split(","),
    };
    const words = element("words").value.toLocaleLowerCase();
    let n = 0;
    waiting = [];
    for (const text of texts) {
      if (words && !text.t.toLocaleLowerCase().includes(words)
        && !text.i.toLocaleLowerCase().includes(words)) continue;
      const hits = FINDERS[kind](text, asked);
      if (hits && !hits.length) continue;
      n += hits ? hits.length : 0;
      waiting.push([text, hits || []]);
    }
    const counted = waiting.length === 1 ? "1 text" : `${waiting.length.toLocaleString("en")} texts`;
    const times = n === 1 ? "1 instance in " : `${n.toLocaleString("en")} instances in `;
    element("found").textContent = special() + (n ? times : "") + counted
      + (data.n_left_out && kind !== "text" && kind !== "places" ? `, of the ${texts.length.toLocaleString("en")} on this page` : "");
    element("found").dataset.n = n;
    element("found").dataset.texts = waiting.length;
    element("shown").replaceChildren();
    show();
  }

  // What the choosers above cannot say.
  function special() {
    const { kind, who, label, other } = asking;
    if (kind === "pair") return `${label} taken for ${other}: `;
    if (kind === "differ") return `${who} and ${other} differ: `;
    if (kind === "off") {
      const [side, ...range] = other.split(",");
      return `${side} edge off by ${between(...range)}: `;
    }
    if (kind === "doubt") return `expected errors ${between(...other.split(","))}: `;
    return kind === "text" || kind === "places" ? `${who}: ` : "";
  }

  const between = (low, high) => low === high ? low : low === "" ? `${high} or less`
    : high === "" ? `${low} or more` : `${low} to ${high}`;

  function show() {
    for (const [text, hits] of waiting.splice(0, PAGE)) element("shown").append(drawn(text, hits));
    element("more").hidden = !waiting.length;
  }

  function settle() {
    const asked = read(location.hash);
    if (asked) {
      asking = asked;
      element("kind").value = asked.kind;
      element("who").value = asked.kind === "text" || asked.kind === "places" ? "" : asked.who;
      element("label").value = asked.kind === "differ" ? "" : asked.label;
      element("words").value = "";
    }
    ask();
    if (asked) {
      element("votes").scrollIntoView();
      element("found").focus({ preventScroll: true });
    }
  }

  // ---- drawing --------------------------------------------------------------------------------

  function drawn(text, hits) {
    const item = make("li");
    const heading = make("h3");
    heading.append(make("bdi", "", text.i));
    if (text.c) heading.append(make("small", "note", ` expected errors ${text.c.toFixed(2)}`));
    const characters = Array.from(text.t);
    item.append(heading, legend(text), make("p", "sr", text.t));
    const view = make("div", "view");
    view.setAttribute("aria-hidden", "true");
    item.append(view);
    const begin = characters.length > LONGEST ? Math.max(0, firstHit(text, hits) - 200) : 0;
    draw(view, text, characters, hits, begin, Math.min(characters.length, begin + LONGEST));
    if (characters.length > LONGEST) {
      const all = make("button", "", `Show all ${characters.length.toLocaleString("en")} characters`);
      all.type = "button";
      all.addEventListener("click", () => {
        view.replaceChildren();
        draw(view, text, characters, hits, 0, characters.length);
        all.remove();
      });
      item.append(all);
    }
    item.append(inWords(text, characters));
    return item;
  }

  const spanOf = (text, [lane, n]) => typeof lane === "string" ? text[lane][n]
    : text.a.find((each) => each[0] === lane)[n + 1];

  const firstHit = (text, hits) => hits.length
    ? Math.min(...hits.map((hit) => spanOf(text, hit)[0])) : 0;

  // Lanes that are drawn: those with a name in this text, and the standard below them.
  function lanesOf(text) {
    const lanes = text.a.filter((lane) => lane.length > 1)
      .map(([lane, ...spans]) => ({ lane, name: annotators[lane], sign: String(lane + 1), spans }));
    if (standard !== null && text.g && text.g.length && !annotators.includes(standard)) {
      lanes.push({ lane: "g", name: standard, sign: "★", spans: text.g });
    }
    return lanes;
  }

  function legend(text) {
    const list = make("ul", "lanes");
    for (const { sign, name } of lanesOf(text)) {
      const entry = make("li", "", `${sign} `);
      entry.append(make("bdi", "", name));
      list.append(entry);
    }
    const silent = text.a.filter((lane) => lane.length === 1).map((lane) => annotators[lane[0]]);
    if (silent.length) list.append(make("li", "", `nothing found by ${silent.join(", ")}`));
    return list;
  }

  const piecesOf = (span) => span[5] || [[span[0], span[1]]];

  // Cut the text wherever something begins or ends, and between words so that lines can break.
  function cutsOf(text, characters, begin, end) {
    const cuts = new Set([begin, end]);
    const add = (place) => { if (place > begin && place < end) cuts.add(place); };
    for (const { spans } of lanesOf(text)) {
      for (const span of spans) for (const piece of piecesOf(span)) piece.forEach(add);
    }
    for (const heart of text.v) {
      add(heart[0]); add(heart[1]);
      for (const side of [heart[5], heart[6]]) side.forEach((at, n) => { if (n % 2 === 0) add(at); });
    }
    const isSpace = (character) => /\s/u.test(character);
    for (let at = begin + 1; at < end; at++) {
      if (isSpace(characters[at - 1]) && !isSpace(characters[at])) cuts.add(at);
      if (characters[at - 1] === "\n") cuts.add(at);
    }
    const sorted = [...cuts].sort((a, b) => a - b);
    const fine = [sorted[0]];
    for (let n = 1; n < sorted.length; n++) {
      for (let at = sorted[n - 1] + CHUNK; at < sorted[n]; at += CHUNK) fine.push(at);
      fine.push(sorted[n]);
    }
    return fine;
  }

  // The share of votes for the pair at each place.
  function waveOf(text) {
    const runs = text.w, n = Math.max(1, text.n);
    return (place) => {
      let low = 0, high = runs.length / 2;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (runs[2 * middle] <= place) low = middle + 1; else high = middle;
      }
      return low && place >= 0 ? runs[2 * low - 1] / n : 0;
    };
  }

  function boundaries(text) {
    const lefts = new Map(), rights = new Map();
    for (const heart of text.v) {
      for (const [side, votes] of [[heart[5], lefts], [heart[6], rights]]) {
        for (let n = 0; n < side.length; n += 2) {
          votes.set(side[n], Math.max(votes.get(side[n]) || 0, side[n + 1]));
        }
      }
    }
    return [lefts, rights];
  }

  function draw(view, text, characters, hits, begin, end) {
    const share = waveOf(text), [lefts, rights] = boundaries(text), lanes = lanesOf(text);
    const isAsked = new Set(hits.map(([lane, n]) => `${lane} ${n}`));
    const askedHearts = hits.filter(([lane]) => lane === "h").map(([, n]) => text.h[n]);
    const places = cutsOf(text, characters, begin, end);
    for (let n = 0; n + 1 < places.length; n++) {
      const from = places[n], to = places[n + 1];
      const segment = make("span", "seg");
      const shown = characters.slice(from, to).join("");
      segment.append(waveBlock(share, from, to), edgeBlock(lefts.get(from), rights.get(to)));
      segment.append(wordBlock(text, shown, from, to, share, isAsked, askedHearts));
      if (lanes.some(({ spans }) => spans.some((span) => covers(span, from, to)))) {
        for (const lane of lanes) segment.append(laneBlock(lane, from, to, characters, isAsked));
      }
      view.append(segment);
      if (shown.endsWith("\n")) view.append(make("br"));
    }
  }

  const votesOf = (heart, text) => `${heart[3]}${text.n ? ` of ${text.n}` : ""} votes`
    + (heart[4] === null ? "" : `, chance ${heart[4]}`);

  const covers = (span, from, to) => piecesOf(span).some(([a, b]) => a <= from && to <= b);

  function waveBlock(share, from, to) {
    const block = make("span", "wave");
    const before = share(from - 1), after = share(to - 1);
    const inside = to - from > 1 ? share(from) : Math.max(before, after);
    if (!before && !inside && !after) {
      block.classList.add("none");
      return block;
    }
    const y = (level) => `${(100 - 100 * level).toFixed(1)}%`;
    block.style.clipPath = `polygon(0 ${y(before)}, 3px ${y(inside)}, calc(100% - 3px) ${y(inside)}, `
      + `100% ${y(after)}, 100% 100%, 0 100%)`;
    return block;
  }

  function edgeBlock(left, right) {
    const block = make("span", "edges");
    if (left) block.append(make("i", "l", left));
    if (right) block.append(make("i", "r", right));
    return block;
  }

  function wordBlock(text, shown, from, to, share, isAsked, askedHearts) {
    const block = make("span", "word", shown.replace(/[\n\r\t]/g, " "));
    const said = [];
    text.v.forEach((heart, n) => {
      const low = heart[5][heart[5].length - 2], high = heart[6][heart[6].length - 2];
      if (from < low || to > high) return;
      const inside = heart[0] <= from && to <= heart[1];
      if (inside || !block.classList.contains("heart")) {
        block.classList.remove(...[...block.classList].filter((each) => /^s\d$/.test(each)));
        block.classList.add(inside ? "heart" : "reach", `s${heart[2] % 8}`);
      }
      if (isAsked.has(`v ${n}`) && inside) block.classList.add("asked");
      said.push(`${labels[heart[2]]}: ${votesOf(heart, text)}`);
    });
    if (askedHearts.some((name) => name[0] <= from && to <= name[1])) block.classList.add("asked");
    block.style.setProperty("--share", to - from > 1 ? share(from) : Math.max(share(from - 1), share(from)));
    if (said.length) block.title = said.join("\n");
    return block;
  }

  function laneBlock({ lane, name, sign, spans }, from, to, characters, isAsked) {
    const block = make("span", "lane");
    const n = spans.findIndex((span) => covers(span, from, to));
    if (n < 0) return block;
    const span = spans[n];
    const isWanted = lane === "g", fate = isWanted ? -1 : centroidFate(span);
    const kind = isWanted ? "wanted" : fate > RIGHT ? FATES[fate] : "";
    const bar = make("span", `bar ${kind} s${span[2] % 8}`, from === span[0] ? sign : "");
    const sure = !isWanted && typeof span[4] === "number" ? `, confidence ${span[4]}` : "";
    const fared = kind && !isWanted && standard !== null ? `, ${kind} miss` : "";
    bar.title = `${name}: ${characters.slice(span[0], span[1]).join("")} (${labels[span[2]]}${sure}${fared})`;
    if (spans.some((each, k) => isAsked.has(`${lane} ${k}`) && covers(each, from, to))) {
      bar.classList.add("asked");
    }
    block.append(bar);
    return block;
  }

  // The same in words, for screen readers and for whoever would rather read.
  function inWords(text, characters) {
    const details = make("details"), list = make("ul", "words");
    details.append(make("summary", "", "The votes in words"), list);
    details.addEventListener("toggle", () => {
      if (list.children.length) return;
      const marked = (start, end) => characters.slice(start, end).join("");
      for (const heart of text.v) {
        const voters = annotators.filter((_, n) => hasVoted(heart, n));
        const side = (edges) => edges.map((each, n) => n % 2 ? `(${each})` : each).join(" ");
        list.append(make("li", "", `“${marked(heart[0], heart[1])}” ${labels[heart[2]]}: `
          + `${votesOf(heart, text)}; begins at (votes) `
          + `${side(heart[5])}, ends at (votes) ${side(heart[6])}; ${voters.join(", ")}`));
      }
      for (const { name, spans } of lanesOf(text)) {
        const said = spans.map((span) => `“${marked(span[0], span[1])}” ${labels[span[2]]}`).join(", ");
        list.append(make("li", "", `${name} marked ${said}`));
      }
    });
    return details;
  }

  // ---- what people do -------------------------------------------------------------------------

  function changed() {
    const kind = element("kind").value;
    const hash = spelt({ kind, who: element("who").value, label: element("label").value,
      other: kind === asking.kind ? asking.other : "" });
    asking = read(hash);
    history.replaceState(null, "", hash);
    ask();
  }

  if (!element("asked")) {
    texts.forEach((text) => element("shown").append(drawn(text, [])));
    return;
  }
  for (const id of ["kind", "who", "label"]) element(id).addEventListener("change", changed);
  element("words").addEventListener("input", ask);
  element("asked").addEventListener("submit", (event) => event.preventDefault());
  element("more").addEventListener("click", () => {
    const last = element("shown").lastElementChild;
    show();
    const next = last && last.nextElementSibling;
    if (next) { next.tabIndex = -1; next.focus(); }
  });
  window.addEventListener("hashchange", () => { if (read(location.hash)) settle(); });
  settle();
})();
