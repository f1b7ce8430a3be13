"""Decisions to gold: how good a review is after so many decisions, by the order they are made in.

A simulated curator answers as gold does. A decision is on a place, a connected stretch that anybody
marked; the answer also settles places that a name of it reaches into. After each share of the
decisions the exact F of what is settled, and of what the review thinks elsewhere, is counted.

    random      any place next, and nothing is learned
    document    one document after the other, and nothing is learned
    unlearned   documents of which a curator's answers would tell most, as they come in when a
                review begins; nothing is learned
    doubt       where the consensus expects most errors, and nothing is learned
    learning    what the review does: learn from what is settled, then ask where it gains most
    oracle      only places where the consensus is wrong, the worst first

Reads the twelve taggers of VERMEIL_CORPORA, on which constants were chosen, and the samples that
are shipped; with ``--others``, beds on which nothing was chosen: every second tagger, and abstracts
of which each was marked by a few of many people. ``--svg`` draws the curves of the taggers.

    python -m benchmarks.curation [--unit name|document] [--samples] [--others] [--upto SHARE]
                                  [--svg FILE]
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np

import vermeil as vm
from benchmarks import taggers
from benchmarks.curation_picture import picture
from benchmarks.perturbed import CORPORA
from vermeil import Document, samples
from vermeil.arrays import Flags, Floats
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.reliability import learn
from vermeil.document import Layer, Span
from vermeil.review.learning.lessons import Lessons, Outlook, SettledNames
from vermeil.review.learning.places import MarkedPlace, bare
from vermeil.review.learning.worth import NAME, UNITS, worth
from vermeil.review.queue import rank
from vermeil.review.voices import Voices

SHARES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
EVERY = 0.025
"""The review learns again after this share of the decisions."""

WANTED = {0.2: 0.9, 0.3: 0.95, 0.5: 0.98}
"""What we want of the review that learns."""

SAID = {
    "random": "random order",
    "document": "text after text",
    "unlearned": "telling texts first",
    "doubt": "doubtful first",
    "learning": "vermeil review",
    "oracle": "only errors (oracle)",
}
"""What the picture calls the orders."""

ORDERS = ("random", "document", "unlearned", "doubt", "learning", "oracle")


@dataclass(frozen=True, slots=True, eq=False)
class Bed:
    """Documents of voters and what gold says; ``reached`` are the places that an answer settles."""

    documents: dict[int, Document]
    gold: dict[int, Layer]
    start: Outlook
    lessons: Lessons
    reached: list[list[int]]

    @staticmethod
    def of(documents: Iterable[Document], gold: str = "gold") -> "Bed":
        """Leave gold out of the documents, and find the places."""
        voters: dict[int, Document] = {}
        truth: dict[int, Layer] = {}
        for number, document in enumerate(documents):
            layers = {
                name: layer for name, layer in document.layers.items() if not name.startswith(gold)
            }
            voters[number] = document.replace(layers=layers, standards={}, trees={}, meta={})
            truth[number] = tuple(dict.fromkeys(bare(name) for name in document.layers[gold]))
        lessons = Lessons()
        start = lessons.learn(voters, {})
        touched: dict[tuple[int, Span], list[int]] = {}
        names = [
            _inside(truth[int(d)], p) for d, p in zip(start.document, start.places, strict=True)
        ]
        for place, own in enumerate(names):
            for name in own:
                touched.setdefault((int(start.document[place]), name), []).append(place)
        reached = [
            sorted({place, *(n for name in own for n in touched[int(start.document[place]), name])})
            for place, own in enumerate(names)
        ]
        return Bed(voters, truth, start, lessons, reached)

    @property
    def n_decisions(self) -> int:
        """How many decisions settle everything."""
        done = np.zeros(len(self.reached), dtype=bool)
        n = 0
        for place, reached in enumerate(self.reached):
            n += not done[place]
            done[reached] = True
        return n

    def settled(self, done: Flags) -> dict[int, SettledNames]:
        """Say what a curator has settled who answers as gold does."""
        stretches: dict[int, list[tuple[int, int]]] = {}
        for place in np.flatnonzero(done).tolist():
            own = self.start.places[place]
            stretches.setdefault(int(self.start.document[place]), []).append((own.start, own.end))
        return {
            number: SettledNames(
                tuple(
                    name
                    for name in self.gold[number]
                    if any(name.start < end and start < name.end for start, end in some)
                ),
                tuple(some),
            )
            for number, some in stretches.items()
        }

    def f1(self, learned: Outlook, known: Mapping[int, SettledNames]) -> float:
        """Compute the exact F of what is settled and what is thought elsewhere."""
        said = learned.layers(known)
        right = sum(
            len({_key(s) for s in layer} & {_key(s) for s in self.gold[number]})
            for number, layer in said.items()
        )
        n = sum(len({_key(s) for s in layer}) for layer in said.values())
        return 2 * right / (n + sum(map(len, self.gold.values())))


def curve(bed: Bed, order: str, unit: str, upto: float = 1.0, seed: int = 0) -> dict[float, float]:
    """Return the F after each of SHARES of the decisions."""
    n_all = bed.n_decisions
    done = np.zeros(len(bed.reached), dtype=bool)
    fixed = _fixed(bed, order, unit, seed)
    learned, n, found = bed.start, 0, {}
    marks = [round(share * n_all) for share in SHARES if share <= upto]
    stops = sorted({*marks, *(round(k * EVERY * n_all) for k in range(int(upto / EVERY) + 1))})
    for stop, following in zip(stops, [*stops[1:], None], strict=True):
        known = bed.settled(done)
        if order == "learning" and n:
            learned = bed.lessons.learn(bed.documents, known)
        if stop in marks:
            now = learned if order == "learning" else _standing(bed, done)
            found[SHARES[marks.index(stop)]] = bed.f1(now, known)
        if following is None:
            break
        value = worth(learned, unit) if order == "learning" else fixed
        for place in np.argsort(-value, kind="stable").tolist():
            if n >= following:
                break
            if not done[place]:
                done[bed.reached[place]] = True
                n += 1
    return found


def _fixed(bed: Bed, order: str, unit: str, seed: int) -> Floats:
    """Value places once and for all."""
    start = bed.start
    n = len(start.places)
    if order == "random":
        return np.random.default_rng(seed).random(n)
    if order == "document":
        return -np.arange(n, dtype=np.float64)
    if order == "oracle":
        return np.array(
            [
                float(
                    len({_key(s) for s in names} ^ {_key(s) for s in _inside(bed.gold[int(d)], p)})
                )
                for names, d, p in zip(start.names, start.document, start.places, strict=True)
            ]
        )
    if order == "unlearned":
        voices = Voices.of(SpanTable.from_documents(bed.documents.values()))
        ranks = rank(voices, learn(voices.patterns()))
        told = ranks.contested if ranks.information is None else ranks.information
        return told[start.document]
    return worth(start, unit)


def _standing(bed: Bed, done: Flags) -> Outlook:
    """Settle places without learning anything from it."""
    return replace(bed.start, is_settled=done)


def _inside(names: Iterable[Span], place: MarkedPlace) -> Layer:
    return tuple(name for name in names if name.start < place.end and place.start < name.end)


def _key(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.label


def table(
    bed: Bed, unit: str, upto: float, orders: Iterable[str] = ORDERS
) -> dict[str, dict[float, float]]:
    """Print a curve a line, and return them."""
    shares = [share for share in SHARES if share <= upto]
    wrong = sum(
        {_key(s) for s in names} != {_key(s) for s in _inside(bed.gold[int(d)], p)}
        for names, d, p in zip(bed.start.names, bed.start.document, bed.start.places, strict=True)
    )
    print(
        f"{len(bed.documents):,} documents, {len(bed.reached):,} places, {bed.n_decisions:,} "
        f"decisions, {wrong:,} places wrong; a {unit} at a time"
    )
    print(f"{'decisions':<12}" + "".join(f"{share:>8.0%}" for share in shares))
    curves = {}
    for order in orders:
        begun = process_time()
        found = curves[order] = curve(bed, order, unit, upto)
        line = "".join(f"{found[share]:8.3f}" for share in shares)
        print(f"{order:<12}{line}   {process_time() - begun:6.1f} CPU s", flush=True)
    return curves


def other_beds() -> Iterator[tuple[str, list[Document]]]:
    """Yield documents on which nothing was chosen."""
    documents, names = taggers.load()
    for title, left_out in (("first", names[1::2]), ("second", names[::2])):
        some = [
            each.replace(layers={k: v for k, v in each.layers.items() if k not in left_out})
            for each in documents
        ]
        yield f"every second tagger, from the {title}", some
    path = CORPORA / "crowd" / "pico-abstracts.jsonl.gz"
    if path.is_file():
        marked = [each for each in vm.read(str(path)) if "gold" in each.layers]
        yield "abstracts that a few of many people marked", marked


def main() -> None:
    """Print the curves."""
    parser = argparse.ArgumentParser(description="decisions to gold")
    parser.add_argument("--unit", choices=UNITS, default=NAME)
    parser.add_argument("--samples", action="store_true", help="only the samples")
    parser.add_argument("--others", action="store_true", help="beds on which nothing was chosen")
    parser.add_argument("--svg", type=Path, help="file for a picture of the taggers' curves")
    parser.add_argument("--upto", type=float, default=1.0, help="share of the decisions")
    asked = parser.parse_args()
    print("the samples")
    table(Bed.of(vm.read([samples.GOLD, *samples.ANNOTATORS])), asked.unit, asked.upto)
    if asked.samples:
        return
    if not taggers.FOLDER.is_dir():
        print(f"no taggers at {taggers.FOLDER}; set VERMEIL_CORPORA")
        return
    documents, _ = taggers.load()
    print("\ntwelve taggers")
    curves = table(Bed.of(documents), asked.unit, asked.upto)
    if asked.svg is not None:
        title = "Twelve taggers: exact F of a review, by decisions"
        called = {SAID.get(name, name): found for name, found in curves.items()}
        drawn = picture(title, called, ours=SAID["learning"], bound=SAID["oracle"], wanted=WANTED)
        asked.svg.write_text(drawn, encoding="utf-8")
    if asked.others:
        for title, documents in other_beds():
            print(f"\n{title}")
            table(Bed.of(documents), asked.unit, asked.upto)


if __name__ == "__main__":
    main()
