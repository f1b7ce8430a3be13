from hypothesis import assume, given

from tests.batches import batches
from vermeil import Document, Span
from vermeil.reports.spans.boundary_offsets import BIN_NAMES, boundary_offsets
from vermeil.scoring.scores import score


def offsets(wanted: Span, predicted: Span) -> tuple[dict[str, float], dict[str, float]]:
    layers = {"gold": (wanted,), "anna": (predicted,)}
    document = Document(id="1", text="x" * 60, layers=layers)
    sides = boundary_offsets(score([document], standard="gold")["anna"])
    left, right = (dict(zip(BIN_NAMES, side, strict=True)) for side in sides)
    return ({k: n for k, n in left.items() if n}, {k: n for k, n in right.items() if n})


def test_edges_are_counted_by_how_far_off_they_are_and_which_way() -> None:
    wanted = Span(20, 30, "Gene")
    assert offsets(wanted, Span(19, 30, "Gene")) == ({"-1": 1}, {})
    assert offsets(wanted, Span(27, 50, "Gene")) == ({"6–7": 1}, {"12+": 1})
    assert offsets(wanted, Span(12, 25, "Disease")) == ({"-8–11": 1}, {"-5": 1})
    assert offsets(wanted, wanted) == ({}, {})


@given(batches(annotators=("gold", "anna")))
def test_as_many_edges_are_off_as_matched_names_have_another_edge(batch: list[Document]) -> None:
    assume(all(any(name in each.layers for each in batch) for name in ("gold", "anna")))
    scores = score(batch, standard="gold")["anna"]
    left, right = boundary_offsets(scores)
    n_matched = sum(n for pair, n in scores.confusion.cells.items() if "" not in pair)
    assert sum(left) <= n_matched
    assert sum(right) <= n_matched
    if scores.counts("boundaries").right == n_matched:
        assert sum(left) == sum(right) == 0
