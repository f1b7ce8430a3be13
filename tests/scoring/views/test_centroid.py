from math import isnan, nan

import pytest
from hypothesis import given

from tests.scoring.annotated import annotated
from tests.scoring.corpora import corpora
from tests.scoring.looking import score
from vermeil import Centroid, Document, Span
from vermeil.scoring.pairing.names import ScoringBatch
from vermeil.scoring.scores import Scores

# Section 6's running example, with the distribution of Figure 4 (1).
TEXT = "a member of the endogenous TGF-beta-specific complex observed in nuclear extracts"
TGF = Centroid(27, 35, "Gene", 4.0, ((27, 2.0), (16, 2.0)), ((35, 2.0), (52, 2.0)))
# Figure 4 (2), with r:0:3 for the misprint r:0:2.
P75_TEXT = "Rel-related human p75 nucleoprotein complex"
P75 = Centroid(
    18, 21, "Gene", 7.0, ((18, 2.0), (12, 3.0), (0, 2.0)), ((21, 3.0), (35, 1.0), (43, 3.0))
)


def scored(text: str, standard: Centroid, *ann: Span, same_label: bool | None = None) -> Scores:
    document = Document(id="1", text=text, layers={"ann": ann}, standards={"gold": (standard,)})
    return score([document], standard="gold", same_label=same_label)["ann"]


def marked(text: str, name: str, label: str = "Gene") -> Span:
    return Span(text.index(name), text.index(name) + len(name), label)


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("TGF-beta", 1, 1),
        ("TGF-beta-specific complex", 1, 1),
        ("TGF-beta-specific", 1, 0),
        ("endogenous TGF-beta", 1, 1),
    ],
)
def test_section_6_scores_of_the_running_example(name: str, left: float, right: float) -> None:
    scores = scored(TEXT, TGF, marked(TEXT, name))
    counts = scores.counts("centroid")
    assert (counts.precision, counts.recall) == (1, 1)
    assert (scores.boundaries.mean_left, scores.boundaries.mean_right) == (left, right)


def test_p75_nucleoprotein_is_right_with_a_third_for_its_right_boundary() -> None:
    scores = scored(P75_TEXT, P75, marked(P75_TEXT, "p75 nucleoprotein"))
    assert scores.counts("centroid").f1 == 1
    assert scores.boundaries.mean_left == pytest.approx(2 / 3)
    assert scores.boundaries.mean_right == pytest.approx(1 / 3)


def test_a_prediction_beyond_the_extent_is_a_near_miss() -> None:
    scores = scored(TEXT, TGF, marked(TEXT, "the endogenous TGF-beta"))
    predicted, wanted = scores.views["centroid"].outcomes
    assert predicted["near"] == wanted["near"] == 1
    assert isnan(scores.boundaries.mean_left)


def test_a_prediction_that_misses_part_of_the_heart_is_a_near_miss() -> None:
    predicted, wanted = scored(TEXT, TGF, marked(TEXT, "TGF")).views["centroid"].outcomes
    assert predicted["near"] == wanted["near"] == 1


def test_beside_the_heart_the_prediction_is_near_but_the_centroid_totally_missed() -> None:
    predicted, wanted = scored(TEXT, TGF, marked(TEXT, "complex")).views["centroid"].outcomes
    assert (predicted["near"], wanted["total"]) == (1, 1)


def test_elsewhere_both_are_total_misses() -> None:
    predicted, wanted = scored(TEXT, TGF, marked(TEXT, "nuclear")).views["centroid"].outcomes
    assert predicted["total"] == wanted["total"] == 1


def test_labels_are_compared_unless_asked_otherwise() -> None:
    drug = marked(TEXT, "TGF-beta", "Drug")
    assert scored(TEXT, TGF, drug).views["centroid"].outcomes[1]["near"] == 1
    assert scored(TEXT, TGF, drug, same_label=False).counts("centroid").f1 == 1


def test_white_space_at_an_edge_does_not_count() -> None:
    loose = Span(26, 36, "Gene")
    assert TEXT[loose.start] == " "
    scores = scored(TEXT.replace("beta-", "beta "), TGF, loose)
    assert scores.boundaries.mean_right == scores.boundaries.mean_left == 1


def test_names_and_alternatives_vote_for_the_centroids() -> None:
    """Figure 1: four names, one heart."""
    names = ["TGF-beta", "endogenous TGF-beta", "TGF-beta-specific complex"]
    alternatives = [marked(TEXT, name) for name in names]
    core = marked(TEXT, "endogenous TGF-beta-specific complex")
    layers = {
        "gold": (core,),
        "gold.alternatives": tuple(alternatives),
        "ann": (marked(TEXT, "TGF-beta-specific"),),
    }
    scores = score([Document(id="1", text=TEXT, layers=layers)], standard="gold")["ann"]
    assert scores.counts("centroid").f1 == 1
    assert (scores.boundaries.mean_left, scores.boundaries.mean_right) == (1, 0)


def test_a_standard_of_centroids_alone_has_its_modal_spans_for_names() -> None:
    scores = scored(TEXT, TGF, TGF.modal)
    assert scores.counts("exact").f1 == 1


@pytest.mark.parametrize("is_mirrored", [False, True])
def test_of_two_centroids_a_prediction_gets_the_one_that_scores_best(is_mirrored: bool) -> None:
    sure, unsure = ((0, 10), ((3.0, 3.0), (3.0, 3.0))), ((0, 10), ((1.0, 3.0), (3.0, 1.0)))
    hearts = [(2, 4), (6, 8)]
    values = [unsure, sure] if is_mirrored else [sure, unsure]
    standard = tuple(
        Centroid(
            start,
            end,
            "Gene",
            3.0,
            ((start, left[1]), (low, left[0])),
            ((end, right[0]), (high, right[1])),
        )
        for (start, end), ((low, high), (left, right)) in zip(hearts, values, strict=True)
    )
    document = Document(
        id="1",
        text="abcdefghij",
        layers={"ann": (Span(0, 10, "Gene"),)},
        standards={"gold": standard},
    )
    scores = score([document], standard="gold")["ann"]
    assert scores.counts("centroid").found == 2
    assert (scores.boundaries.mean_left, scores.boundaries.mean_right) == (1, 1)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    if text[start:end].isspace():
        return start, end
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    return start, end


def value_at(text: str, centroid: Centroid, place: int, side: str) -> float:
    """Compute the score of a boundary, from the definition."""
    values: dict[int, float] = {}
    heart = trimmed(text, centroid.start, centroid.end)
    for at, value in getattr(centroid, side):
        where = trimmed(text, at, heart[1])[0] if side == "left" else trimmed(text, heart[0], at)[1]
        values[where] = values.get(where, 0) + value
    return values.get(place, 0) / max(values.values())


def naive(document: Document) -> tuple[list[float], list[tuple[float, float]]]:
    """Count right, predicted, found, wanted, and the boundary scores of right predictions."""
    text = document.text
    standard = document.standards.get("gold")
    if standard is None:
        pieces = [(s.label, *p) for s in document.layers["gold"] for p in s.pieces]
        standard = tuple(Centroid.of(Span(start, end, label)) for label, start, end in pieces)
    right, scores, found = 0, [], set()
    predicted = document.layers.get("ann", ())
    for span in predicted:
        best = []
        for piece in span.pieces:
            start, end = trimmed(text, *piece)
            options = []
            for number, each in enumerate(standard):
                heart = trimmed(text, each.start, each.end)
                low = trimmed(text, each.extent[0], heart[1])[0]
                high = trimmed(text, heart[0], each.extent[1])[1]
                inside = low <= start <= heart[0] and heart[1] <= end <= high
                if inside and span.label == each.label:
                    found.add(number)
                    left = value_at(text, each, start, "left")
                    options.append((left + (r := value_at(text, each, end, "right")), left, r))
            best.append(max(options)[1:] if options else None)
        good = [each for each in best if each]
        if len(good) == len(best):
            right += 1
            scores.append(
                (sum(s[0] for s in good) / len(good), sum(s[1] for s in good) / len(good))
            )
    return [right, len(predicted), len(found), len(standard)], scores


@given(corpora(with_centroids=True))
def test_counts_and_boundary_scores_are_those_of_the_definition(documents: list[Document]) -> None:
    bare = [
        each.replace(layers={n: s for n, s in each.layers.items() if n != "gold.alternatives"})
        for each in documents
        if "gold" in each.layers
    ]
    scores = score(bare, standard="gold", systems=["ann"])["ann"] if _looked(bare) else None
    if scores is None:
        return
    expected = [naive(document) for document in sorted(bare, key=lambda each: each.id)]
    assert scores.per_document("centroid").tolist() == [counts for counts, _ in expected]
    boundaries = [pair for _, pairs in expected for pair in pairs]
    for side, mean in enumerate((scores.boundaries.mean_left, scores.boundaries.mean_right)):
        values = [pair[side] for pair in boundaries]
        assert mean == pytest.approx(sum(values) / len(values) if values else nan, nan_ok=True)


def _looked(documents: list[Document]) -> bool:
    return any("ann" in document.layers for document in documents)


@given(corpora())
def test_a_plain_standard_finds_itself(documents: list[Document]) -> None:
    same = [
        Document(id=each.id, text=each.text, layers=dict.fromkeys(("gold", "ann"), layer))
        for each in documents
        if (layer := each.layers.get("gold")) is not None
    ]
    scores = score(same, standard="gold")["ann"]
    counts = scores.counts("centroid")
    assert (counts.right, counts.found) == (counts.predicted, counts.wanted)
    if counts.right:
        assert scores.boundaries.mean_left == scores.boundaries.mean_right == 1


@given(annotated())
def test_stretches_are_trimmed_as_strings_are(corpus: list[Document]) -> None:
    batch = ScoringBatch.of(corpus)
    names = batch.names("anna")
    text = "".join(document.text + "\n" for document in corpus)
    start, end = batch.trimmed(names.start, names.end)
    for row, (first, last) in enumerate(zip(start, end, strict=True)):
        whole = text[names.start[row] : names.end[row]]
        assert text[first:last] == (whole.strip() or whole)
        assert names.start[row] <= first < last <= names.end[row]
