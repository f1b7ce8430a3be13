"""Parsers on two treebanks, read as streams and set side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from vermeil.columns.trees.productions import Rules
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.forests import Forests
from vermeil.scoring.trees.losses import Losses, losses
from vermeil.scoring.trees.portability import Portability, portability
from vermeil.scoring.trees.usage import Usage, describe
from vermeil.shown import Brief

HERE, THERE = "here", "versus"
"""What two treebanks of the same name are called."""


class Treebank(Protocol):
    """A treebank and the trees of parsers for its sentences, which are read in step."""

    @property
    def names(self) -> list[str]:
        """What they are called, the treebank first."""

    def read(self, ledger: Ledger) -> Iterator[Forests]:
        """Yield batches of sentences."""


@dataclass(frozen=True, slots=True, repr=False)
class Ported(Brief):
    """What ``parsers`` lose from one treebank to another.

    ``treebanks`` says what the two are made of; the first is the one that is lost on.
    """

    treebanks: Mapping[str, Usage]
    parsers: Mapping[str, Portability]

    def _told(self) -> str:
        return f"{len(self.parsers):,} parsers on {' and '.join(self.treebanks)}"


def ported(
    here: Treebank,
    there: Treebank,
    steps: Sequence[str],
    *,
    ledger: Ledger | None = None,
    top: int = 25,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Ported:
    """Compare what the parsers of ``here`` do on two treebanks; ``there`` they are at home."""
    (gold, *parsers), (other, *at_home) = here.names, there.names
    if not at_home:
        raise UsageError(f"--versus has the treebank {other} and no parser; give their trees, too")
    for parser in parsers:
        if parser not in at_home:
            raise UnknownNameError(f"parser with trees for {other}", parser, at_home)
    kept = ledger or Ledger()
    sides = [_side(each, parsers, steps, kept) for each in (here, there)]
    names = (gold, other) if gold != other else (HERE, THERE)
    (_, ours), (_, theirs) = sides
    found = {
        parser: portability(
            ours[parser], theirs[parser], top=top, n_resamples=n_resamples, seed=seed
        )
        for parser in parsers
    }
    usages = {name: usage for name, (usage, _) in zip(names, sides, strict=True)}
    return Ported(usages, found)


def _side(
    treebank: Treebank, parsers: Sequence[str], steps: Sequence[str], ledger: Ledger
) -> tuple[Usage, dict[str, Losses]]:
    gold = treebank.names[0]
    usage, found, rules = Usage(), dict[str, Losses](), None
    for batch in treebank.read(ledger):
        tables = batch.prepared(steps, standard=gold)
        rules = Rules(tables[gold].names.labels) if rules is None else rules
        usage += describe(tables[gold], rules)
        for parser in parsers:
            some = losses(tables[gold], tables[parser], rules, first=batch.first)
            found[parser] = found[parser] + some if parser in found else some
    if not found:
        raise UsageError(f"{gold}: holds no trees")
    return usage, found
