"""Names of families, which stand for no single record of a database.

``STAT`` is a synonym of several genes and the symbol of none, but ``STAT1`` and ``STAT2`` are
symbols. A database lists such names with each member, and its references support them; whoever
wants single genes or proteins does not want them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from vermeil.acquire.lexicon.normal_form import GREEK

LEAST = 2
"""Members of a family."""

_GREEK_NAMES = tuple(dict.fromkeys(GREEK.values()))


def families(names: Iterable[str], preferred: Collection[str]) -> set[str]:
    """Give the names that are not preferred, while two or more preferred ones are their members.

    A member has one character more, two digits or a Greek letter. Names are in their normal form.

    >>> sorted(families(["stat", "il2", "p53"], ["stat1", "stat2", "il2", "il2ra", "il21", "tp53"]))
    ['stat']
    """
    n_members = Counter(stem for name in set(preferred) for stem in set(_stems(name)))
    return {name for name in names if n_members[name] >= LEAST and name not in preferred}


def _stems(name: str) -> Iterator[str]:
    yield name[:-1]
    if name[-2:].isdigit():
        yield name[:-2]
    yield from (name.removesuffix(letter) for letter in _GREEK_NAMES if name.endswith(letter))
