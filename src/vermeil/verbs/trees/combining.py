"""``trees.combine`` and ``trees.trust``: one tree from many parsers, and where to doubt it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.tree import Tree
from vermeil.verbs.checking import probability, weights_of
from vermeil.verbs.corpus import Corpus
from vermeil.verbs.naming import names_of
from vermeil.verbs.tables.table import Block, Table, Tabled
from vermeil.verbs.trees.reading import (
    Parsers,
    ParserSource,
    cascades_of,
    parser_source,
    steps_of,
)
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.consensus.trees import TreeOptions
    from vermeil.consensus.trees.ensembles import Combined, Ensemble
    from vermeil.formats.forests import Forests


@dataclass(slots=True)
class TreeSummary:
    """What an ensemble did, over all batches."""

    members: list[str] = field(default_factory=list)
    n_sentences: int = 0
    n_failed: int = 0
    n_tied: int = 0
    chosen: Counter[str] = field(default_factory=Counter)
    trust: list[float] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)

    def add(self, combined: "Combined") -> None:
        """Count a batch."""
        self.members = list(combined.members.tables)
        self.n_sentences += len(combined.trees)
        self.n_failed += sum(tree is None for tree in combined.trees)
        self.n_tied += int(combined.decision.tied.sum())
        winners = combined.decision.winner
        for number, name in enumerate(self.members):
            self.chosen[name] += int((winners == number).sum())
        self.trust.extend(combined.decision.trust.tolist())

    def weigh(self, learned: Any) -> None:
        """Note what the members are worth, where that was learned."""
        from vermeil.consensus.trees.worth import Worth

        if isinstance(learned, Worth):
            self.weights = dict(zip(self.members, learned.weights.tolist(), strict=True))

    @property
    def mean_trust(self) -> float:
        """Trust over the sentences where it is known; NaN where it is nowhere."""
        known = [each for each in self.trust if each == each]
        return sum(known) / len(known) if known else float("nan")

    def as_data(self, by: str) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "by": by,
            "members": self.members,
            "sentences": self.n_sentences,
            "without_parse": self.n_failed,
            "ties": self.n_tied,
            "chosen": dict(self.chosen),
            "weights": self.weights,
            "mean_trust": self.mean_trust,
        }

    def blocks(self, by: str) -> Iterator[Block]:
        """Tell what was done in a table."""
        is_choice = any(self.chosen.values())
        rows = [
            [
                name,
                *([self.chosen[name]] if is_choice else []),
                *([f"{self.weights[name]:.3f}"] if self.weights else []),
            ]
            for name in self.members
        ]
        columns = ["member", *(["chosen"] if is_choice else []), *(["weight"] * bool(self.weights))]
        yield Table(f"{self.n_sentences:,} sentences combined by {by}", columns, rows)
        if self.weights:
            yield "weight: the less a parser shares with others the more it counts, good or bad"
        if is_choice and by != "fallback":
            yield f"{self.n_tied:,} ties between different trees"
        if self.n_failed:
            yield f"{self.n_failed:,} sentences without any parse"
        if not isnan(self.mean_trust):
            yield f"mean trust {self.mean_trust:.3f}; see vermeil trees trust"


class TreeConsensus(Tabled):
    """One tree a sentence from several parsers: ``trees``, or ``documents`` that hold them.

    Files stream: their trees are combined each time they are gone through.
    """

    def __init__(self, source: ParserSource, ensemble: "Ensemble", learned: Any, name: str) -> None:
        self._source, self._ensemble, self._learned = source, ensemble, learned
        self._done: TreeSummary | None = None
        self.name, self.by = name, ensemble.by
        self.documents = Corpus(self._combined, f"trees of {', '.join(source.names)}")

    @cached_property
    def trees(self) -> list[Tree | None]:
        """The trees, None where every parser failed."""
        return [document.trees[self.name][0] for document in self.documents]

    @property
    def trust(self) -> list[float]:
        """How far parsers agree on each tree, from 0 to 1; NaN where nothing is compared."""
        return self.summary.trust

    @property
    def weights(self) -> dict[str, float]:
        """What each parser counts, as far as that was learned."""
        return self.summary.weights

    @property
    def summary(self) -> TreeSummary:
        """What was done, over all sentences."""
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
        """Yield what was done."""
        return self.summary.blocks(self.by)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a sentence."""
        for number, (tree, trust) in enumerate(zip(self.trees, self.trust, strict=True), start=1):
            yield {"sentence": number, "tree": None if tree is None else str(tree), "trust": trust}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return self.summary.as_data(self.by)

    def __repr__(self) -> str:
        return f"<TreeConsensus: {len(self._source.names)} parsers by {self.by}>"

    def _combined(self, ledger: Ledger) -> Iterator[Document]:
        done = TreeSummary()
        ledger.skip_bad = self._source.skip_bad
        yield from combined_documents(
            self._source.read(ledger), self._ensemble, self._learned, done, self.name
        )
        done.weigh(self._learned)
        self._done = done


@verb
def combine(
    parsers: Parsers,
    *,
    by: str = "best",
    cascade: "Mapping[str, str | Iterable[str]] | None" = None,
    members: str | Iterable[str] = (),
    quorum: float = 0.5,
    weight: Mapping[str, float] | None = None,
    ties: str = "order",
    prepare: str | Iterable[str] = "clegg",
    name: str = "consensus",
    format: str | None = None,
    skip_bad: bool = False,
) -> TreeConsensus:
    """Combine the trees of several parsers into one a sentence, over the same words.

    The default, ``best``, learns from all sentences how far to trust parsers and brackets; it needs
    no gold. ``vote`` takes the ``quorum`` and ``weight`` of votes; with similarity, distance,
    levenshtein and fallback the tree of one parser is chosen. ``members`` take part, by default all
    cascades and all parsers that are in none.

    >>> one, other = "(S (NP (NN p53)) (VP (VBZ binds)))", "(S (NN p53) (VP (VBZ binds)))"
    >>> print(combine({"a": [one], "b": [one], "c": [other]}, by="vote")[0])
    (TOP (S (NP (NN p53)) (VP (VBZ binds))))
    """
    from vermeil.consensus.trees import TreeOptions

    source = parser_source(parsers, format=format, skip_bad=skip_bad)
    choices = TreeOptions(probability("quorum", quorum), weights_of(weight), ties)
    ensemble = ensemble_of(by, cascade, members, prepare, choices)
    return TreeConsensus(source, ensemble, learn(ensemble, source.batches()), name)


def ensemble_of(
    by: str,
    cascade: "Mapping[str, str | Iterable[str]] | None",
    members: str | Iterable[str],
    prepare: str | Iterable[str],
    choices: "TreeOptions",
) -> "Ensemble":
    """Make an ensemble of options; refuse what the method would ignore."""
    from vermeil.consensus.trees import TREE_CONSENSUS, TreeOptions, get_tree_method
    from vermeil.consensus.trees.ensembles import Ensemble
    from vermeil.consensus.trees.switching import TIES

    method, usual = get_tree_method(by), TreeOptions()
    if choices.ties not in TIES:
        raise UsageError(f"--ties takes {' or '.join(TIES)}, not {choices.ties!r}")
    asked = {
        "quorum": choices.quorum != usual.quorum,
        "weight": bool(choices.weights),
        "ties": choices.ties != usual.ties,
    }
    for option, given in asked.items():
        taken = option if option != "weight" else "weights"
        if given and taken not in method.takes:
            able = [each for each, row in TREE_CONSENSUS.items() if taken in row.takes]
            raise UsageError(f"{by} has no use for --{option}; try --by {' or '.join(able)}")
    return Ensemble(by, names_of(members), cascades_of(cascade), steps_of(prepare), choices)


def learn(ensemble: "Ensemble", batches: "Iterable[Forests]") -> Any:
    """Let the method learn what it needs from all sentences; None where it needs nothing."""
    from vermeil.consensus.trees import get_tree_method

    return None if get_tree_method(ensemble.by).learn is None else ensemble.learn(batches)


def combined_documents(
    batches: "Iterable[Forests]",
    ensemble: "Ensemble",
    learned: Any,
    summary: TreeSummary,
    name: str,
    *,
    with_trust: bool = True,
) -> Iterator[Document]:
    """Yield a document a sentence with the tree that was made, counting what was done.

    How far it can be trusted is among its metadata, where that is known and asked for.
    """
    for batch in batches:
        members = ensemble.gather(batch).tables
        for weighted in ensemble.options.weights:
            if weighted not in members:
                raise UnknownNameError("parser", weighted, members)
        combined = ensemble.combine(batch, learned)
        summary.add(combined)
        sure = combined.decision.trust.tolist()
        for number, (tree, trust) in enumerate(
            zip(combined.trees, sure, strict=True), start=batch.first
        ):
            text = " ".join(tree.words) if tree is not None else ""
            is_told = with_trust and not isnan(trust)
            meta = {"trust": round(trust, 4)} if is_told else {}
            yield Document(id=str(number), text=text, trees={name: (tree,)}, meta=meta)
