"""Tag schemes: names over tokens as one tag a token, and back.

A name is ``(start, end, label)``, a half-open range of tokens. A tag is ``O`` or a letter, a hyphen
and a label: ``B-Gene``. A scheme is a row of SCHEMES and says only which letters a name gets;
reading is the same for all of them, because what a letter means does not depend on the scheme:
B, S and U begin a name, E, S, L and U end one, and any other letter goes on with the name before
it if there is one of the same label. That is the rule of the CoNLL-2000 scorer, conlleval.

A sequence is well formed if reading it and writing what was read gives it back; each tag that comes
out differently is a repair. ``decode`` says what can be done about them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from vermeil.document import Span, reading_order
from vermeil.errors import UnknownNameError

Name: TypeAlias = tuple[int, int, str]
RepairPolicy: TypeAlias = Literal["lenient", "strict", "drop"]

OUTSIDE = "O"
_BEGINNING = frozenset("BSU")
_ENDING = frozenset("ESLU")


@dataclass(frozen=True, slots=True)
class Scheme:
    """Letters for the first, the inner and the last token of a name and for a name of one token.

    ``after`` replaces them where a name of the same label ends just before, ``before`` where one
    begins just after.
    """

    letters: str
    after: str = ""
    before: str = ""

    @property
    def alphabet(self) -> frozenset[str]:
        """Every letter the scheme uses."""
        return frozenset(self.letters + self.after + self.before)

    @property
    def parts_neighbours(self) -> bool:
        """Whether touching names of the same label can be told apart."""
        return bool(self.alphabet & (_BEGINNING | _ENDING))


SCHEMES: dict[str, Scheme] = {
    "iob2": Scheme("BIIB"),
    "io": Scheme("IIII"),
    "iobes": Scheme("BIES"),
    "bilou": Scheme("BILU"),
    "iob1": Scheme("IIII", after="BIIB"),
    "ioe2": Scheme("IIEE"),
    "ioe1": Scheme("IIII", before="IIEE"),
}
"""The schemes by name; where several fit a file equally well, ``guess_scheme`` takes the first."""


class Repair(NamedTuple):
    """A tag that is not what its scheme would have written for the name it is read into."""

    position: int
    tag: str
    wanted: str


def encode(n_tokens: int, names: Iterable[Name], scheme: str) -> list[str]:
    """Write ``names`` as ``n_tokens`` tags.

    Names that overlap, are empty or lie outside the tokens raise ValueError. Touching names of one
    label become a single name in ``io``: ask ``is_faithful`` first.

    >>> encode(5, [(0, 1, "Gene"), (2, 5, "Gene")], "iobes")
    ['S-Gene', 'O', 'B-Gene', 'I-Gene', 'E-Gene']
    """
    return _encode(n_tokens, sorted(names), _find_scheme(scheme))


def decode(tags: Sequence[str], scheme: str, *, repair: RepairPolicy = "lenient") -> list[Name]:
    """Read the names from ``tags``, in order.

    What is done with a sequence that is not well formed is up to ``repair``:

    * ``lenient``: as conlleval reads it. A tag that continues nothing begins a name, a name that is
      not ended ends where the next tag does not continue it. Nothing is lost.
    * ``drop``: names in which any tag would have to be repaired are left out.
    * ``strict``: ValueError names the first such tag and its position.

    A tag that is not of the scheme raises ValueError whatever the policy.

    >>> decode(["I-Gene", "I-Gene", "O", "B-Gene", "I-Cell"], "iob2")
    [(0, 2, 'Gene'), (3, 4, 'Gene'), (4, 5, 'Cell')]
    >>> decode(["I-Gene", "I-Gene", "O", "B-Gene", "I-Cell"], "iob2", repair="drop")
    [(3, 4, 'Gene')]
    """
    row = _find_scheme(scheme)
    names = _decode(tags, row)
    if repair == "lenient":
        return names
    repairs = _repairs(tags, names, row)
    if repairs and repair == "strict":
        at, tag, wanted = repairs[0]
        raise ValueError(f"tag {at} is {tag!r}, where {scheme} wants {wanted!r}")
    faulty = {at for at, _, _ in repairs}
    return [name for name in names if faulty.isdisjoint(range(name[0], name[1]))]


def find_repairs(tags: Sequence[str], scheme: str) -> list[Repair]:
    """List the tags that a lenient reading has to repair; none where all is well formed.

    >>> find_repairs(["O", "I-Gene"], "iob2")
    [Repair(position=1, tag='I-Gene', wanted='B-Gene')]
    """
    row = _find_scheme(scheme)
    return _repairs(tags, _decode(tags, row), row)


def guess_scheme(sentences: Iterable[Sequence[str]]) -> str:
    """Name the scheme that has all the letters seen and needs the fewest repairs.

    Of equals, the first in SCHEMES. So nothing but O is ``iob2``, nothing but I and O is ``io``; B
    and I are ``iob2`` if names begin with B, ``iob1`` if only touching names do; S, or E beside B,
    makes it ``iobes``, L or U ``bilou``. ValueError where no scheme has all the letters.

    >>> guess_scheme([["B-Gene", "I-Gene", "O", "B-Gene"]])
    'iob2'
    >>> guess_scheme([["I-Gene", "I-Gene", "B-Gene"], ["O", "I-Gene"]])
    'iob1'
    """
    n_repairs = dict.fromkeys(SCHEMES, 0)
    seen: set[str] = set()
    for tags in sentences:
        letters = frozenset(_parse(at, tag)[0] for at, tag in enumerate(tags) if tag != OUTSIDE)
        seen |= letters
        for name in list(n_repairs):
            if letters <= SCHEMES[name].alphabet:
                n_repairs[name] += len(find_repairs(tags, name))
            else:
                del n_repairs[name]
        if not n_repairs:
            raise ValueError(
                f"no scheme has all the letters {', '.join(sorted(seen))}; "
                f"known: {', '.join(SCHEMES)}"
            )
    return min(n_repairs, key=n_repairs.__getitem__)


def is_faithful(names: Iterable[Name], scheme: str) -> bool:
    """Tell whether ``names`` come back whole from tags of ``scheme``.

    They do if none overlap and, in ``io``, no two of the same label touch.

    >>> is_faithful([(0, 1, "Gene"), (1, 2, "Gene")], "io")
    False
    """
    row = _find_scheme(scheme)
    ordered = sorted(names)
    return not any(
        second[0] < first[1] or (_touch(first, second) and not row.parts_neighbours)
        for first, second in pairwise(ordered)
    )


def tracks(spans: Iterable[Span]) -> list[list[Span]]:
    """Part spans that may nest and overlap into as few flat tracks as there can be.

    Each span, in reading order, goes to the first track in which it overlaps nothing, so the first
    track holds the outermost names. A discontinuous span counts by its whole extent. The order in
    which spans come does not matter.

    >>> found = tracks([Span(0, 9, "Protein"), Span(0, 4, "Gene"), Span(5, 9, "Gene")])
    >>> [[(span.start, span.end) for span in track] for track in found]
    [[(0, 9)], [(0, 4), (5, 9)]]
    """
    found: list[list[Span]] = []
    for span in sorted(spans, key=reading_order):
        track = next((track for track in found if track[-1].end <= span.start), None)
        if track is None:
            found.append([span])
        else:
            track.append(span)
    return found


def _find_scheme(name: str) -> Scheme:
    if name not in SCHEMES:
        raise UnknownNameError("tag scheme", name, SCHEMES)
    return SCHEMES[name]


def _encode(n_tokens: int, names: Sequence[Name], scheme: Scheme) -> list[str]:
    tags = [OUTSIDE] * n_tokens
    place = 0
    for at, name in enumerate(names):
        start, end, label = name
        if not 0 <= start < end <= n_tokens:
            raise ValueError(f"{label!r} at tokens {start}-{end} is not within {n_tokens} tokens")
        if start < place:
            raise ValueError(f"{label!r} at tokens {start}-{end} overlaps the name before it")
        place = end
        letters = scheme.letters
        if scheme.after and at and _touch(names[at - 1], name):
            letters = scheme.after
        if scheme.before and at + 1 < len(names) and _touch(name, names[at + 1]):
            letters = scheme.before
        first, inner, last, single = (f"{letter}-{label}" for letter in letters)
        length = end - start
        tags[start:end] = [single] if length == 1 else [first, *[inner] * (length - 2), last]
    return tags


def _decode(tags: Sequence[str], scheme: Scheme) -> list[Name]:
    alphabet = scheme.alphabet
    names: list[Name] = []
    start, open_label = 0, None
    for at, tag in enumerate(tags):
        letter, label = _parse(at, tag)
        if label and letter not in alphabet:
            raise ValueError(
                f"tag {at} is {tag!r}, but the scheme has only {', '.join(sorted(alphabet))} and O"
            )
        if open_label is not None and (label != open_label or letter in _BEGINNING):
            names.append((start, at, open_label))
            open_label = None
        if label and open_label is None:
            start, open_label = at, label
        if label and letter in _ENDING:
            names.append((start, at + 1, label))
            open_label = None
    if open_label is not None:
        names.append((start, len(tags), open_label))
    return names


def _parse(at: int, tag: str) -> tuple[str, str]:
    """Split a tag into letter and label; the label of O is empty."""
    if tag == OUTSIDE:
        return OUTSIDE, ""
    letter, hyphen, label = tag.partition("-")
    if not hyphen or not label or len(letter) != 1:
        raise ValueError(f"tag {at} is {tag!r}, wanted O or a letter, a hyphen and a label")
    return letter, label


def _repairs(tags: Sequence[str], names: Sequence[Name], scheme: Scheme) -> list[Repair]:
    wanted_tags = _encode(len(tags), names, scheme)
    if list(tags) == wanted_tags:
        return []
    pairs = enumerate(zip(tags, wanted_tags, strict=True))
    return [Repair(at, tag, wanted) for at, (tag, wanted) in pairs if tag != wanted]


def _touch(first: Name, second: Name) -> bool:
    return first[1] == second[0] and first[2] == second[2]
