"""``trees.combine`` and ``trees.trust``: one tree from many parsers, and where to doubt it."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import isnan, nan
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
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
    from vermeil.consensus.trees.ensembles import Ensemble
    from vermeil.consensus.trees.stage import CombineStage, TreeSummary


def combine_data(stage: "CombineStage", done: "TreeSummary", learned: Any) -> dict[str, Any]:
    """Return what an ensemble did as JSON has it."""
    return {
        "by": stage.by,
        "members": done.members,
        "sentences": done.n_sentences,
        "without_parse": done.n_failed,
        "ties": done.n_tied,
        "chosen": done.chosen,
        "weights": weights_by_name(done, learned),
        "mean_trust": done.mean_trust,
    }


def combine_blocks(stage: "CombineStage", done: "TreeSummary", learned: Any) -> Iterator[Block]:
    """Tell what an ensemble did in a table."""
    is_choice, weights = any(done.chosen.values()), weights_by_name(done, learned)
    rows = [
        [
            name,
            *([done.chosen[name]] if is_choice else []),
            *([f"{weights[name]:.3f}"] if weights else []),
        ]
        for name in done.members
    ]
    columns = ["member", *(["chosen"] if is_choice else []), *(["weight"] * bool(weights))]
    yield Table(f"{done.n_sentences:,} sentences combined by {stage.by}", columns, rows)
    if stage.gold:
        yield f"chances learned from {stage.gold}; each sentence judged by the others"
    if weights:
        yield "weight: the less a parser shares with others the more it counts, good or bad"
    if is_choice and stage.by != "fallback":
        yield f"{done.n_tied:,} ties between different trees"
    if done.n_failed:
        yield f"{done.n_failed:,} sentences without any parse"
    if not isnan(done.mean_trust):
        yield f"mean trust {done.mean_trust:.3f}; see vermeil trees trust"


def weights_by_name(done: "TreeSummary", learned: Any) -> dict[str, float]:
    """Return what each member counts, where that was learned."""
    if learned is None or not done.members:
        return {}
    return dict(zip(done.members, learned.weights.tolist(), strict=True))


class TreeConsensus(Tabled):
    """One tree a sentence from several parsers: ``trees``, or ``documents`` that hold them.

    Files stream: their trees are combined each time they are gone through.
    """

    def __init__(self, source: ParserSource, stage: "CombineStage") -> None:
        from vermeil.runs.streaming import Streaming

        self._source, self._stage = source, stage
        self._stream = Streaming(stage, source, ledger=Ledger(skip_bad=source.skip_bad))
        self._done: TreeSummary | None = None
        self.name, self.by = stage.layer, stage.by
        self.documents = Corpus(self._combined, f"trees of {', '.join(source.names)}")
        _ = self._stream.known  # learned now, so that what is wrong is told at once

    @cached_property
    def trees(self) -> list[Tree | None]:
        """The trees, None where every parser failed."""
        return [document.trees[self.name][0] for document in self.documents]

    @property
    def trust(self) -> list[float]:
        """How far parsers agree on each tree, from 0 to 1; NaN where nothing is compared."""
        return [nan if each is None else each for each in self.summary.trust]

    @property
    def weights(self) -> dict[str, float]:
        """What each parser counts, as far as that was learned."""
        return weights_by_name(self.summary, self._stream.known)

    @property
    def summary(self) -> "TreeSummary":
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
        return combine_blocks(self._stage, self.summary, self._stream.known)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a sentence."""
        for number, (tree, trust) in enumerate(zip(self.trees, self.trust, strict=True), start=1):
            yield {"sentence": number, "tree": None if tree is None else str(tree), "trust": trust}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return combine_data(self._stage, self.summary, self._stream.known)

    def __repr__(self) -> str:
        return f"<TreeConsensus: {len(self._source.names)} parsers by {self.by}>"

    def _combined(self, ledger: Ledger) -> Iterator[Document]:
        ledger.skip_bad = self._source.skip_bad
        done = self._stage.nothing()
        yield from self._stage.decide(self._source.read(ledger), self._stream.known, done)
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
    learn: str | PathLike[str] | None = None,
    names: str | PathLike[str] | None = None,
    prepare: str | Iterable[str] = "clegg",
    name: str = "consensus",
    format: str | None = None,
    skip_bad: bool = False,
) -> TreeConsensus:
    """Combine the trees of several parsers into one a sentence, over the same words.

    The default, ``best``, learns from all sentences how far to trust parsers and brackets; it needs
    no gold. ``vote`` takes the ``quorum`` and ``weight`` of votes; with similarity, distance,
    levenshtein and fallback the tree of one parser is chosen. ``members`` take part, by default all
    cascades and all parsers that are in none. ``learn`` names a file of right trees of some of the
    sentences, found by their words, from which ``best`` learns whom to believe where; then trust is
    the F to be expected. ``names`` names a file of documents whose texts are the sentences: what
    cuts a name in two is less likely then, by the name's confidence.

    >>> one, other = "(S (NP (NN p53)) (VP (VBZ binds)))", "(S (NN p53) (VP (VBZ binds)))"
    >>> print(combine({"a": [one], "b": [one], "c": [other]}, by="vote")[0])
    (TOP (S (NP (NN p53)) (VP (VBZ binds))))
    """
    from vermeil.consensus.trees import TreeOptions

    source = parser_source(parsers, format=format, skip_bad=skip_bad)
    choices = TreeOptions(probability("quorum", quorum), weights_of(weight), ties)
    asked = {"learn": learn is not None, "names": names is not None}
    ensemble = ensemble_of(by, cascade, members, prepare, choices, asked)
    stage = stage_of(
        ensemble,
        layer=name,
        gold="" if learn is None else fspath(learn),
        gold_format=format,
        names="" if names is None else fspath(names),
    )
    return TreeConsensus(source, stage)


def ensemble_of(
    by: str,
    cascade: "Mapping[str, str | Iterable[str]] | None",
    members: str | Iterable[str],
    prepare: str | Iterable[str],
    choices: "TreeOptions",
    also: Mapping[str, bool] | None = None,
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
        **(also or {}),
    }
    for option, given in asked.items():
        taken = {"weight": "weights", "learn": "gold"}.get(option, option)
        if given and taken not in method.takes:
            able = [each for each, row in TREE_CONSENSUS.items() if taken in row.takes]
            raise UsageError(f"{by} has no use for --{option}; try --by {' or '.join(able)}")
    return Ensemble(by, names_of(members), cascades_of(cascade), steps_of(prepare), choices)


def stage_of(
    ensemble: "Ensemble",
    *,
    layer: str,
    with_trust: bool = True,
    gold: str = "",
    gold_format: str | None = None,
    names: str = "",
) -> "CombineStage":
    """Make the stage in which an ensemble works."""
    from vermeil.consensus.trees.stage import CombineStage

    options = ensemble.options
    return CombineStage(
        by=ensemble.by,
        members=ensemble.members,
        cascades=dict(ensemble.cascades),
        steps=ensemble.steps,
        quorum=options.quorum,
        weights=dict(options.weights),
        ties=options.ties,
        layer=layer,
        with_trust=with_trust,
        gold=gold,
        gold_format=gold_format,
        names=names,
    )
