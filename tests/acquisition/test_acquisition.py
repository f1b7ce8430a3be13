from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acquisition.bed import UNLISTED, abstracts, lexicon, links
from vermeil.acquisition.acquisition import AcquisitionPlan, acquire
from vermeil.acquisition.labelling import CONSENSUS
from vermeil.acquisition.support.judgement import Judgement
from vermeil.acquisition.training_data import NAMES, Belief, sure_sentences
from vermeil.acquisition.words_of_texts import words_of
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import read, write
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.committee import Committee
from vermeil.recognise.recogniser import load
from vermeil.recognise.tagging import tag

pytest.importorskip("sklearn")

# So small a world makes nobody as sure as the default wants.
PLAN = AcquisitionPlan(n_documents=90, n_rounds=15, belief=Belief(tagger=0.6))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("acquired") / "run"
    acquire(abstracts, lexicon(), links(), PLAN, folder=made)
    return made


def stop(step: str) -> None:
    raise KeyboardInterrupt


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_recogniser_finds_names_that_are_in_no_database(folder: Path) -> None:
    unseen = abstracts(300)[240:]
    tagged = list(tag(load(folder / "model.zip"), unseen, name="found"))
    found = {span.marked(document.text) for document in tagged for span in document.layers["found"]}
    assert len(found & set(UNLISTED)) >= 3
    right = n_found = 0
    for document in tagged:
        places = {(span.start, span.end) for span in document.layers["found"]}
        right += len(places & {(span.start, span.end) for span in document.layers["gold"]})
        n_found += len(places)
    assert right > 0.9 * n_found


def test_the_consensus_has_names_beside_those_of_the_lexicon(folder: Path) -> None:
    names = {
        span.marked(document.text)
        for document in read(folder / "consensus.jsonl.gz")
        for span in document.layers[CONSENSUS]
    }
    assert names & set(UNLISTED)


def test_members_of_a_committee_learn_from_half_of_the_sample_each(folder: Path) -> None:
    committee = load(folder / "model.zip")
    assert isinstance(committee, Committee)
    assert [each.recipe.tokeniser for each in committee.members] == ["punctuation", "fine"]
    assert committee.card["documents"] == 90
    assert [each.card["documents"] for each in committee.members] == [45, 45]


def test_one_cascade_can_be_had_instead_and_knows_the_words_of_the_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vermeil.acquisition.words_of_texts.LEAST_WORDS", 20)
    monkeypatch.setattr("vermeil.acquisition.support.company.LEAST", 2)
    plan, folder = replace(PLAN, by="cascade", n_documents=30, n_rounds=5), tmp_path / "run"
    made = acquire(abstracts, lexicon(), links(), plan, folder=folder)
    assert isinstance(made.model, Cascade)
    assert made.model.knowledge.learned is not None
    assert (folder / "words.zip").exists()
    assert not (folder / "member-1.zip").exists()


@pytest.mark.parametrize(
    "lost", ["model.zip", "member-2.zip", "consensus.jsonl.gz", "tagger-2.zip"]
)
def test_a_run_goes_on_where_it_was_ended_with_the_same_result(
    folder: Path, lost: str, tmp_path: Path
) -> None:
    half_done = tmp_path / "run"
    half_done.mkdir()
    kept = ["manifest.json", "judgement.zip", "labels.jsonl.gz", "tagger-1.zip", "tagger-2.zip"]
    kept += ["consensus.jsonl.gz", "member-1.zip", "member-2.zip", "model.zip"]
    for name in kept[: kept.index(lost)]:
        (half_done / name).write_bytes((folder / name).read_bytes())
    acquire(abstracts, lexicon(), links(), PLAN, folder=half_done)
    assert contents(half_done) == contents(folder)


def test_few_words_are_not_learned_from_and_the_run_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "words.zip"
    assert words_of(abstracts, path, tokeniser="punctuation", say=said.append) is None
    assert "words are too few to learn from" in said[-1]
    assert not path.exists()
    assert words_of(tuple, path, tokeniser="punctuation", say=said.append) is None
    assert said[-1].startswith("0 words are too few")


def test_another_error_while_words_are_learned_is_not_taken_for_too_few(tmp_path: Path) -> None:
    said: list[str] = []

    def texts() -> Iterator[Document]:
        yield next(iter(abstracts()))
        raise UsageError("the disk is full")

    with pytest.raises(UsageError, match="the disk is full"):
        words_of(texts, tmp_path / "words.zip", tokeniser="punctuation", say=said.append)


def test_another_plan_does_not_go_on_in_the_same_folder(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"an option has changed \(seed: 0, now 1\)"):
        acquire(abstracts, lexicon(), links(), replace(PLAN, seed=1), folder=folder)


def test_other_files_and_another_reading_do_not_go_on_in_the_same_folder(tmp_path: Path) -> None:
    texts, folder = tmp_path / "texts.jsonl", tmp_path / "run"
    write(abstracts(), texts)

    def go(align: str) -> None:
        reading = {"align": align}
        acquire(
            abstracts, lexicon(), links(), PLAN, folder=folder, files=[texts], reading=reading,
            say=stop,
        )  # fmt: skip

    with pytest.raises(KeyboardInterrupt):
        go("exact")
    with pytest.raises(UsageError, match=r"an option has changed \(reading:"):
        go("fuzzy")
    write(abstracts()[1:], texts)
    with pytest.raises(UsageError, match=r"an input has changed \(.*texts\.jsonl"):
        go("exact")


def test_two_runs_do_not_work_in_one_folder_at_the_same_time(tmp_path: Path) -> None:
    def again(step: str) -> None:
        with pytest.raises(UsageError, match="another run is working there; wait for it"):
            acquire(abstracts, lexicon(), links(), PLAN, folder=tmp_path)
        stop(step)

    with pytest.raises(KeyboardInterrupt):
        acquire(abstracts, lexicon(), links(), PLAN, folder=tmp_path, say=again)


def test_what_a_killed_run_left_half_written_is_cleared(folder: Path) -> None:
    half = folder / ".model.zip.x.partial"
    half.write_bytes(b"half")
    acquire(abstracts, lexicon(), links(), PLAN, folder=folder)
    assert not half.exists()


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match=r"holds thesis\.txt, which no run has left there"):
        acquire(abstracts, lexicon(), links(), PLAN, folder=tmp_path)


def test_another_threshold_moves_what_is_labelled_and_what_is_learned_alike() -> None:
    plan = AcquisitionPlan()
    assert plan.with_threshold(plan.labelling.threshold) == plan
    lower = plan.with_threshold(plan.labelling.threshold - 1)
    assert lower.labelling.threshold == plan.labelling.threshold - 1
    assert lower.belief == replace(
        plan.belief, name=plan.belief.name - 1, unknown=plan.belief.unknown - 1
    )


def test_sentences_to_learn_from_have_a_name_and_nothing_unknown() -> None:
    judgement = Judgement.learn(lexicon(), links(), abstracts())
    learned = list(sure_sentences(judgement, abstracts()))
    assert learned
    for sentence in learned:
        assert sentence.layers[NAMES]
        assert all(span.marked(sentence.text) for span in sentence.layers[NAMES])
        assert all((span.confidence or 0) >= 0.5 for span in sentence.layers[NAMES])
