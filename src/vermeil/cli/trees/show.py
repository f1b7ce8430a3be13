"""``vermeil trees show``: a tree, or two with their differences, on the terminal or as SVG."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.reading import SourceFormat
from vermeil.cli.options.writing import AsJson, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.cli.trees.reading import Prepare, steps_of, tree_inputs
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import read
from vermeil.formats.files.replacement import replacing
from vermeil.formats.files.source import stem
from vermeil.formats.inputs import Input
from vermeil.shown import plain
from vermeil.tree import Tree

if TYPE_CHECKING:
    from vermeil.reports.trees.svg import Exhibit
    from vermeil.reports.trees.text import OutlineLine, Pair

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

ROOMY = 70
"""Columns a tree should have beside another before its words are folded."""

BETWEEN = " │ "
COLOURS = {"FIRST": "red", "SECOND": "blue", "RELABELLED": "yellow"}
"""Of what stands in one tree only, by the name of its status."""

KEY = "- only in {}   + only in {}   ~ same span, other label"


def show(
    inputs: Annotated[list[str], argument("TREES…", "One or two files; name=PATH names one.")],
    sentence: Annotated[
        str, option("N|N-M", "Which sentence, or which from N to M, counted from 1.")
    ] = "1",
    svg: Annotated[
        str | None, option("FILE", "Draw a picture to this file instead; - is stdout.")
    ] = None,
    tags: Annotated[bool, flag("Show parts of speech, too.", "--tags")] = False,
    lineages: Annotated[
        bool, flag("Show the way from each word up both trees, with its LA.", "--lineages")
    ] = False,
    prepare: Prepare = "none",
    source_format: SourceFormat = None,
    as_json: AsJson = False,
) -> None:
    """Show a tree, or how two trees of a sentence differ."""
    from vermeil.reports.trees.svg import draw
    from vermeil.verbs.trees.showing import exhibit_data, lineage_table, refuse_no_pair

    if len(inputs) > 2:
        raise UsageError(f"one or two files can be shown, not {len(inputs)}")
    check_output(svg, as_json=as_json, option="--svg")
    sources = tree_inputs(inputs, source_format=source_format)
    exhibits = _exhibits(sources, _numbers(sentence), steps_of(prepare))
    if lineages:
        for each in exhibits.values():
            refuse_no_pair(each)
    if as_json:
        print_json([exhibit_data(number, each) for number, each in exhibits.items()])
    if svg == "-":
        typer.echo(draw(list(exhibits.values())), nl=False)
    elif svg is not None:
        with replacing(Path(svg)) as stream:
            stream.write(draw(list(exhibits.values())).encode())
    elif not as_json:
        _print(list(exhibits.values()), tags=tags)
        if lineages:
            print_blocks(lineage_table(each) for each in exhibits.values())


def _numbers(sentence: str) -> range:
    first, dash, last = sentence.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise UsageError(f"--sentence takes a number or a range like 3-5, not {sentence!r}")
    numbers = range(int(first), int(last or first) + 1)
    if not numbers or numbers[0] == 0:
        raise UsageError(f"--sentence {sentence}: there are none; they are counted from 1")
    return numbers


def _exhibits(sources: Sequence[Input], numbers: range, steps: Sequence[str]) -> dict[int, Exhibit]:
    from vermeil.reports.trees.svg import Exhibit
    from vermeil.verbs.trees.showing import prepared_trees, refuse_other_words

    names = tuple(each.annotator or stem(each.path) for each in sources)
    if len(set(names)) < len(names):
        names = tuple(str(each.path) for each in sources)
    columns = [prepared_trees(_trees(source, numbers), steps) for source in sources]
    exhibits = {
        number: Exhibit(f"sentence {number}", names, trees)
        for number, trees in zip(numbers, zip(*columns, strict=True), strict=True)
    }
    for number, exhibit in exhibits.items():
        refuse_other_words(number, exhibit)
    return exhibits


def _trees(source: Input, numbers: range) -> list[Tree | None]:
    """Read the trees of the wanted sentences; what comes after them is not read."""
    trees: list[Tree | None] = []
    n_seen = 0
    for document in read(source.path, format=source.format, annotator=source.annotator):
        for tree in _trees_of(document, source):
            n_seen += 1
            if n_seen in numbers:
                trees.append(tree)
        if n_seen >= numbers[-1]:
            return trees
    raise UsageError(f"{source.path}: has {n_seen:,} sentences, and {numbers[-1]:,} was wanted")


def _trees_of(document: Document, source: Input) -> tuple[Tree | None, ...]:
    if len(document.trees) > 1 and source.annotator not in document.trees:
        parsers = ", ".join(document.trees)
        raise UsageError(f"{source.path}: has several parsers; choose one as NAME=PATH ({parsers})")
    return document.trees.get(source.annotator or "") or next(iter(document.trees.values()), ())


def _print(exhibits: Sequence[Exhibit], *, tags: bool) -> None:
    from rich.console import Console

    from vermeil.reports.trees.text import outline

    width = shutil.get_terminal_size((100, 24)).columns
    console = Console(width=max(width, 1000), highlight=False, markup=False, emoji=False)
    for number, exhibit in enumerate(exhibits):
        if number:
            console.print()
        console.print(plain(f"{exhibit.title}: {' and '.join(exhibit.names)}"), style="bold")
        if len(exhibit.trees) == 1:
            _print_column(console, outline(exhibit.trees[0], width=width, tags=tags))
        else:
            console.print(plain(KEY.format(*exhibit.names)))
            _print_pair(console, exhibit, width, tags)


def _print_pair(console: Console, exhibit: Exhibit, width: int, tags: bool) -> None:
    """Print side by side where there is room, else one above the other."""
    from vermeil.reports.trees.difference import mark
    from vermeil.reports.trees.text import outline, side_by_side

    half = (width - len(BETWEEN)) // 2
    first, second = exhibit.trees
    pairs = side_by_side(first, second, width=max(half, ROOMY), tags=tags)
    if max(len(str(line)) for pair in pairs for line in pair if line is not None) <= half:
        _print_side_by_side(console, pairs, half)
        return
    marks = mark(first, second)
    for name, tree, marked in zip(exhibit.names, (first, second), marks, strict=True):
        console.print(plain(name), style="bold")
        _print_column(console, outline(tree, marked, width=width, tags=tags))


def _print_side_by_side(console: Console, pairs: Sequence[Pair], half: int) -> None:
    for ours, theirs in pairs:
        text = _styled(ours)
        text.pad_right(half - len(text))
        text.append(BETWEEN, style="dim")
        text.append_text(_styled(theirs))
        text.rstrip()
        console.print(text, soft_wrap=True)


def _print_column(console: Console, lines: Sequence[OutlineLine]) -> None:
    for line in lines:
        console.print(_styled(line), soft_wrap=True)


def _styled(line: OutlineLine | None) -> Text:
    from rich.text import Text

    if line is None:
        return Text()
    colour = COLOURS.get(line.mark.status.name, "") if line.mark is not None else ""
    text, n_label = Text(plain(str(line))), len(plain(line.label))
    text.stylize("dim", 2, 2 + len(line.guides))
    text.stylize("bold", 2 + len(line.guides), 2 + len(line.guides) + n_label)
    if colour:
        text.stylize(colour, 0, 1)
        text.stylize(colour, 2 + len(line.guides))
    return text
