import re
from collections import Counter

from hypothesis import given

from tests.batches import batches
from vermeil import Document, Span
from vermeil.scoring.gold.repeats import Repeat, find_repeats
from vermeil.text.tokens import fine

BATCHES = batches(annotators=("gold", "gold.alternatives"))


def annotated(text: str, *names: str, id: str = "1") -> Document:
    spans = tuple(Span(text.index(name), text.index(name) + len(name), "Gene") for name in names)
    return Document(id=id, text=text, layers={"gold": spans})


def found(*batch: Document) -> list[tuple[str, int, int, int]]:
    repeats = find_repeats(batch, "gold")
    return [(each.text, each.n_annotated, len(each.bare), each.n_inside) for each in repeats]


def test_a_string_annotated_here_and_not_there_is_found() -> None:
    batch = annotated("p53 binds Rel", "p53"), annotated("Rel and p53 bind p53", "Rel", id="2")
    assert found(*batch) == [("p53", 1, 2, 0), ("Rel", 1, 1, 0)]
    [first, _] = find_repeats(batch, "gold")
    assert [(document.id, start, end) for document, start, end in first.bare] == [
        ("2", 8, 11),
        ("2", 17, 20),
    ]


def test_a_string_within_a_word_is_another_string() -> None:
    assert found(annotated("p53 is not p531, xp53 or P53", "p53")) == []
    assert found(annotated("IL-2 is not IL-2R or IL-21", "IL-2")) == []


def test_a_name_within_a_word_is_not_sought() -> None:
    assert found(annotated("preS2 and S", "S")) == []


def test_a_string_beside_a_hyphen_is_the_same() -> None:
    assert found(annotated("p53 and p53-dependent", "p53")) == [("p53", 1, 1, 0)]


def test_white_space_counts_but_not_how_much() -> None:
    text = "IL 2 is IL\n 2 but not IL2"
    assert found(annotated(text, "IL 2")) == [("IL 2", 1, 1, 0)]


def test_a_string_within_a_longer_name_is_neither() -> None:
    text = "p53 and p53 protein and p53"
    assert found(annotated(text, "p53", "p53 protein")) == [("p53", 1, 1, 1)]


def test_strings_that_need_most_changes_come_first() -> None:
    often = annotated("ras raf raf raf raf", "ras", "raf")
    both = Document(
        id="2",
        text="ras ras ras",
        layers={"gold": (Span(0, 3, "Gene"),)},
    )
    assert [text for text, *_ in found(often, both)] == ["ras", "raf"]


def stretches(document: Document) -> list[tuple[int, int]]:
    """List every stretch from token to token with no letter or digit beyond."""
    text, tokens = document.text, fine(document.text)
    bounds = [(first, last) for first, _ in tokens for _, last in tokens if first < last]
    return [
        (first, last)
        for first, last in bounds
        if not re.fullmatch(r"[^\W_]{2}", text[max(0, first - 1) : first + 1])
        and not re.fullmatch(r"[^\W_]{2}", text[last - 1 : last + 1])
    ]


def naive(batch: list[Document]) -> set[tuple[str, int, int, int]]:
    """Compare every stretch of every text with every name."""
    annotated, sought = Counter[str](), set()
    bare, inside = Counter[str](), Counter[str]()
    whole = {
        document.id: {
            (span.start, span.end)
            for layer in document.layers.values()
            for span in layer
            if not span.fragments
        }
        for document in batch
    }

    def string(document: Document, place: tuple[int, int]) -> str:
        return " ".join(document.text[slice(*place)].split())

    for document in batch:
        annotated.update(string(document, place) for place in whole[document.id])
        sought |= {string(document, place) for place in whole[document.id] & {*stretches(document)}}
    for document in batch:
        pieces = [piece for layer in document.layers.values() for s in layer for piece in s.pieces]
        for start, end in stretches(document):
            text = string(document, (start, end))
            if text in sought and (start, end) not in whole[document.id]:
                touched = any(first < end and start < last for first, last in pieces)
                (inside if touched else bare)[text] += 1
    return {(text, annotated[text], bare[text], inside[text]) for text in bare}


@given(BATCHES)
def test_it_is_the_naive_search(batch: list[Document]) -> None:
    assert set(found(*batch)) == naive(batch)


@given(BATCHES)
def test_it_finds_the_same_in_any_order(batch: list[Document]) -> None:

    def rows(repeats: list[Repeat]) -> list[object]:
        return [
            (each.text, each.label, each.n_annotated, [(d.id, s, e) for d, s, e in each.bare])
            for each in repeats
        ]

    assert rows(find_repeats(batch, "gold")) == rows(find_repeats(batch[::-1], "gold"))
