// The vote view, drawn for the report and for the review alike: a text with each heart solid, its
// reach shaded by its share of the votes, a wave of votes above and a bar for each name below.
//
// The text is cut into segments wherever something begins or ends, and between words; it flows,
// breaks and can be selected as text, and all else hangs above or below it. Segments stand in blocks of
// whole lines, each of which can be drawn again by itself. Offsets count code points.

const CHUNK = 40; // characters of a segment that has no better place to be cut at
const BLOCK = 1200; // characters after which a block ends with its line
const LONGEST_LINE = 4000; // characters of a line that is not cut, at the end of a sentence, into several
const N_COLOURS = 8;

// Offsets count code points; strings here count UTF-16 units. This is the border.
export class CodePoints {
  constructor(text) {
    this.text = text;
    this.places = null; // null where every code point is one unit
    if (/[\ud800-\udbff]/.test(text)) {
      const places = [];
      for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) {
        places.push(at);
      }
      places.push(text.length);
      this.places = places;
    }
    this.length = this.places ? this.places.length - 1 : text.length;
  }

  unit(place) {
    return this.places ? this.places[place] : place;
  }

  slice(start, end) {
    return this.text.slice(this.unit(start), this.unit(end));
  }

  // Words and single marks, as [start, end] in code points.
  words() {
    this.found ??= this.findWords();
    return this.found;
  }

  findWords() {
    const found = [];
    const pattern = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
    let unit = 0;
    let place = 0;
    for (const match of this.text.matchAll(pattern)) {
      place += count(this.text.slice(unit, match.index));
      const end = place + count(match[0]);
      found.push([place, end]);
      unit = match.index + match[0].length;
      place = end;
    }
    return found;
  }

  // The stretch widened to the edges of the words it begins and ends in.
  wholeWords(start, end) {
    const words = this.words();
    const first = words.find((word) => word[1] > start);
    const last = words.findLast((word) => word[0] < end);
    return first && last ? [Math.min(start, first[0]), Math.max(end, last[1])] : [start, end];
  }

  trimmed(start, end) {
    while (start < end && /\s/u.test(this.slice(start, start + 1))) start += 1;
    while (end > start && /\s/u.test(this.slice(end - 1, end))) end -= 1;
    return start < end ? [start, end] : null;
  }
}

// How many code points a string has.
function count(text) {
  let n = 0;
  for (const _ of text) n += 1;
  return n;
}

// Make an element without markup: text only ever becomes text.
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// The colour of the label with this number.
export function colourOf(number) {
  return `var(--c${number % N_COLOURS})`;
}

// A text with its votes, drawn into `target`. What stays has
//   points  the CodePoints of the text, of which those from `begin` to `end` are drawn
//   wave    [start, end, share]: so large a share of the votes has each pair of characters from start on
//   bars    {lane, start, end, colour, classes, sign, title, isJoin}: what the annotator of a lane marked
// What can change has
//   edges   {left, right}: maps from a place to the votes for a name to begin, or to end, there
//   marks   {start, end, kind, colour, share, level, faint, strong, classes, item, title}, on the text
// The kinds of marks are heart, reach (with the share of the votes that go so far), gap, name, join,
// alternative and proposal; others draw nothing by themselves. `item` is kept for whoever asks what was
// clicked.
export class VoteDrawing {
  constructor(target, { points, wave, bars, begin = 0, end = points.length }) {
    Object.assign(this, { points, share: shareOf(wave) });
    this.blocks = blocksOf(points, begin, end).map(([from, to]) => (
      { from, to, bars: [], drawn: new Map(), node: element("div", { class: "block" }) }
    ));
    for (const bar of bars) for (const block of this.blocksAt(bar.start, bar.end)) block.bars.push(bar);
    target.classList.add("vote-view");
    target.replaceChildren(...this.blocks.map(({ node }) => node));
  }

  // The blocks that share a character with a stretch.
  blocksAt(start, end) {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.blocks[middle].to <= start) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let n = low; n < this.blocks.length && this.blocks[n].from < end; n += 1) found.push(this.blocks[n]);
    return found;
  }

  // Draw these blocks again.
  draw({ marks, edges }, blocks = this.blocks) {
    const isAll = blocks === this.blocks && blocks.length > 1;
    const near = isAll ? inBlocks(this, marks) : null;
    for (const block of blocks) this.drawBlock(block, near ? near.get(block) ?? [] : marks, edges);
  }

  // Draw a block; segments that look as before stay as they are.
  drawBlock(block, marks, edges) {
    const { points, share } = this;
    const before = block.drawn;
    block.drawn = new Map();
    for (const segment of segmentsOf({ marks, bars: block.bars }, block.from, block.to)) {
      const isPlain = segment.marks.length === 0 && segment.bars.length === 0;
      const pieces = isPlain ? [[segment.start, segment.end]] : piecesOf(points, segment);
      const look = segment.marks.map(lookOf).join("\n");
      for (const [from, to] of pieces) {
        const key = `${from} ${to} ${edges.left.get(from)} ${edges.right.get(to)} ${look}`;
        const made = () => (
          isPlain ? wordOf(points, from, to) : segmentBlock(points, edges, share, segment, from, to)
        );
        block.drawn.set(key, before.get(key) ?? made());
      }
    }
    for (const [key, node] of before) if (!block.drawn.has(key)) node.remove();
    let place = block.node.firstChild;
    for (const node of block.drawn.values()) {
      if (node === place) place = place.nextSibling;
      else block.node.insertBefore(node, place);
    }
  }
}

// Draw a text with its votes, once.
export function drawVotes(target, drawing) {
  new VoteDrawing(target, drawing).draw(drawing);
}

// The marks of a heart: itself, and on each side the stretches that names reach beyond it.
export function heartMarks({ start, end, left, right, level = 0, fragments = [] }, what) {
  const here = { ...what, level };
  const own = broken(start, end, fragments).map(([from, to, isGap]) => (
    { ...here, start: from, end: to, kind: isGap ? "gap" : "heart" }
  ));
  return [...own, ...stretches(left, start, here), ...stretches(right, end, here)];
}

// A stretch as pieces and the gaps between them: [start, end, isGap], in order.
export function broken(start, end, fragments) {
  const found = [];
  let place = start;
  for (const [from, to] of fragments) {
    const [first, last] = [Math.max(from, start), Math.min(to, end)];
    if (first >= last) continue;
    if (first > place) found.push([place, first, true]);
    found.push([first, last, false]);
    place = last;
  }
  if (place < end) found.push([place, end, found.length > 0]);
  return found;
}

// In which row of its lane each name goes, so that none lies upon another: those that nest, and those in
// the gap of another, get rows of their own. Gives the rows of [start, end], and how many there are.
export function stacked(spans) {
  const order = spans.map((_, n) => n).sort((a, b) => spans[a][0] - spans[b][0] || spans[b][1] - spans[a][1]);
  const ends = [];
  const rows = [];
  for (const n of order) {
    const free = ends.findIndex((end) => end <= spans[n][0]);
    rows[n] = free < 0 ? ends.length : free;
    ends[rows[n]] = spans[n][1];
  }
  return { rows, n: Math.max(1, ends.length) };
}

// The place in the text that a point of a selection stands for, in code points; null outside it.
export function placeIn(target, node, offset) {
  if (node === target) {
    const child = target.childNodes[offset];
    if (!child) return null;
    node = child;
    offset = 0;
  }
  if (node.classList?.contains("block")) {
    node = node.childNodes[offset] ?? node.firstChild;
    offset = 0;
  }
  const inside = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  const word = inside?.closest?.("[data-start]") ?? inside?.closest?.(".segment")?.querySelector("[data-start]");
  if (!word || !target.contains(word)) return null;
  const isWithin = node.nodeType === Node.TEXT_NODE && word.contains(node);
  return Number(word.dataset.start) + (isWithin ? count(node.data.slice(0, offset)) : 0);
}

// Stretches between boundaries, each with the share of the votes that reach as far.
function stretches(boundaries, edge, what) {
  const total = boundaries.reduce((sum, [, votes]) => sum + votes, 0);
  const found = [];
  let left = total;
  let place = edge;
  for (const [at, votes] of boundaries) {
    const [start, end] = at < place ? [at, place] : [place, at];
    if (start < end) found.push({ ...what, start, end, kind: "reach", share: left / total });
    place = at;
    left -= votes;
  }
  return found;
}

// The share of the votes that the pair of characters at a place has.
function shareOf(runs) {
  return (place) => {
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (runs[middle][1] <= place) low = middle + 1;
      else high = middle;
    }
    return low < runs.length && runs[low][0] <= place ? runs[low][2] : 0;
  };
}

// Cut a text into blocks of whole lines; a very long line is cut where a sentence ends.
function blocksOf(points, begin, end) {
  const blocks = [];
  let from = begin;
  let place = begin;
  for (const line of points.slice(begin, end).split(/(?<=\n)/)) {
    for (const part of partsOf(line)) {
      place += count(part);
      if (place - from >= BLOCK) {
        blocks.push([from, place]);
        from = place;
      }
    }
  }
  if (from < place) blocks.push([from, place]);
  return blocks;
}

function partsOf(line) {
  if (line.length <= LONGEST_LINE) return [line];
  const sentences = new RegExp(`[^]{${BLOCK},${LONGEST_LINE}}?[.!?]\\s+|[^]{${BLOCK},${LONGEST_LINE}}?\\s+|[^]{1,${LONGEST_LINE}}`, "gu");
  return line.match(sentences);
}

// All that the drawing of a mark depends on.
function lookOf({ start, end, kind, colour, share, level, faint, strong, classes, item, title }) {
  return `${[start, end, kind, colour, share, level, faint, strong, classes, item, title]}`;
}

// The marks of each block that has any.
function inBlocks(drawing, marks) {
  const found = new Map();
  for (const mark of marks) {
    for (const block of drawing.blocksAt(mark.start, mark.end)) {
      if (found.has(block)) found.get(block).push(mark);
      else found.set(block, [mark]);
    }
  }
  return found;
}

// Cut what is drawn wherever something begins or ends; a segment has all that lies over it.
function segmentsOf({ marks, bars }, begin, end) {
  const all = [...marks.map((mark) => [mark, "marks"]), ...bars.map((bar) => [bar, "bars"])];
  const inside = all.filter(([{ start, end: stop }]) => start < Math.min(stop, end) && stop > begin);
  const places = inside.flatMap(([{ start, end: stop }]) => [start, stop]);
  const cuts = [...new Set([begin, end, ...places.filter((place) => place > begin && place < end)])];
  cuts.sort((a, b) => a - b);
  const ordered = inside.map((each, n) => [...each, n]).sort((a, b) => a[0].start - b[0].start || a[2] - b[2]);
  const segments = [];
  let open = [];
  let next = 0;
  for (let n = 0; n + 1 < cuts.length; n += 1) {
    const segment = { start: cuts[n], end: cuts[n + 1], marks: [], bars: [] };
    open = open.filter(([{ end: stop }]) => stop > segment.start);
    while (next < ordered.length && ordered[next][0].start <= segment.start) open.push(ordered[next++]);
    open.sort((a, b) => a[2] - b[2]); // as they were given
    for (const [each, kind] of open) segment[kind].push(each);
    segments.push(segment);
  }
  return segments;
}

// Cut a segment where a line may break, so that what hangs on it is not torn in two.
function piecesOf(points, { start, end }) {
  const pattern = new RegExp(`[^\\s-]{0,${CHUNK}}[\\s-]+|[^\\s-]{1,${CHUNK}}`, "gu");
  const pieces = [];
  let place = start;
  for (const [piece] of points.slice(start, end).matchAll(pattern)) {
    for (const line of piece.split(/(?<=\n)/)) {
      const to = place + count(line);
      pieces.push([place, to]);
      place = to;
    }
  }
  return pieces;
}

function wordOf(points, start, end) {
  return element("span", { class: "word", "data-start": start }, points.slice(start, end));
}

function segmentBlock(points, edges, share, { marks, bars }, from, to) {
  const word = wordOf(points, from, to);
  const hung = element("span", { class: "hung", "aria-hidden": "true" }, waveBlock(share, from, to));
  const [left, right] = [edges.left.get(from), edges.right.get(to)];
  if (left) hung.append(edgeBlock("left", left));
  if (right) hung.append(edgeBlock("right", right));
  hung.append(...barBlocks(bars, from));
  const layers = marks.flatMap((mark) => strokes(mark, from, to));
  if (layers.length) word.style.background = layers.join(", ");
  for (const { kind, classes = [] } of marks) word.classList.add(kind, ...classes);
  const items = marks.filter(({ item }) => item !== undefined);
  const owner = items.find(({ strong }) => strong) ?? items[0];
  if (owner) word.dataset.item = owner.item;
  const titled = marks.some(({ title }) => title) ? marks : bars;
  const said = [...new Set(titled.map(({ title }) => title).filter(Boolean))];
  if (said.length) word.title = said.join("\n");
  // What comes after the space of a word can end up on the next line, so all else comes before it.
  return element("span", { class: "segment" }, strut(bars), hung, word);
}

// An empty box as high as what hangs on a segment, so that only lines with names are high.
function strut(bars) {
  const made = element("span", { class: "strut", "aria-hidden": "true" });
  made.style.setProperty("--n", bars.reduce((most, { lane }) => Math.max(most, lane + 1), 0));
  return made;
}

function waveBlock(share, from, to) {
  const before = share(from - 1);
  const after = share(to - 1);
  const inside = to - from > 1 ? share(from) : Math.max(before, after);
  if (!before && !inside && !after) return null;
  const block = element("span", { class: "wave" });
  const y = (level) => `${(100 - 100 * level).toFixed(1)}%`;
  block.style.clipPath = `polygon(0 ${y(before)}, 3px ${y(inside)}, calc(100% - 3px) ${y(inside)}, `
    + `100% ${y(after)}, 100% 100%, 0 100%)`;
  return block;
}

// Bars that say something are elements of their own, the first of each lane; the others are painted
// on one, because a long document has very many of them.
function barBlocks(bars, from) {
  const isPlain = ({ sign, classes }) => sign === undefined && classes === undefined;
  const layers = bars.filter(isPlain).map(({ lane, colour, isJoin }) => (isJoin
    ? fill(colour, 1, `0 calc((${lane} + .5) * var(--lane) - 1px)`, "100% 1px")
    : fill(colour, 1, `0 calc(${lane} * var(--lane))`, "100% calc(var(--lane) - 1px)")));
  const first = new Map();
  for (const bar of bars.filter((each) => !isPlain(each))) {
    const known = first.get(bar.lane);
    if (!known) first.set(bar.lane, barBlock(bar, from));
    else if (bar.classes?.includes("asked")) known.classList.add("asked");
  }
  if (layers.length === 0) return [...first.values()];
  const painted = element("span", { class: "bars", title: bars.map(({ title }) => title).join("\n") });
  painted.style.background = layers.join(", ");
  painted.style.setProperty("--n", Math.max(...bars.map(({ lane }) => lane + 1)));
  return [painted, ...first.values()];
}

function barBlock({ lane, start, colour, classes = [], sign = "", title, isJoin }, from) {
  const block = element("span", {
    class: ["bar", ...classes, isJoin ? "join" : ""].filter(Boolean).join(" "), "data-lane": lane, "data-said": from === start ? sign : "", title,
  });
  block.style.setProperty("--lane-number", lane);
  block.style.setProperty("--c", colour);
  return block;
}

// Only the text of the document is text: what is said beside it is put in by the style.
function edgeBlock(side, votes) {
  const said = Number.isInteger(votes) ? votes : votes.toFixed(1);
  return element("i", { class: `edge ${side}`, "data-said": said });
}

// What a mark draws on the band of the text itself. A nested name has a lower band, and its line above
// that of the name around it.
function strokes({ start, end, kind, colour, share, level = 0, faint = false, strong = false }, from, to) {
  const faded = faint ? 0.35 : 1;
  const depth = Math.min(level, 3);
  const band = depth ? ["0 50%", `100% calc(100% - ${6 * depth}px)`] : ["0 0", "100% 100%"];
  const line = `0 calc(100% - ${4 * depth}px)`;
  if (kind === "heart") return [fill(colour, 0.42 * faded, ...band)];
  if (kind === "gap") return [fill(colour, 0.8 * faded, "0 50%", "100% 1.5px")];
  if (kind === "name") return [fill(colour, 1, line, "100% 3px")];
  if (kind === "join") return [fill(colour, 1, line, "100% 1px")];
  if (kind === "proposal") return [fill(colour, 0.7, line, "100% 1px")];
  if (kind === "alternative") {
    const stops = `${colour} 0 4px, transparent 4px 7px`;
    return [`repeating-linear-gradient(90deg, ${stops}) 0 100% / 100% 3px no-repeat`];
  }
  if (kind !== "reach") return [];
  const drawn = [fill(colour, 0.24 * share * faded, ...band)];
  const tick = strong ? 1 : 0.5;
  if (from === start) drawn.unshift(fill(colour, tick, "0 0", "1.5px 100%"));
  if (to === end) drawn.unshift(fill(colour, tick, "100% 0", "1.5px 100%"));
  return drawn;
}

function fill(colour, share, position, size) {
  const shade = `color-mix(in srgb, ${colour} ${Math.round(share * 100)}%, transparent)`;
  return `linear-gradient(${shade}, ${shade}) ${position} / ${size} no-repeat`;
}
