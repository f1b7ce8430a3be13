"""Scores are of what a system looks for: the same as where everything else had never been."""

from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.in_full import in_full
from tests.scoring.corpora import corpora
from vermeil import Document, Span
from vermeil.errors import UsageError
from vermeil.scope import Scope
from vermeil.scoring.readings import ScoreSums
from vermeil.scoring.scores import REGARDLESS, VIEWS, Scores, score
from vermeil.scoring.stage import ScoreStage

TEXT = "CO2 and p53 and flu"
CHEMICAL, GENE, DISEASE = Span(0, 3, "Chemical"), Span(8, 11, "Gene"), Span(16, 19, "Disease")
LABELS = ["Gene", "Disease", "*", "cell line"]
SCOPES = st.dictionaries(
    st.sampled_from(["gold", "ann"]), st.lists(st.sampled_from(LABELS), max_size=2)
)


def figures(scores: Scores, view: str) -> object:
    seen = scores.views[view]
    return in_full((seen.counts, seen.by_label, seen.outcomes, seen.per_document().tolist()))


def naive(
    documents: list[Document], told: dict[str, frozenset[str]], *, regardless: bool
) -> list[Document]:
    """Take away, name by name, what ann or gold does not look for."""
    used: dict[str, set[str]] = {"gold": set(), "ann": set()}
    for document in documents:
        for name, layer in document.layers.items():
            used.setdefault(name.removesuffix(".alternatives"), set()).update(
                span.label for span in layer
            )
        for name, standard in document.standards.items():
            used.setdefault(name, set()).update(each.label for each in standard)

    def looks(name: str, label: str, document: Document) -> bool:
        said = document.meta.get("scope", {}).get(name, told.get(name))
        if said is not None:
            return "*" in said or label in said
        if name == "gold" or not used["ann"] & used["gold"]:
            return True
        if regardless and used["ann"] - used["gold"]:
            return True
        return label in used["ann"] or used["ann"] >= used["gold"]

    def kept(document: Document, label: str) -> bool:
        return all(looks(name, label, document) for name in ("gold", "ann"))

    return [
        document.replace(
            layers={
                name: tuple(span for span in layer if kept(document, span.label))
                for name, layer in document.layers.items()
            },
            standards={
                name: tuple(each for each in standard if kept(document, each.label))
                for name, standard in document.standards.items()
            },
            meta={},
        )
        for document in documents
    ]


@given(
    corpora(with_centroids=True),
    SCOPES,
    st.lists(SCOPES, min_size=3, max_size=3),
    st.sampled_from([None, True, False]),
)
def test_scope_does_what_leaving_names_away_would(
    documents: list[Document],
    told: dict[str, list[str]],
    said: list[dict[str, list[str]]],
    same_label: bool | None,
) -> None:
    documents = [
        each.replace(meta={"scope": scope} if scope else {})
        for each, scope in zip(documents, said, strict=False)
    ]
    asked = {name: frozenset(labels) for name, labels in told.items()}
    scope = Scope.of(documents, asked)
    seen = score(documents, standard="gold", systems=["ann"], same_label=same_label, scope=scope)
    for view in VIEWS:
        regardless = view in REGARDLESS or (view == "biocreative" and not same_label)
        left = naive(documents, asked, regardless=regardless or same_label is False)
        bare = score(left, standard="gold", systems=["ann"], same_label=same_label, scope=Scope())
        assert figures(seen["ann"], view) == figures(bare["ann"], view), view


@given(corpora(), st.lists(st.integers(0, 3), max_size=2))
def test_two_passes_over_parts_score_as_one_over_the_whole(
    documents: list[Document], cuts: list[int]
) -> None:
    # Whether alternatives vote depends on there being any in a batch, which is not the point here.
    documents = [
        each.replace(layers={name: layer for name, layer in each.layers.items() if "." not in name})
        for each in documents
    ]
    bounds = [0, *sorted(min(cut, len(documents)) for cut in cuts), len(documents)]
    parts = [documents[first:last] for first, last in pairwise(bounds)]
    stage = ScoreStage("gold")

    def summed(stage: ScoreStage) -> ScoreSums:
        return stage.total(stage.observe(iter(part)) for part in parts)

    sums = summed(stage)
    again = stage.in_scope(sums)
    sums = sums if again is None else summed(again)
    assert again is None or again.in_scope(sums) is None
    for name, whole in score(documents, standard="gold").items():
        found = sums.of_systems("gold")[name]
        assert found.left_out == whole.left_out
        for view in VIEWS:
            assert found.counts(view) == whole.counts(view)
            assert found.views[view].by_label == whole.views[view].by_label


def test_a_system_outside_the_scored_documents_is_not_charged_with_labels_it_never_uses() -> None:
    unscored = Document(id="2", text=TEXT, layers={"chem": (CHEMICAL,)})
    documents = [document(ann=()), unscored]
    stage = ScoreStage("gold")
    again = stage.in_scope(stage.observe(iter(documents)))
    assert again is not None
    found = again.observe(iter(documents)).of_systems("gold")["chem"]
    assert found.left_out == score(documents, standard="gold")["chem"].left_out
    assert found.counts("exact").wanted == 1


@given(corpora(with_centroids=True))
def test_scope_changes_nothing_where_there_is_one_label(documents: list[Document]) -> None:
    alike = [
        each.replace(
            layers={
                name: tuple(Span.over(span.pieces, "Gene") for span in layer)
                for name, layer in each.layers.items()
            },
            standards={},
        )
        for each in documents
    ]
    seen = score(alike, standard="gold")
    bare = score(alike, standard="gold", scope=Scope())
    for name in seen:
        assert not seen[name].left_out
        for view in VIEWS:
            assert figures(seen[name], view) == figures(bare[name], view)


def document(**layers: tuple[Span, ...]) -> Document:
    return Document(id="1", text=TEXT, layers={"gold": (CHEMICAL, GENE, DISEASE), **layers})


def test_nobody_is_charged_with_labels_they_never_use() -> None:
    scores = score([document(chem=(CHEMICAL,), none=(), most=(CHEMICAL, GENE))], standard="gold")
    for view in VIEWS:
        assert scores["chem"].counts(view).recall == 1
        assert scores["most"].counts(view).wanted == 2
        assert scores["none"].counts(view).wanted == 3
    assert scores["chem"].left_out.wanted == {"Gene": 1, "Disease": 1}


def test_a_system_with_other_names_for_labels_is_scored_on_all() -> None:
    scores = score([document(ann=(Span(0, 3, "CHEM"),))], standard="gold")["ann"]
    assert scores.counts("exact").recall == 0
    assert scores.counts("biocreative").recall == pytest.approx(1 / 3)
    assert not scores.left_out


def test_where_labels_are_not_compared_a_foreign_label_may_mean_any() -> None:
    scores = score([document(ann=(CHEMICAL, Span(8, 11, "protein")))], standard="gold")["ann"]
    assert scores.counts("exact").wanted == 1
    assert scores.counts("biocreative").found == 2
    assert scores.counts("biocreative").wanted == 3


def test_the_standard_looks_for_everything_unless_told() -> None:
    gold = Document(id="1", text=TEXT, layers={"gold": (GENE,), "ann": (GENE, DISEASE)})
    assert score([gold], standard="gold")["ann"].counts("exact").precision == 0.5
    told = gold.replace(meta={"scope": {"gold": ["Gene"]}})
    scores = score([told], standard="gold")["ann"]
    assert scores.counts("exact").precision == 1
    assert scores.left_out.predicted == {"Disease": 1}


def test_metadata_that_are_no_scope_stop_the_score() -> None:
    with pytest.raises(UsageError, match="document '1'"):
        score([document(ann=()).replace(meta={"scope": "all"})], standard="gold")
