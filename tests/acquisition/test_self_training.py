import subprocess
import sys
from dataclasses import replace
from math import isnan
from pathlib import Path

import pytest

from tests.recognise.annotated import marked
from vermeil import Document, Span
from vermeil.acquisition.rounds import Round
from vermeil.acquisition.self_training import (
    SHY,
    SelfTraining,
    SelfTrainingPlan,
    exact_f1,
    self_train,
)
from vermeil.errors import FormatError, UsageError
from vermeil.recognise.linear.tagger import LinearTagger

pytest.importorskip("sklearn")

GENES = ("BRCA1", "p53", "IL-2", "protein kinase C", "tumour necrosis factor", "NFκB")
VERBS = ("rose", "fell", "was seen", "grew", "bound DNA")


def documents() -> list[Document]:
    """Make documents with two names each, of which every third document has only the first."""
    made = []
    for number in range(60):
        one, other = GENES[number % 6], GENES[(number // 6 + number) % 6]
        verb = VERBS[number % 5]
        gold = marked(
            str(number), f"We saw that [G:{one}] {verb} in cells. Then [G:{other}] {verb} in mice."
        )
        spans = gold.layers["gold"]
        made.append(gold.with_layer("acquired", spans[:1] if number % 3 else spans))
    return made


PLAN = SelfTrainingPlan(
    ("G",),
    "acquired",
    n_seed_tokens=300,
    n_sample_tokens=120,
    n_rounds=4,
    threshold=0.1,
    options=replace(SHY, n_bits=14),
)


def layers(found: SelfTraining) -> list[tuple[str, tuple[Span, ...]]]:
    return [(each.id, each.layers["self-training"]) for each in found.documents]


def test_what_was_annotated_stays_and_what_is_added_lies_apart() -> None:
    found = self_train(documents(), PLAN)
    n_added = 0
    for each in found.documents:
        before, after = each.layers["acquired"], each.layers["self-training"]
        assert set(before) <= set(after)
        added = [span for span in after if span not in before]
        n_added += len(added)
        for span in added:
            told = dict(span.attributes)
            assert float(told["margin"]) > PLAN.threshold
            assert 1 <= int(told["round"]) <= 4
            assert all(span.end <= other.start or other.end <= span.start for other in before)
    assert n_added == sum(each.n_added for each in found.rounds) > 0


def test_missing_names_are_found_and_few_that_are_none() -> None:
    found = self_train(documents(), PLAN)
    added = [
        ((span.start, span.end) in {(s.start, s.end) for s in each.layers["gold"]})
        for each in found.documents
        for span in each.layers["self-training"]
        if span.attributes
    ]
    assert len(added) > 5
    assert sum(added) / len(added) > 0.8


def test_figures_of_rounds_add_up() -> None:
    found = self_train(documents(), PLAN)
    assert [each.number for each in found.rounds] == [0, 1, 2, 3, 4]
    last = found.rounds[-1]
    assert last.n_documents == len(found.documents)
    assert last.n_names == sum(len(each.layers["self-training"]) for each in found.documents)
    assert sum(last.lengths) == sum(len(each.layers["acquired"]) for each in found.documents)
    assert sum(last.added_lengths) == sum(each.n_added for each in found.rounds)
    assert last.n_tokens >= 300 + 4 * 120
    assert isnan(last.f1)


def test_a_development_set_shows_how_good_each_tagger_is_the_first_and_the_last_too() -> None:
    plan, judges = replace(PLAN, n_rounds=2), documents()[:12]
    found = self_train(documents(), plan, development=judges)
    assert [each.number for each in found.rounds] == [0, 1, 2]
    assert all(0 < each.f1 <= 1 for each in found.rounds)
    last = LinearTagger.fit(found.documents, plan.recipe, options=plan.options)
    assert found.rounds[-1].f1 == exact_f1(last, judges, "gold")


def test_nothing_is_added_above_the_highest_margin() -> None:
    found = self_train(documents(), replace(PLAN, threshold=1e9, n_rounds=2))
    assert [each.n_added for each in found.rounds] == [0, 0, 0]
    assert all(each.layers["self-training"] == each.layers["acquired"] for each in found.documents)


def test_rounds_end_when_all_documents_are_drawn() -> None:
    found = self_train(documents(), replace(PLAN, n_rounds=50))
    assert len(found.rounds) < 50
    assert len(found.documents) == 60


def test_documents_that_nobody_annotated_are_left_out() -> None:
    bare = [Document(id=f"bare {number}", text="Nobody looked.") for number in range(5)]
    assert layers(self_train([*documents(), *bare], PLAN)) == layers(self_train(documents(), PLAN))


def test_the_length_watch_keeps_a_length_to_its_share() -> None:
    free = self_train(documents(), replace(PLAN, threshold=0.0))
    kept = self_train(documents(), replace(PLAN, threshold=0.0, length_slack=0.0))
    first = kept.rounds[1]
    assert 0 < first.n_added <= free.rounds[1].n_added
    share = [own / sum(kept.rounds[0].lengths) for own in kept.rounds[0].lengths]
    for own, part in zip(first.added_lengths, share, strict=True):
        assert own < part * first.n_added + 1


def test_an_ended_run_goes_on_with_the_same_result(tmp_path: Path) -> None:
    whole = self_train(documents(), PLAN, development=documents()[:6])

    def stop(done: Round) -> None:
        if done.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        self_train(documents(), PLAN, folder=tmp_path, development=documents()[:6], watch=stop)
    made: list[int] = []
    again = self_train(
        documents(),
        PLAN,
        folder=tmp_path,
        development=documents()[:6],
        watch=lambda done: made.append(done.number),
    )
    assert made == [3, 4]
    assert again == whole


KILLED = """
import os, signal, sys
sys.path.insert(0, "")
from pathlib import Path
from tests.acquisition.test_self_training import PLAN, documents
from vermeil.acquisition import self_training

find, calls = self_training._find_missing, []
def find_and_die(*given):
    calls.append(1)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return find(*given)
self_training._find_missing = find_and_die
self_training.self_train(documents(), PLAN, folder=Path(sys.argv[1]))
"""


def test_a_killed_run_goes_on_with_the_same_result(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=root, check=False)
    assert ended.returncode == -9
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "lock",
        "manifest.json",
        "round-000.json",
        "round-001.json",
        "round-002.json",
    ]
    again, whole = self_train(documents(), PLAN, folder=tmp_path), self_train(documents(), PLAN)
    assert layers(again) == layers(whole)
    assert repr(again.rounds) == repr(whole.rounds)


def test_more_rounds_go_on_from_those_made(tmp_path: Path) -> None:
    self_train(documents(), replace(PLAN, n_rounds=2), folder=tmp_path)
    assert layers(self_train(documents(), PLAN, folder=tmp_path)) == layers(
        self_train(documents(), PLAN)
    )


def test_a_folder_of_another_plan_or_other_documents_is_refused(tmp_path: Path) -> None:
    few = replace(PLAN, n_rounds=1)
    self_train(documents(), few, folder=tmp_path)
    with pytest.raises(UsageError, match=r"an option has changed \(threshold: 0\.1, now 0\.2\)"):
        self_train(documents(), replace(few, threshold=0.2), folder=tmp_path)
    with pytest.raises(UsageError, match=r"an input has changed \(documents: "):
        self_train(documents()[1:], few, folder=tmp_path)
    with pytest.raises(UsageError, match=r"an input has changed \(development: "):
        self_train(documents(), few, folder=tmp_path, development=documents()[:6])
    (tmp_path / "round-001.json").write_text("{}")
    with pytest.raises(FormatError, match=r"round-001\.json: is no round"):
        self_train(documents(), few, folder=tmp_path)


def test_two_runs_do_not_keep_rounds_in_one_folder_at_the_same_time(tmp_path: Path) -> None:
    def again(done: Round) -> None:
        with pytest.raises(UsageError, match="another run is working there; wait for it"):
            self_train(documents(), PLAN, folder=tmp_path)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        self_train(documents(), PLAN, folder=tmp_path, watch=again)


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match=r"holds thesis\.txt, which no run has left there"):
        self_train(documents(), PLAN, folder=tmp_path)
