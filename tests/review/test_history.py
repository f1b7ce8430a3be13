import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from tests.review.reviews import (
    AGREED,
    CANCER,
    CONTESTED,
    GENE,
    TEXT,
    accepting,
    rejecting,
    replay,
    three_documents,
)
from vermeil import Document, Span
from vermeil.errors import UsageError
from vermeil.review import history
from vermeil.review.decisions import WHOLE, Answer, Change, ConflictError, Place
from vermeil.review.exporting import gold
from vermeil.review.history import ADJUDICATED, record, redo, undo, work_on, works_on
from vermeil.review.importing import import_documents
from vermeil.review.queue import listed, progress
from vermeil.review.schema import APPLICATION, MIGRATIONS
from vermeil.review.store import Store

DRUG = (0, 7, "Chemical")


def decide(store: Store, key: str, document: int, *changes: Change, curator: str = "cleo") -> int:
    layer = curator
    event = record(
        store,
        key=key,
        curator=curator,
        layer=layer,
        document=document,
        action="accept",
        changes=changes,
    )
    return event.number


def test_the_same_key_is_the_same_event(store: Store) -> None:
    first = decide(store, "k", CONTESTED, accepting(GENE))
    assert decide(store, "k", CONTESTED, accepting(GENE)) == first
    assert len(list(history.events(store))) == 1
    with pytest.raises(UsageError, match="another curator"):
        decide(store, "k", CONTESTED, accepting(GENE), curator="dora")


def test_undo_goes_back_over_documents_and_redo_forward_again(store: Store) -> None:
    decide(store, "1", CONTESTED, accepting(GENE))
    decide(store, "2", AGREED, accepting(DRUG))
    who = {"curator": "cleo", "layer": "cleo"}
    assert undo(store, key="3", **who).document == AGREED
    assert undo(store, key="4", **who).document == CONTESTED
    assert work_on(store, "cleo", CONTESTED) == ()
    with pytest.raises(ConflictError, match="nothing to undo"):
        undo(store, key="5", **who)
    assert redo(store, key="6", **who).document == CONTESTED
    assert work_on(store, "cleo", CONTESTED)[0].verdict == "accepted"
    decide(store, "7", CONTESTED, rejecting(CANCER))
    with pytest.raises(ConflictError, match="nothing to redo"):
        redo(store, key="8", **who)


def test_curators_do_not_touch_each_others_answers(store: Store) -> None:
    decide(store, "1", CONTESTED, accepting(GENE))
    decide(store, "2", CONTESTED, rejecting(GENE), curator="dora")
    with pytest.raises(ConflictError):
        undo(store, key="3", curator="emil", layer="emil")
    verdicts = {who: work[0].verdict for who, (work, _) in works_on(store, CONTESTED).items()}
    assert verdicts == {"cleo": "accepted", "dora": "rejected"}


def test_no_event_is_ever_changed_or_deleted(store: Store) -> None:
    decide(store, "1", CONTESTED, accepting(GENE))
    for statement in ("UPDATE events SET curator = 'x'", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="never"), store.writing() as connection:
            connection.execute(statement)


def test_a_failed_decision_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(ConflictError):
        decide(store, "1", CONTESTED, accepting(GENE), Change(CANCER, Answer(CANCER), None))
    assert not list(history.events(store))
    assert work_on(store, "cleo", CONTESTED) == ()


def test_finished_curators_who_differ_are_put_before_an_adjudicator(store: Store) -> None:
    decide(store, "1", CONTESTED, accepting(GENE), rejecting(CANCER))
    assert listed(store, ADJUDICATED, show="adjudicate") == []
    decide(store, "2", CONTESTED, accepting(GENE, 4, 14), rejecting(CANCER), curator="dora")
    [entry] = listed(store, ADJUDICATED, show="adjudicate")
    assert (entry.number, entry.dispute) == (CONTESTED, 2)
    assert progress(store, ADJUDICATED).n_disputed == 1
    record(
        store,
        key="3",
        curator="emil",
        layer=ADJUDICATED,
        document=CONTESTED,
        action="accept",
        changes=[accepting(GENE)],
    )
    assert listed(store, ADJUDICATED, show="adjudicate") == []
    assert [each.number for each in listed(store, ADJUDICATED, show="disputed")] == [CONTESTED]


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["decide", "decide", "undo", "redo"]),
        st.sampled_from([GENE, CANCER]),
        st.sampled_from(["accepted", "rejected", "skipped", "none"]),
        st.sampled_from(["cleo", "dora"]),
    ),
    max_size=12,
)


@settings(max_examples=15)
@given(OPERATIONS)
def test_replaying_all_events_gives_what_the_store_says(
    operations: list[tuple[str, Place, str, str]],
) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
        import_documents(store, three_documents())
        for number, (kind, place, verdict, curator) in enumerate(operations):
            who = {"key": str(number), "curator": curator, "layer": curator}
            before = {each.place: each for each in work_on(store, curator, CONTESTED)}.get(place)
            change = Change(place, before, answer(place, verdict))
            try:
                if kind == "decide":
                    record(store, **who, document=CONTESTED, action="accept", changes=[change])
                else:
                    (undo if kind == "undo" else redo)(store, **who)
            except UsageError:
                continue
        for curator in ("cleo", "dora"):
            assert replay(store, curator, CONTESTED) == work_on(store, curator, CONTESTED)


def answer(place: Place, verdict: str) -> Answer | None:
    if verdict == "accepted":
        return accepting(place).after
    return None if verdict == "none" else Answer(place, verdict)  # type: ignore[arg-type]


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    with pytest.raises(UsageError, match=r"other\.db: cannot be opened as a review: it is a data"):
        Store(path)
    (tmp_path / "text.db").write_text("hello, this is no database at all" * 50)
    with pytest.raises(UsageError, match=r"text\.db: cannot be opened as a review"):
        Store(tmp_path / "text.db")


def test_a_file_of_a_newer_version_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    connection.close()
    with pytest.raises(UsageError, match="newer vermeil"):
        Store(path)


def test_a_file_of_an_earlier_version_is_brought_up_to_date_also_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        for number, step in enumerate(MIGRATIONS[:2], start=1):
            step(connection)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("INSERT INTO accounts VALUES ('cleo', 'x')")
    connection.close()
    with Store(path, read_only=True) as store:
        rows = store.connection.execute("SELECT name, role FROM accounts").fetchall()
    assert rows == [("cleo", "owner")], "who could do everything still can"


def test_what_was_adjudicated_is_final_until_an_adjudicator_reopens_it(store: Store) -> None:
    def adjudicate(key: str, action: str, *changes: Change) -> None:
        who = {"curator": "emil", "layer": ADJUDICATED, "document": CONTESTED}
        record(store, key=key, action=action, changes=changes, **who)  # type: ignore[arg-type]

    decide(store, "1", CONTESTED, accepting(GENE), rejecting(CANCER))
    decide(store, "2", CONTESTED, accepting(GENE, 4, 14), rejecting(CANCER), curator="dora")
    adjudicate("3", "accept", accepting(GENE))
    for number, curator in enumerate(("fritz", "gerd")):
        changes = accepting(GENE, 0, 14), accepting(CANCER)
        decide(store, f"late {number}", CONTESTED, *changes, curator=curator)
    assert works_on(store, CONTESTED)[ADJUDICATED][1], "later curators do not reopen it"
    assert [document.id for document in gold(store)] == ["contested"]
    narrower = Document(id="contested", text=TEXT, layers={"new": (Span(10, 14, "Gene"),)})
    import_documents(store, [narrower])
    assert works_on(store, CONTESTED)[ADJUDICATED][1], "nor do new annotators"
    adjudicate("4", "comment", Change(CANCER, None, Answer(CANCER, comment="why?")))
    assert works_on(store, CONTESTED)[ADJUDICATED][1]
    adjudicate("5", "reopen", Change(WHOLE, None, Answer(WHOLE, "reopened")))
    assert not works_on(store, CONTESTED)[ADJUDICATED][1]
    assert list(gold(store)) == []
    undo(store, key="6", curator="emil", layer=ADJUDICATED)
    assert replay(store, ADJUDICATED, CONTESTED) == work_on(store, ADJUDICATED, CONTESTED)
