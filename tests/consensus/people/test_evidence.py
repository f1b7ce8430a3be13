"""What is said with labels together and apart, gathered once where both say the same."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.batches import batches
from vermeil import Document, Span, SpanTable
from vermeil.columns.levels import levels_of
from vermeil.consensus.people import evidence
from vermeil.consensus.people.evidence import gather, gather_both

WHO = ("a", "b", "c.alternatives")
Said = tuple[object, ...]


def said_in(table: SpanTable, *parts: evidence.Testimony) -> Counter[Said]:
    """Count hearts with their place and level and all that is said of them."""
    found: Counter[Said] = Counter()
    for part in parts:
        start, end = part.axis.bounds(part.hearts.first, part.hearts.end)
        level = part.hearts.group // part.n_labels
        entries = (part.annotator, part.label, part.left, part.right, part.step)
        rows = zip(*(column.tolist() for column in entries), strict=True)
        every = list(rows)
        bounds = part.first.tolist()
        for heart in range(len(part)):
            place = (part.document[heart], start[heart], end[heart], level[heart])
            said = every[bounds[heart] : bounds[heart + 1]]
            found[(*map(int, place), *said)] += 1
    return found


@given(
    batches(annotators=WHO), st.sampled_from(["", "-"]), st.booleans(), st.sampled_from(["", "a"])
)
def test_what_is_gathered_once_is_what_is_gathered_twice(
    batch: list[Document], ignored: str, has_levels: bool, settled: str
) -> None:
    table = SpanTable.from_documents(batch)
    levels = levels_of(table) if has_levels else None
    both = gather_both(table, ignored=ignored, levels=levels, settled=settled)
    for together, own in ((True, both.pooled), (False, both.apart)):
        wanted = gather(table, together=together, ignored=ignored, levels=levels, settled=settled)
        assert said_in(table, both.shared, own) == said_in(table, wanted)


def test_only_hearts_among_names_of_several_labels_are_gathered_twice() -> None:
    layers = {
        "a": (Span(0, 3, "Gene"), Span(10, 13, "Gene")),
        "b": (Span(0, 3, "Gene"), Span(10, 13, "Disease")),
    }
    table = SpanTable.from_documents([Document(id="1", text="p53 binds p63", layers=layers)])
    shared, pooled, apart = gather_both(table)
    assert (len(shared), len(pooled), len(apart)) == (1, 1, 2)
