"""Parsers as users have them: files, or trees in memory."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeAlias

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input, input_name
from vermeil.tree import Tree, parse_line
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.formats.forests import Forests, HeldTrees

Trees: TypeAlias = str | PathLike[str] | Input | Iterable[Tree | str | Document | None]
Parsers: TypeAlias = Trees | Iterable[str | PathLike[str] | Input] | Mapping[str, Trees]

GOLD, PARSER = "gold", "parser"
"""What trees in memory are called that nobody gave a name."""


@verb
def read(
    source: Trees, *, format: str | None = None, parser: str | None = None
) -> list[Tree | None]:
    """Read trees, one a sentence, None where there is no parse.

    ``parser`` chooses one where documents hold the trees of several.

    >>> read(["(NP (NN p53))", ""])
    [Tree('(NP (NN p53))'), None]
    """
    from vermeil.verbs.files import read as read_documents

    if isinstance(source, str | PathLike | Input):
        return list(_trees(read_documents(source, format=format), parser or ""))
    return list(_trees(source, parser or ""))


@dataclass(frozen=True, slots=True)
class ParserSource:
    """Parsers whose trees are read in step, any number of times; the standard comes first."""

    inputs: "tuple[Input | HeldTrees, ...]"
    skip_bad: bool = False
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """What the parsers are called."""
        return [input_name(each) if isinstance(each, Input) else each.name for each in self.inputs]

    @property
    def apart(self) -> "list[ParserSource]":
        """Each parser by itself, where they need not have parsed the same sentences."""
        return [replace(self, inputs=(each,)) for each in self.inputs]

    def read(self, ledger: Ledger) -> "Iterator[Forests]":
        """Yield batches of sentences with the trees of every parser."""
        from vermeil.formats.forests import read_forests

        return read_forests(self.inputs, ledger=ledger, options=self.options)

    def batches(self) -> "Iterator[Forests]":
        """Yield batches of sentences, noting nothing."""
        return self.read(Ledger(skip_bad=self.skip_bad))


def parser_source(
    parsers: Parsers,
    *,
    gold: Trees | None = None,
    format: str | None = None,
    skip_bad: bool = False,
) -> ParserSource:
    """Take parsers as users have them, the standard first where there is one."""
    named: list[Input | HeldTrees] = []
    if gold is not None:
        named.append(_parser(GOLD, gold, format, is_named=False))
    if isinstance(parsers, Mapping):
        named += [_parser(str(name), each, format) for name, each in parsers.items()]
    elif isinstance(parsers, str | PathLike | Input):
        named.append(_parser(PARSER, parsers, format, is_named=False))
    elif isinstance(parsers, Iterable):
        held = list(parsers)
        if all(_is_file(each) for each in held):
            named += [_parser(PARSER, each, format, is_named=False) for each in held]
        else:
            named.append(_parser(PARSER, held, format))
    else:
        raise UsageError(f"parsers are files or trees by name, not {parsers!r:.40}")
    source = ParserSource(tuple(named), skip_bad)
    if len(named) == (gold is not None):
        raise UsageError("no parser was given")
    _refuse_namesakes(source.names)
    return source


def steps_of(prepare: str | Iterable[str]) -> tuple[str, ...]:
    """Look the steps of a preparation up, given as on the command line or one by one."""
    from vermeil.columns.trees.steps import named

    listed = prepare.split(",") if isinstance(prepare, str) else list(prepare)
    return tuple(named([step.strip() for step in listed]))


def cascades_of(given: "Mapping[str, str | Iterable[str]] | None") -> dict[str, tuple[str, ...]]:
    """Take cascades: names of parsers by the name of each."""
    return {
        name: tuple(part.strip() for part in parts.split(","))
        if isinstance(parts, str)
        else tuple(parts)
        for name, parts in (given or {}).items()
    }


def _parser(
    name: str, given: Any, format: str | None, *, is_named: bool = True
) -> "Input | HeldTrees":
    from vermeil.formats.forests import HeldTrees

    if isinstance(given, Tree):
        given = [given]
    if isinstance(given, str) and given.lstrip().startswith("("):
        given = given.splitlines()
    if isinstance(given, str | PathLike | Input):
        found = given if isinstance(given, Input) else Input.parse(fspath(given), format=format)
        if not found.path.exists():
            raise UsageError(f"{found.path}: no such file")
        return replace(found, annotator=name) if is_named else found
    if not isinstance(given, Iterable):
        raise UsageError(f"{name}: trees are a file or a list of trees, not {given!r:.40}")
    return HeldTrees(name, list(_trees(given, name)))


def _trees(items: Iterable[Any], name: str) -> Iterator[Tree | None]:
    for number, item in enumerate(items, start=1):
        if item is None or isinstance(item, Tree):
            yield item
        elif isinstance(item, str):
            try:
                yield parse_line(item)
            except ValueError as error:
                raise UsageError(f"{name or 'tree'} {number}: {error}") from error
        elif isinstance(item, Document):
            yield from _of_document(item, name)
        else:
            raise UsageError(f"{name or 'trees'}: item {number} is {item!r:.40}, which is no tree")


def _of_document(document: Document, name: str) -> tuple[Tree | None, ...]:
    if name not in document.trees and len(document.trees) > 1:
        raise UnknownNameError(f"parser in document {document.id!r}", name, document.trees)
    return document.trees.get(name) or next(iter(document.trees.values()), ())


def _is_file(given: Any) -> bool:
    if isinstance(given, str):
        return bool(given.strip()) and not given.lstrip().startswith("(")
    return isinstance(given, PathLike | Input)


def _refuse_namesakes(names: list[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two parsers are called {twice!r}; name them: {{'a': …, 'b': …}}")
