// Offsets of the review count code points; strings here count UTF-16 units. This is the border.

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

  trimmed(start, end) {
    while (start < end && /\s/u.test(this.slice(start, start + 1))) start += 1;
    while (end > start && /\s/u.test(this.slice(end - 1, end))) end -= 1;
    return start < end ? [start, end] : null;
  }
}

// How many code points a string has.
export function count(text) {
  let n = 0;
  for (const _ of text) n += 1;
  return n;
}
