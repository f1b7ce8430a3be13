from pathlib import Path

import numpy as np
import pytest

from benchmarks.generated import documents as generated
from tests.review.reviews import (
    AGREED,
    CANCER,
    CONTESTED,
    GENE,
    NOTHING,
    TEXT,
    accepting,
    rejecting,
    three_documents,
)
from vermeil import Document, Span
from vermeil.consensus import ConsensusStage
from vermeil.review import importing
from vermeil.review.decisions import WHOLE, Answer, Change
from vermeil.review.history import record, work_on
from vermeil.review.importing import import_documents, learned_reliability
from vermeil.review.queue import entropy, listed, progress
from vermeil.review.store import Store
from vermeil.runs.streaming import Held, Streaming


def decide_for(store: Store, curator: str, document: int, *changes: Change) -> None:
    record(
        store,
        key=f"{curator}{document}{changes}",
        curator=curator,
        layer=curator,
        document=document,
        action="accept",
        changes=changes,
    )


def order(store: Store, layer: str = "cleo", **options: str) -> list[str]:
    return [entry.id for entry in listed(store, layer, **options)]  # type: ignore[arg-type]


def test_the_most_contested_document_comes_first(store: Store) -> None:
    assert order(store) == ["contested", "sure", "empty"]
    first, *_, last = listed(store, "cleo")
    assert first.information is not None
    assert first.information > 1 > first.contested > last.contested == 0
    assert (first.n_hearts, first.n_open, last.n_hearts) == (2, None, 0)


def test_contestedness_is_that_of_the_consensus(tmp_path: Path) -> None:
    documents = list(generated(40))
    with Store(tmp_path / "a.db") as store:
        import_documents(store, documents)
        found = {entry.id: entry.contested for entry in listed(store, "x", show="all")}
    work = Streaming(ConsensusStage(by="hearts"), Held(documents))
    assert len(list(work.documents())) == len(found)
    assert work.sums is not None
    for doubt, id in work.sums.contested:
        assert found[id] == pytest.approx(doubt)


def test_without_three_annotators_information_is_not_known(tmp_path: Path) -> None:
    two = [each.replace(layers=dict(list(each.layers.items())[:2])) for each in three_documents()]
    with Store(tmp_path / "a.db") as store:
        import_documents(store, two)
        entries = listed(store, "cleo")
    assert {entry.information for entry in entries} == {None}
    assert entries[0].id == "contested"


def test_entropy_is_its_definition() -> None:
    rows = np.random.default_rng(1).dirichlet([1, 1, 1], 20)
    naive = [-sum(p * np.log2(p) for p in row if p) for row in rows.tolist()]
    assert entropy(rows).tolist() == pytest.approx(naive)


def test_a_wanted_opinion_goes_before_everything_for_others(store: Store) -> None:
    asking = Change(WHOLE, None, Answer(WHOLE, opinion=True))
    decide_for(store, "dora", NOTHING, asking)
    assert order(store) == ["empty", "contested", "sure"]
    assert order(store, "dora") == ["contested", "sure", "empty"]
    assert order(store, show="opinion") == ["empty"]


def test_what_is_settled_leaves_the_queue_and_is_counted(store: Store) -> None:
    decide_for(store, "cleo", AGREED, accepting((0, 7, "Chemical")))
    assert order(store) == ["contested", "empty"]
    assert order(store, show="done") == ["sure"]
    assert order(store, "dora") == ["contested", "sure", "empty"]
    assert (progress(store, "cleo").n_done, progress(store, "cleo").n_documents) == (1, 3)


def test_ids_are_found_whatever_signs_they_hold(tmp_path: Path) -> None:
    ids = ["a%b", "a_b", "ab", "x\\y", "'; DROP TABLE documents; --"]
    with Store(tmp_path / "a.db") as store:
        import_documents(store, [Document(id=id, text="") for id in ids])
        for sought, found in {"%": ["a%b"], "_": ["a_b"], "\\": ["x\\y"], "';": ids[4:]}.items():
            assert order(store, show="all", search=sought) == found


def test_new_annotators_are_added_and_decisions_stay(store: Store) -> None:
    decide_for(store, "cleo", CONTESTED, accepting(GENE, 4, 14), rejecting(CANCER))
    work = work_on(store, "cleo", CONTESTED)
    wider = Document(id="contested", text=TEXT, layers={"tagger": (Span(0, 14, "Gene"),)})
    done = import_documents(store, [wider])
    assert (done.n_new, done.n_changed, done.n_refused) == (0, 1, 0)
    assert set(store.document(CONTESTED).layers) == {"anna", "ben", "llm", "tagger"}
    assert work_on(store, "cleo", CONTESTED) == work
    assert order(store, show="done") == ["contested"]


def test_a_name_that_only_a_new_annotator_has_opens_the_document_again(store: Store) -> None:
    decide_for(store, "cleo", CONTESTED, accepting(GENE), rejecting(CANCER))
    other = Document(id="contested", text=TEXT, layers={"tagger": (Span(41, 45, "Species"),)})
    import_documents(store, [other])
    [entry] = [each for each in listed(store, "cleo") if each.id == "contested"]
    assert (entry.n_open, entry.is_done) == (1, False)


def test_a_changed_text_is_refused_with_a_line(store: Store) -> None:
    decide_for(store, "cleo", CONTESTED, accepting(GENE))
    done = import_documents(store, [Document(id="contested", text="The BRCA2 gene")])
    assert done.refused == [
        "document 'contested' was refused: its text differs from the one under review from "
        "character 8 on; give it another id, or start a new review file"
    ]
    assert store.document(CONTESTED).text == TEXT


def test_importing_again_changes_nothing(store: Store) -> None:
    before = listed(store, "cleo")
    done = import_documents(store, three_documents())
    assert (done.n_new, done.n_changed, done.n_same) == (0, 0, 3)
    assert listed(store, "cleo") == before


def test_the_same_id_twice_in_one_import_is_one_document(tmp_path: Path) -> None:
    one, two = (
        Document(id="1", text="BRCA1", layers={name: (Span(0, 5, "Gene"),)}) for name in ("a", "b")
    )
    with Store(tmp_path / "a.db") as store:
        done = import_documents(store, [one, two, one, Document(id="1", text="other")])
        assert (done.n_new, done.n_same, done.n_refused) == (1, 1, 1)
        assert set(store.document(1).layers) == {"a", "b"}


def test_an_import_that_broke_off_is_put_in_order_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "a.db") as store:
        with monkeypatch.context() as broken:
            broken.setattr(importing, "learn", lambda _: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                import_documents(store, three_documents())
        import_documents(store, three_documents())
        assert order(store) == ["contested", "sure", "empty"]


def test_batches_and_one_go_give_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = list(generated(30))
    with Store(tmp_path / "one.db") as store:
        import_documents(store, documents)
        whole = [(each.id, each.information) for each in listed(store, "x")]
    monkeypatch.setattr(importing, "BATCH", 7)
    with Store(tmp_path / "two.db") as store:
        import_documents(store, documents[:15])
        import_documents(store, documents[15:])
        parts = [(each.id, each.information) for each in listed(store, "x")]
        learned = learned_reliability(store)
    assert [id for id, _ in parts] == [id for id, _ in whole]
    assert [bits for _, bits in parts] == pytest.approx([bits for _, bits in whole])
    assert learned is not None
    assert len(learned.annotators) == 5
