"""Words with their parts of speech, for parsers that want them tagged (Collins, Bikel).

Tags come with the trees that the sentences are taken from, with the words themselves
(``p53_NN``), from a column, or from a tagger, which is any command that reads a sentence a line and
writes ``word_TAG`` a line (the last ``_`` or ``/`` parts the two).
"""

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from vermeil.errors import UsageError
from vermeil.tree import escape, unescape

Token: TypeAlias = str | tuple[str, str]
"""A word, or a word with its tag."""

_PARTED = re.compile(r"(.+)[_/]([^_/\\]+)")


def _bikel(tokens: Sequence[tuple[str, str]]) -> str:
    return "(" + " ".join(f"({word} ({tag}))" for word, tag in tokens) + ")"


def _collins(tokens: Sequence[tuple[str, str]]) -> str:
    return " ".join((str(len(tokens)), *(part for token in tokens for part in token)))


FORMS: dict[str, Callable[[Sequence[tuple[str, str]]], str]] = {
    "words": lambda tokens: " ".join(word for word, _ in tokens),
    "tagged": lambda tokens: " ".join(f"{word}_{tag}" for word, tag in tokens),
    "slashed": lambda tokens: " ".join(f"{word}/{tag}" for word, tag in tokens),
    "collins": _collins,
    "bikel": _bikel,
}
"""How a sentence is written for a parser."""


def line_of(tokens: Sequence[Token], form: str) -> str:
    """Write a sentence as a parser wants it, brackets in words spelt ``-LRB-`` and so on.

    >>> line_of([("p53", "NN"), ("binds", "VBZ")], "collins")
    '2 p53 NN binds VBZ'
    >>> line_of(["p53", "("], "words")
    'p53 -LRB-'
    """
    pairs = [(token, "") if isinstance(token, str) else token for token in tokens]
    return FORMS[form]([(escape(word), escape(tag)) for word, tag in pairs])


def words_of(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the words alone."""
    return tuple(token if isinstance(token, str) else token[0] for token in tokens)


def parted(token: str) -> tuple[str, str] | None:
    """Part a word from its tag; None where it has none.

    >>> parted("and/or_CC"), parted("p53/NN"), parted("p53")
    (('and/or', 'CC'), ('p53', 'NN'), None)
    """
    found = _PARTED.fullmatch(token)
    return (found[1], found[2]) if found else None


def inline(words: Sequence[str], where: str) -> list[Token]:
    """Take the tags from the words themselves."""
    found: list[Token] = []
    for word in words:
        pair = parted(word)
        if pair is None:
            raise UsageError(f"{where}: {word!r} has no tag; write p53_NN or p53/NN")
        found.append(pair)
    return found


def columns(lines: Iterable[str], column: int, where: str) -> Iterator[list[Token]]:
    """Read a token a line, its word first and its tag in a column counted from 1."""
    sentence: list[Token] = []
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        if cells and len(cells) < column:
            raise UsageError(f"{where}:{number}: has {len(cells)} columns, and {column} was wanted")
        if cells:
            sentence.append((cells[0], cells[column - 1]))
        elif sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def tagged_by(command: Sequence[str], sentences: Sequence[Sequence[str]]) -> list[list[Token]]:
    """Let a tagger tag all sentences, which it gets at once, a line each."""
    said = "".join(" ".join(map(escape, words)) + "\n" for words in sentences)
    try:
        done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UsageError(f"--tagger {command[0]}: cannot be run: {error.strerror}") from error
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        raise UsageError(f"--tagger {command[0]}: ended with status {done.returncode}: {last}")
    lines = done.stdout.splitlines()
    if len(lines) != len(sentences):
        raise UsageError(
            f"--tagger {command[0]}: {len(lines):,} lines for {len(sentences):,} sentences"
        )
    found: list[list[Token]] = []
    for number, (line, words) in enumerate(zip(lines, sentences, strict=True), start=1):
        tokens = inline(line.split(), f"--tagger {command[0]}, sentence {number}")
        if tuple(map(unescape, words_of(tokens))) != tuple(map(unescape, words)):
            raise UsageError(f"--tagger {command[0]}: sentence {number} has other words: {line!r}")
        plain = zip(words, tokens, strict=True)
        found.append([(word, token[1]) for word, token in plain])
    return found
