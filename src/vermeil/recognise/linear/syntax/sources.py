"""Where parts of speech and chunks come from: a tagger of ours in a file, or spaCy."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from vermeil.arrays import AnyArray, numbered
from vermeil.errors import MissingExtraError, UsageError
from vermeil.models.model_files import Arrays, Header
from vermeil.models.schema import told
from vermeil.recognise.linear.syntax.tagger import CHUNK, SPEECH, SyntaxTagger
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.word_classes import WordClasses, WordClassifier
from vermeil.text.tags import OUTSIDE

SPACY = "spacy:"
"""What begins the name of a pipeline of spaCy."""


@dataclass(frozen=True, slots=True)
class SpacyWords:
    """Tags and noun chunks of a spaCy pipeline, on our tokens.

    A pipeline without a parser gives no chunks.
    """

    pipeline: str

    def classes(self, axis: TokenAxis) -> tuple[WordClasses, ...]:
        """Find parts of speech and chunks of the tokens of a batch."""
        nlp = _loaded(self.pipeline)
        speech: list[str] = []
        chunks: list[str] = []
        for doc in nlp.pipe(_sentences(axis, nlp.vocab)):
            speech += [token.tag_ or token.pos_ for token in doc]
            own = [OUTSIDE] * len(doc)
            for phrase in doc.noun_chunks if doc.has_annotation("DEP") else ():
                own[phrase.start : phrase.end] = ["B-NP", *["I-NP"] * (len(phrase) - 1)]
            chunks += own
        return WordClasses(SPEECH, *numbered(speech)), WordClasses(CHUNK, *numbered(chunks))

    def header(self) -> dict[str, Any]:
        """Name the pipeline; it is no part of a model."""
        return {"spacy": self.pipeline}

    def arrays(self) -> dict[str, AnyArray]:
        """Return nothing."""
        return {}


def open_classifier(given: str) -> WordClassifier:
    """Open a file of ``vermeil trees tagger``, or a spaCy pipeline after ``spacy:``."""
    if given.startswith(SPACY):
        words = SpacyWords(given.removeprefix(SPACY))
        _loaded(words.pipeline)
        return words
    if not Path(given).exists():
        raise UsageError(f"{given}: no such file; vermeil trees tagger makes one")
    return SyntaxTagger.load(Path(given))


def restored(header: Header, arrays: Arrays) -> WordClassifier:
    """Make again what gave this header and these arrays."""
    if "spacy" in header:
        return SpacyWords(told(header, "spacy", str))
    return SyntaxTagger.from_arrays(header, arrays)


def _sentences(axis: TokenAxis, vocab: Any) -> Iterator[Any]:
    from spacy.tokens import Doc

    for first, last in pairwise(axis.first_token.tolist()):
        follows = axis.start[first + 1 : last] > axis.end[first : max(first, last - 1)]
        spaces = [*follows.tolist(), False][: last - first]
        yield Doc(vocab, words=list(axis.words[first:last]), spaces=spaces)


@lru_cache(maxsize=1)
def _loaded(pipeline: str) -> Any:
    if find_spec("spacy") is None:
        raise MissingExtraError("spaCy's parts of speech", "spacy")
    import spacy

    try:
        return spacy.load(pipeline)
    except OSError as error:
        raise UsageError(
            f"spaCy has no pipeline {pipeline!r}; install it, or give its folder"
        ) from error
