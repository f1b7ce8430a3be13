"""Every kind of recogniser by name, and their model files.

All are trained by ``fit`` on documents, a recipe and resources, and ``find`` candidate names with
confidences, so that one can stand in for another and a consensus of all is one command.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from vermeil.arrays import AnyArray
from vermeil.errors import FormatError
from vermeil.models.model_files import Arrays, Header, read_model, write_model
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.committee import Committee
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.rivals.dictionary import DictionaryTagger
from vermeil.recognise.rivals.markov import MarkovTagger
from vermeil.recognise.rivals.plain_crf import PlainCrf
from vermeil.recognise.words.knowledge import Resources


class Recogniser(Finder, Protocol):
    """What every recogniser can do. ``card`` says what it was trained on, with figures."""

    @property
    def recipe(self) -> Recipe:
        """How it was made: labels and tokeniser; the rest only right after training."""

    @property
    def card(self) -> Mapping[str, Any]:
        """What is worth knowing of the model."""

    @classmethod
    def fit(
        cls, documents: Documents, recipe: Recipe, resources: Resources, *, watch: Say = silent
    ) -> "Recogniser":
        """Train on the documents that the annotator of the recipe has seen."""

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "Recogniser":
        """Make the recogniser again that gave these."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of recogniser, and one line about it."""

    made_by: type[Recogniser]
    summary: str

    @property
    def fit(self) -> Callable[..., Recogniser]:
        """What trains one."""
        return self.made_by.fit


RECOGNISERS: Mapping[str, Kind] = {
    "cascade": Kind(Cascade, "spelling, sequence and document, one after the other"),
    "committee": Kind(Committee, "two cascades over different tokens, and their mean opinion"),
    "crf": Kind(PlainCrf, "a conditional random field with the usual features, by crfsuite"),
    "linear": Kind(LinearTagger, "a linear support vector machine over a window of words"),
    "hmm": Kind(MarkovTagger, "a hidden Markov model that spells its tokens"),
    "dictionary": Kind(DictionaryTagger, "the longest match of listed names"),
}


def save(recogniser: Recogniser, path: Path) -> None:
    """Store a recogniser as a model file."""
    name = next(name for name, kind in RECOGNISERS.items() if type(recogniser) is kind.made_by)
    write_model(path, name, recogniser.header(), recogniser.arrays())


def load(path: Path) -> Recogniser:
    """Read a model file."""
    name, header, arrays = read_model(path)
    if name not in RECOGNISERS:
        raise FormatError(
            path,
            None,
            f"holds a recogniser of the kind {name!r}, and this program knows "
            f"{', '.join(RECOGNISERS)}; update vermeil",
        )
    try:
        return RECOGNISERS[name].made_by.from_arrays(header, arrays)
    except KeyError as error:
        raise FormatError(path, None, f"is damaged: it lacks {error}") from None
    except ValueError as error:
        raise FormatError(path, None, f"cannot be used: {error}") from None
