"""Names and trees together: whether names of the model ``gene`` help to combine parsers.

How often brackets that cut a candidate name of several words are right by gold, and those that are
one, beside how likely ``best`` holds them; and what ``best`` makes of four parsers with names and
without, on the odd and the even sentences of GENIA. The other way, whether trees help to find the
edges of names, cannot be measured here: these sentences have no names by hand. What can be said is
how many names the trees of gold cut.

    python -m benchmarks.names_and_trees
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from benchmarks.trees import CORPUS, MEMBERS
from vermeil.arrays import Flags
from vermeil.columns.trees.steps import prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees.ensembles import Ensemble
from vermeil.consensus.trees.known import Edge, NamedTexts
from vermeil.consensus.trees.pool import Pool
from vermeil.consensus.trees.worth import judgements
from vermeil.document import Document
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.scores import score_trees
from vermeil.verbs.models import load

LEAST = 0.05
Meeting = Callable[[int, int, Edge], bool]


def main() -> None:
    """Print both tables."""
    [batch] = read_forests([Input(CORPUS / f"{name}.mrg", name) for name in ("gold", *MEMBERS)])
    gold = prepare(batch.tables["gold"], ["clegg"], is_standard=True)
    parsers, named = batch.of(MEMBERS), names_in(batch)
    ensemble = Ensemble("best", MEMBERS)
    learned = ensemble.learn([parsers])
    tables = parsers.prepared(["clegg"])
    edges = named.edges(list(parsers.tables.values()), list(tables.values()))
    pool = Pool.of(tables)
    worth, right = learned.of(pool, tables), judgements(pool, gold)[1]
    for title, meets in (("cut a name", cuts), ("are a name", spans)):
        chance = np.array(list(surest(pool, edges, meets)))
        for low, high in ((LEAST, 0.5), (0.5, 0.8), (0.8, 1.01)):
            rows: Flags = (chance >= low) & (chance < high)
            said, true = worth[rows].mean(), right[rows].mean()
            print(
                f"{title}, {low:.2f} to {high:.2f}: {rows.sum():,}, said {said:.2f} is {true:.2f}"
            )
    of_gold = Pool.of({"gold": gold})
    sure = [(s, edge) for s, some in enumerate(edges) for edge in some if edge[2] >= 0.5]
    bounds = of_gold.bounds
    n_cut = sum(
        any(cuts(*span, edge) for span in spans_of(of_gold, slice(*bounds[s : s + 2].tolist())))
        for s, edge in sure
    )
    print(f"names of several words from .5 on: {len(sure):,}, cut by gold {n_cut:,}")
    for title, with_names in (("without names", None), ("with names", named)):
        made = Ensemble("best", MEMBERS, names=with_names).combine(parsers, learned)
        table = prepare(TreeTable.of(made.trees, gold.names), ["clegg"])
        every = score_trees(gold, table).all
        for half in (1, 0):
            some = every.keep(every.number % 2 == half)
            print(
                f"{title}, {'odd' if half else 'even'}: LA {100 * some.leaf_ancestor:.2f} "
                f"F {100 * some.counts.f1:.2f} perfect {100 * some.share_perfect:.2f}"
            )


def names_in(batch: Forests) -> NamedTexts:
    """Find candidate names in the sentences."""
    table = batch.tables["gold"]
    trees = [table.tree_as_read(number) for number in range(len(table))]
    documents = [
        Document(id=str(number), text=" ".join(tree.words) if tree is not None else "")
        for number, tree in enumerate(trees)
    ]
    found = load("gene").recogniser.find(documents, threshold=LEAST)
    return NamedTexts.of(
        document.replace(layers={"gene": tuple(found.spans(number, found.candidates))})
        for number, document in enumerate(documents)
    )


def surest(pool: Pool, edges: Sequence[Sequence[Edge]], meets: Meeting) -> Iterator[float]:
    """Yield for each bracket the chance of the surest name that it meets."""
    for sentence, span in zip(pool.sentence.tolist(), spans_of(pool, slice(None)), strict=True):
        yield max((edge[2] for edge in edges[sentence] if meets(*span, edge)), default=0.0)


def spans_of(pool: Pool, rows: slice) -> Iterator[tuple[int, int]]:
    """Yield the start and end of some brackets."""
    return zip(pool.start[rows].tolist(), pool.end[rows].tolist(), strict=True)


def cuts(start: int, end: int, edge: Edge) -> bool:
    """Tell whether a bracket cuts a name in two."""
    return start < edge[0] < end < edge[1] or edge[0] < start < edge[1] < end


def spans(start: int, end: int, edge: Edge) -> bool:
    """Tell whether a bracket is over just a name."""
    return (start, end) == edge[:2]


if __name__ == "__main__":
    main()
