"""``trees.rank``: of several parses, the one that the names in the sentence speak for."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.tree import Tree
from vermeil.verbs.checking import number, probability
from vermeil.verbs.corpus import Corpus
from vermeil.verbs.models import ModelLike, model_of
from vermeil.verbs.tables.table import Block, Table, Tabled
from vermeil.verbs.trees.reading import Parsers, ParserSource, parser_source
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.formats.forests import Forests
    from vermeil.recognise.placed_names import Finder

LEAST = 0.05
"""Confidence from which on candidates count."""

SENTENCES = 200
"""Sentences in which names are sought at a time."""


@dataclass(slots=True)
class RankSummary:
    """Whose trees were chosen, and for how many names there are to go by."""

    chosen: Counter[str] = field(default_factory=Counter)
    n_sentences: int = 0
    n_failed: int = 0
    n_names: int = 0

    def as_data(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "sentences": self.n_sentences,
            "without_parse": self.n_failed,
            "names": self.n_names,
            "chosen": dict(self.chosen),
        }

    def blocks(self) -> Iterator[Block]:
        """Tell whose trees were chosen."""
        yield Table(
            f"{self.n_sentences:,} sentences ranked by {self.n_names:,} names of several words",
            ["parser", "chosen"],
            list(self.chosen.items()),
        )
        if self.n_failed:
            yield f"{self.n_failed:,} sentences without any parse"


class RankedTrees(Tabled):
    """The tree of each sentence that names speak for: ``trees``, or ``documents`` that hold them.

    Files stream: their trees are ranked each time they are gone through.
    """

    def __init__(self, source: ParserSource, ranker: "Ranker") -> None:
        self._source, self._ranker = source, ranker
        self._done: RankSummary | None = None
        self.documents = Corpus(self._ranked, f"trees of {', '.join(source.names)}")

    @cached_property
    def trees(self) -> list[Tree | None]:
        """The trees, None where every parser failed."""
        return [document.trees[self._ranker.name][0] for document in self.documents]

    @property
    def summary(self) -> RankSummary:
        """Whose trees were chosen, over all sentences."""
        if self._done is None:
            for _ in self.documents:
                pass
        assert self._done is not None
        return self._done

    def __iter__(self) -> Iterator[Tree | None]:
        return iter(self.trees)

    def __len__(self) -> int:
        return self.summary.n_sentences

    def __getitem__(self, sentence: int) -> Tree | None:
        return self.trees[sentence]

    def blocks(self) -> Iterator[Block]:
        """Yield whose trees were chosen."""
        return self.summary.blocks()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a sentence."""
        for place, tree in enumerate(self.trees, start=1):
            yield {"sentence": place, "tree": None if tree is None else str(tree)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return self.summary.as_data()

    def _ranked(self, ledger: Ledger) -> Iterator[Document]:
        done = RankSummary()
        ledger.skip_bad = self._source.skip_bad
        yield from self._ranker.documents(self._source.read(ledger), done)
        self._done = done


@dataclass(frozen=True, slots=True)
class Ranker:
    """What finds the names, and what a later tree must have more of than the first."""

    finder: "Finder"
    margin: float
    least: float
    name: str

    def documents(self, batches: "Iterable[Forests]", summary: RankSummary) -> Iterator[Document]:
        """Yield a document a sentence with the tree that was chosen, counting whose it is."""
        for batch in batches:
            for name in batch.tables:
                summary.chosen.setdefault(name, 0)
            for first in range(0, len(batch), SENTENCES):
                places = range(first, min(first + SENTENCES, len(batch)))
                yield from self._some(batch, places, summary)

    def _some(self, batch: "Forests", places: range, summary: RankSummary) -> Iterator[Document]:
        from vermeil.parsers.names_in_trees import chosen_by_names, name_edges

        parses = [
            [table.tree_as_read(place) for table in batch.tables.values()] for place in places
        ]
        words = [next((tree.words for tree in own if tree is not None), ()) for own in parses]
        edges = name_edges(self.finder, words, least=self.least)
        names = list(batch.tables)
        for place, own, found in zip(places, parses, edges, strict=True):
            winner = chosen_by_names(own, found, margin=self.margin)
            summary.n_sentences += 1
            summary.n_names += sum(edge.end - edge.start > 1 for edge in found)
            tree = own[winner] if winner >= 0 else None
            if tree is None:
                summary.n_failed += 1
            else:
                summary.chosen[names[winner]] += 1
            text = " ".join(tree.words) if tree is not None else ""
            yield Document(id=str(batch.first + place), text=text, trees={self.name: (tree,)})


@verb
def rank(
    parsers: Parsers,
    model: ModelLike,
    *,
    margin: float = 0.0,
    least: float = LEAST,
    name: str = "ranked",
    format: str | None = None,
    skip_bad: bool = False,
) -> RankedTrees:
    """Choose for each sentence the tree that the names found by a model speak for.

    A tree gains the confidence of each name of several words that is one of its constituents, and
    loses that of each name that a constituent crosses. The first parser is the one to beat, by more
    than ``margin``; so give the best first, or n-best parses in their order. Candidates count from
    the confidence ``least`` on.
    """
    return RankedTrees(
        parser_source(parsers, format=format, skip_bad=skip_bad),
        ranker_of(model, margin=margin, least=least, name=name),
    )


def ranker_of(model: ModelLike, *, margin: float, least: float, name: str) -> Ranker:
    """Load the model and check the rest."""
    if number("margin", margin) < 0:
        raise UsageError(f"--margin takes 0 or more, not {margin:g}")
    return Ranker(model_of(model).recogniser, margin, probability("least", least), name)
