"""A review of many documents: how fast they come in, and how long the server takes to answer.

The floor for the import is SQLite storing the same rows, encoded already, under the same pragmas;
for answers it is SQLite fetching the row or the list that the answer is made of. Times of answers
are CPU times of the whole application, from the request to the last byte of JSON.

    python -m benchmarks.review [N_DOCUMENTS]
"""

import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from starlette.testclient import TestClient

from benchmarks import review_load
from benchmarks.generated import documents
from benchmarks.measures import Measure, show
from vermeil import Document
from vermeil.review.decisions import Answer, Change, Name
from vermeil.review.history import record
from vermeil.review.importing import import_documents
from vermeil.review.store import Store, encoded
from vermeil.review.web.app import make_app

LIMIT_MS = 200
LEAST_RATE = 2000
ROUNDS = 15
N_DECISIONS = 20_000
"""Decisions of many curators at once (``review_load``)."""


def main(n: int) -> None:
    """Print the rates and times beside their floors."""
    show(rows(n))


def rows(size: int) -> list[Measure]:
    """Measure on a review of ``size`` generated documents."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "review.db"
        with Store(path) as store:
            alone = [
                importing(store, size, path),
                some_work(store, max(size - 100, size // 2)),
                *answers(store, size),
            ]
    return [*alone, *review_load.rows(min(N_DECISIONS, size))]


def importing(store: Store, n: int, path: Path) -> Measure:
    """Compare the import with storing the same rows."""
    made = [0.0, 0.0]

    def timed() -> Iterator[Document]:
        stream = documents(n)
        while True:
            begun = process_time(), perf_counter()
            document = next(stream, None)
            made[0] += process_time() - begun[0]
            made[1] += perf_counter() - begun[1]
            if document is None:
                return
            yield document

    begun, wall = process_time(), perf_counter()
    import_documents(store, timed())
    ours, wall = process_time() - begun - made[0], perf_counter() - wall - made[1]
    rows = [(number, d.id, encoded(d)) for number, d in enumerate(documents(min(n, 20_000)))]
    bare = sqlite3.connect(path.with_name("bare.db"), isolation_level=None)
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute(
        "CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT UNIQUE, content BLOB)"
    )
    begun = process_time()
    for start in range(0, len(rows), 3000):
        bare.execute("BEGIN")
        bare.executemany("INSERT INTO documents VALUES (?, ?, ?)", rows[start : start + 3000])
        bare.execute("COMMIT")
    floor = (process_time() - begun) * n / len(rows)
    bare.close()
    return Measure(
        "import",
        ours,
        floor=floor,
        floor_name="SQLite storing the rows",
        note=f"{n:,} documents, {n / wall:,.0f} a second on the clock (wanted: {LEAST_RATE:,}), "
        f"file {path.stat().st_size / 1e6:,.0f} MB",
    )


def some_work(store: Store, n: int) -> Measure:
    """Decide on a few documents and settle ``n``, so that the queue has much to leave out."""
    begun = perf_counter()
    n_events = min(300, n)
    for number in range(1, n_events + 1):
        span = store.document(number).layers["anna"][:1]
        changes = [
            Change(place, None, Answer(place, "accepted", Name(*place)))
            for place in ((each.start, each.end, each.label) for each in span)
        ]
        if changes:
            record(
                store,
                key=str(number),
                curator="cleo",
                layer="cleo",
                document=number,
                action="accept",
                changes=changes,
            )
    each = (perf_counter() - begun) / n_events
    with store.writing() as connection:
        connection.execute(
            "INSERT OR IGNORE INTO works SELECT 'cleo', document, '[]', 0, 1, 0 FROM ranks "
            "ORDER BY coalesce(information, contested) DESC LIMIT ?",
            (n,),
        )
    return Measure("a decision", 1000 * each, unit="ms on the clock", note="on disk by then")


def answers(store: Store, n: int) -> Iterator[Measure]:
    """Time the queue and documents through the whole application."""
    client = TestClient(make_app(store), base_url="http://127.0.0.1")
    token = client.get("/api/session").json()["token"]
    client.post("/api/login", json={"name": "cleo"}, headers={"X-Token": token})

    def asking(path: str) -> Callable[[], Any]:
        return lambda: client.get(path).raise_for_status()

    def fetching(query: str) -> Callable[[], Any]:
        return lambda: store.connection.execute(query).fetchall()

    listed = "SELECT document FROM ranks ORDER BY coalesce(information, contested) DESC LIMIT 100"
    row = f"SELECT content FROM documents WHERE number = {n // 2}"
    for title, ask, fetch in (
        ("the queue", asking("/api/queue"), fetching(listed)),
        ("everything", asking("/api/queue?show=all"), fetching(listed)),
        ("a search", asking("/api/queue?show=all&search=77"), fetching(listed)),
        ("what is settled", asking("/api/queue?show=done"), fetching(listed)),
        ("a document", asking(f"/api/documents/{n // 2}"), fetching(row)),
    ):
        yield Measure(
            title,
            typical(ask),
            unit="CPU ms",
            floor=typical(fetch),
            floor_name="SQLite alone",
            note=f"wanted: under {LIMIT_MS}",
        )


def typical(work: Callable[[], Any]) -> float:
    """Give the median CPU time in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return 1000 * median(times)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
