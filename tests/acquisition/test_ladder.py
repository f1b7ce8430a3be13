from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest

from tests.acquisition.bed import abstracts, lexicon, links
from vermeil.acquisition.asking import settled
from vermeil.acquisition.ladder import Ladder, LadderPlan, climb
from vermeil.errors import UsageError
from vermeil.formats import read
from vermeil.recognise.linear.options import LinearOptions

pytest.importorskip("sklearn")

SMALL = LinearOptions(n_folds=0, named_sentences=True, n_bits=14)
PLAN = LadderPlan(n_tokens=3000, n_rounds=2, options=SMALL)
JUDGES = [each.replace(id=f"new {each.id}") for each in abstracts(260)[240:]]
TEXTS = [each.replace(layers={}) for each in abstracts()]


def made(folder: Path, plan: LadderPlan = PLAN, said: list[str] | None = None) -> Ladder:
    return climb(
        lambda: iter(TEXTS),
        JUDGES,
        lexicon(),
        links(),
        plan,
        folder=folder,
        say=(lambda step: said.append(step)) if said is not None else lambda _: None,
    )


def test_every_row_is_scored_and_tested_against_one_that_differs_in_one_thing(
    tmp_path: Path,
) -> None:
    ladder = made(tmp_path / "ladder")
    assert {row.name: row.against for row in ladder.rows} == {
        "dictionary": None,
        "svm": "dictionary",
        "svm, same documents": "svm",
        "+ reference": "svm, same documents",
        "+ coordination": "+ reference",
        "words hidden": "+ coordination",
        "+ self-training": "+ coordination",
    }
    by_name = {row.name: row for row in ladder.rows}
    for row in ladder.rows:
        assert row.counts.wanted == sum(len(each.layers["gold"]) for each in JUDGES)
        assert 0.5 < row.tokens.accuracy <= 1
        assert row.f1.low <= row.counts.f1 <= row.f1.high
        if row.against is None:
            assert isnan(row.gain)
        else:
            assert row.gain == pytest.approx(row.counts.f1 - by_name[row.against].counts.f1)
            assert 0 < row.p_value <= 1
    # Words that are called like genes are matched, and taught to the naive tagger.
    assert by_name["+ reference"].counts.precision > by_name["svm"].counts.precision


def test_all_rows_but_the_first_learn_from_the_same_documents_of_one_size(tmp_path: Path) -> None:
    ladder = made(tmp_path)
    same = list(read(tmp_path / "same.jsonl.gz"))
    assert len(same) == ladder.n_documents
    assert PLAN.n_tokens <= ladder.n_tokens < PLAN.n_tokens + 100
    assert all(links().are_referenced(same))
    assert set(same[0].layers) == {"dictionary", "reference", "coordination"}
    assert ladder.rounds[-1].n_documents == len(same)
    assert [each.number for each in ladder.rounds] == [0, 1, 2]
    anybody = list(read(tmp_path / "any.jsonl.gz"))
    assert not all(links().are_referenced(anybody))


def test_a_run_that_was_ended_goes_on_to_the_same_table(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole")

    class EndedError(Exception):
        pass

    class Ending(list[str]):
        def append(self, step: str) -> None:
            super().append(step)
            if step == "round 1":
                raise EndedError

    with pytest.raises(EndedError):
        made(tmp_path / "ended", said=Ending())
    said: list[str] = []
    assert made(tmp_path / "ended", said=said) == whole
    assert "reference" not in said
    assert said[:2] == ["self-training", "round 2"]
    assert made(tmp_path / "ended", said=said) == whole
    with pytest.raises(UsageError, match=r"an option has changed \(n_tokens: 3000, now 2000\)"):
        made(tmp_path / "ended", replace(PLAN, n_tokens=2000))


def test_as_in_the_paper_the_last_tagger_does_not_see_the_word_itself(tmp_path: Path) -> None:
    ladder = made(tmp_path, replace(PLAN, shy_last=True))
    last = ladder.rows[-1]
    assert last.against == "words hidden"
    assert last.counts.f1 == pytest.approx(ladder.rounds[-1].f1)


def test_documents_without_references_are_refused(tmp_path: Path) -> None:
    strangers = [each.replace(id=f"x{each.id}") for each in TEXTS]
    with pytest.raises(UsageError, match="no document has a reference"):
        climb(lambda: strangers, JUDGES, lexicon(), links(), PLAN, folder=tmp_path)


def test_the_paper_s_way_has_the_paper_s_sizes() -> None:
    way = settled({"n_tokens": None, "n_rounds": 3, "steps": None}, like_paper=True)
    assert way == {
        "n_tokens": 4_542_000,
        "n_rounds": 3,
        "steps": ("exact", "reference", "coordination"),
    }
