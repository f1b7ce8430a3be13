"""What a review keeps of what it learned, and that a thread keeps it up to date."""

from typing import Any

import pytest

from tests.review.reviews import AGREED, CANCER, CONTESTED, GENE, accepting, rejecting
from vermeil import Document, Span
from vermeil.review.desk import on_desk
from vermeil.review.history import record, undo
from vermeil.review.importing import HELPER, import_documents
from vermeil.review.learning.background import Background
from vermeil.review.learning.memory import Memory, account_of, last_event, likely_names, next_place
from vermeil.review.queue import listed
from vermeil.review.store import Store
from vermeil.review.team.archive import set_archived

CHEMICALS = ("aspirin", "warfarin", "ibuprofen", "morphine", "codeine", "heparin")


def decide(store: Store, document: int, *changes: Any, curator: str = "cleo") -> None:
    record(
        store,
        key=f"{curator} {last_event(store)}",
        curator=curator,
        layer=curator,
        document=document,
        action="accept",
        changes=changes,
    )


def kept(store: Store) -> tuple[Any, ...]:
    """Take all that was learned."""
    rows = [
        store.connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
        for table in ("gains", "proposals")
    ]
    gains = store.connection.execute("SELECT document, gain FROM ranks ORDER BY 1").fetchall()
    return account_of(store), gains, *rows


def test_the_queue_follows_what_a_decision_gains(store: Store) -> None:
    Memory(store).learn()
    assert listed(store, "cleo")[0].number == CONTESTED
    assert next_place(store, "cleo") == (CONTESTED, 22, 35)
    decide(store, CONTESTED, accepting(CANCER))
    assert not Memory(store).is_current()
    Memory(store).learn()
    assert Memory(store).is_current()
    assert next_place(store, "cleo") == (CONTESTED, 4, 14)
    decide(store, CONTESTED, rejecting(GENE))
    Memory(store).learn()
    found = next_place(store, "cleo")
    assert found is not None
    assert found[0] == AGREED


def test_what_is_undone_was_never_learned(store: Store) -> None:
    memory = Memory(store)
    memory.learn()
    _, *before = kept(store)
    decide(store, CONTESTED, accepting(CANCER))
    memory.learn()
    assert kept(store)[1:] != tuple(before)
    undo(store, key="u", curator="cleo", layer="cleo")
    memory.learn()
    assert kept(store)[1:] == tuple(before)


def test_new_documents_are_learned_from(store: Store) -> None:
    memory = Memory(store)
    memory.learn()
    layers = {"anna": (Span(0, 7, "Gene"),), "ben": ()}
    import_documents(store, [Document(id="new", text="dynamin here", layers=layers)])
    assert not memory.is_current()
    memory.learn()
    assert any(entry.id == "new" for entry in listed(store, "cleo"))


def test_the_desk_shows_what_was_learned(store: Store) -> None:
    Memory(store).learn()
    [gene, *_] = on_desk(store, "cleo", CONTESTED)["hearts"]
    likely = [span for span in likely_names(store, CONTESTED) if span.label == "Gene"]
    assert gene.confidence == pytest.approx(sum(span.confidence or 0 for span in likely))
    best = max(likely, key=lambda span: span.confidence or 0)
    assert gene.modal == (best.start, best.end)


def test_a_thread_learns_what_is_decided(store: Store) -> None:
    learning = Background(Memory(store))
    learning.start()
    decide(store, CONTESTED, accepting(GENE))
    learning.hear()
    learning.stop_when_learned()
    assert account_of(store).event == last_event(store)


def test_learning_that_fails_leaves_the_review_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: Memory) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(Memory, "learn", broken)
    learning = Background(Memory(store))
    learning.start()
    learning.stop_when_learned()
    assert "could not learn" in caplog.text
    decide(store, CONTESTED, accepting(GENE))


def test_a_recogniser_joins_and_is_a_function_of_what_is_settled(store: Store) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    documents = []
    for number in range(24):
        drug = CHEMICALS[number % len(CHEMICALS)]
        text = f"Patients took {drug} and then {drug} again in week {number}."
        first, second = text.index(drug), text.rindex(drug)
        once = Span(first, first + len(drug), "Chemical")
        both = once, Span(second, second + len(drug), "Chemical")
        layers = {"anna": both, "ben": (once,)}
        documents.append(Document(id=str(number), text=text, layers=layers))
    import_documents(store, documents)
    for number in range(4, 8):
        spans = store.document(number).layers["anna"]
        places = [(span.start, span.end, span.label) for span in spans]
        decide(store, number, *(accepting(place) for place in places))
    memory = Memory(store, learn_every=2)
    assert memory.learn().n_helped == 4
    lanes = {lane.annotator: lane.spans for lane in on_desk(store, "cleo", 10)["lanes"]}
    assert lanes[HELPER]
    before = kept(store)
    Memory(store, learn_every=2).learn()
    assert kept(store) == before


def test_the_next_place_is_one_that_was_given_to_the_curator(store: Store) -> None:
    Memory(store).learn()
    with store.writing() as connection:
        rows = [(CONTESTED, "dora"), (AGREED, "cleo")]
        connection.executemany("INSERT INTO assignments VALUES (?, ?)", rows)
    assert next_place(store, "cleo") == (AGREED, 0, 7)
    found = next_place(store, "dora")
    assert found is not None
    assert found[0] == CONTESTED
    set_archived(store, "olga", CONTESTED, True)
    assert next_place(store, "dora") is None, "what was put aside is not asked about"
