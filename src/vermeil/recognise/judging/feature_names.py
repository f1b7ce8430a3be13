"""The features of a token by name, although a model holds only their hashes.

What a token is described by is made again from the text, as strings, and each string is hashed as
``features.rows`` hashes it. A feature of the model that has the hash of a string
gets its name; so names are found for exactly the features that are used, and their weights add up
to the score of the token. A feature whose string is not known here is shown as ``#`` and its hash.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vermeil.arrays import Flags
from vermeil.recognise.features.described_words import (
    COMPANY,
    COMPANY_AND_SPELLING,
    N_SPELLING_BINS,
    PAD,
    company_bins,
    said_of_words,
    spelling_bins,
)
from vermeil.recognise.features.paper_features import EDGE as PAPER_EDGE
from vermeil.recognise.features.paper_features import PAPER, paired, typed_features
from vermeil.recognise.features.views import LIST_FAMILIES, OFFSETS
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.word_classes.forms import gaps, trimmed
from vermeil.recognise.word_classes.learned_words import LearnedWords, WordTable
from vermeil.recognise.words.knowledge import Knowledge
from vermeil.recognise.words.name_list import NameList
from vermeil.sequences.features.checksums import checksums
from vermeil.sequences.features.rows import Encoded, salted
from vermeil.sequences.features.word_strings import (
    chunk_features,
    context_features,
    shape,
    spelling_features,
)
from vermeil.sequences.tokens.axis import TokenAxis

EDGE = "edge of the sentence"

_WINDOW = {0: "word", -1: "1 before", 1: "1 after", -2: "2 before", 2: "2 after"}
_PAIRS = ("words", "words", "classes", "classes", "classes")
_REACH = ((-1, 0), (0, 1), (-1, 0), (0, 1), (-1, 0, 1))
_LISTS = ("lexicon", "lexicon around", "seen", "seen around")


@dataclass(frozen=True, slots=True)
class NamedFeature:
    """A feature of a token: from which view, what it says, and its number in the model."""

    view: str
    name: str
    code: int


def named_features(
    encoded: Encoded, axis: TokenAxis, token: int, knowledge: Knowledge, families: frozenset[str]
) -> list[NamedFeature]:
    """List all features of one token of the axis that was encoded, with their names."""
    named: list[NamedFeature] = []
    for column, view in enumerate(_views(axis, token, knowledge, families)):
        row = encoded.row[token, column]
        own = encoded.rows.features[encoded.rows.first[row] : encoded.rows.first[row + 1]].tolist()
        names = view.names_by_code() if view.strings else dict.fromkeys(own, view.only)
        named += [NamedFeature(view.name, names.get(code, f"#{code}"), code) for code in own]
    return named


def in_words(feature: str) -> str:
    """Say what a bin of company is; all else as it is hashed.

    >>> in_words("company: 13"), in_words("company and spelling: 81"), in_words("w=acid")
    ('company 3 to 4', 'company 3 to 4, spelling 0 to 5', 'w=acid')
    """
    for prefix, n_spelling in ((COMPANY, 1), (COMPANY_AND_SPELLING, N_SPELLING_BINS)):
        if feature.startswith(prefix):
            company, spelt = divmod(int(feature.removeprefix(prefix)), n_spelling)
            said = f"company {company - 10} to {company - 9}"
            spelling = f", spelling {spelt * 5 - 15} to {spelt * 5 - 10}"
            return said + spelling if n_spelling > 1 else said
    return feature


@dataclass(frozen=True, slots=True)
class _View:
    """One column of the rows: its number, and the strings it may have or its only feature."""

    number: int
    name: str
    strings: tuple[str, ...] = ()
    only: str = ""

    def names_by_code(self) -> dict[int, str]:
        hashed = checksums("", self.strings).astype(np.uint64)
        codes = salted(hashed, self.number).tolist()
        shown = [EDGE if each == PAD else in_words(each) for each in self.strings]
        return dict(zip(codes, shown, strict=True))


def _views(
    axis: TokenAxis, token: int, knowledge: Knowledge, families: frozenset[str]
) -> Iterator[_View]:
    """Yield the views in the order of the columns of ``rows.encode``."""
    sentence = int(np.searchsorted(axis.first_token, token, side="right")) - 1
    first, last = axis.first_token[sentence : sentence + 2].tolist()
    words = {
        offset: axis.words[token + offset] for offset in OFFSETS if first <= token + offset < last
    }
    if PAPER in families:
        yield from _paper_views(words, knowledge, families)
        return
    told = dict(zip(words, said_of_words(knowledge, list(words.values()), families), strict=True))
    classes = dict(zip(words, _class_strings(knowledge, list(words.values())), strict=True))
    for number, offset in enumerate(OFFSETS):
        strings: Iterable[str] = ()
        if offset in words:
            strings = _word_strings(words[offset], (*told[offset], *classes[offset]))
        yield _View(number, _WINDOW[offset], (*strings, PAD))
    if "pairs" in families:
        kinds = {
            offset: "|".join((*told[offset][:2], shape(words[offset])[:4])) for offset in words
        }
        for number, (kind, reach) in enumerate(zip(_PAIRS, _REACH, strict=True)):
            said = words if kind == "words" else kinds
            told_of = [said.get(offset, EDGE) for offset in reach]
            lower = [each.lower() for each in told_of] if kind == "words" else told_of
            yield _View(len(OFFSETS) + number, kind, only=" + ".join(lower))
    if "chunks" in families:
        chunk = _chunk_of(axis, token, gaps(axis))
        yield _View(len(OFFSETS) + 5, "chunk", (*_chunk_strings(chunk), PAD))
    if knowledge.learned is not None:
        yield from _run_views(axis, token, knowledge, knowledge.learned)
    yield from _list_views(axis, token, (first, last), knowledge, families)


def _paper_views(
    words: Mapping[int, str], knowledge: Knowledge, families: frozenset[str]
) -> Iterator[_View]:
    """Yield the views of ``paper_features.paper_views``."""
    told = dict(zip(words, typed_features(knowledge, list(words.values()), families), strict=True))
    before, own, after = (told.get(offset, PAPER_EDGE) for offset in (-1, 0, 1))
    yield _View(0, _WINDOW[0], (*own.own, *own.shared))
    yield _View(1, _WINDOW[-1], before.shared)
    yield _View(2, _WINDOW[1], after.shared)
    yield _View(3, "pairs", tuple(paired(before, own)))
    yield _View(4, "pairs", tuple(paired(own, after)))


def _word_strings(word: str, told: Iterable[str]) -> Iterator[str]:
    yield from spelling_features(word)
    yield from context_features(word)
    yield from told


def _class_strings(knowledge: Knowledge, words: Sequence[str]) -> list[list[str]]:
    """Say the classes of words and what their company says, as ``described_words`` hashes them."""
    if knowledge.learned is None:
        return [[] for _ in words]
    said = _said_classes(knowledge.learned.tokens, words)
    company = company_bins(knowledge.known(words).company)
    spelt = spelling_bins(knowledge.known(words).spelling)
    both = company * N_SPELLING_BINS + spelt
    for own, one, two in zip(said, company.tolist(), both.tolist(), strict=True):
        own += [f"{COMPANY}{one}", f"{COMPANY_AND_SPELLING}{two}"]
    return said


def _said_classes(table: WordTable, words: Sequence[str]) -> list[list[str]]:
    classes, _ = table.classes(words)
    return [
        [f"class of {size}: {one}" for size, one in zip(SIZES, own, strict=True)]
        for own in classes.tolist()
    ]


def _run_views(
    axis: TokenAxis, token: int, knowledge: Knowledge, learned: LearnedWords
) -> Iterator[_View]:
    """Yield the views of the run that a token stands in, and of those before and after it."""
    begins = np.flatnonzero(gaps(axis))
    own = int(np.searchsorted(begins, token, side="right")) - 1
    # A run is of the sentence that its first token is in.
    first = int(np.searchsorted(axis.first_token, begins[own], side="right")) - 1
    bounds = axis.first_token[first : first + 2].tolist()
    run = trimmed(_chunk_of(axis, token, gaps(axis)))
    [bin] = company_bins(knowledge.known_runs([run])[1]).tolist()
    yield _View(len(OFFSETS) + 10, "run", tuple(_said_classes(learned.runs, [run])[0]))
    yield _View(len(OFFSETS) + 13, "run", (f"{COMPANY}{bin}",))
    for number, name, at in ((11, "run before", own - 1), (12, "run after", own + 1)):
        strings = [PAD]
        if 0 <= at < len(begins) and bounds[0] <= begins[at] < bounds[1]:
            run = trimmed(_chunk_of(axis, int(begins[at]), gaps(axis)))
            strings = [*_said_classes(learned.runs, [run])[0], f"l={run.lower()}"]
        yield _View(len(OFFSETS) + number, name, tuple(strings))


def _chunk_strings(chunk: str) -> Iterator[str]:
    for feature in chunk_features(chunk):
        yield feature
        for place in range(4):
            yield f"{place}:{feature}"


def _chunk_of(axis: TokenAxis, token: int, gap: Flags) -> str:
    begins = np.flatnonzero(gap)
    number = int(np.searchsorted(begins, token, side="right")) - 1
    end = begins[number + 1] if number + 1 < len(begins) else len(axis.words)
    return "".join(axis.words[begins[number] : end])


def _list_views(
    axis: TokenAxis,
    token: int,
    sentence: tuple[int, int],
    knowledge: Knowledge,
    families: frozenset[str],
) -> Iterator[_View]:
    number = len(OFFSETS) + 6
    for place, names in enumerate((knowledge.lexicon, knowledge.seen)):
        if LIST_FAMILIES[place] not in families:
            continue
        states = _list_states(axis, names)
        own, around = _LISTS[2 * place : 2 * place + 2]
        reach = [
            states[at] if sentence[0] <= at < sentence[1] else EDGE
            for at in (token - 1, token, token + 1)
        ]
        yield _View(number + 2 * place, own, only=states[token])
        yield _View(number + 2 * place + 1, around, only=" + ".join(reach))


def _list_states(axis: TokenAxis, names: NameList) -> list[str]:
    """Say in words where each token stands in a name of the list."""
    states = ["in no name"] * len(axis.words)
    for start, end in zip(
        *(column.tolist() for column in names.find(axis.words, axis.first_token)), strict=True
    ):
        length = f"{end - start}" if end - start < 4 else "4 or more"
        for at in range(start, end):
            states[at] = f"{at - start + 1} of {length}"
    return states
