"""The linear tagger of the acquisition paper."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.linear.decoding import DECODERS
    from vermeil.recognise.linear.examples import Examples, examples_of
    from vermeil.recognise.linear.features import encode_linear
    from vermeil.recognise.linear.iobes import Iobes
    from vermeil.recognise.linear.learning import LEARNERS, LinearWeights
    from vermeil.recognise.linear.margins import MarginCurve
    from vermeil.recognise.linear.options import LinearOptions
    from vermeil.recognise.linear.tagger import LinearTagger

__all__ = [
    "DECODERS",
    "LEARNERS",
    "Examples",
    "Iobes",
    "LinearOptions",
    "LinearTagger",
    "LinearWeights",
    "MarginCurve",
    "encode_linear",
    "examples_of",
]

__getattr__ = _lazily(__name__)
