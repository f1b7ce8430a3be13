
// Shows the votes on texts and finds the instances behind each count of the page. The data is described in
// text_data.py; votes.js, which stands before this in the page, draws. Texts are only ever put in as
// text, never as markup.
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
  const PAGE = 8, LONGEST = 5000;
  const byId = (id) => document.getElementById(id);

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
      for (let place = 0; place < name[3].length; place++) {
        const system = text.s ? text.s[place] : place;
        if (asked.who >= 0 && system !== asked.who) continue;
        if (good(+name[3][place])) found.push([key, n, system]);
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
    const words = byId("words").value.toLocaleLowerCase();
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
    byId("found").textContent = special() + (n ? times : "") + counted
      + (data.n_left_out && kind !== "text" && kind !== "places" ? `, of the ${texts.length.toLocaleString("en")} on this page` : "");
    byId("found").dataset.n = n;
    byId("found").dataset.texts = waiting.length;
    byId("shown").replaceChildren();
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
    for (const [text, hits] of waiting.splice(0, PAGE)) byId("shown").append(drawn(text, hits));
    byId("more").hidden = !waiting.length;
  }

  function settle() {
    const asked = read(location.hash);
    if (asked) {
      asking = asked;
      byId("kind").value = asked.kind;
      byId("who").value = asked.kind === "text" || asked.kind === "places" ? "" : asked.who;
      byId("label").value = asked.kind === "differ" ? "" : asked.label;
      byId("words").value = "";
    }
    ask();
    if (asked) {
      byId("votes").scrollIntoView();
      byId("found").focus({ preventScroll: true });
    }
  }

  // ---- drawing --------------------------------------------------------------------------------

  function drawn(text, hits) {
    const heading = element("h3", {}, element("bdi", {}, text.i));
    if (text.c) heading.append(element("small", { class: "note" }, ` expected errors ${text.c.toFixed(2)}`));
    const points = new CodePoints(text.t), hearts = text.v.map(heartOf);
    const view = element("div", { class: "view", "aria-hidden": "true", dir: "auto" });
    const item = element("li", {}, heading, legend(text), element("p", { class: "sr" }, text.t), view);
    const drawing = {
      points, wave: waveOf(text), edges: edgesOf(hearts), bars: barsOf(text, points, hits),
      marks: marksOf(text, hearts, hits),
    };
    const begin = points.length > LONGEST ? Math.max(0, firstHit(text, hits) - 200) : 0;
    drawVotes(view, { ...drawing, begin, end: Math.min(points.length, begin + LONGEST) });
    if (points.length > LONGEST) {
      const all = element("button", { type: "button" }, `Show all ${points.length.toLocaleString("en")} characters`);
      all.addEventListener("click", () => {
        drawVotes(view, drawing);
        all.remove();
      });
      item.append(all);
    }
    item.append(inWords(text, hearts, points));
    return item;
  }

  const spanOf = (text, [lane, n]) => typeof lane === "string" ? text[lane][n]
    : text.a.find((each) => each[0] === lane)[n + 1];

  const firstHit = (text, hits) => hits.length
    ? Math.min(...hits.map((hit) => spanOf(text, hit)[0])) : 0;

  const pairs = (flat) => flat.flatMap((each, n) => (n % 2 ? [] : [[each, flat[n + 1]]]));

  const heartOf = ([start, end, label, votes, chance, left, right, , , level, fragments]) =>
    ({ start, end, label, votes, chance, left: pairs(left), right: pairs(right), level, fragments });

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
    const list = element("ul", { class: "lanes" });
    for (const { sign, name } of lanesOf(text)) {
      list.append(element("li", {}, `${sign} `, element("bdi", {}, name)));
    }
    const silent = text.a.filter((lane) => lane.length === 1).map((lane) => annotators[lane[0]]);
    if (silent.length) list.append(element("li", {}, `nothing found by ${silent.join(", ")}`));
    return list;
  }

  function waveOf(text) {
    const changes = pairs(text.w), n = Math.max(1, text.n);
    return changes.map(([place, votes], k) => [place, (changes[k + 1] || [Infinity])[0], votes / n]);
  }

  // The most votes that any heart has for each edge.
  function edgesOf(hearts) {
    const most = (side) => {
      const votes = new Map();
      for (const heart of hearts) {
        for (const [at, n] of heart[side]) votes.set(at, Math.max(votes.get(at) || 0, n));
      }
      return votes;
    };
    return { left: most("left"), right: most("right") };
  }

  function barsOf(text, points, hits) {
    const isAsked = new Set(hits.map(([lane, n]) => `${lane} ${n}`));
    let first = 0;
    return lanesOf(text).flatMap((lane) => {
      const stack = stacked(lane.spans);
      first += stack.n;
      return lane.spans.flatMap((span, n) => barsOfSpan(
        points, lane, span, first - stack.n + stack.rows[n], isAsked.has(`${lane.lane} ${n}`)
      ));
    });
  }

  function barsOfSpan(points, { lane, name, sign }, span, row, isAsked) {
    const isWanted = lane === "g", fate = isWanted ? -1 : centroidFate(span);
    const kind = isWanted ? "wanted" : fate > RIGHT ? FATES[fate] : "";
    const sure = !isWanted && typeof span[4] === "number" ? `, confidence ${span[4]}` : "";
    const fared = kind && !isWanted && standard !== null ? `, ${kind} miss` : "";
    const title = `${name}: ${points.slice(span[0], span[1])} (${labels[span[2]]}${sure}${fared})`;
    const classes = [kind, isAsked ? "asked" : ""].filter(Boolean);
    return broken(span[0], span[1], span[5] || []).map(([start, end, isJoin]) => (
      { lane: row, start, end, isJoin, colour: colourOf(span[2]), classes, title, sign: start === span[0] ? sign : "" }
    ));
  }

  function marksOf(text, hearts, hits) {
    const isAsked = new Set(hits.filter(([lane]) => lane === "v").map(([, n]) => n));
    const marks = hearts.flatMap((heart, n) => {
      const title = `${labels[heart.label]}: ${votesOf(heart, text)}`;
      const found = heartMarks(heart, { colour: colourOf(heart.label), title });
      if (isAsked.has(n)) found[0].classes = ["asked"];
      return found;
    });
    for (const [lane, n] of hits) {
      if (lane === "h") marks.push({ start: text.h[n][0], end: text.h[n][1], kind: "asked" });
    }
    return marks;
  }

  const votesOf = (heart, text) => `${heart.votes}${text.n ? ` of ${text.n}` : ""} votes`
    + (heart.chance === null ? "" : `, chance ${heart.chance}`);

  // The same in words, for screen readers and for whoever would rather read.
  function inWords(text, hearts, points) {
    const list = element("ul", { class: "words" });
    const details = element("details", {}, element("summary", {}, "The votes in words"), list);
    details.addEventListener("toggle", () => {
      if (list.children.length) return;
      hearts.forEach((heart, number) => {
        const voters = annotators.filter((_, n) => hasVoted(text.v[number], n));
        const side = (edges) => edges.map(([at, votes]) => `${at} (${votes})`).join(" ");
        list.append(element("li", {}, `“${points.slice(heart.start, heart.end)}” ${labels[heart.label]}: `
          + `${votesOf(heart, text)}; begins at (votes) `
          + `${side(heart.left)}, ends at (votes) ${side(heart.right)}; ${voters.join(", ")}`));
      });
      for (const { name, spans } of lanesOf(text)) {
        const said = spans.map((span) => `“${points.slice(span[0], span[1])}” ${labels[span[2]]}`).join(", ");
        list.append(element("li", {}, `${name} marked ${said}`));
      }
    });
    return details;
  }

  // ---- what people do -------------------------------------------------------------------------

  function changed() {
    const kind = byId("kind").value;
    const hash = spelt({ kind, who: byId("who").value, label: byId("label").value,
      other: kind === asking.kind ? asking.other : "" });
    asking = read(hash);
    history.replaceState(null, "", hash);
    ask();
  }

  if (!byId("asked")) {
    texts.forEach((text) => byId("shown").append(drawn(text, [])));
    return;
  }
  byId("colours").append(...labels.map((label, n) => {
    const key = element("span", { class: "key" });
    key.style.background = colourOf(n);
    return element("li", {}, key, element("bdi", {}, label));
  }));
  for (const id of ["kind", "who", "label"]) byId(id).addEventListener("change", changed);
  byId("words").addEventListener("input", ask);
  byId("asked").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => {
    const last = byId("shown").lastElementChild;
    show();
    const next = last && last.nextElementSibling;
    if (next) { next.tabIndex = -1; next.focus(); }
  });
  window.addEventListener("hashchange", () => { if (read(location.hash)) settle(); });
  settle();
})();
