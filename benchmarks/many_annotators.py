"""What crowds cost: the same documents, each seen by as few, of ever more annotators.

For each command CPU seconds and the most memory with 6, 60, 600 and 6,000 annotators, six of them
on each document, and the exponents of growth in annotators: 0 where cost follows votes alone. Each
command runs in a process of its own, on files; a review is imported and its queue asked for. With
``--limit``, ``consensus --no-read`` of ten thousand annotators beside that of five.

    python -m benchmarks.many_annotators [N_DOCUMENTS]
    python -m benchmarks.many_annotators --limit [N_DOCUMENTS]
"""

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from benchmarks.generated import documents
from benchmarks.growth import slope
from benchmarks.measures import Measure, show
from benchmarks.timing import best, peak_megabytes
from vermeil import Document, Span
from vermeil.formats import write

CROWDS, N_EACH = (6, 60, 600, 6_000), 6
"""Annotators there are, and those on each document."""

LIMIT_CROWDS, N_EACH_LIMIT = (5, 10_000), 5

WORKS = {
    "consensus": ("consensus", "IN", "--no-read", "-o", "OUT"),
    "agree": ("agree", "IN", "--json"),
    "score": ("score", "JUDGED", "--standard", "gold"),
    "score --looked": ("score", "JUDGED", "--standard", "gold", "--looked"),
    "report": ("report", "JUDGED", "--gold", "gold", "-o", "PAGE"),
    "review": (),
}
"""Commands; IN stands for documents of a crowd, JUDGED for the same with a standard."""


def main(arguments: Sequence[str]) -> None:
    """Print a table, or measure one work in this process."""
    match arguments:
        case ["--work", name, source]:
            print(msgspec.json.encode(measured(name, Path(source))).decode())
        case ["--limit", *size]:
            show(limit(int(size[0]) if size else 20_000))
        case size:
            show(rows(int(size[0]) if size else 2_000))


def rows(size: int) -> list[Measure]:
    """Measure every work on a quarter of ``size`` documents, for each crowd."""
    size = max(1, size // 4)
    found = []
    costs: dict[str, list[tuple[float, float]]] = {name: [] for name in WORKS}
    for n_annotators in CROWDS:
        with TemporaryDirectory() as folder:
            source = Path(folder, "in.jsonl")
            write(crowd(size, n_annotators), source)
            write(map(with_gold, crowd(size, n_annotators)), judged(source))
            for name, each in costs.items():
                each.append(in_own_process(name, source))
    for name, each in costs.items():
        for n_annotators, (seconds, megabytes) in zip(CROWDS, each, strict=True):
            what = f"{_said(name)} of {n_annotators:,} annotators, {N_EACH} on each"
            note = f"{size:,} documents, {megabytes:,.0f} MB"
            found.append(Measure(what, seconds, note=note))
        seconds, megabytes = (slope(CROWDS, column) for column in zip(*each, strict=True))
        what = f"{_said(name)}: exponent of time in annotators"
        found.append(Measure(what, seconds, unit="", note=f"that of memory: {megabytes:.2f}"))
    return found


def limit(size: int) -> list[Measure]:
    """Measure the consensus of few and of very many annotators."""
    costs = []
    for n_annotators in LIMIT_CROWDS:
        with TemporaryDirectory() as folder:
            source = Path(folder, "in.jsonl")
            write(crowd(size, n_annotators, N_EACH_LIMIT), source)
            costs.append(in_own_process("consensus", source))
    found = []
    for n_annotators, (seconds, megabytes) in zip(LIMIT_CROWDS, costs, strict=True):
        note = f"{size:,} documents, {megabytes:,.0f} MB, {seconds / costs[0][0]:.2f}x"
        what = f"{_said('consensus')} of {n_annotators:,} annotators, {N_EACH_LIMIT} on each"
        found.append(Measure(what, seconds, note=note))
    return found


def crowd(size: int, n_annotators: int, n_each: int = N_EACH) -> Iterator[Document]:
    """Make documents with so many annotators on each, who err as those of ``generated`` do."""
    random = np.random.default_rng(0)
    for one in documents(size):
        chosen = random.choice(n_annotators, n_each, replace=False).tolist()
        layers = dict(zip(map(_name, sorted(chosen)), cycle(one.layers.values()), strict=False))
        yield one.replace(layers=layers)


def with_gold(document: Document) -> Document:
    """Add a standard to score against: the names that anybody found."""
    found = {span.start: span for layer in document.layers.values() for span in layer}
    gold = (Span(each.start, each.end, each.label) for _, each in sorted(found.items()))
    return document.with_layer("gold", tuple(gold))


def judged(source: Path) -> Path:
    """Name the file of the same documents with a standard."""
    return source.with_name("judged.jsonl")


def in_own_process(name: str, source: Path) -> tuple[float, float]:
    """Give the seconds and megabytes of a work."""
    command = [sys.executable, "-m", "benchmarks.many_annotators", "--work", name, str(source)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return msgspec.json.decode(done.stdout.splitlines()[-1], type=tuple[float, float])


def measured(name: str, source: Path) -> tuple[float, float]:
    """Do a work in this process; what it loads is not counted, and memory of children is."""
    if name == "review":
        seconds = best(partial(review, source), 1)
    else:
        from vermeil.cli import app

        paths = {
            "IN": str(source),
            "JUDGED": str(judged(source)),
            "OUT": str(source.with_name("out.jsonl")),
            "PAGE": str(source.with_name("page.html")),
        }
        asked = [paths.get(each, each) for each in WORKS[name]]
        with redirect_stdout(StringIO()):
            seconds = best(partial(app, asked, standalone_mode=False), 1)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return seconds, max(peak_megabytes(), children)


def review(source: Path) -> None:
    """Import documents into a review, and ask for its queue."""
    from starlette.testclient import TestClient

    from vermeil.formats import read
    from vermeil.review.importing import import_documents
    from vermeil.review.store import Store
    from vermeil.review.web.app import make_app

    with Store(source.with_name("review.db")) as store:
        import_documents(store, read(source))
        client = TestClient(make_app(store), base_url="http://127.0.0.1")
        token = client.get("/api/session").json()["token"]
        client.post("/api/login", json={"name": "cleo"}, headers={"X-Token": token})
        client.get("/api/queue").raise_for_status()


def _name(code: int) -> str:
    return f"person-{code:05}"


def _said(name: str) -> str:
    shown = [each for each in WORKS[name] if each in ("--no-read",)]
    return " ".join((f"`{name}", *shown)) + "`"


if __name__ == "__main__":
    main(sys.argv[1:])
