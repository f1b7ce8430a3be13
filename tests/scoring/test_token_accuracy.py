from math import isnan

import hypothesis.strategies as st
from hypothesis import given

from vermeil.document import Document, Span
from vermeil.scoring.token_accuracy import TagCounts, count_tokens, iobes_tags
from vermeil.text.tags import encode
from vermeil.text.tokens import tokenise

TEXT = "IL-2 and the IL-2 receptor alpha chain rose"


def counted(gold: list[Span], found: list[Span], *, same_label: bool = True) -> TagCounts:
    document = Document(id="1", text=TEXT, layers={"gold": tuple(gold), "found": tuple(found)})
    return count_tokens(
        document, "found", "gold", tokeniser="separators-paper", same_label=same_label
    )


def test_a_token_is_right_if_it_has_the_same_tag() -> None:
    gold = [Span(0, 4, "G"), Span(13, 26, "G")]
    assert counted(gold, gold) == TagCounts(12, 12)
    # Nothing found: the tokens outside of names are right.
    assert counted(gold, []) == TagCounts(5, 12)
    # IL-2 for IL-2 receptor: of B I I E, B and one I are right.
    assert counted(gold, [Span(0, 4, "G"), Span(13, 17, "G")]) == TagCounts(10, 12)
    assert counted(gold, [Span(0, 4, "X"), Span(13, 26, "X")]) == TagCounts(5, 12)
    assert counted(gold, [Span(0, 4, "X"), Span(13, 26, "X")], same_label=False).accuracy == 1


def test_without_tokens_there_is_no_accuracy() -> None:
    assert isnan(TagCounts().accuracy)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 4)), max_size=6))
def test_tags_are_those_of_the_scheme_iobes(places: list[tuple[int, int]]) -> None:
    text = " ".join("abcdefghijklmnopqrstuvwxy")
    tokens = tokenise(text, by="words")
    names, reach = [], 0
    for start, length in sorted(places):
        if start >= reach and start + length <= len(tokens):
            names.append((start, start + length, "G"))
            reach = start + length
    spans = [Span(tokens[first][0], tokens[end - 1][1], name) for first, end, name in names]
    written = [f"{letter}-{name}" if name else letter for letter, name in iobes_tags(tokens, spans)]
    assert written == encode(len(tokens), names, "iobes")
