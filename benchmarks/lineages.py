"""Leaf-ancestor scores of all words, from prepared trees, against a plain dynamic programme.

The plain programme gets the same lineages as lists of labels. The floor is the edit distance of
rapidfuzz, which is in C, called once for each word on lineages spelt as strings.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measures import Measure
from benchmarks.timing import best
from benchmarks.tree_pairs import write_pairs
from vermeil.columns.trees.lineages import Lineages, leaf_ancestor
from vermeil.columns.trees.table import TreeTable
from vermeil.formats.forests import read_forests
from vermeil.formats.inputs import Input


def measured(gold: Path, parsed: Path) -> list[Measure]:
    """Time the leaf-ancestor scores of all words."""
    pairs = prepared(gold, parsed)

    def work() -> list[float]:
        return [
            float(leaf_ancestor(Lineages.of(one), Lineages.of(two)).sum()) for one, two in pairs
        ]

    total = sum(work())  # rapidfuzz loads at its first use
    ours = best(work, 5)
    lists = [
        both for one, two in pairs for both in zip(spelt(one, two), spelt(two, one), strict=True)
    ]
    theirs = best(lambda: [plain(first, second) for first, second in lists], 1)
    codes: dict[str, str] = {}
    coded = [
        tuple(
            "".join(codes.setdefault(label, chr(len(codes) + 1)) for label in side) for side in both
        )
        for both in lists
    ]
    n_words = sum(len(one.word) for one, _ in pairs)
    other = sum(plain(first, second) for first, second in lists)
    return [
        Measure(
            f"leaf-ancestor scores of {n_words:,} words",
            ours,
            peer=theirs,
            peer_name="plain Python programme",
            floor=best(lambda: [edits(*both) for both in coded]),
            floor_name="bare distance calls of rapidfuzz",
            note=f"LA {100 * total / n_words:.2f}, of the programme {100 * other / n_words:.2f}",
        )
    ]


def grow(size: int) -> Callable[[], object]:
    """Prepare the trees of ``size`` made-up sentences."""
    with TemporaryDirectory() as folder:
        gold, parsed = write_pairs(size, Path(folder))
        pairs = prepared(gold, parsed)
    return lambda: [leaf_ancestor(Lineages.of(one), Lineages.of(two)) for one, two in pairs]


def prepared(gold: Path, parsed: Path) -> list[tuple[TreeTable, TreeTable]]:
    """Read two files and prepare their trees, batch by batch."""
    inputs = [Input(gold, "gold"), Input(parsed, "parsed")]
    batches = (batch.prepared(["clegg"]) for batch in read_forests(inputs))
    return [(tables["gold"], tables["parsed"]) for tables in batches]


def edits(first: str, second: str) -> int:
    """Give the edit distance by the library that has it in C."""
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance(first, second)


def spelt(table: TreeTable, other: TreeTable) -> list[list[str]]:
    """Give the lineages of the words of sentences that both tables have, as lists of labels."""
    both = (~table.failed & ~other.failed).repeat(table.n_words)
    found = Lineages.of(table)
    return [found.spelt(word) for word in both.nonzero()[0].tolist()]


def plain(first: Sequence[str], second: Sequence[str]) -> float:
    """Score two lineages the way it is written in books."""
    above = list(range(len(second) + 1))
    for row, symbol in enumerate(first, start=1):
        current = [row]
        for column, other in enumerate(second, start=1):
            current.append(
                min(
                    above[column] + 1,
                    current[column - 1] + 1,
                    above[column - 1] + (symbol != other),
                )
            )
        above = current
    length = len(first) + len(second)
    return 1 - above[-1] / length if length else 1.0
