"""Is this word spelled like part of a name? Judged by its spelling alone.

Section 3.4 of "Cascaded Classifiers": one character model of the words seen inside names, one of
those seen outside; the score of a word is

    ln P(word | inside) - ln P(word | outside)

cut off at ±15. Each of several labels has its model, and the score is that of the best label.

Inside words are those seen only inside names of the label, and the words of name lists (ChEBI, say)
never seen outside names: what was annotated outranks the lists. Outside words are those seen only
outside, and the words of an English dictionary that are no inside words. Each is learned once,
however often it was seen. An English word that is no inside word gets the lowest score whatever its
spelling, for its spelling is no news. Non-words score 0: nothing is known of them.

Like the paper, there is one model of inside words for all labels. Its words are those seen only
inside names, all words of name lists, and the names of elements; English words are examples of
outside words and have no score of their own.

On every third document of BC5CDR, trained on the others, the score ranks a word inside names above
one outside with probability .973 with ChEBI and .966 without (.974 and .970 on ChemProt). That is
for words never seen in training; what was seen is known better by ``tokens``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Flags, Floats, Ints
from vermeil.document import Document
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import HASHES, checked, told
from vermeil.recognise.words.kneser_ney import ORDER, CharacterModel
from vermeil.recognise.words.token_sets import (
    OUTSIDE,
    Sides,
    TokenSets,
    are_words,
    find_sides,
    is_word,
    words_of,
)
from vermeil.sequences.features.elements import ELEMENT_NAMES
from vermeil.sequences.tokens.alphabet import CodedWords, Hashes, hash_words

CLIP = 15.0
"""No score is further from 0; beyond it lie only lengths of words."""

ENGLISH = Path("/usr/share/dict/words")
"""Where Unix systems keep a list of English words, a word a line, with their inflected forms."""

SUFFIXES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("ase", "ases"), "ASE"),
    (("ic",), "CJ"),
    (("yl", "o", "oxy"), "GROUP"),
    (("ation", "ating", "ise", "lysis"), "RN"),
)
"""Tentative types by suffix, the first that fits: enzyme, adjective, group, reaction."""

COMPOUND = "CM"
"""The tentative type of all other words."""

TYPES = (*(type for _, type in SUFFIXES), COMPOUND)


def _no_hashes() -> Hashes:
    return np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Preclassifier:
    """Character models of the words inside names, by label, and of those outside.

    ``tokens`` are the sets of tokens seen in training, ``english`` the hashes of English words
    that are no inside words. Like the paper, there is one model for all labels, ``english`` has
    all English words and ``listed`` the words of name lists.

    >>> from vermeil.document import Span
    >>> names = (Span(0, 7, "Chemical"), Span(12, 19, "Chemical"))
    >>> document = Document(id="1", text="benzene and toluene burn well", layers={"gold": names})
    >>> preclassifier = Preclassifier.fit([document], ["Chemical"])
    >>> preclassifier.score(["xylene", "burning", "H2O"]).round().tolist()
    [9.0, -13.0, 0.0]
    """

    labels: tuple[str, ...]
    inside: tuple[CharacterModel, ...]
    outside: CharacterModel
    tokens: TokenSets
    english: Hashes
    like_paper: bool = False
    listed: Hashes = field(default_factory=_no_hashes)

    @classmethod
    def fit(
        cls,
        documents: Iterable[Document],
        labels: Sequence[str],
        *,
        annotator: str = "gold",
        lexicon: Mapping[str, Collection[str]] | None = None,
        english: Collection[str] = (),
        inside: Collection[str] = (),
        outside: Collection[str] = (),
        tokeniser: str = "fine",
        order: int = ORDER,
        like_paper: bool = False,
        sides: Sides | None = None,
    ) -> "Preclassifier":
        """Learn from names of ``labels``, from words of name lists by label, and English words.

        ``words_of`` makes such words of names. More words of either side may be given: ``inside``
        for every label. The order of documents does not matter. ``sides`` are those of the
        documents, where they are known.
        """
        if sides is None:
            sides = find_sides(documents, labels, annotator=annotator, tokeniser=tokeniser)
        more = {word.lower() for word in inside}
        others = {word.lower() for word in outside}
        if like_paper:
            by_label = (lexicon or {}).values()
            listed = more.union(*by_label)
            given = {word.lower() for word in english}
            return cls._like_paper(tuple(labels), sides, listed, given, others, order)
        known = [
            _inside_words(sides, 2 << number, more.union((lexicon or {}).get(label, ())))
            for number, label in enumerate(labels)
        ]
        all_known = frozenset().union(*known)
        other_english = sorted({word.lower() for word in english} - all_known)
        seen_outside = {token for token, side in sides.items() if side == OUTSIDE}
        return cls(
            tuple(labels),
            tuple(_model(words, order) for words in known),
            _model(seen_outside.union(other_english, others - all_known), order),
            TokenSets.of(sides),
            np.unique(hash_words(other_english)),
        )

    @classmethod
    def _like_paper(
        cls,
        labels: tuple[str, ...],
        sides: Sides,
        listed: set[str],
        english: set[str],
        others: set[str],
        order: int,
    ) -> "Preclassifier":
        """Learn as section 3.4 has it: what is listed is an example, wherever it was seen."""
        seen_inside = {token for token, side in sides.items() if not side & OUTSIDE}
        seen_outside = {token for token, side in sides.items() if side == OUTSIDE}
        inside = seen_inside.union(listed, ELEMENT_NAMES)
        return cls(
            labels,
            (_model(inside, order),),
            _model(seen_outside.union(others, english - inside), order),
            TokenSets.of(sides),
            np.unique(hash_words(sorted(english | others))),
            like_paper=True,
            listed=np.unique(hash_words(sorted(listed))),
        )

    def score(self, words: Sequence[str]) -> Floats:
        """Score each word: the log-odds to be in a name of its best label; 0 if there is none."""
        if not self.labels:
            return np.zeros(len(words))
        best: Floats = self.label_scores(words).max(axis=1)
        return best

    def label_scores(self, words: Sequence[str]) -> Floats:
        """Score each word (row): the log-odds to be in a name of each label (column)."""
        scores = np.zeros((len(words), len(self.labels)))
        unsure = are_words(CodedWords.of(words))
        if not self.like_paper:
            english = self.is_english(words)
            scores[unsure & english] = -CLIP
            unsure &= ~english
        some = [words[place] for place in np.flatnonzero(unsure).tolist()]
        outside = self.outside.log_probability(some)
        inside = [model.log_probability(some) for model in self.inside]
        if self.like_paper:
            inside *= len(self.labels)
        scores[unsure] = np.stack([each - outside for each in inside], axis=1).clip(-CLIP, CLIP)
        return scores

    def is_english(self, words: Sequence[str]) -> Flags:
        """Tell which words are English; unless like the paper, only those that are not inside."""
        return _are_among(self.english, words)

    def is_listed(self, words: Sequence[str]) -> Flags:
        """Tell which words are of name lists; known only like the paper."""
        return _are_among(self.listed, words)

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        sections: dict[str, Arrays] = {
            "outside": self.outside.arrays(),
            "tokens": self.tokens.arrays(),
        }
        sections |= {f"inside-{number}": model.arrays() for number, model in enumerate(self.inside)}
        own = {"listed": self.listed} if self.like_paper else {}
        return in_sections(sections, mark="-") | {"english": self.english} | own

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        like_paper = {"like_paper": True} if self.like_paper else {}
        return {"labels": list(self.labels), "characters": self.outside.header(), **like_paper}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "Preclassifier":
        """Make the preclassifier again that gave these."""

        def model(name: str) -> CharacterModel:
            own = section_of(arrays, name, mark="-")
            return CharacterModel.from_arrays(told(header, "characters", dict[str, Any]), own)

        labels = told(header, "labels", tuple[str, ...])
        like_paper = told(header, "like_paper", bool, False)
        n_models = 1 if like_paper else len(labels)
        return cls(
            labels,
            tuple(model(f"inside-{number}") for number in range(n_models)),
            model("outside"),
            TokenSets.from_arrays(section_of(arrays, "tokens", mark="-")),
            checked(arrays, {"english": HASHES})["english"],
            like_paper=like_paper,
            listed=checked(arrays, {"listed": HASHES})["listed"] if like_paper else _no_hashes(),
        )


def tentative_type(word: str) -> str:
    """Guess by its suffix what sort of chemical name a word belongs to.

    >>> [tentative_type(word) for word in ("Kinases", "acetic", "methoxy", "methylation", "ethene")]
    ['ASE', 'CJ', 'GROUP', 'RN', 'CM']
    """
    lower = word.lower()
    for suffixes, type in SUFFIXES:
        if lower.endswith(suffixes):
            return type
    return COMPOUND


def tentative_types(lower: CodedWords) -> Ints:
    """Guess the types of many words in lower case: their places among TYPES."""
    types = np.full(len(lower.first), len(SUFFIXES))
    end = lower.first + lower.length
    for type, (suffixes, _) in reversed(list(enumerate(SUFFIXES))):
        for suffix in suffixes:
            fits = np.flatnonzero(lower.length >= len(suffix))
            for back, character in enumerate(reversed(suffix), start=1):
                fits = fits[lower.codes[end[fits] - back] == ord(character)]
            types[fits] = type
    return types


def paper_type(word: str) -> str:
    """Guess the type of a word among those of the paper, where a group is a compound.

    >>> [paper_type(word) for word in ("methoxy", "methylation", "ethene")]
    ['CM', 'RN', 'CM']
    """
    guess = tentative_type(word)
    return COMPOUND if guess == "GROUP" else guess


def english_words(path: Path | None = None) -> frozenset[str]:
    """Read a list of English words, by default that of the system; none where it has none."""
    if path is None and not ENGLISH.exists():
        return frozenset()
    return words_of([(path or ENGLISH).read_text(encoding="utf-8")], tokeniser="words")


def _are_among(known: Hashes, words: Sequence[str]) -> Flags:
    wanted = hash_words([word.lower() for word in words])
    if not len(known):
        return np.zeros(len(words), dtype=bool)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    among: Flags = known[at] == wanted
    return among


def _inside_words(sides: Sides, bit: int, lexicon: Collection[str]) -> set[str]:
    seen_outside = {token for token, side in sides.items() if side & OUTSIDE}
    seen_inside = {token for token, side in sides.items() if side & bit}
    return seen_inside.union(lexicon) - seen_outside


def _model(words: Iterable[str], order: int) -> CharacterModel:
    return CharacterModel.fit(sorted(filter(is_word, words)), order=order)
