"""Many curators at once, and a server that is killed under them: nothing acknowledged is lost.

Curators are threads with a connection each to a server process on 127.0.0.1, which learns too.
Each accepts or rejects every name of every document; a decision without an answer is sent again
with the same key, as the page does. The server is killed (SIGKILL) at even distances and started
again. In the end the export must hold just what was acknowledged.

    python -m benchmarks.review_load [N_DECISIONS] [N_CURATORS] [N_KILLS]
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

import numpy as np

from benchmarks.measures import Measure, show
from vermeil import Document, Span
from vermeil.review.exporting import by_curator
from vermeil.review.history import events
from vermeil.review.importing import import_documents
from vermeil.review.store import Store

SERVER = (
    "import sys\n"
    "from vermeil.review.web.server import serve\n"
    "serve(sys.argv[1], port=int(sys.argv[2]), announce=lambda a: print(a, flush=True))\n"
)
NAMES = 4
"""Names of a document, on all of which its annotators differ."""

PATIENCE = 900.0
"""Seconds after which all of it is given up."""

Place = tuple[int, int, str]


@dataclass(slots=True)
class Told:
    """What the server acknowledged: the answers by curator, document and place; and how fast."""

    names: dict[tuple[str, int], set[Place]] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)
    n_again: int = 0
    lock: Lock = field(default_factory=Lock)

    def take(self, curator: str, document: int, place: Place, key: str, accepted: bool) -> None:
        """Note an answer that was acknowledged."""
        with self.lock:
            own = self.names.setdefault((curator, document), set())
            if accepted:
                own.add(place)
            self.keys.add(key)


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it."""

    n_decisions: int
    seconds: float
    waits: list[float]
    n_again: int
    n_lost: int

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.n_decisions / self.seconds

    def percentile(self, share: float) -> float:
        """The milliseconds that this share of the decisions took at most."""
        return float(1000 * np.quantile(self.waits, share))


class Client:
    """A curator without a browser, who does not give up."""

    def __init__(self, port: int, name: str) -> None:
        self.name, self.n_again = name, 0
        self._port, self._cookie, self._token = port, "", ""
        self._until = monotonic() + PATIENCE
        self._connection: HTTPConnection | None = None
        self._token = self.ask("GET", "/api/session")["token"]
        self.ask("POST", "/api/login", {"name": name})
        self._token = self.ask("GET", "/api/session")["token"]

    def decide(self, document: int, place: Place, key: str, *, accept: bool) -> None:
        """Answer what is open at a place; returns when it is acknowledged."""
        start, end, label = place
        answer: dict[str, Any] = {"place": place, "verdict": "accepted" if accept else "rejected"}
        if accept:
            answer["name"] = {"start": start, "end": end, "label": label}
        self.ask(
            "POST",
            "/api/decisions",
            {
                "key": key,
                "desk": "review",
                "action": "accept" if accept else "reject",
                "document": document,
                "changes": [{"place": place, "before": None, "after": answer}],
            },
        )

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask until there is an answer."""
        while monotonic() < self._until:
            try:
                status, data = self._once(method, path, body)
            except (OSError, HTTPException):
                self.close()
                self.n_again += 1
                sleep(0.05)
                continue
            if status == 503:
                self.n_again += 1
                sleep(0.05)
                continue
            if status != 200:
                raise RuntimeError(f"{path}: {status} {data}")
            return data
        raise RuntimeError(f"{path}: no answer in {PATIENCE:.0f} seconds")

    def close(self) -> None:
        """Leave."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _once(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Cookie": self._cookie, "X-Token": self._token}
        headers["Content-Type"] = "application/json"
        sent = json.dumps(body) if body is not None else None
        self._connection.request(method, path, sent, headers)
        reply = self._connection.getresponse()
        for kept in reply.headers.get_all("set-cookie", []):
            self._cookie = kept.partition(";")[0]
        raw = reply.read()
        return reply.status, json.loads(raw) if reply.status == 200 else raw


def loaded(path: Path, *, n_curators: int, n_decisions: int, n_kills: int) -> Load:
    """Let curators decide at once, in a new review at ``path``."""
    n_documents = max(1, n_decisions // (n_curators * NAMES))
    with Store(path) as store:
        import_documents(store, _documents(n_documents))
    n_decisions = n_documents * NAMES * n_curators
    told = Told()
    process, port = _served(path)
    begun = monotonic()
    try:
        names = [f"curator {n}" for n in range(n_curators)]
        failures: list[str] = []
        threads = [
            Thread(target=_work, args=(port, name, n_documents, told, failures)) for name in names
        ]
        for thread in threads:
            thread.start()
        for kill in range(1, n_kills + 1):
            while len(told.keys) < n_decisions * kill // (n_kills + 1) and _at_work(threads):
                sleep(0.01)
            process.kill()
            process.wait()
            _hang_up(process)
            process, _ = _served(path, port)
        for thread in threads:
            thread.join(PATIENCE)
        seconds = monotonic() - begun
    finally:
        process.kill()
        process.wait()
        _hang_up(process)
    if failures:
        raise RuntimeError(failures[0])
    return Load(n_decisions, seconds, told.seconds, told.n_again, _lost(path, told))


def rows(size: int) -> list[Measure]:
    """Measure ``size`` decisions of 50 curators, with two kills."""
    with tempfile.TemporaryDirectory() as name:
        done = loaded(Path(name) / "load.db", n_curators=50, n_decisions=size, n_kills=2)
    note = (
        f"50 at once, {done.n_decisions:,} decisions, two kills, {done.n_lost:,} lost, "
        f"{done.n_again:,} sent again"
    )
    return [
        Measure("curators at once", done.rate, unit="decisions/s", note=note),
        Measure("curators at once, median", done.percentile(0.5), unit="ms on the clock"),
        Measure("curators at once, 99th percentile", done.percentile(0.99), unit="ms on the clock"),
    ]


def _documents(n: int) -> Iterator[Document]:
    text = " ".join(f"gene{n}" for n in range(NAMES))
    spans = [Span(each, each + 5, "Gene") for each in range(0, 6 * NAMES, 6)]
    for number in range(n):
        layers = {"anna": tuple(spans), "ben": tuple(spans[1:]), "llm": tuple(spans[:-1])}
        yield Document(id=f"d{number}", text=text, layers=layers)


def _work(port: int, name: str, n_documents: int, told: Told, failures: list[str]) -> None:
    try:
        client = Client(port, name)
        for document in range(1, n_documents + 1):
            for number in range(NAMES):
                place, key = (6 * number, 6 * number + 5, "Gene"), f"{name} {document} {number}"
                accept = (document + number + len(name)) % 3 > 0
                begun = monotonic()
                client.decide(document, place, key, accept=accept)
                told.seconds.append(monotonic() - begun)
                told.take(name, document, place, key, accept)
        client.close()
        with told.lock:
            told.n_again += client.n_again
    except Exception as error:  # told to whoever waits for the thread
        failures.append(f"{name}: {error!r}")


def _at_work(threads: list[Thread]) -> bool:
    return any(thread.is_alive() for thread in threads)


def _served(path: Path, port: int = 0) -> tuple["subprocess.Popen[str]", int]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path), str(port)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline().strip().rstrip("/").rpartition(":")[2])


def _hang_up(process: "subprocess.Popen[str]") -> None:
    if process.stdout is not None:
        process.stdout.close()


def _lost(path: Path, told: Told) -> int:
    """Count the acknowledged decisions that the history or the export of curators lacks."""
    with Store(path) as store:
        kept = {event.key for event in events(store)}
        lost = len(told.keys - kept)
        exported: dict[tuple[str, int], set[Place]] = {}
        for number, document in enumerate(by_curator(store), start=1):
            for name, layer in document.layers.items():
                exported[name, number] = {(span.start, span.end, span.label) for span in layer}
    wrong = [key for key, names in told.names.items() if exported.get(key) != names]
    return lost + len(wrong)


def main(n_decisions: int = 20_000, n_curators: int = 50, n_kills: int = 2) -> None:
    """Print what came of it."""
    if (n_curators, n_kills) == (50, 2):
        show(rows(n_decisions))
        return
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "load.db"
        done = loaded(path, n_curators=n_curators, n_decisions=n_decisions, n_kills=n_kills)
    print(
        f"{done.n_decisions:,} decisions of {n_curators} curators, {n_kills} kills: {done.n_lost} "
        f"lost, {done.n_again} sent again, {done.rate:.0f} a second, median "
        f"{done.percentile(0.5):.0f} ms, 99% {done.percentile(0.99):.0f} ms"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
