"""The harmonisation of 2010, as section 7 of the centroids paper describes it."""

from math import isclose, log

import pytest

from vermeil import Document, Span, SpanTable
from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import Settings
from vermeil.consensus.rivals.harmony import TokenCounts, decide, learn
from vermeil.runs.results import put_together, taken_apart

TEXT = "the p53 protein binds"
THE, P53, PROTEIN = (0, 15), (4, 7), (4, 15)
FILLER = [Document(id=f"f{n}", text=f"the cell {n}", layers={"a": (), "b": ()}) for n in range(30)]


def marked(**places: tuple[int, int]) -> Document:
    layers = {name: (Span(*place, "Gene"),) for name, place in places.items()}
    return Document(id="1", text=TEXT, layers=layers)


def harmonised(document: Document, **settings: float) -> list[tuple[int, int]]:
    options = Options(Settings(**settings))  # type: ignore[arg-type]
    first, *_ = combine([document, *FILLER], by="harmony", options=options)
    return [(span.start, span.end) for span in first.layers["consensus"]]


def test_names_that_differ_by_a_common_word_are_one() -> None:
    assert harmonised(marked(a=THE, b=PROTEIN)) == [THE]  # of equals the heavier
    assert harmonised(marked(a=THE, b=PROTEIN, c=PROTEIN)) == [PROTEIN]
    assert harmonised(marked(a=P53, b=PROTEIN)) == []  # "protein" is rare here: two names


def test_two_votes_are_enough_unless_told() -> None:
    assert harmonised(marked(a=P53, b=P53, c=PROTEIN)) == [P53]
    assert harmonised(marked(a=P53, b=P53, c=PROTEIN), min_votes=3) == []
    assert harmonised(marked(a=P53, b=P53, c=PROTEIN), min_share=0.7) == []
    assert harmonised(marked(a=P53)) == [P53]  # nobody else looked


def test_it_depends_on_the_order_of_annotators() -> None:
    """What section 7 complains of. The order is that of their names; each is like the next."""
    short, middle, long = (0, 3), (0, 9), (0, 14)

    def votes(*places: tuple[int, int]) -> int:
        layers = {f"a{n}": (Span(*place, "Gene"),) for n, place in enumerate(places)}
        table = SpanTable.from_documents([Document(id="1", text="p53 alpha beta", layers=layers)])
        found = decide(table, learn(TokenCounts.of(table)), similar=0.8)
        return round(3 * float(found.confidence.max()))

    assert votes(short, middle, long) == 3
    assert votes(short, long, middle) == 2


def test_tokens_are_weighed_by_the_documents_they_stand_in() -> None:
    table = SpanTable.from_documents(FILLER)
    weights = learn(TokenCounts.of(table))
    assert isclose(weights.of("the"), log(31 / 30))
    assert isclose(weights.of("never"), log(31))


def test_counts_of_two_parts_add_and_outlive_a_run() -> None:
    whole = TokenCounts.of(SpanTable.from_documents([marked(a=P53), *FILLER]))
    parts = TokenCounts.of(SpanTable.from_documents([marked(a=P53)])) + TokenCounts.of(
        SpanTable.from_documents(FILLER)
    )
    again = put_together(TokenCounts, taken_apart(parts))
    for each in (parts, again):
        assert (each.n_documents, each.tokens) == (whole.n_documents, whole.tokens)
        assert each.count.tolist() == whole.count.tolist()


@pytest.mark.parametrize("label", ["Disease", "Gene"])
def test_labels_are_kept_apart(label: str) -> None:
    layers = {"a": (Span(*P53, "Gene"),), "b": (Span(*P53, label),)}
    first, *_ = combine([Document(id="1", text=TEXT, layers=layers), *FILLER], by="harmony")
    assert len(first.layers["consensus"]) == (label == "Gene")
