"""``trees.score``: how good parsers are, by constituents and by lineages."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from vermeil.errors import UnknownNameError, UsageError
from vermeil.verbs.corpus import LOG
from vermeil.verbs.tables.table import Block, Tabled, counted, json_data
from vermeil.verbs.trees.reading import Parsers, Trees, cascades_of, parser_source, steps_of
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.scoring.trees.differences import Difference
    from vermeil.scoring.trees.scores import Sentences, TreeScores
    from vermeil.verbs.tables.tree_scores import FurtherTables


class TreeScoreboard(Tabled):
    """The scores of parsers against a treebank; one parser's by its name: ``scores["mine"]``."""

    def __init__(
        self,
        gold: str,
        parsers: "Mapping[str, TreeScores]",
        shown: "FurtherTables",
        *,
        oracle: "Sentences | None" = None,
        against: str | None = None,
        compared: "Mapping[str, Mapping[str, Difference]] | None" = None,
    ) -> None:
        self.gold, self.parsers, self._shown = gold, dict(parsers), shown
        self.oracle, self._against, self._compared = oracle, against, compared or {}

    def __getitem__(self, parser: str) -> "TreeScores":
        if parser not in self.parsers:
            raise UnknownNameError("parser", str(parser), self.parsers)
        return self.parsers[parser]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parsers)

    def __len__(self) -> int:
        return len(self.parsers)

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.tree_scores import tree_score_blocks

        return tree_score_blocks(
            self.parsers, self._shown, self.oracle, self._against, self._compared
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a parser, over all sentences and over those that were parsed."""
        from vermeil.verbs.tables.tree_scores import sentence_figures

        for name, each in self.parsers.items():
            for which, sentences in (("all", each.all), ("parsed", each.parsed)):
                figures = sentence_figures(sentences)
                plain = {key: one for key, one in figures.items() if not isinstance(one, Mapping)}
                yield {"parser": name, "over": which, **plain}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        from vermeil.verbs.tables.tree_scores import tree_score_data

        return json_data(
            tree_score_data(self.gold, self.parsers, self.oracle, self._against, self._compared)
        )

    def __repr__(self) -> str:
        n = max(len(each.all) for each in self.parsers.values())
        said = f"{counted(len(self), 'parser')} against {self.gold}, {counted(n, 'sentence')}"
        return f"<TreeScoreboard: {said}>"


@verb
def score(
    gold: Trees,
    parsers: Parsers,
    *,
    prepare: str | Iterable[str] = "clegg",
    cascade: "Mapping[str, str | Iterable[str]] | None" = None,
    per_label: bool = False,
    words: int = 0,
    worst: int = 0,
    oracle: bool = False,
    against: str | None = None,
    substitution: float = 1.0,
    pair: Mapping[tuple[str, str], float] | None = None,
    tags: bool = False,
    bootstrap: int = 1000,
    seed: int = 0,
    format: str | None = None,
    skip_bad: bool = False,
) -> TreeScoreboard:
    """Score parsers against a treebank, sentence by sentence.

    A sentence without a parse is None, an empty line or ``(())``. ``prepare`` says how trees are
    made alike first: clegg, evalb, none, or steps by name. ``cascade`` adds parsers that answer as
    the first of theirs that has a parse. ``against`` tests the others against one parser.
    ``substitution`` and ``pair`` are the costs of a wrong label in a lineage, which with ``tags``
    holds the part of speech, too.

    >>> gold = ["(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"]
    >>> scores = score(gold, {"flat": ["(S (NP (NN p53)) (VBZ binds) (NP (NN DNA)))"]})
    >>> scores["flat"].all.counts.recall
    0.75
    """
    from vermeil.runs.streaming import Streaming
    from vermeil.scoring.trees.differences import differences
    from vermeil.scoring.trees.stage import TreeScoreStage
    from vermeil.verbs.tables.tree_scores import FurtherTables

    source = parser_source(parsers, gold=gold, format=format, skip_bad=skip_bad)
    cascades = cascades_of(cascade)
    standard, *own = source.names
    members = (*own, *cascades)
    if against is not None and against not in members:
        raise UnknownNameError("parser", against, members)
    if against is not None and len(members) == 1:
        raise UsageError(f"--against {against} needs another parser to compare it with")
    prices = dict(pair or {})
    check_costs(substitution, prices)
    stage = TreeScoreStage(
        standard,
        members,
        cascades=cascades,
        steps=steps_of(prepare),
        substitution=float(substitution),
        pairs=tuple((*labels, float(price)) for labels, price in prices.items()),
        with_tags=tags,
    )
    found = Streaming(stage, source).known.parsers
    if not found:
        raise UsageError(f"{standard}: holds no trees")
    for line in left_out(found, standard):
        LOG.warning("%s", line)
    compared = {}
    if against is not None:
        compared = {
            name: differences(each.all, found[against].all, n_resamples=bootstrap, seed=seed)
            for name, each in found.items()
            if name != against
        }
    return TreeScoreboard(
        standard,
        found,
        FurtherTables(per_label=per_label, n_words=words, n_worst=worst),
        oracle=oracle_of(found) if oracle else None,
        against=against,
        compared=compared,
    )


def check_costs(substitution: float, prices: Mapping[tuple[str, str], float]) -> None:
    """Refuse costs that are no numbers, or less than nothing."""
    if not all(0 <= price < inf for price in (substitution, *prices.values())):
        raise UsageError("a substitution costs a number, and not less than nothing")


def oracle_of(scores: "Mapping[str, TreeScores]") -> "Sentences":
    """Choose the best parser for each sentence, where all were scored on the same ones."""
    from vermeil.scoring.trees.scores import oracle

    every = [each.all for each in scores.values()]
    if len({tuple(each.number.tolist()) for each in every}) > 1:
        raise UsageError("--oracle needs parsers scored on the same sentences; use --prepare clegg")
    return oracle(every)


def left_out(scores: "Mapping[str, TreeScores]", standard: str) -> Iterator[str]:
    """Say which sentences could not be scored."""
    first = next(iter(scores.values()))
    if first.n_without_gold:
        yield f"{first.n_without_gold:,} sentences have no tree in {standard} and are not scored"
    for name, each in scores.items():
        if len(each.unequal):
            shown = ", ".join(map(str, each.unequal[:5].tolist()))
            yield (
                f"{name} keeps other words than {standard} in {len(each.unequal):,} "
                f"sentences after preparation; they are left out (sentence {shown}"
                f"{', …' if len(each.unequal) > 5 else ''})"
            )
