from dataclasses import replace
from pathlib import Path

import pytest

from tests.acquire.bed import UNLISTED, abstracts, lexicon, links
from vermeil.acquire.acquisition import AcquisitionPlan, acquire
from vermeil.acquire.labelling import CONSENSUS
from vermeil.acquire.run_folder import fingerprint
from vermeil.acquire.support.judgement import Judgement
from vermeil.acquire.training_data import NAMES, Belief, sure_sentences
from vermeil.errors import UsageError
from vermeil.formats import read
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


def test_one_cascade_can_be_had_instead(tmp_path: Path) -> None:
    plan = replace(PLAN, by="cascade")
    made = acquire(abstracts, lexicon(), links(), plan, folder=tmp_path / "run")
    assert isinstance(made.model, Cascade)
    assert not (tmp_path / "run" / "member-1.zip").exists()


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


def test_another_plan_does_not_go_on_in_the_same_folder(folder: Path) -> None:
    with pytest.raises(UsageError, match="other inputs or options"):
        acquire(abstracts, lexicon(), links(), replace(PLAN, seed=1), folder=folder)


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="is not empty"):
        acquire(abstracts, lexicon(), links(), PLAN, folder=tmp_path)


def test_sentences_to_learn_from_have_a_name_and_nothing_unknown() -> None:
    judgement = Judgement.learn(lexicon(), links(), abstracts())
    learned = list(sure_sentences(judgement, abstracts()))
    assert learned
    for sentence in learned:
        assert sentence.layers[NAMES]
        assert all(span.marked(sentence.text) for span in sentence.layers[NAMES])
        assert all((span.confidence or 0) >= 0.5 for span in sentence.layers[NAMES])


def test_a_fingerprint_tells_contents_apart(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("a")
    other.write_text("b")
    before = fingerprint([one, other])
    assert before != fingerprint([other, one])
    other.write_text("c")
    assert before != fingerprint([one, other])
