"""``trees.portability``: what the same parsers lose from one treebank to another, and where."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.inputs import Input, input_name
from vermeil.verbs.tables.table import Block, Tabled, json_data
from vermeil.verbs.trees.reading import Parsers, ParserSource, Trees, parser_source, steps_of
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.scoring.trees.portability import Portability
    from vermeil.scoring.trees.porting import Ported


class TreePortability(Tabled):
    """What parsers lose from one treebank to another; one parser's by its name."""

    def __init__(self, found: "Ported", top: int) -> None:
        self.found, self._top = found, top

    def __getitem__(self, parser: str) -> "Portability":
        if parser not in self.found.parsers:
            raise UnknownNameError("parser", str(parser), self.found.parsers)
        return self.found.parsers[parser]

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.portability import portability_blocks

        return portability_blocks(self.found, top=self._top)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a parser and figure."""
        for parser, each in self.found.parsers.items():
            for figure, loss in each.figures.items():
                lost = {"lost": loss.drop.value, "low": loss.drop.low, "high": loss.drop.high}
                sides = {"here": loss.here, "versus": loss.there}
                yield {"parser": parser, "figure": figure, **sides, **lost}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        from vermeil.verbs.tables.portability import portability_data

        return json_data(portability_data(self.found))


@verb
def portability(
    gold: Trees,
    parsers: Parsers,
    *,
    versus: Parsers,
    top: int = 25,
    prepare: str | Iterable[str] = "clegg",
    bootstrap: int = 1000,
    seed: int = 0,
    format: str | None = None,
    skip_bad: bool = False,
) -> TreePortability:
    """Find out how much parsers lose on ``gold`` against another treebank, and where.

    ``versus`` has that treebank first and then the same parsers' trees for it, called the same; or
    it is a folder with files that are called as ``gold`` and ``parsers`` are. What is lost is told
    for scores, parts of speech and the commonest rules, with intervals, and put down to failures,
    vocabulary, attachment and conventions of annotation.

    >>> wsj = {"gold": ["(S (NP (NN Profit)) (VP (VBD fell)))"]}
    >>> found = portability(
    ...     ["(S (NP (NN p53)) (VP (VBD fell)))"],
    ...     {"mine": ["(S (NP (NNP p53)) (VP (VBD fell)))"]},
    ...     versus={**wsj, "mine": wsj["gold"]},
    ... )
    >>> found["mine"].figures["tags"].here, found["mine"].figures["tags"].there
    (0.5, 1.0)
    """
    from vermeil.scoring.trees.porting import ported

    here = parser_source(parsers, gold=gold, format=format, skip_bad=skip_bad)
    found = ported(
        here,
        versus_source(here, versus, format=format, skip_bad=skip_bad),
        steps_of(prepare),
        top=top,
        n_resamples=bootstrap,
        seed=seed,
    )
    return TreePortability(found, top)


def versus_source(
    here: ParserSource, versus: Parsers, *, format: str | None = None, skip_bad: bool = False
) -> ParserSource:
    """Take the trees at home, the treebank first; of a folder the files called as those here."""
    if isinstance(versus, str | PathLike) and Path(fspath(versus)).is_dir():
        inputs = [each for each in here.inputs if isinstance(each, Input)]
        if len(inputs) < len(here.inputs):
            raise UsageError("a folder is compared with files; trees in memory need versus={…}")
        versus = files_in(Path(fspath(versus)), inputs)
    return parser_source(versus, format=format, skip_bad=skip_bad)


def files_in(folder: Path, inputs: Sequence[Input]) -> list[Input]:
    """Find the files of a folder that are called as others are; refuse one that is not there."""
    found = []
    for each in inputs:
        path = folder / each.path.name
        if not path.exists():
            raise UsageError(f"{path}: no such file; {each.path} has no counterpart in {folder}")
        found.append(replace(each, path=path, annotator=input_name(each)))
    return found
