from hypothesis import given

from tests.scoring.corpora import corpora
from vermeil import Document, Span
from vermeil.scoring.pairing.matching import closest, match
from vermeil.scoring.pairing.names import ScoringBatch


def matched(wanted: tuple[Span, ...], predicted: tuple[Span, ...]) -> set[tuple[Span, Span]]:
    text = "x" * 60
    batch = ScoringBatch.of(
        [Document(id="1", text=text, layers={"gold": wanted, "ann": predicted})]
    )
    [document] = batch.table.to_documents()
    pairs = match(batch.names("gold"), batch.names("ann"))
    return {
        (document.layers["gold"][one], document.layers["ann"][other])
        for one, other in zip(pairs.wanted.tolist(), pairs.predicted.tolist(), strict=True)
    }


def characters(span: Span) -> set[int]:
    return {place for start, end in span.pieces for place in range(start, end)}


def value(span: Span) -> tuple[int, int, str, tuple[tuple[int, int], ...]]:
    return span.start, span.end, span.label, span.fragments


def naive(wanted: tuple[Span, ...], predicted: tuple[Span, ...]) -> list[tuple[int, int]]:
    """The definition: all pairs, the best first, each name once."""
    ranked = []
    for one, mine in enumerate(wanted):
        for other, theirs in enumerate(predicted):
            here, there = characters(mine), characters(theirs)
            if not here & there:
                continue
            elsewhere = (mine.start, mine.end, mine.fragments) != (
                theirs.start,
                theirs.end,
                theirs.fragments,
            )
            position = sorted((value(mine), value(theirs)))
            rank = (-len(here & there), len(here | there), elsewhere, mine.label != theirs.label)
            ranked.append((rank, position, one, other))
    pairs: list[tuple[int, int]] = []
    for *_, one, other in sorted(ranked):
        if all(one != mine and other != theirs for mine, theirs in pairs):
            pairs.append((one, other))
    return sorted(pairs)


@given(corpora())
def test_the_best_pairs_are_taken_first(documents: list[Document]) -> None:
    for document in documents:
        wanted, predicted = (document.layers.get(name, ()) for name in ("gold", "ann"))
        batch = ScoringBatch.of([document])
        pairs = match(batch.names("gold"), batch.names("ann"))
        found = sorted(zip(pairs.wanted.tolist(), pairs.predicted.tolist(), strict=True))
        values = [(value(wanted[one]), value(predicted[other])) for one, other in found]
        # Copies of a name are told apart by nothing that matters here, so values are compared.
        expected = [(value(wanted[a]), value(predicted[b])) for a, b in naive(wanted, predicted)]
        assert sorted(values) == sorted(expected)


@given(corpora())
def test_swapping_the_sides_swaps_the_pairs(documents: list[Document]) -> None:
    batch = ScoringBatch.of(documents)
    one, other = batch.names("gold"), batch.names("ann")
    there, back = match(one, other), match(other, one)
    labels = [one.label[there.wanted], other.label[there.predicted], one.start[there.wanted]]
    mirrored = [one.label[back.predicted], other.label[back.wanted], one.start[back.predicted]]
    assert sorted(zip(*(column.tolist() for column in labels), strict=True)) == sorted(
        zip(*(column.tolist() for column in mirrored), strict=True)
    )


@given(corpora())
def test_the_closest_name_is_the_best_of_all_it_overlaps(documents: list[Document]) -> None:
    for document in documents:
        wanted, predicted = (document.layers.get(name, ()) for name in ("gold", "ann"))
        batch = ScoringBatch.of([document])
        found = closest(batch.names("gold"), batch.names("ann")).tolist()
        for span, partner in zip(wanted, found, strict=True):
            alone = naive((span,), predicted)
            if partner == -1:
                assert not alone
            else:
                assert value(predicted[partner]) == value(predicted[alone[0][1]])


def test_one_long_prediction_is_matched_with_the_name_it_shares_most_with() -> None:
    short, long = Span(0, 4, "Gene"), Span(6, 20, "Gene")
    predicted = Span(0, 20, "Gene")
    assert matched((short, long), (predicted,)) == {(long, predicted)}


def test_the_same_boundaries_beat_a_longer_name_with_the_same_label() -> None:
    whole, part = Span(0, 20, "Gene"), Span(5, 10, "Disease")
    predicted = Span(5, 10, "Gene")
    assert matched((whole, part), (predicted,)) == {(part, predicted)}


def test_the_same_label_decides_between_equal_overlaps() -> None:
    left, right = Span(0, 10, "Disease"), Span(10, 20, "Gene")
    predicted = Span(5, 15, "Gene")
    assert matched((left, right), (predicted,)) == {(right, predicted)}


def test_position_decides_last() -> None:
    left, right = Span(0, 10, "Gene"), Span(10, 20, "Gene")
    predicted = Span(5, 15, "Gene")
    assert matched((left, right), (predicted,)) == {(left, predicted)}
    assert matched((predicted,), (left, right)) == {(predicted, left)}


def test_fragments_that_do_not_touch_do_not_match() -> None:
    broken = Span(0, 20, "Gene", fragments=((0, 5), (15, 20)))
    assert matched((broken,), (Span(6, 10, "Gene"),)) == set()
