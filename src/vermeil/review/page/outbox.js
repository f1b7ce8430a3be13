// Decisions that the server has not acknowledged yet. They are kept in the browser's storage, sent
// one after the other, and sent again until the server answers; each has a key, so that one that
// arrived without our hearing of it is not done twice.

const PAUSES = [500, 1000, 2000, 5000, 10000];

export class Outbox {
  // `post` sends an entry and gives {status, data}, or throws where the server cannot be reached.
  constructor(name, { post, onAcknowledged, onRefused, onState }) {
    Object.assign(this, { name, post, onAcknowledged, onRefused, onState });
    this.failures = 0;
    this.busy = false;
    this.timer = null;
    this.complaint = "";
  }

  entries() {
    try {
      return JSON.parse(localStorage.getItem(this.name) ?? "[]");
    } catch {
      return [];
    }
  }

  push(entry) {
    this.save([...this.entries(), { key: newKey(), ...entry }]);
    this.flush();
  }

  // The changes of the last entry that still stands, if any: what undo would take back.
  last() {
    const standing = [];
    for (const entry of this.entries()) {
      if (entry.action === "undo") standing.pop();
      else if (entry.action !== "redo") standing.push(entry);
    }
    return standing.at(-1) ?? null;
  }

  async flush() {
    if (this.busy) return;
    this.busy = true;
    clearTimeout(this.timer);
    let entries = this.entries();
    while (entries.length > 0) {
      const entry = entries[0];
      this.onState();
      let reply;
      try {
        reply = await this.post(entry);
      } catch {
        this.wait("the server does not answer");
        return;
      }
      if (reply.status === 401 || reply.status === 429 || reply.status >= 500) {
        this.wait(reply.data.error ?? `the server answers ${reply.status}`);
        return;
      }
      this.failures = 0;
      this.complaint = "";
      this.save(this.entries().filter((other) => other.key !== entry.key));
      if (reply.status === 200) this.onAcknowledged(entry, reply.data);
      else this.onRefused(entry, reply.data.error ?? `refused with ${reply.status}`);
      entries = this.entries();
    }
    this.busy = false;
    this.onState();
  }

  wait(complaint) {
    this.busy = false;
    this.complaint = complaint;
    const pause = PAUSES[Math.min(this.failures, PAUSES.length - 1)];
    this.failures += 1;
    this.timer = setTimeout(() => this.flush(), pause);
    this.onState();
  }

  save(entries) {
    if (entries.length > 0) localStorage.setItem(this.name, JSON.stringify(entries));
    else localStorage.removeItem(this.name);
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
