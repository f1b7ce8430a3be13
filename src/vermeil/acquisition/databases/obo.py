r"""Ontologies in OBO: ChEBI, GO, disease ontologies and their like.

Names and synonyms of the ``[Term]`` stanzas are read; other stanzas and obsolete terms are not.
A backslash takes the next character as it is, except ``\n``, ``\t`` and ``\W`` (a space).
OBO flat file format 1.4, sections 2 and 3.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from vermeil.acquisition.lexicon.compilation import Entry
from vermeil.errors import FormatError, UnknownNameError
from vermeil.formats.files.source import Source

SCOPES = ("EXACT", "NARROW", "BROAD", "RELATED")

_STANZA = re.compile(r"\[(\w+)\]\s*(?:!.*)?")
_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*+)"\s*(\w+)?')
_COMMENT = re.compile(r"(?<!\\)\s!(?:\s.*)?$")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "W": " "}
_IMPLIED_SCOPE = "RELATED"


def read_obo(
    path: Path, *, label: str = "Term", scopes: Collection[str] = ("EXACT",)
) -> Iterator[Entry]:
    """Read the name of each term and its synonyms of these ``scopes``; a name is given once."""
    for scope in scopes:
        if scope not in SCOPES:
            raise UnknownNameError("scope of synonyms", scope, SCOPES)
    n_terms = 0
    for lines in _terms(path):
        n_terms += 1
        id, names, is_obsolete = _term(path, lines, scopes)
        if not is_obsolete:
            yield from (Entry(name, id, label) for name in names)
    if not n_terms:
        raise FormatError(path, None, "has no [Term]; an ontology in OBO was wanted")


def _terms(path: Path) -> Iterator[list[tuple[int, str]]]:
    """Yield the numbered lines of each term, the line ``[Term]`` first."""
    term: list[tuple[int, str]] = []
    for number, line in Source(path, "").lines():
        stanza = _STANZA.fullmatch(line)
        if stanza:
            if term:
                yield term
            term = [(number, line)] if stanza[1] == "Term" else []
        elif term and line.strip() and not line.startswith("!"):
            term.append((number, line))
    if term:
        yield term


def _term(
    path: Path, lines: Sequence[tuple[int, str]], scopes: Collection[str]
) -> tuple[str, dict[str, None], bool]:
    """Read the id, the distinct names in order, and whether the term is obsolete."""
    id = ""
    is_obsolete = False
    names: dict[str, None] = {}
    for number, line in lines[1:]:
        tag, colon, value = line.partition(":")
        if not colon:
            raise FormatError(path, number, f"'tag: value' was wanted, got {line[:40]!r}")
        if tag == "id":
            id = _plain(value)
        elif tag == "name":
            names[_plain(value)] = None
        elif tag == "is_obsolete":
            is_obsolete = _plain(value) == "true"
        elif tag == "synonym":
            names.update(_synonym(path, number, value, scopes))
    if not id:
        raise FormatError(path, lines[0][0], "the term has no id")
    return id, names, is_obsolete


def _synonym(path: Path, number: int, value: str, scopes: Collection[str]) -> dict[str, None]:
    match = _SYNONYM.match(value.strip())
    if not match:
        raise FormatError(
            path, number, f"a synonym in double quotes was wanted, got {value[:40]!r}"
        )
    scope = match[2] if match[2] in SCOPES else _IMPLIED_SCOPE
    return {_unescaped(match[1]).strip(): None} if scope in scopes else {}


def _plain(value: str) -> str:
    return _unescaped(_COMMENT.sub("", value)).strip()


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), value)
