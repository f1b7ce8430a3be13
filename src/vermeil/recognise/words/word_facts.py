"""What is known of words beside their features, a row a word, found out once by each model.

All of it follows from the word alone. Every stage asks for some of it, of the same words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, ColumnTable, Flags, Floats, Ints, numbered
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.word_classes.learned_words import WordTable
from vermeil.recognise.words.company_score import CompanyScore
from vermeil.recognise.words.preclassifier import TYPES, Preclassifier, tentative_types
from vermeil.recognise.words.token_sets import are_words
from vermeil.sequences.features.word_strings import shapes
from vermeil.sequences.tokens.alphabet import SEPARATOR, CodedWords, Hashes, hash_coded, hash_words

N_SHAPE = 4
"""Signs of the shape of a word that its class tells."""

CHARACTERS = ("upper", "digits", "letters", "hyphens", "round", "square", "every")
"""Kinds of characters that are counted; closing brackets take opening ones off."""


@dataclass(frozen=True, slots=True, eq=False)
class WordFacts(ColumnTable):
    """Columns of words.

    ``spelling`` and ``company`` are scores, ``classes`` those of learned words (0 where there are
    none). ``side`` says where a word was seen in training, ``row`` where its rates are. ``type`` is
    a place among TYPES. ``lower`` and ``folded`` are hashes of the word in lower case and of what
    it is compared by, ``shape`` one of the beginning of its shape, ``kind`` that together with
    spelling and side. ``characters`` are counts, ``is_capital`` tells of the first one.
    """

    spelling: Floats
    company: Floats
    classes: Ints
    side: Ints
    row: Ints
    is_word: Flags
    is_english: Flags
    type: Ints
    lower: Hashes
    folded: Hashes
    shape: Hashes
    kind: Hashes
    characters: Ints
    is_capital: Flags

    @staticmethod
    def of_records(records: NDArray[np.void]) -> "WordFacts":
        """Take records apart."""
        return WordFacts(*(np.ascontiguousarray(records[each.name]) for each in fields(WordFacts)))

    @staticmethod
    def found(
        words: Sequence[str], preclassifier: Preclassifier, company: "Company | None"
    ) -> "WordFacts":
        """Find out about words."""
        lower = [word.lower() for word in words]
        coded, coded_lower = CodedWords.of(words), CodedWords.of(lower)
        is_word, hashed_lower = are_words(coded), hash_coded(coded_lower)
        folded = np.where(is_word, hashed_lower, hash_coded(coded))
        row = preclassifier.tokens.rows_of(folded)
        # The last of the sides is for the row of words that were never seen, which is -1.
        side = np.append(preclassifier.tokens.sides, np.uint32(0))[row]
        classes, scores = np.zeros((len(words), len(SIZES)), dtype=np.int64), np.zeros(len(words))
        if company is not None:
            classes, scores = company(words)
        shape, of_shape = numbered([each[:N_SHAPE] for each in shapes(words)])
        known = WordFacts(
            spelling=preclassifier.score(words),
            company=scores,
            classes=classes,
            side=side.astype(np.int64),
            row=row,
            is_word=is_word,
            is_english=preclassifier.is_english(words),
            type=tentative_types(coded_lower),
            lower=hashed_lower,
            folded=folded,
            shape=hash_words(shape)[of_shape],
            kind=np.zeros(len(words), dtype=np.uint64),
            characters=_character_counts(coded),
            is_capital=np.array([word[:1].isupper() for word in words], dtype=bool),
        )
        return replace(known, kind=_kinds(known, shape, of_shape))

    def records(self) -> NDArray[np.void]:
        """Put the columns into records, which a memory can keep."""
        records = np.empty(len(self), dtype=RECORD)
        for each in fields(self):
            records[each.name] = getattr(self, each.name)
        return records


Company = Callable[[Sequence[str]], tuple[Ints, Floats]]
"""Tells the classes of words, and the scores of their company."""

RECORD = np.dtype(
    [
        ("spelling", np.float64),
        ("company", np.float64),
        ("classes", np.int64, (len(SIZES),)),
        ("side", np.int64),
        ("row", np.int64),
        ("is_word", np.bool_),
        ("is_english", np.bool_),
        ("type", np.int64),
        ("lower", np.uint64),
        ("folded", np.uint64),
        ("shape", np.uint64),
        ("kind", np.uint64),
        ("characters", np.int64, (len(CHARACTERS),)),
        ("is_capital", np.bool_),
    ]
)

RUN_RECORD = np.dtype([("classes", np.int64, (len(SIZES),)), ("company", np.float64)])


def run_records(classes: Ints, company: Floats) -> NDArray[np.void]:
    """Put what is known of runs into records."""
    records = np.empty(len(company), dtype=RUN_RECORD)
    records["classes"], records["company"] = classes, company
    return records


def classes_and_company(
    table: WordTable, score: CompanyScore, words: Sequence[str]
) -> tuple[Ints, Floats]:
    """Tell the classes of words and score their company; what was never seen is guessed once."""
    looked_up = table.looked_up(words)
    return table.classes_of(looked_up), score.score_of(looked_up)


def facts(known: WordFacts) -> list[tuple[list[str], Ints]]:
    """Say what the preclassifier and its sets know of words: what may be said, and of which."""
    bins = np.floor(known.spelling / 2.5).astype(np.int64)
    return [
        _said(bins, lambda bin: f"pre={bin}"),
        _said(known.side * 2 + known.is_word, lambda code: f"seen={code // 2}{'w' * (code % 2)}"),
        _said(known.type * 2 + (bins > 0), lambda code: f"type={TYPES[code // 2]}{code % 2 > 0}"),
        _said(known.is_english.astype(np.int64), lambda code: f"english={code > 0}"),
    ]


def _said(codes: Ints, say: Callable[[int], str]) -> tuple[list[str], Ints]:
    distinct, of_word = np.unique(codes, return_inverse=True)
    return list(map(say, distinct.tolist())), of_word


def _kinds(known: WordFacts, shapes: Sequence[str], of_shape: Ints) -> Hashes:
    """Hash the kinds of words: their spelling, where they were seen, how their shape begins."""
    (spelt, of_spelling), (seen, of_side), *_ = facts(known)
    code = (of_spelling * len(seen) + of_side) * len(shapes) + of_shape
    codes, of_kind = np.unique(code, return_inverse=True)
    rest, shape = np.divmod(codes, max(1, len(shapes)))
    spelling, side = np.divmod(rest, max(1, len(seen)))
    columns = zip(spelling.tolist(), side.tolist(), shape.tolist(), strict=True)
    kinds = [f"{spelt[one]}|{seen[two]}|{shapes[three]}" for one, two, three in columns]
    return hash_words(kinds)[of_kind]


def _character_counts(words: CodedWords) -> Ints:
    """Count the characters of words by kind."""
    distinct, at = np.unique(words.codes, return_inverse=True)
    kinds = [
        (
            each.isupper(),
            each.isdigit(),
            each.isalpha(),
            each == "-",
            (each == "(") - (each == ")"),
            (each == "[") - (each == "]"),
            each != SEPARATOR,
        )
        for each in map(chr, distinct.tolist())
    ]
    of_codes: AnyArray = np.array(kinds, dtype=np.int64).reshape(-1, len(CHARACTERS))[at]
    counts: Ints = np.add.reduceat(of_codes, words.first) if len(of_codes) else of_codes
    return counts
