"""Names that users give: of layers, one or several, and the layer that is meant where none is."""

from collections import Counter
from collections.abc import Iterable

from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError

GOLD = "gold"


def names_of(given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Take one name or several.

    >>> names_of("gold"), names_of(["anna", "ben"]), names_of(None)
    (('gold',), ('anna', 'ben'), ())
    """
    if given is None:
        return ()
    if isinstance(given, str):
        return (given,)
    names = tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"a layer is named by a string, not by {name!r:.40}")
    return names


def layers_in(documents: Iterable[Document]) -> list[str]:
    """List the layers there are, in alphabetical order; those of alternatives are none."""
    names = {name for document in documents for name in document.layers}
    return sorted(name for name in names if not name.endswith(ALTERNATIVES))


def believed_layer(documents: Iterable[Document], wanted: str | None) -> str:
    """Find the layer to learn from or to judge by: the one wanted, or gold, or the only one."""
    names = layers_in(documents)
    if wanted is not None:
        if wanted not in names:
            raise UnknownNameError("layer", str(wanted), names)
        return wanted
    if not names:
        raise UsageError("no document has a layer of names; see vermeil info for what is there")
    if GOLD in names or len(names) == 1:
        return GOLD if GOLD in names else names[0]
    raise UsageError(f"there are the layers {', '.join(names)}; choose one with --layer")


def count_labels(documents: Iterable[Document], layer: str) -> Counter[str]:
    """Count the names of a layer by label."""
    return Counter(span.label for each in documents for span in each.layers.get(layer, ()))
