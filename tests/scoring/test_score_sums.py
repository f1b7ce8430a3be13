from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.generated import documents as generated
from tests.in_full import in_full
from vermeil import Centroid, Document, Span
from vermeil.runs.results import Result, put_together, taken_apart
from vermeil.scope import Scope
from vermeil.scoring.ranked import RankedPredictions
from vermeil.scoring.readings import ScoreSums
from vermeil.scoring.scores import VIEWS, score
from vermeil.scoring.stage import ScoreStage
from vermeil.scoring.views.instances import offenders

OPTIONS = ScoreStage(
    "anna", against="llm", mistakes="exact", ranked=True, listed=True, same_label=None
)


def corpus() -> list[Document]:
    """Documents, each text twice, that lack the standard, a system or a label here and there."""
    made = []
    for number, document in enumerate([*generated(12), *generated(12)]):
        document = document.replace(id=f"{(number * 7) % 24:02}")
        rare = "Chemical" if number < 9 else ""
        layers = {
            name: tuple(span for span in layer if span.label != rare)
            for name, layer in document.layers.items()
        }
        if number % 5 == 3:
            del layers["anna"]
        if number < 8:
            del layers["ben"]
        if number > 15:
            del layers["llm"]
        standards = {"anna": tuple(map(Centroid.of, layers["dictionary"]))} if number % 4 else {}
        made.append(document.replace(layers=layers, standards=standards))
    return made


def stored(sums: ScoreSums) -> ScoreSums:
    """Return the sums as they come back from a file."""
    result = taken_apart(sums)
    facts = msgspec.json.decode(msgspec.json.encode(result.facts))
    return put_together(ScoreSums, Result(facts, result.arrays))


def figures(sums: ScoreSums) -> object:
    said = []
    for name, each in sums.of_systems("anna").items():
        assert each.confidences is not None
        views = [
            (view.counts, dict(view.by_label), view.outcomes, view.over_labels, view.over_documents)
            for view in each.views.values()
        ]
        pairs = [rows.tolist() for view in VIEWS for rows in each.views[view].pairs]
        worst = [(one.n, one.first) for one in each.worst(1000)]
        confidences = each.confidences.judged(each.views["exact"])
        known = [confidences.confidence.tolist(), confidences.label.tolist()]
        means = each.left.value, each.right.value, each.confidences.over_documents.value
        rest = each.n_documents, each.n_absent, list(each.confusion.items())
        said.append((name, views, pairs, worst, repr(known), repr(means), rest))
    return in_full(said)


@given(cuts=st.lists(st.integers(0, 24), max_size=4))
def test_parts_add_to_the_whole_however_they_are_cut(cuts: list[int]) -> None:
    whole = corpus()
    bounds = [0, *sorted(cuts), len(whole)]
    total = ScoreSums()
    for first, last in pairwise(bounds):
        total += stored(OPTIONS.observe(iter(whole[first:last])))
    assert figures(total) == figures(OPTIONS.observe(iter(whole)))
    assert sorted(total.ids) == sorted(
        each.id for each in whole if "anna" in each.layers or each.standards
    )


def test_the_figures_are_those_of_all_documents_scored_at_once() -> None:
    whole = corpus()
    at_once = score(whole, standard="anna")
    sums = OPTIONS.observe(iter(whole)).of_systems("anna")
    assert list(sums) == list(at_once)
    for name, scores in at_once.items():
        found = sums[name]
        assert (found.n_documents, found.n_absent) == (len(scores.documents), scores.n_absent)
        for view in VIEWS:
            mine, theirs = found.views[view], scores.views[view]
            assert mine.counts == theirs.counts
            assert mine.by_label == theirs.by_label
            assert mine.outcomes == theirs.outcomes
            assert repr(mine.over_labels) == repr(theirs.over_labels)
            assert repr(mine.over_documents) == repr(theirs.over_documents)
        assert repr(found.left.value) == repr(scores.boundaries.mean_left)
        assert repr(found.right.value) == repr(scores.boundaries.mean_right)
        assert list(found.confusion.items()) == list(scores.confusion.cells.items())
        assert found.worst(50) == offenders(scores, "exact", 50)


LOOKED = msgspec.structs.replace(OPTIONS, looked=True, tokeniser="fine")


@given(cuts=st.lists(st.integers(0, 24), max_size=4))
def test_parts_add_to_the_whole_where_only_what_was_looked_at_counts(cuts: list[int]) -> None:
    whole = corpus()
    bounds = [0, *sorted(cuts), len(whole)]
    total = ScoreSums()
    for first, last in pairwise(bounds):
        total += stored(LOOKED.observe(iter(whole[first:last])))
    assert figures(total) == figures(LOOKED.observe(iter(whole)))


@pytest.mark.parametrize("system", ["ben", "llm", "tagger"])
def test_where_a_system_did_not_look_nothing_counts_for_it(system: str) -> None:
    whole = corpus()
    seen = [each for each in whole if system in each.layers]
    mine = LOOKED.observe(iter(whole)).of_systems("anna")[system]
    alone = LOOKED.observe(iter(seen)).of_systems("anna")[system]
    assert mine.n_documents - mine.n_absent == alone.n_documents
    for view in VIEWS:
        assert mine.views[view].counts == alone.views[view].counts
        assert mine.views[view].rows.expanded.tolist() == alone.views[view].rows.expanded.tolist()
        assert [rows.tolist() for rows in mine.views[view].pairs] == [
            rows.tolist() for rows in alone.views[view].pairs
        ]
    assert mine.tags == alone.tags
    assert mine.left_out == alone.left_out
    assert mine.worst(99) == alone.worst(99)
    assert list(mine.confusion.items()) == list(alone.confusion.items())


def test_whoever_looked_at_little_is_scored_on_that_alone_with_the_same_figures() -> None:
    whole = []
    for number, each in enumerate(corpus()):
        layers = {f"{name}-{number % 4}": layer for name, layer in each.layers.items()}
        layers |= {"anna": each.layers["anna"]} if "anna" in each.layers else {}
        whole.append(each.replace(layers=layers))
    stage = ScoreStage("anna", mistakes="exact", ranked=True, looked=True)
    sums = stage.observe(iter(whole)).of_systems("anna")
    assert len(sums) == 20
    for name, scores in score(whole, standard="anna", looked=True, scope=Scope()).items():
        found = sums[name]
        assert (found.n_documents, found.n_absent) == (len(scores.documents), scores.n_absent)
        assert found.n_absent > len(scores.documents) / 2
        for view in VIEWS:
            mine, theirs = found.views[view], scores.views[view]
            assert mine.counts == theirs.counts
            assert mine.by_label == theirs.by_label
            assert mine.outcomes == theirs.outcomes
        assert repr(found.left.value) == repr(scores.boundaries.mean_left)
        assert list(found.confusion.items()) == list(scores.confusion.cells.items())
        assert found.worst(50) == offenders(scores, "exact", 50)


def test_who_looked_nowhere_has_no_figures() -> None:
    whole = [each.replace(layers={"anna": each.layers.get("anna", ())}) for each in corpus()]
    whole += [Document(id="x", text="p53", layers={"eve": (Span(0, 3, "Gene"),)})]
    eve = LOOKED.observe(iter(whole)).of_systems("anna")["eve"]
    assert eve.n_documents == eve.n_absent
    assert eve.counts("exact").wanted == 0


def test_rankings_are_those_of_all_documents_scored_at_once() -> None:
    whole = corpus()
    scores = score(whole, standard="anna")["tagger"]
    judged = RankedPredictions.by(scores.views["exact"])
    found = OPTIONS.observe(iter(whole)).of_systems("anna")["tagger"]
    assert found.confidences is not None
    assert found.confidences.are_known
    mine = found.confidences.judged(found.views["exact"])
    assert mine.ranking.pooled.tolist() == judged.ranking.pooled.tolist()
    assert mine.over_labels == judged.over_labels
    assert found.confidences.over_documents.value == judged.over_documents


def test_scores_made_at_once_have_the_same_sums() -> None:
    whole = [each for each in corpus() if "llm" in each.layers]
    at_once = OPTIONS.sums_of(score(whole, standard="anna"))
    batched = OPTIONS.observe(iter(whole)).of_systems("anna")
    for name, sums in at_once.items():
        for view in VIEWS:
            assert sums.views[view].counts == batched[name].views[view].counts
            assert sums.views[view].pairs[0].tolist() == batched[name].views[view].pairs[0].tolist()


FLAT = ScoreStage("gold", overlaps="alternatives", annotated=True)


def flat_corpus(*, marked: bool) -> list[Document]:
    """Documents of which some have overlapping names, and the last perhaps alternatives."""
    wide, narrow, other = Span(0, 12, "Gene"), Span(4, 12, "Gene"), Span(16, 20, "Gene")
    text = "the p53 gene and MDM2 bind"
    layers: list[dict[str, tuple[Span, ...]]] = [
        {"gold": (wide, narrow), "x": (narrow,)},
        {"gold": (other,), "x": (other,), "y": (narrow,)},
        {"gold": (wide, narrow, other), "y": (wide, other)},
        {"x": (other,)},
        {"gold": (other,), **({"gold.alternatives": ()} if marked else {})},
    ]
    return [Document(id=str(n), text=text, layers=each) for n, each in enumerate(layers)]


@pytest.mark.parametrize("marked", [False, True])
@given(cuts=st.lists(st.integers(0, 5), max_size=3))
def test_whether_a_standard_is_flat_does_not_depend_on_how_it_is_cut(
    marked: bool, cuts: list[int]
) -> None:
    documents = flat_corpus(marked=marked)
    whole = FLAT.observe(iter(documents))
    total = ScoreSums()
    for first, last in pairwise([0, *sorted(cuts), len(documents)]):
        total += stored(FLAT.observe(iter(documents[first:last])))
    assert total.n_alternatives("gold") == whole.n_alternatives("gold") == (0 if marked else 2)
    for name, each in whole.of_systems("gold").items():
        other = total.of_systems("gold")[name]
        for view in VIEWS:
            assert other.counts(view) == each.counts(view)
        assert sorted(map(in_full, other.annotations)) == sorted(map(in_full, each.annotations))
    recall = whole.of_systems("gold")["x"].counts("biocreative").recall
    assert recall == (2 / 7 if marked else 2 / 5)
