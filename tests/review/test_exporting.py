import csv
import json
from pathlib import Path

import msgspec
import pytest

from tests.review.reviews import AGREED, CANCER, CONTESTED, GENE, NOTHING, accepting, rejecting
from tests.review.test_importing import decide_for
from vermeil import Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, read
from vermeil.formats.files.ledger import Ledger
from vermeil.review.decisions import WHOLE, Answer, Change, apply
from vermeil.review.disagreements import _safe
from vermeil.review.exporting import (
    agreement,
    by_curator,
    export,
    gold,
    standard,
    writable_formats,
)
from vermeil.review.history import ADJUDICATED, record, work_on
from vermeil.review.importing import import_documents
from vermeil.review.questions import SentDecision
from vermeil.review.store import Store

WITH_OTHER = accepting(GENE, alternatives=((4, 14),))
LOOKED = Change(WHOLE, None, Answer(WHOLE, "looked"))


def settle(store: Store, curator: str = "cleo") -> None:
    decide_for(store, curator, CONTESTED, WITH_OTHER, rejecting(CANCER))
    decide_for(store, curator, AGREED, accepting((0, 7, "Chemical")))
    decide_for(store, curator, NOTHING, LOOKED)


def test_gold_is_what_the_one_curator_settled_with_alternatives(store: Store) -> None:
    settle(store)
    first, second, third = gold(store)
    assert first.layers == {
        "gold": (Span(4, 9, "Gene"),),
        "gold.alternatives": (Span(4, 14, "Gene"),),
    }
    assert second.layers == {"gold": (Span(0, 7, "Chemical"),)}
    assert third.layers == {"gold": ()}


def test_what_is_not_settled_is_not_gold(store: Store) -> None:
    decide_for(store, "cleo", CONTESTED, WITH_OTHER)
    assert list(gold(store)) == []


def test_where_curators_differ_gold_waits_for_the_adjudicator(store: Store) -> None:
    settle(store)
    decide_for(store, "dora", CONTESTED, accepting(GENE, 4, 14), rejecting(CANCER))
    ledger = Ledger()
    assert [document.id for document in gold(store, ledger)] == ["sure", "empty"]
    assert ledger.counts["left out", "documents whose curators differ"] == 1
    record(
        store,
        key="a",
        curator="emil",
        layer=ADJUDICATED,
        document=CONTESTED,
        action="accept",
        changes=[accepting(GENE, 4, 14)],
    )
    first = next(gold(store))
    assert first.layers == {"gold": (Span(4, 14, "Gene"),)}


def test_curators_who_say_the_same_pool_their_alternatives(store: Store) -> None:
    settle(store)
    decide_for(store, "dora", CONTESTED, accepting(GENE), rejecting(CANCER))
    assert next(gold(store)).alternatives("gold") == (Span(4, 14, "Gene"),)


@pytest.mark.parametrize("format", writable_formats())
def test_gold_can_be_written_in_every_format(store: Store, tmp_path: Path, format: str) -> None:
    settle(store)
    row = get_format(format)
    suffix = "" if row.folder else row.suffixes[0]
    try:
        made = export(store, tmp_path / f"gold{suffix}", format=format)
    except ImportError as error:
        pytest.skip(str(error))
    assert all(path.exists() for path in made)
    texts = (Document(id=each.id, text=each.text) for _, each in store.documents())
    found = list(read(made[0], format=format, documents=texts, annotator="gold"))
    if "spans" in row.carries:
        marked = {
            span.marked(d.text) for d in found for layer in d.layers.values() for span in layer
        }
        assert {"BRCA1", "Aspirin"} <= marked
        others = {path.name for path in made[1:]}
        assert ("layers" in row.carries) == (not others), others
    else:
        [gene] = found[0].standards["gold"]
        assert dict(gene.right) == {9: 0.5, 14: 0.5}


def test_the_standard_of_the_curators_gives_each_one_vote(store: Store) -> None:
    settle(store)
    decide_for(store, "dora", CONTESTED, accepting(GENE), rejecting(CANCER))
    first = next(standard(store))
    [gene] = first.standards["curators"]
    assert (gene.start, gene.end, gene.votes) == (4, 9, 2)
    assert dict(gene.right) == {9: 1.5, 14: 0.5}


def test_each_curator_has_a_layer_and_a_file_where_need_be(store: Store, tmp_path: Path) -> None:
    settle(store)
    settle(store, "dora")
    assert set(next(by_curator(store)).layers) == {
        *("cleo", "cleo.alternatives", "dora", "dora.alternatives")
    }
    made = export(store, tmp_path / "all.eval", what="curators")
    assert [path.name for path in made][:2] == ["all.cleo.eval", "all.cleo.alternatives.eval"]


def test_agreement_among_curators(store: Store) -> None:
    settle(store)
    assert agreement(store) is None
    decide_for(store, "dora", CONTESTED, accepting(GENE, 4, 14), rejecting(CANCER))
    found = agreement(store)
    assert found is not None
    [pair] = found.pairs
    assert (pair.n_documents, pair.exact.f1, pair.hearts.f1) == (1, 0, 1)


def test_the_table_says_who_differs_where(store: Store, tmp_path: Path) -> None:
    settle(store)
    [path] = export(store, tmp_path / "table.tsv", what="disagreements")
    with path.open(encoding="utf-8", newline="") as lines:
        gene, cancer = csv.DictReader(lines, dialect="excel-tab")
    assert gene["anna"] == gene["cleo decided"] == "BRCA1 (4-9)"
    assert gene["ben"] == "BRCA1 gene (4-14)"
    assert (cancer["llm"], cancer["cleo decided"]) == ("–", ""), "llm never looks for diseases"
    assert cancer["heart"] == "cancer"


@pytest.mark.parametrize("cell", ["=1+1", "+x", "-2", "@cmd", "\tx"])
def test_no_cell_is_a_formula(cell: str) -> None:
    assert _safe(cell).startswith("'")


def test_the_history_alone_gives_the_answers_again(store: Store, tmp_path: Path) -> None:
    settle(store)
    [path] = export(store, tmp_path / "history.jsonl", what="history")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {row["curator"] for row in rows} == {"cleo"}
    assert rows[0]["document"] == "contested"
    changes = msgspec.convert(rows[0]["changes"], SentDecision.__annotations__["changes"])
    assert apply((), changes) == work_on(store, "cleo", CONTESTED)


def test_what_cannot_hold_names_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="penn holds no names"):
        export(store, tmp_path / "gold.mrg")
    with pytest.raises(UnknownNameError, match="did you mean 'gold'"):
        export(store, tmp_path / "gold.jsonl", what="golds")


def test_an_empty_review_exports_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        import_documents(store, [])
        [path] = export(store, tmp_path / "gold.jsonl")
        assert path.read_bytes() == b""
        assert export(store, tmp_path / "gold.eval") == [tmp_path / "gold.eval"]


def test_comments_on_names_and_documents_reach_the_export(store: Store, tmp_path: Path) -> None:
    settle(store)
    [gene] = [answer for answer in work_on(store, "cleo", CONTESTED) if answer.place == GENE]
    said = Change(GENE, gene, msgspec.structs.replace(gene, comment="isoform?"))
    whole = Change(WHOLE, None, Answer(WHOLE, comment="a hard one"))
    decide_for(store, "cleo", CONTESTED, said, whole)
    decide_for(store, "dora", CONTESTED, accepting(GENE), rejecting(CANCER))
    decide_for(store, "dora", CONTESTED, remark := Change(WHOLE, None, Answer(WHOLE, comment="no")))
    assert remark.after is not None
    first = next(gold(store))
    assert first.layers["gold"][0].attributes == (("comment", "isoform?"),)
    assert first.meta["comments"] == [
        {"curator": "cleo", "comment": "a hard one"},
        {"curator": "dora", "comment": "no"},
    ]
    [path] = export(store, tmp_path / "own.jsonl", what="curators", only="dora")
    row = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert row["meta"]["comments"] == [{"curator": "dora", "comment": "no"}]
    found = agreement(store)
    assert found is not None
    assert found.pairs[0].exact.f1 == 1, "a comment is no difference"
