"""What a training is given beside documents: lists of names and words, and who knows of words."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import Source
from vermeil.verbs.recognisers.learning import WordsLike, learned_words

if TYPE_CHECKING:
    from vermeil.recognise.words.knowledge import Resources

NO_WORDS = "none"

Names: TypeAlias = str | PathLike[str] | Iterable[str]
"""Names of a label: a file with one a line, or the names themselves."""


@dataclass(frozen=True, slots=True)
class LabelNames:
    """Names of a label, from a file or given; without a label they are of the only one there is."""

    label: str
    file: str
    names: list[str]

    @staticmethod
    def read(label: str, given: Names) -> "LabelNames":
        """Take a file with a name a line, or the names themselves."""
        if isinstance(given, str | PathLike):
            path = Path(fspath(given))
            return LabelNames(label, path.name, _lines(path))
        return LabelNames(label, "", [str(each) for each in given])

    def label_among(self, labels: Sequence[str]) -> str:
        """Tell of which label the names are."""
        if self.label and self.label not in labels:
            raise UnknownNameError("label", self.label, labels)
        if not self.label and len(labels) != 1:
            raise UsageError(
                f"{self.file or 'the lexicon'}: of which label are these names? There are "
                f"{', '.join(labels)}; give --lexicon LABEL={self.file or '…'}"
            )
        return self.label or labels[0]


def by_label(lexicons: Sequence[LabelNames], labels: Sequence[str]) -> dict[str, list[str]]:
    """Put the names of each label together."""
    names: dict[str, list[str]] = {}
    for each in lexicons:
        names.setdefault(each.label_among(labels), []).extend(each.names)
    return names


def resources_of(
    names: Mapping[str, list[str]],
    english: Names,
    inside: Names,
    outside: Names,
    *,
    tags: str | PathLike[str] | None = None,
    words: "WordsLike | None" = None,
) -> "Resources":
    """Take the words of all lists, and who finds parts of speech."""
    from vermeil.recognise.linear.syntax.sources import open_classifier
    from vermeil.recognise.words.knowledge import Resources

    return Resources(
        names,
        english_of(english),
        _words(inside),
        _words(outside),
        None if tags is None else open_classifier(fspath(tags)),
        None if words is None else learned_words(words),
    )


def english_of(words: Names) -> Collection[str]:
    """Take English words: a file, a list, those of the system, or none."""
    from vermeil.recognise.words.preclassifier import english_words

    if words == NO_WORDS:
        return ()
    return english_words() if words == "" else _words(words)


def _words(given: Names) -> Collection[str]:
    """Take words, one a line of a file, or themselves; none where nothing is given."""
    from vermeil.recognise.words.token_sets import words_of

    if isinstance(given, str | PathLike):
        given = _lines(Path(fspath(given))) if fspath(given) else ()
    return words_of(list(given), tokeniser="words")


def _lines(path: Path) -> list[str]:
    lines = (line.strip() for _, line in Source(path, "").lines())
    return [line for line in lines if line and not line.startswith("#")]
