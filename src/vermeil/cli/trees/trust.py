"""``vermeil trees trust``: which sentences and words to check first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_json, print_table
from vermeil.cli.trees.combine import By, Members, ensemble_of, learn, refuse_stdin
from vermeil.cli.trees.reading import Cascades, Prepare, TreeInputs, TreeReadingOptions
from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.consensus.trees.ensembles import Ensemble
    from vermeil.formats.forests import Forests
    from vermeil.scoring.trees.scores import TreeScores
    from vermeil.scoring.trees.trust import DoubtfulRegion


def trust(
    inputs: TreeInputs,
    *,
    gold: Annotated[
        str | None, option("GOLD", "File of right trees, to see if trust is deserved.")
    ] = None,
    by: By = "best",
    cascade: Cascades = None,
    members: Members = "",
    top: Annotated[int, option("N", "Show the N least trusted sentences.", min=1)] = 20,
    below: Annotated[
        float, option("SHARE", "Mark words as doubtful on which fewer parsers agree.", min=0, max=1)
    ] = 0.75,
    prepare: Prepare = "clegg",
    reading: TreeReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Rank sentences by how little their trees can be trusted.

    Trust is how far the parsers agree on the tree that --by makes of theirs, from 0 to 1.
    """
    from vermeil.consensus.trees import TreeOptions

    if by == "fallback":
        raise UsageError("fallback compares nothing, so it says nothing about trust; try --by best")
    ensemble = ensemble_of(by, cascade, members, prepare, TreeOptions())
    source = reading.of(inputs)
    refuse_stdin(source, ensemble)
    with_gold = source
    if gold is not None:
        with_gold = reading.of([gold, *inputs])
    found = _Found()
    with keeping.ledger() as ledger:
        learned = learn(source, ensemble, skip_bad=keeping.skip_bad)
        for batch in with_gold.batches(ledger):
            found.add(
                batch, with_gold.names[0] if gold is not None else None, ensemble, learned, below
            )
    if not found.trust:
        raise UsageError("there are no sentences")
    if as_json:
        print_json(found.as_data(by))
    else:
        found.print(by, top, below)


@dataclass(slots=True)
class _Found:
    """What is known of every sentence, over all batches."""

    trust: list[float] = field(default_factory=list)
    n_words: list[int] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    regions: dict[int, list[DoubtfulRegion]] = field(default_factory=dict)
    scores: TreeScores | None = None

    def add(
        self,
        batch: Forests,
        gold: str | None,
        ensemble: Ensemble,
        learned: Any,
        below: float,
    ) -> None:
        from vermeil.columns.tree_steps import prepare as prepared_table
        from vermeil.columns.tree_table import TreeTable
        from vermeil.scoring.trees.scores import score_trees
        from vermeil.scoring.trees.trust import doubtful_regions, word_agreement

        combined = ensemble.combine(batch.without(gold), learned)
        names = next(iter(batch.tables.values())).names
        table = prepared_table(TreeTable.of(combined.trees, names), ensemble.steps)
        agreement = word_agreement(table, list(combined.prepared.values()))
        for region in doubtful_regions(agreement, table, below=below, first=batch.first):
            self.regions.setdefault(region.sentence, []).append(region)
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
        }

    def print(self, by: str, top: int, below: float) -> None:
        rows = []
        for number in self.ranked()[:top]:
            regions = sorted(self.regions.get(number, ()), key=lambda each: each.agreement)
            said = " … ".join(self._said(each) for each in regions[:2])
            trust = self.trust[number - 1]
            shown = "unknown" if isnan(trust) else _figure(trust)
            rows.append([number, self.n_words[number - 1], shown, said])
        print_table(
            f"The least trusted of {len(self.trust):,} sentences, trees combined by {by}",
            ["sentence", "words", "trust", f"least agreement (words below {below:g})"],
            rows,
            wide=f"least agreement (words below {below:g})",
        )
        n_unknown = sum(map(isnan, self.trust))
        if n_unknown:
            typer.echo(f"{n_unknown:,} of unknown trust, with nothing to compare, come last")
        for name, r in self.correlations().items():
            measure = {"la": "LA", "f1": "F"}[name]
            typer.echo(f"correlation of trust with true {measure} a sentence: r = {_figure(r)}")

    def _said(self, region: DoubtfulRegion) -> str:
        return " ".join(self.texts[region.sentence - 1][region.start : region.end])


def _figure(value: float) -> str:
    return "–" if isnan(value) else f"{value:.3f}"
