"""Tokens with a tag each, as the column formats hold them: from spans and back.

Writing: tokens come from a tokeniser and are split further wherever a span begins or ends, so no
span moves; spans that overlap go to further tracks of tags. Reading: the scheme is an option, or
guessed from the first documents of the file; tags that break it are repaired and counted, left
out, or refused (``repair``). A tag of one letter, as BioBERT's files have them, gets the label of
the option ``label``; with ``scheme=io`` a tag may be a label alone, as Stanford NER has them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import cast

from vermeil.document import Document, Layer, Span
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source
from vermeil.shown import Brief
from vermeil.text.tags import (
    OUTSIDE,
    SCHEMES,
    Name,
    RepairPolicy,
    decode,
    encode,
    find_repairs,
    guess_scheme,
    is_faithful,
    tracks,
)
from vermeil.text.tokens import TOKENISERS, Token

AUTO = "auto"
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "scheme": (AUTO, *SCHEMES),
    "tokens": tuple(TOKENISERS),
    "repair": ("lenient", "drop", "strict"),
    "label": (),
}
CARRIES = frozenset(
    {"text", "line breaks", "control", "spans", "layers", "abstention", "labels", "nested"}
    | {"offsets"}
)

UNSEEN = "?"
"""The cell of an annotator who did not see the token, as files of crowds have it."""

_N_SAMPLED = 500
_TAG = re.compile(r"[A-Z]-.+", re.DOTALL)
_BARE = re.compile(r"[BIESLU]")


@dataclass(frozen=True, slots=True, repr=False)
class TaggedText(Brief):
    """A document whose names are still tags.

    ``sentences`` holds the offsets of the tokens, ``columns`` pairs of annotator and tags, sentence
    by sentence. ``lines`` says where each sentence begins in the file; ``step`` is 1 where every
    token has a line of its own and 0 where they share one.
    """

    id: str
    text: str
    sentences: Sequence[Sequence[Token]]
    columns: Sequence[tuple[str, Sequence[Sequence[str]]]]
    lines: Sequence[int]
    step: int


def to_documents(texts: Iterable[TaggedText], source: Source) -> Iterator[Document]:
    """Read the names off the tags; a document that cannot be made goes to ``source.bad``."""
    texts = iter(texts)
    sample = list(islice(texts, _N_SAMPLED))
    fixed = source.options["scheme"]
    scheme = _guess(sample) if fixed == AUTO else fixed
    for tagged in chain(sample, texts):
        line = tagged.lines[0] if tagged.lines else None
        with source.guard(line, tagged.text):
            fitting = scheme if fixed != AUTO or _fits(tagged, scheme) else _guess([tagged])
            yield Document(id=tagged.id, text=tagged.text, layers=_layers(tagged, fitting, source))


def tidy_tag(tag: str, source: Source, line: int | None) -> str:
    """Spell a tag as a letter, a hyphen and a label, or O; refuse what is none."""
    if tag == OUTSIDE or _TAG.fullmatch(tag):
        return tag
    if _BARE.fullmatch(tag):
        label = source.options["label"] or "Entity"
        source.ledger.note("changed", f"tags without a label to {label}", source.where(line))
        return f"{tag}-{label}"
    if tag and source.options["scheme"] == "io":
        return f"I-{tag}"
    raise source.error(
        line,
        f"tag {tag!r}, wanted O or a letter, a hyphen and a label like B-Gene; "
        "if the tags are labels alone, say so with scheme=io",
    )


def looks_like_tag(cell: str) -> bool:
    """Tell whether a string can be a tag of any scheme."""
    return cell == OUTSIDE or bool(re.fullmatch(r"[BIESLU](?:-\S+)?", cell))


def cut(text: str, layers: Mapping[str, Layer], *, by: str) -> list[Token]:
    """Tokenise, and split tokens wherever a span begins or ends."""
    spans = chain.from_iterable(layers.values())
    edges = sorted({edge for span in spans for edge in (span.start, span.end)})
    tokens: list[Token] = []
    for start, end in TOKENISERS[by](text):
        inner = edges[bisect_right(edges, start) : bisect_left(edges, end)]
        tokens.extend(pairwise((start, *inner, end)))
    return tokens


def names_by_track(tokens: Sequence[Token], layer: Layer) -> list[list[Name]]:
    """Part a layer into flat tracks of names over tokens; an empty layer has one empty track."""
    first = {start: at for at, (start, _) in enumerate(tokens)}
    last = {end: at + 1 for at, (_, end) in enumerate(tokens)}
    return [
        [(first[span.start], last[span.end], span.label) for span in track]
        for track in tracks(layer) or [[]]
    ]


def tag_names(
    n_tokens: int, names: Sequence[Name], scheme: str, ledger: Ledger, id: str
) -> list[str]:
    """Write one track as tags; what the scheme cannot tell apart is noted."""
    chosen = "iob2" if scheme == AUTO else scheme
    if not is_faithful(names, chosen):
        ledger.note("changed", f"touching names into one, as {chosen} must", id)
    return encode(n_tokens, names, chosen)


def lay_out(sentences: Sequence[Sequence[str]]) -> tuple[str, list[list[Token]]]:
    """Make a text of tokens, joined by one space, and sentences, joined by a line break.

    >>> lay_out([["IL-2", "binds"], ["Yes"]])
    ('IL-2 binds\\nYes', [[(0, 4), (5, 10)], [(11, 14)]])
    """
    offsets: list[list[Token]] = []
    place = 0
    for sentence in sentences:
        offsets.append([])
        for token in sentence:
            offsets[-1].append((place, place + len(token)))
            place += len(token) + 1
    return "\n".join(map(" ".join, sentences)), offsets


def find_in(text: str, tokens: Sequence[str], place: int = 0) -> list[Token]:
    """Find the tokens in the text, one after the other with nothing but white space between.

    ValueError names the first that is not where it should be.
    """
    found: list[Token] = []
    for token in tokens:
        while place < len(text) and text[place].isspace() and not text.startswith(token, place):
            place += 1
        if not text.startswith(token, place):
            rest = text[place : place + 20]
            raise ValueError(f"token {token!r} does not come next in the text, which has {rest!r}")
        found.append((place, place := place + len(token)))
    return found


def _layers(tagged: TaggedText, scheme: str, source: Source) -> dict[str, Layer]:
    layers: dict[str, Layer] = {}
    for annotator, column in tagged.columns:
        spans = tuple(_spans(tagged, column, scheme, source))
        layers[annotator] = layers.get(annotator, ()) + spans
    return layers


def _spans(
    tagged: TaggedText, column: Sequence[Sequence[str]], scheme: str, source: Source
) -> Iterator[Span]:
    policy = cast(RepairPolicy, source.options["repair"])
    for tokens, tags, line in zip(tagged.sentences, column, tagged.lines, strict=True):
        if not any(tag != OUTSIDE for tag in tags):
            continue
        names = decode(tags, scheme, repair="lenient" if policy == "strict" else policy)
        repairs = find_repairs(tags, scheme)
        if repairs:
            at, tag, wanted = repairs[0]
            place, reason = line + at * tagged.step, f"{tag!r} where {scheme} wants {wanted!r}"
            if policy == "strict":
                raise source.error(place, f"tag {reason}")
            deed = "dropped names with" if policy == "drop" else "repaired"
            source.ledger.note(deed, "tags", source.where(place), n=len(repairs), detail=reason)
        for first, last, label in names:
            yield Span(tokens[first][0], tokens[last - 1][1], label)


def _guess(texts: Iterable[TaggedText]) -> str:
    sentences = [tags for tagged in texts for _, column in tagged.columns for tags in column]
    try:
        return guess_scheme(sentences)
    except ValueError:
        return "iob2"  # each document is then looked at on its own, and a bad one named


def _fits(tagged: TaggedText, scheme: str) -> bool:
    alphabet = SCHEMES[scheme].alphabet | {OUTSIDE}
    return all(
        tag[0] in alphabet for _, column in tagged.columns for tags in column for tag in tags
    )
