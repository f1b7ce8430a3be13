"""Every kind of recogniser by name, and their model files.

All are trained by ``fit`` on documents, a recipe and resources, and ``find`` candidate names with
confidences, so that one can stand in for another and a consensus of all is one command.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from vermeil.arrays import AnyArray
from vermeil.document import Document
from vermeil.errors import FormatError
from vermeil.models.model_files import Arrays, Header, read_model, write_model
from vermeil.models.schema import told, usable
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.committee import Committee
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
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
    """A kind of recogniser, and one line about it; its module is loaded when it is asked for."""

    loaded: Callable[[], type[Recogniser]]
    summary: str

    @property
    def made_by(self) -> type[Recogniser]:
        """What is trained, and read from a file."""
        return self.loaded()

    @property
    def fit(self) -> Callable[..., Recogniser]:
        """What trains one."""
        return self.made_by.fit


def _crf() -> type[Recogniser]:
    from vermeil.recognise.rivals.plain_crf import PlainCrf

    return PlainCrf


def _linear() -> type[Recogniser]:
    from vermeil.recognise.linear.tagger import LinearTagger

    return LinearTagger


def _hmm() -> type[Recogniser]:
    from vermeil.recognise.rivals.markov import MarkovTagger

    return MarkovTagger


def _dictionary() -> type[Recogniser]:
    from vermeil.recognise.rivals.dictionary import DictionaryTagger

    return DictionaryTagger


RECOGNISERS: Mapping[str, Kind] = {
    "cascade": Kind(lambda: Cascade, "spelling, sequence and document, one after the other"),
    "committee": Kind(
        lambda: Committee, "two cascades over different tokens, and their mean opinion"
    ),
    "crf": Kind(_crf, "a conditional random field with the usual features, by crfsuite"),
    "linear": Kind(_linear, "a linear support vector machine over a window of words"),
    "hmm": Kind(_hmm, "a hidden Markov model that spells its tokens"),
    "dictionary": Kind(_dictionary, "the longest match of listed names"),
}


TRIAL = Document(id="trial", text="Loss of p53 and 5-fluorouracil (5-FU), in breast cancer.")
"""What a model that was read is tried on."""


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
    with usable(path):
        recogniser = RECOGNISERS[name].made_by.from_arrays(header, arrays)
        told(header, "card", dict[str, Any], {})
        _try_out(recogniser)
    return recogniser


def _try_out(recogniser: Recogniser) -> None:
    """See that the parts of a model fit each other, which no part can tell by itself."""
    try:
        with np.errstate(all="ignore"):
            recogniser.find([TRIAL])
    except (IndexError, TypeError, FloatingPointError) as error:
        raise ValueError(f"its parts do not fit each other ({error})") from None
