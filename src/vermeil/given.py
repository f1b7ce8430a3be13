"""What users make spans and documents of, as it is kept: whole numbers, numbers and strings.

What decoders and readers give is this already. Numbers of numpy, as data frames have them, become
those of Python, which every writer knows; what would have to be guessed is refused.
"""

from collections.abc import Iterable, Mapping
from operator import index
from typing import Any

import msgspec

from vermeil.errors import DataError

WHO = "the name of an annotator"
_ID = "a database id of a span"


def whole(value: Any, what: str) -> int:
    """Take a whole number, of numpy too.

    >>> import numpy as np
    >>> whole(np.int64(3), "the start of a span")
    3
    """
    try:
        return index(value)
    except TypeError:
        raise unlike(value, what, "a whole number") from None


def real(value: Any, what: str) -> float:
    """Take a number, of numpy too; one that is written out is none."""
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise unlike(value, what, "a number") from None


def string(value: Any, what: str) -> str:
    """Take a string."""
    if not isinstance(value, str):
        raise unlike(value, what, "a string")
    return str(value)


def identifier(value: Any) -> str:
    """Take the id of a document; a whole number, as PMIDs often are, is written out.

    >>> identifier(28483577)
    '28483577'
    """
    if isinstance(value, str):
        return str(value)
    try:
        return str(index(value))
    except TypeError:
        raise unlike(value, "the id of a document", "a string") from None


def _pairs(values: Any, what: str) -> tuple[tuple[Any, Any], ...]:
    """Take several pairs."""
    found = tuple(tuple(_several(each, what)) for each in _several(values, what))
    if any(len(each) != 2 for each in found):
        raise unlike(values, what, "pairs")
    return found


def _fragments(values: Any) -> tuple[tuple[int, int], ...]:
    """Take the stretches of a discontinuous span."""
    what = "a fragment of a span"
    return tuple((whole(start, what), whole(end, what)) for start, end in _pairs(values, what))


def _attributes(values: Any) -> tuple[tuple[str, str], ...]:
    """Take pairs of name and value."""
    what = "an attribute of a span"
    return tuple((string(name, what), string(value, what)) for name, value in _pairs(values, what))


def settle(made: Any, **fields: Any) -> None:
    """Set what was given in another form, before anybody sees it."""
    for name, value in fields.items():
        msgspec.structs.force_setattr(made, name, value)


def settled_layers(layers: Any, before: Mapping[str, Any]) -> dict[str, Any]:
    """Return layers as tuples of spans whose values are as they are kept; those ``before`` are."""
    if not isinstance(layers, Mapping):
        raise unlike(layers, "layers", "a mapping of annotators and spans")
    settled = {}
    for annotator, layer in layers.items():
        if annotator in before and layer is before[annotator]:
            settled[annotator] = layer
            continue
        string(annotator, WHO)
        try:
            said = tuple(layer)
            for span in said:
                if (
                    type(span.start) is not int
                    or type(span.end) is not int
                    or type(span.label) is not str
                    or (span.confidence is not None and type(span.confidence) is not float)
                    or ((span.ids or span.fragments or span.attributes) and not _is_plain(span))
                ):
                    settle_span(span)
        except (AttributeError, TypeError):
            raise _no_span(annotator, layer) from None
        settled[annotator] = said
    return settled


def settle_span(span: Any) -> None:
    """Set the fields of a span as they are kept; refuse what they cannot be."""
    sure = span.confidence
    settle(
        span,
        start=whole(span.start, "the start of a span"),
        end=whole(span.end, "the end of a span"),
        label=string(span.label, "the label of a span"),
        confidence=None if sure is None else real(sure, "the confidence of a span"),
        fragments=_fragments(span.fragments),
        ids=tuple(string(each, _ID) for each in _several(span.ids, _ID)),
        attributes=_attributes(span.attributes),
    )


def refuse_lone_surrogates(id: str, text: str) -> None:
    """Refuse halves of characters, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(
            f"document {id!r} has half a surrogate pair at {error.start}, which is no character"
        ) from None


def check_fragments(fragments: tuple[tuple[int, int], ...], start: int, end: int) -> None:
    """Refuse stretches that are not in order and apart, or do not make the extent of a span."""
    if len(fragments) < 2:
        raise DataError(f"a discontinuous span has at least two fragments, got {len(fragments)}")
    place = 0
    for first, last in fragments:
        if not place <= first < last:
            raise DataError(f"fragments must be in order and apart, got {fragments}")
        place = last
    if (fragments[0][0], fragments[-1][1]) != (start, end):
        raise DataError(f"fragments {fragments} do not reach from {start} to {end}")


def _is_plain(span: Any) -> bool:
    """Tell whether ids, fragments and attributes are as they are kept."""
    for pairs, kind in ((span.fragments, int), (span.attributes, str)):
        if type(pairs) is not tuple or any(type(each) is not tuple for each in pairs):
            return False
        if any(type(value) is not kind for pair in pairs for value in pair):
            return False
    return type(span.ids) is tuple and all(type(each) is str for each in span.ids)


def _no_span(annotator: str, layer: Any) -> DataError:
    """Say what somebody's layer holds that is no span."""
    if isinstance(layer, list | tuple):
        layer = next((each for each in layer if not hasattr(each, "fragments")), layer)
    return unlike(layer, f"what {annotator!r} said", "a Span")


def _several(values: Any, what: str) -> Iterable[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise unlike(values, what, "a tuple of them")
    return values


def unlike(value: Any, what: str, wanted: str) -> DataError:
    """Say what was given for something, and what was wanted."""
    return DataError(f"{what} is {value!r:.60} ({type(value).__name__}), and {wanted} was wanted")
