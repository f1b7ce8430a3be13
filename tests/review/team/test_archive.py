"""An annotator that is put aside has no vote, and comes back as if it had never been away."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.review.reviews import CONTESTED, GENE, accepting, three_documents
from vermeil import Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.review.desk import on_desk
from vermeil.review.exporting import write_history
from vermeil.review.history import record, work_on, works_on
from vermeil.review.importing import follow_annotators, import_documents, learned_reliability
from vermeil.review.learning.memory import Memory, account_of
from vermeil.review.queue import listed
from vermeil.review.store import Store
from vermeil.review.team import archive
from vermeil.review.team.archive import annotators, set_annotator_archived


def ranks(store: Store) -> list[Any]:
    columns = "document, annotators, voices, contested, information, n_hearts, hearts"
    with store.reading() as connection:
        return connection.execute(f"SELECT {columns} FROM ranks ORDER BY document").fetchall()


def without(annotator: str) -> list[Document]:
    return [
        each.replace(layers={k: v for k, v in each.layers.items() if k != annotator})
        for each in three_documents()
    ]


def test_everything_is_as_if_the_annotator_had_never_come(store: Store, tmp_path: Path) -> None:
    set_annotator_archived(store, "cleo", "llm", True)
    with Store(tmp_path / "never.db") as never:
        import_documents(never, without("llm"))
        assert ranks(store) == ranks(never)
        assert listed(store, "cleo") == listed(never, "cleo")
        assert on_desk(store, "cleo", CONTESTED) == on_desk(never, "cleo", CONTESTED)
        assert annotators(store) == ["anna", "ben"]
        for each in (store, never):
            Memory(each).learn()
        trusted = [trust.annotator for trust in account_of(store).trusts]
        assert trusted == ["anna", "ben"]
        assert listed(store, "cleo") == listed(never, "cleo")


def test_restored_it_is_as_before(store: Store) -> None:
    record(
        store,
        key="1",
        curator="cleo",
        layer="cleo",
        document=CONTESTED,
        action="accept",
        changes=[accepting(GENE)],
    )
    before, learned = ranks(store), learned_reliability(store)
    set_annotator_archived(store, "cleo", "llm", True)
    assert work_on(store, "cleo", CONTESTED), "what was decided stays"
    set_annotator_archived(store, "cleo", "llm", False)
    assert ranks(store) == before
    again = learned_reliability(store)
    assert learned is not None
    assert again is not None
    assert again.existence.hit.tolist() == learned.existence.hit.tolist()


def test_what_is_open_is_counted_anew(store: Store) -> None:
    lone = Span(39, 40, "Gene")
    import_documents(store, [three_documents()[0].replace(layers={"dora": (lone,)})])
    who = {"curator": "cleo", "layer": "cleo", "document": CONTESTED, "action": "accept"}
    record(store, key="1", changes=[accepting(GENE)], **who)  # type: ignore[arg-type]
    record(store, key="2", changes=[accepting((29, 35, "Disease"))], **who)  # type: ignore[arg-type]
    assert not works_on(store, CONTESTED)["cleo"][1]
    set_annotator_archived(store, "cleo", "dora", True)
    assert works_on(store, CONTESTED)["cleo"][1], "what only dora marked is not asked about"


def test_it_is_kept_in_the_history(store: Store, tmp_path: Path) -> None:
    set_annotator_archived(store, "cleo", "llm", True)
    set_annotator_archived(store, "dora", "llm", False)
    write_history(store, tmp_path / "history.jsonl")
    lines = (tmp_path / "history.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line) for line in lines]
    assert [(row["curator"], row["action"], row["subject"]) for row in rows] == [
        ("cleo", "archive annotator", "llm"),
        ("dora", "restore annotator", "llm"),
    ]


def test_new_documents_of_one_who_was_put_aside_bring_no_vote(store: Store) -> None:
    set_annotator_archived(store, "cleo", "llm", True)
    span = Span(0, 7, "Chemical")
    import_documents(store, [Document(id="new", text="Aspirin.", layers={"llm": (span,)})])
    assert store.document(4).layers == {}
    set_annotator_archived(store, "cleo", "llm", False)
    assert store.document(4).layers == {"llm": (span,)}


def test_somebody_unknown_and_the_last_one_cannot_be_put_aside(store: Store) -> None:
    with pytest.raises(UnknownNameError, match="no annotator named 'lm'; did you mean 'llm'"):
        set_annotator_archived(store, "cleo", "lm", True)
    for name in ("anna", "ben"):
        set_annotator_archived(store, "cleo", name, True)
    with pytest.raises(UsageError, match="llm is the last annotator"):
        set_annotator_archived(store, "cleo", "llm", True)


def test_broken_off_it_is_ended_at_the_next_start(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "follow_annotators", lambda store: None)  # the process ends here
    set_annotator_archived(store, "cleo", "llm", True)
    follow_annotators(store)
    with Store(tmp_path / "never.db") as never:
        import_documents(never, without("llm"))
        assert ranks(store) == ranks(never)
