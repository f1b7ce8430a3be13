"""Names with one referent are one entity, found if any of them is."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span
from vermeil.scoring.scores import VIEWS, score

TEXT = "C/EBP homologous protein CHOP-10 binds p53"
LONG, SHORT, OTHER = (0, 24), (25, 32), (39, 42)


def marked(place: tuple[int, int], *ids: str) -> Span:
    return Span(*place, "Gene", ids=ids)


def recall(
    gold: tuple[Span, ...], said: tuple[Span, ...], view: str, *, referents: bool = True
) -> float:
    document = Document(id="1", text=TEXT, layers={"gold": gold, "x": said})
    scores = score([document], standard="gold", referents=referents)["x"]
    return scores.counts(view).recall


def test_one_name_of_an_entity_is_enough() -> None:
    gold = (marked(LONG, "1649"), marked(SHORT, "1649"), marked(OTHER, "7157"))
    for view in VIEWS:
        assert recall(gold, (marked(SHORT),), view, referents=False) == 1 / 3
        assert recall(gold, (marked(SHORT),), view) == 1 / 2
        assert recall(gold, (marked(LONG), marked(SHORT)), view) == 1 / 2
        assert recall(gold, (marked(LONG), marked(OTHER)), view) == 1


def test_names_without_ids_stand_for_themselves_and_one_with_two_for_two() -> None:
    plain = (marked(LONG), marked(SHORT), marked(OTHER))
    double = (marked(LONG, "a", "b"), marked(SHORT, "a"), marked(OTHER))
    for view in VIEWS:
        assert recall(plain, (marked(SHORT),), view) == 1 / 3
        assert recall(double, (marked(LONG),), view) == 2 / 3
        assert recall(double, (marked(SHORT),), view) == 1 / 3


def test_entities_are_those_of_a_document() -> None:
    gold = (marked(SHORT, "1649"),)
    two = [
        Document(id="1", text=TEXT, layers={"gold": gold, "x": gold}),
        Document(id="2", text=TEXT, layers={"gold": gold, "x": ()}),
    ]
    assert score(two, standard="gold", referents=True)["x"].counts("exact").recall == 1 / 2


def test_ids_of_alternatives_and_of_carried_centroids_count() -> None:
    layers = {
        "gold": (marked((0, 32)), marked(OTHER)),
        "gold.alternatives": (marked(LONG, "1649"), marked(SHORT, "1649")),
        "x": (marked(SHORT),),
    }
    document = Document(id="1", text=TEXT, layers=layers)
    for referents, found in ((False, 1 / 3), (True, 1 / 2)):
        scores = score([document], standard="gold", referents=referents)["x"]
        assert scores.counts("centroid").recall == found
    from vermeil.document import Centroid

    hearts = tuple(Centroid.of(marked(place, "1649")) for place in (LONG, SHORT))
    carried = Document(id="1", text=TEXT, layers={"x": layers["x"]}).with_standard("gold", hearts)
    assert score([carried], standard="gold", referents=True)["x"].counts("centroid").recall == 1


def alike(document: Document) -> dict[str, tuple[Span, ...]]:
    """Layers in which all names have one label, so that everybody looks for it."""
    return {
        name: tuple(msgspec.structs.replace(span, label="Gene") for span in layer)
        for name, layer in document.layers.items()
    }


@given(st.lists(documents(annotators=("gold", "x")), min_size=1, max_size=3))
def test_recall_of_entities_agrees_with_a_naive_count(batch: list[Document]) -> None:
    batch = [
        each.replace(id=str(n), standards={}, layers=alike(each)) for n, each in enumerate(batch)
    ]
    if not any("gold" in each.layers for each in batch) or not any(
        each.layers.get("x") for each in batch
    ):
        return
    plain = score(batch, standard="gold")["x"].views
    merged = score(batch, standard="gold", referents=True)["x"].views
    spans = [span for each in batch for span in each.layers.get("gold", ())]
    documents_of = [n for n, each in enumerate(batch) for _ in each.layers.get("gold", ())]
    for view in ("exact", "boundaries", "partial", "type", "biocreative"):
        best: dict[tuple[object, ...], float] = {}
        found = plain[view].found.tolist()
        for row, (document, span) in enumerate(zip(documents_of, spans, strict=True)):
            for key in span.ids or (row,):
                place = (document, key)
                best[place] = max(best.get(place, 0.0), found[row])
        assert merged[view].counts.found == sum(best.values())
        assert merged[view].counts.wanted == len(best)
        assert merged[view].counts.right == plain[view].counts.right
