"""Words that were learned from texts: their classes, and where it is kept, their vectors.

A table holds hashes and numbers, and no word. A word that was never seen gets the class that its
spelling points to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import AnyArray, Flags, Ints
from vermeil.errors import FormatError
from vermeil.models.model_files import (
    Arrays,
    Header,
    in_sections,
    read_model,
    section_of,
    write_model,
)
from vermeil.models.schema import ArraySpec, checked, told, usable
from vermeil.recognise.word_classes.clusters import SIZES, Classes, nearest
from vermeil.recognise.word_classes.factors import unit
from vermeil.recognise.word_classes.forms import KINDS, forms_of
from vermeil.recognise.word_classes.spellings import N_BUCKETS, guessed
from vermeil.sequences.features.matrix import Singles
from vermeil.sequences.features.word_memory import RowMemory
from vermeil.sequences.tokens.alphabet import hash_words
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.word_classes import WordClasses

KIND = "words"
"""What a file of learned words calls itself."""

NEVER_SEEN = -1
WHOLE = 127
"""The whole number that stands for the largest one of an array."""

_SCHEMA = {
    "hashes": ArraySpec("whole", least=0, most=2**32 - 1, rises=True),
    **{f"classes-{size}": ArraySpec("whole", least=0, most=size - 1) for size in SIZES},
    **{
        f"centres-{size}": ArraySpec("number", (f"of {size}", "dimensions"), least=-4, most=4)
        for size in SIZES
    },
    "buckets": ArraySpec("whole", (N_BUCKETS, "dimensions"), least=-WHOLE, most=WHOLE),
    "scale": ArraySpec("number", (1,), least=0, most=1e6),
}
_VECTORS = {"vectors": ArraySpec("whole", ("n", "dimensions"), least=-WHOLE, most=WHOLE)}


@dataclass(frozen=True, slots=True, eq=False)
class LookedUp:
    """The rows of words in a table, and which are ``rest``, never seen, with guessed vectors."""

    row: Ints
    rest: Ints
    vectors: Singles


@dataclass(frozen=True, eq=False)
class WordTable:
    """The words of one kind by rising hashes, with their classes.

    ``buckets`` are those of ``spellings``, in whole numbers of ``scale``; ``vectors`` those of
    words, if they are kept.
    """

    hashes: NDArray[np.uint32]
    clusters: Classes
    buckets: NDArray[np.int8]
    scale: float
    vectors: NDArray[np.int8] | None = None

    def __len__(self) -> int:
        return len(self.hashes)

    def rows_of(self, words: Sequence[str]) -> Ints:
        """Find the rows of words, NEVER_SEEN for others."""
        return self._rows_of_forms(forms_of(words))

    def _rows_of_forms(self, forms: Sequence[str]) -> Ints:
        wanted = short_hashes(forms)
        if not len(self.hashes):
            return np.full(len(forms), NEVER_SEEN)
        at = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        return np.where(self.hashes[at] == wanted, at, NEVER_SEEN)

    def classes(self, words: Sequence[str]) -> tuple[Ints, Flags]:
        """Tell the classes of words, the coarsest first, and which of them were seen in texts."""
        found = self._memory.of(words, self._found_classes)
        return found[:, :-1], found[:, -1] > 0

    def _found_classes(self, words: Sequence[str]) -> Ints:
        """List the classes of each word, and 1 if it was seen."""
        looked_up = self.looked_up(words)
        return np.column_stack((self.classes_of(looked_up), looked_up.row != NEVER_SEEN))

    def looked_up(self, words: Sequence[str]) -> "LookedUp":
        """Find words, and guess the vectors of those that were never seen."""
        forms = forms_of(words)
        row = self._rows_of_forms(forms)
        rest = np.flatnonzero(row == NEVER_SEEN)
        return LookedUp(row, rest, self._guessed([forms[place] for place in rest.tolist()]))

    def classes_of(self, words: "LookedUp") -> Ints:
        """Tell the classes of words, the coarsest first."""
        is_seen = words.row != NEVER_SEEN
        numbers = np.zeros((len(words.row), len(SIZES)), dtype=np.int64)
        numbers[is_seen] = self.clusters.numbers[words.row[is_seen]]
        if len(words.rest):
            guesses = [nearest(words.vectors, centres) for centres in self.clusters.centres]
            numbers[words.rest] = np.stack(guesses, axis=1)
        return numbers

    def vectors_of(self, words: Sequence[str]) -> tuple[Singles, Flags]:
        """Return the vectors of words, guessed where they were not seen, and which were."""
        looked_up = self.looked_up(words)
        row, is_seen = looked_up.row, looked_up.row != NEVER_SEEN
        made = np.zeros((len(words), self.n_dimensions), dtype=np.float32)
        made[is_seen] = self.unit_vectors[row[is_seen]]
        made[looked_up.rest] = unit(looked_up.vectors)
        return made, is_seen

    def _guessed(self, forms: Sequence[str]) -> Singles:
        """Guess the vectors of words from their spelling; only their directions mean something."""
        return guessed(forms, self.buckets)

    @property
    def n_dimensions(self) -> int:
        """The numbers of a vector."""
        return int(self.buckets.shape[1])

    @cached_property
    def unit_vectors(self) -> Singles:
        """The vectors of all words, of length 1."""
        assert self.vectors is not None, "a model keeps no vectors"
        return unit(self.vectors.astype(np.float32))

    @cached_property
    def _memory(self) -> RowMemory[np.int64]:
        return RowMemory()

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        own: dict[str, AnyArray] = {
            "hashes": self.hashes,
            **{
                f"classes-{size}": column.astype(np.uint16)
                for size, column in zip(SIZES, self.clusters.numbers.T, strict=True)
            },
            **{
                f"centres-{size}": centres.astype(np.float16)
                for size, centres in zip(SIZES, self.clusters.centres, strict=True)
            },
            "buckets": self.buckets,
            "scale": np.array([self.scale]),
        }
        return own if self.vectors is None else own | {"vectors": self.vectors}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "WordTable":
        """Make the table again that gave these arrays."""
        schema = _SCHEMA | (_VECTORS if "vectors" in arrays else {})
        fitting = checked(arrays, schema)
        numbers = np.stack([fitting[f"classes-{size}"] for size in SIZES], axis=1)
        centres = tuple(fitting[f"centres-{size}"].astype(np.float32) for size in SIZES)
        highest = numbers.max(axis=0, initial=0).tolist()
        if any(top >= len(each) for top, each in zip(highest, centres, strict=True)):
            raise ValueError("words are in classes that have no centre")
        return cls(
            fitting["hashes"].astype(np.uint32, copy=False),
            Classes(numbers.astype(np.int64), centres),
            buckets=fitting["buckets"].astype(np.int8, copy=False),
            scale=float(fitting["scale"][0]),
            vectors=fitting["vectors"].astype(np.int8) if "vectors" in fitting else None,
        )


@dataclass(frozen=True, slots=True, eq=False)
class LearnedWords:
    """Tokens and runs that were learned; ``card`` says from what."""

    tokens: WordTable
    runs: WordTable
    card: Mapping[str, Any] = field(default_factory=dict)

    def without_vectors(self) -> "LearnedWords":
        """Keep what a model needs to tell classes."""
        tokens, runs = (replace(each, vectors=None) for each in (self.tokens, self.runs))
        return replace(self, tokens=tokens, runs=runs)

    def classes(self, axis: TokenAxis) -> tuple[WordClasses, ...]:
        """Tell the classes of the tokens of a batch, from the coarsest on."""
        own, _ = self.tokens.classes(axis.vocabulary.words)
        return tuple(
            WordClasses(
                f"class of {size}",
                tuple(map(str, range(SIZES[-1]))),
                column[axis.vocabulary.number],
            )
            for size, column in zip(SIZES, own.T, strict=True)
        )

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        return in_sections({"tokens": self.tokens.arrays(), "runs": self.runs.arrays()})

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {KIND: dict(self.card)}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "LearnedWords":
        """Make the words again that gave these."""
        tokens, runs = (WordTable.from_arrays(section_of(arrays, kind)) for kind in KINDS)
        return cls(tokens, runs, told(header, KIND, dict[str, Any]))

    def save(self, path: Path) -> None:
        """Write them to a file."""
        write_model(path, KIND, self.header(), self.arrays())

    @classmethod
    def load(cls, path: Path) -> "LearnedWords":
        """Read the file of ``vermeil learn-words``."""
        kind, header, arrays = read_model(path)
        if kind != KIND:
            raise FormatError(
                path, None, f"holds a {kind}, and no words; vermeil learn-words makes some"
            )
        with usable(path):
            words = cls.from_arrays(header, arrays)
            if words.tokens.vectors is None or words.runs.vectors is None:
                raise KeyError("vectors")
        return words


def short_hashes(words: Sequence[str]) -> NDArray[np.uint32]:
    """Hash words to 32 bits: two words of a hundred thousand seldom share one."""
    return (hash_words(words) >> np.uint64(32)).astype(np.uint32)


def in_whole_numbers(values: Singles) -> tuple[NDArray[np.int8], float]:
    """Round to whole numbers from -WHOLE to WHOLE; give also what one of them stands for."""
    scale = float(np.abs(values).max(initial=0.0)) / WHOLE or 1.0
    return np.rint(values / scale).astype(np.int8), scale
