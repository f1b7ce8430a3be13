"""Where the mentions of a list stand in a text: by the offsets given, or by their strings.

Offsets that mark the string they come with win, whatever order the mentions are in; letter case,
white space and the marks of word pieces are not compared, for taggers change these. Where the
offsets of a document miss, the import doctor tries the ways tools count. What still misses goes to
the place of its string that is nearest, which is noted as a repair.

Mentions without offsets are looked for as mention_search.py does. Which of several equally good
places is meant is a way of LOCATE:

* ``in-order``: the first one after the end of the mention before, or else the first one in the
  text; never the same place twice for the same string.
* ``first``: the first one.
* ``all``: every one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import msgspec

from vermeil.document import Span
from vermeil.errors import FormatError
from vermeil.formats.files.doctor import Claim, Pieces, settle
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.standoff.mention_search import MentionPlace, MentionSearch, folded

LOCATE = ("by-content", "in-order", "first", "all")
"""Ways to choose a place; which of the others is meant ``by-content``, ``chosen_way`` tells."""

PIECE_MARKS = ("##", "\u2581", "\u0120")
"""What tokenisers put before words or pieces of them: WordPiece, SentencePiece, byte-level BPE."""

FEW = 0.05
"""Share of lists that may repeat a name where names are taken to be listed once."""

Say: TypeAlias = Callable[[str, str, str], None]
"""Notes a deed, what it was done to, and the string in question."""


class Mention(msgspec.Struct, omit_defaults=True, repr_omit_defaults=True):
    """A string that somebody says is a name, and what else is said of it.

    ``text`` is empty where there are offsets only.
    """

    text: str
    label: str | None = None
    confidence: float | None = None
    ids: str | int | tuple[str | int, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    start: int | None = None
    end: int | None = None


def chosen_way(lists: Iterable[Sequence[Mention]]) -> str:
    """Tell how the names of lists are to be located: all of each, where lists name each once.

    Who lists every mention repeats names, in any text of some length; who lists names does not.
    Lists of one mention tell nothing; other spellings are other names.

    >>> once, twice = [Mention("p53"), Mention("MDM2")], [Mention("p53"), Mention("p53")]
    >>> chosen_way([once, once]), chosen_way([once, twice])
    ('all', 'in-order')
    """
    n_lists = n_repeating = 0
    for mentions in lists:
        said = [each.text for each in mentions if each.start is None]
        if len(said) > 1:
            n_lists += 1
            n_repeating += len(set(said)) < len(said)
    return "in-order" if n_repeating > FEW * n_lists else "all"


def place(
    text: str,
    mentions: Sequence[Mention],
    source: Source,
    say: Say,
    *,
    way: str,
    line: int | None = None,
) -> list[Span]:
    """Make spans of mentions; what is not in the text, or only nearly so, is said."""
    search = MentionSearch(text)
    given = [each for each in mentions if each.start is not None]
    settled = _by_offsets(text, given, search, source, say, line)
    spans = [_span(each, at) for each, at in zip(given, settled, strict=True) if at]
    bare = [each for each in mentions if each.start is None]
    taken = {(_key(each.text), *at) for each, at in zip(given, settled, strict=True) if at}
    spans += _by_strings(bare, search, taken, say, way=way)
    return list(dict.fromkeys(spans))


def _by_offsets(
    text: str,
    mentions: Sequence[Mention],
    search: MentionSearch,
    source: Source,
    say: Say,
    line: int | None,
) -> list[tuple[int, int] | None]:
    """Find the stretch of each mention with offsets; None where there is none."""
    claims = [Claim((_offsets(each),), each.text or None, line) for each in mentions]
    try:
        return [pieces[0] for pieces in settle(text, claims, source, level=_key)]
    except FormatError:
        pass
    return [
        _mended(each, claim.pieces, search, text, say)
        for each, claim in zip(mentions, claims, strict=True)
    ]


def _mended(
    mention: Mention, pieces: Pieces, search: MentionSearch, text: str, say: Say
) -> tuple[int, int] | None:
    """Take the offsets of a mention if they fit, or the place of its string nearest to them."""
    [(start, end)] = pieces
    inside = 0 <= start < end <= len(text)
    if inside and _key(text[start:end]) == _key(mention.text or text[start:end]):
        return start, end
    places = search.places(mention.text) if mention.text else []
    if not places:
        what = "mentions that are not in the text" if mention.text else "offsets outside the text"
        say("dropped", what, mention.text or f"{start}-{end}")
        return None
    nearest = min(places, key=lambda place: abs(place.start - start))
    say("repaired", "offsets that do not mark their mentions, by the nearest place", mention.text)
    return nearest.start, nearest.end


def _offsets(mention: Mention) -> tuple[int, int]:
    assert mention.start is not None
    end = mention.start + len(mention.text) if mention.end is None else mention.end
    return mention.start, end


def _by_strings(
    mentions: Sequence[Mention],
    search: MentionSearch,
    taken: set[tuple[str, int, int]],
    say: Say,
    *,
    way: str,
) -> list[Span]:
    n_mentions = Counter(_key(mention.text) for mention in mentions)
    spans: list[Span] = []
    end = 0
    for mention in mentions:
        key, places = _key(mention.text), search.places(mention.text)
        chosen = places if way == "all" else places[:1]
        if way == "in-order":
            left = [place for place in places if (key, place.start, place.end) not in taken]
            chosen = [place for place in left if place.start >= end][:1] or left[:1]
        taken.update((key, place.start, place.end) for place in chosen)
        _note(mention.text, places, chosen, say)
        if way != "all" and len(places) > n_mentions[key]:
            say("guessed", "places of ambiguous mentions", mention.text)
        spans += [_span(mention, (place.start, place.end)) for place in chosen]
        end = chosen[-1].end if chosen else end
    return spans


def _note(
    mention: str, places: Sequence[MentionPlace], chosen: Sequence[MentionPlace], say: Say
) -> None:
    if not places:
        say("dropped", "mentions that are not in the text", mention)
    elif not chosen:
        say("dropped", "mentions repeated more often than in the text", mention)
    elif chosen[0].ignoring:
        say("changed", f"mentions matched ignoring {chosen[0].ignoring}", mention)


def _key(text: str) -> str:
    """Spell a mention so that those that can match the same places are the same."""
    for mark in PIECE_MARKS:
        text = text.removeprefix(mark)
    return folded("".join(text.split()))


def _span(mention: Mention, place: tuple[int, int]) -> Span:
    ids = mention.ids if isinstance(mention.ids, tuple) else (mention.ids,)
    assert mention.label is not None
    return Span(
        *place,
        mention.label,
        mention.confidence,
        ids=tuple(map(str, ids)),
        attributes=mention.attributes,
    )
