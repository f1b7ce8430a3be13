"""``trees.trust``: which sentences and words to check first."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isnan
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.verbs.tables.table import Block, Table, Tabled, figure, json_data
from vermeil.verbs.trees.combining import ensemble_of
from vermeil.verbs.trees.doubtful_names import DoubtfulNames
from vermeil.verbs.trees.reading import Parsers, Trees, parser_source
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.consensus.trees.doubt import DoubtfulRegion
    from vermeil.consensus.trees.ensembles import Ensemble
    from vermeil.formats.forests import Forests
    from vermeil.scoring.trees.scores import TreeScores


@dataclass(slots=True)
class TrustFindings:
    """What is known of every sentence, over all batches."""

    trust: list[float] = field(default_factory=list)
    n_words: list[int] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    regions: "dict[int, list[DoubtfulRegion]]" = field(default_factory=dict)
    scores: "TreeScores | None" = None
    names: DoubtfulNames = field(default_factory=DoubtfulNames)

    def add(
        self, batch: "Forests", gold: str | None, ensemble: "Ensemble", learned: Any, below: float
    ) -> None:
        """Combine a batch, and find where its parsers do not agree."""
        from vermeil.columns.trees.steps import prepare as prepared_table
        from vermeil.columns.trees.table import TreeTable
        from vermeil.consensus.trees.doubt import doubtful_regions, word_agreement
        from vermeil.scoring.trees.scores import score_trees

        combined = ensemble.combine(batch.without(gold), learned)
        names = next(iter(batch.tables.values())).names
        table = prepared_table(TreeTable.of(combined.trees, names), ensemble.steps)
        agreement = word_agreement(table, list(combined.prepared.values()))
        for region in doubtful_regions(agreement, table, below=below, first=batch.first):
            self.regions.setdefault(region.sentence, []).append(region)
        self.names.add(combined, ensemble, below, batch.first)
        self.trust.extend(combined.decision.trust.tolist())
        self.n_words.extend(table.n_words.tolist())
        for number in range(len(table)):
            codes = table.word[table.first_word[number] : table.first_word[number + 1]]
            self.texts.append([names.words.names[code] for code in codes.tolist()])
        if gold is not None:
            standard = prepared_table(batch.tables[gold], ensemble.steps)
            some = score_trees(standard, table, first=batch.first)
            self.scores = self.scores + some if self.scores is not None else some

    def correlations(self) -> Mapping[str, float]:
        """How trust goes with the true scores of the sentences that have a standard."""
        import numpy as np

        from vermeil.scoring.trees.trust import correlation

        if self.scores is None:
            return {}
        sentences = self.scores.all
        trust = np.array(self.trust)[sentences.number - 1]
        return {name: correlation(trust, sentences.means[name]) for name in ("la", "f1")}

    def ranked(self) -> list[int]:
        """Sentence numbers, the least trusted first; those of unknown trust after all others."""
        import numpy as np

        return [number + 1 for number in np.argsort(self.trust, kind="stable").tolist()]

    def as_data(self, by: str) -> dict[str, Any]:
        """Return everything as JSON has it."""
        means = self.scores.all.means if self.scores is not None else {}
        numbers = self.scores.all.number.tolist() if self.scores is not None else []
        truth = {
            number: {name: float(means[name][row]) for name in ("la", "f1")}
            for row, number in enumerate(numbers)
        }
        return {
            "by": by,
            "correlation": self.correlations(),
            "sentences": [
                {
                    "sentence": number,
                    "trust": self.trust[number - 1],
                    "words": self.n_words[number - 1],
                    "doubtful": [
                        {
                            "start": each.start,
                            "end": each.end,
                            "agreement": each.agreement,
                            "words": self._said(each),
                        }
                        for each in self.regions.get(number, ())
                    ],
                    **truth.get(number, {}),
                }
                for number in self.ranked()
            ],
            **({"names": self.names.as_data()} if self.names.documents else {}),
        }

    def blocks(self, by: str, top: int, below: float) -> Iterator[Block]:
        """Tell the least trusted sentences."""
        rows = []
        for number in self.ranked()[:top]:
            regions = sorted(self.regions.get(number, ()), key=lambda each: each.agreement)
            said = " … ".join(self._said(each) for each in regions[:2])
            trust = self.trust[number - 1]
            shown = "unknown" if isnan(trust) else figure(trust)
            rows.append([number, self.n_words[number - 1], shown, said])
        least = f"least agreement (words below {below:g})"
        yield Table(
            f"The least trusted of {len(self.trust):,} sentences, trees combined by {by}",
            ["sentence", "words", "trust", least],
            rows,
            wide=least,
        )
        yield from self.names.blocks(top)
        n_unknown = sum(map(isnan, self.trust))
        if n_unknown:
            yield f"{n_unknown:,} of unknown trust, with nothing to compare, come last"
        for name, r in self.correlations().items():
            measure = {"la": "LA", "f1": "F"}[name]
            yield f"correlation of trust with true {measure} a sentence: r = {figure(r)}"

    def _said(self, region: "DoubtfulRegion") -> str:
        return " ".join(self.texts[region.sentence - 1][region.start : region.end])


class TreeTrust(Tabled):
    """How far parsers agree on the trees made of theirs: ``found`` has every sentence."""

    def __init__(self, found: TrustFindings, by: str, top: int, below: float) -> None:
        self.found, self.by, self._top, self._below = found, by, top, below

    def blocks(self) -> Iterator[Block]:
        """Yield the table that the command prints."""
        return self.found.blocks(self.by, self._top, self._below)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a sentence, the least trusted first."""
        for each in self.to_dict()["sentences"]:
            yield {**each, "doubtful": len(each["doubtful"])}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return json_data(self.found.as_data(self.by))

    def __repr__(self) -> str:
        return f"<TreeTrust: {len(self.found.trust):,} sentences by {self.by}>"


@verb
def trust(
    parsers: Parsers,
    *,
    gold: Trees | None = None,
    by: str = "best",
    cascade: "Mapping[str, str | Iterable[str]] | None" = None,
    members: str | Iterable[str] = (),
    top: int = 20,
    below: float = 0.75,
    learn: str | PathLike[str] | None = None,
    names: Iterable[Document] = (),
    prepare: str | Iterable[str] = "clegg",
    format: str | None = None,
    skip_bad: bool = False,
) -> TreeTrust:
    """Rank sentences by how little their combined tree can be trusted, and show where.

    Trust is how far the parsers agree on the tree that ``by`` makes of theirs, from 0 to 1. Words
    on which fewer than ``below`` agree are doubtful. ``gold`` shows whether trust is deserved, and
    from ``learn`` it is learned what is. ``names`` are documents whose texts are sentences: their
    names that lie in doubtful stretches are listed.
    """
    from vermeil.consensus.trees import TreeOptions
    from vermeil.consensus.trees.known import read_gold

    if by == "fallback":
        raise UsageError("fallback compares nothing, so it says nothing about trust; try --by best")
    ensemble = ensemble_of(
        by, cascade, members, prepare, TreeOptions(), {"learn": learn is not None}
    )
    if learn is not None:
        ensemble = replace(ensemble, gold=read_gold(fspath(learn), format))
    alone = parser_source(parsers, format=format, skip_bad=skip_bad)
    source = alone
    if gold is not None:
        source = parser_source(parsers, gold=gold, format=format, skip_bad=skip_bad)
    standard = source.names[0] if gold is not None else None
    learned, found = ensemble.learn(alone.batches()), TrustFindings(names=DoubtfulNames.of(names))
    for batch in source.batches():
        found.add(batch, standard, ensemble, learned, below)
    if not found.trust:
        raise UsageError("there are no sentences")
    return TreeTrust(found, by, top, below)
