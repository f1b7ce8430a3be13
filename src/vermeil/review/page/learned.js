// What the review has learned from the decisions so far, in a line below the progress; behind it, how far
// each annotator is trusted. When there is something new, the queue comes in its new order.

import { byId, element, quoted } from "./elements.js";
import { get } from "./server.js";

const SOON = 700;
const MOST_ASKED = 60;
const MANY = 20; // annotators of whom all are listed

export class Lessons {
  constructor(queue) {
    this.queue = queue;
    this.event = null;
    this.place = element("details", { id: "learned", class: "quiet", hidden: "" });
    byId("progress").after(this.place);
  }

  // Something was decided: ask until it is learned.
  hear() {
    this.nAsked = 0;
    this.soon();
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SOON);
  }

  async ask() {
    const reply = await get("/api/learned/0").catch(() => null);
    this.nAsked += 1;
    if (reply?.status !== 200) return;
    const { account, is_behind: isBehind } = reply.data;
    this.draw(account);
    if (this.event !== null && account.event !== this.event) this.queue.load();
    this.event = account.event;
    if (isBehind && this.nAsked < MOST_ASKED) this.soon();
  }

  draw(account) {
    const { n_settled: nSettled, n_now_sure: nSure, n_otherwise: nOtherwise, n_errors: nErrors } = account;
    this.place.hidden = account.n_open + nSettled === 0;
    const changed = account.trusts
      .filter(({ before, now }) => before !== null && now !== null && rounded(before) !== rounded(now))
      .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before));
    const most = changed[0];
    const shown = account.trusts.length > MANY ? changed.slice(0, MANY) : account.trusts;
    const nMore = account.trusts.length - shown.length;
    const parts = [
      most ? [quoted(most.annotator), `: trust ${rounded(most.before)} → ${rounded(most.now)}`] : [],
      nSure ? [`${nSure.toLocaleString()} open ${nSure === 1 ? "name" : "names"} now sure`] : [],
      nOtherwise ? [`${nOtherwise.toLocaleString()} decided otherwise`] : [],
      [`about ${Math.round(nErrors).toLocaleString()} ${Math.round(nErrors) === 1 ? "error" : "errors"} left`],
    ].filter((part) => part.length);
    this.place.replaceChildren(
      element("summary", {}, ...parts.flatMap((part, n) => (n ? ["; ", ...part] : part))),
      element("p", {}, `Learned from ${nSettled.toLocaleString()} settled ${nSettled === 1 ? "place" : "places"}. Trust is the share of what somebody marks that is a name with these very edges.`,
        account.n_helped ? ` A recogniser trained on ${account.n_helped.toLocaleString()} settled documents has a lane of its own.` : ""),
      element("table", {}, element("tbody", {}, ...shown.map(({ annotator, before, now }) =>
        element("tr", {}, element("th", { scope: "row" }, quoted(annotator)),
          element("td", {}, `${rounded(before)} → ${rounded(now)}`))))),
      nMore > 0 ? element("p", {}, `${nMore.toLocaleString()} others changed less.`) : "",
    );
  }
}

function rounded(share) {
  return share === null ? "–" : share.toFixed(2).replace(/^0/, "");
}
