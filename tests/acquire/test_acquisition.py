from dataclasses import replace
from pathlib import Path

import pytest

from tests.acquire.bed import UNLISTED, abstracts, lexicon, links
from vermeil.acquire.acquisition import AcquisitionPlan, acquire
from vermeil.acquire.labelling import CONSENSUS
from vermeil.acquire.run_folder import fingerprint
from vermeil.acquire.survey import Judgement
from vermeil.acquire.training_data import NAMES, Belief, sure_sentences
from vermeil.errors import UsageError
from vermeil.formats import read
from vermeil.recognise.committee import Committee
from vermeil.recognise.found import tag

pytest.importorskip("sklearn")

# So small a world makes nobody as sure as the default wants.
PLAN = AcquisitionPlan(by="cascade", n_documents=90, n_rounds=15, belief=Belief(tagger=0.6))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("acquired") / "run"
    acquire(abstracts, lexicon(), links(), PLAN, folder=made)
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_recogniser_finds_names_that_are_in_no_database(folder: Path) -> None:
    from vermeil.recognise.table import load

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


@pytest.mark.parametrize("lost", ["model.zip", "consensus.jsonl.gz", "tagger-2.zip"])
def test_a_run_goes_on_where_it_was_ended_with_the_same_result(
    folder: Path, lost: str, tmp_path: Path
) -> None:
    half_done = tmp_path / "run"
    half_done.mkdir()
    kept = ["manifest.json", "judgement.zip", "labels.jsonl.gz", "tagger-1.zip", "tagger-2.zip"]
    kept += ["consensus.jsonl.gz", "model.zip"]
    for name in kept[: kept.index(lost)]:
        (half_done / name).write_bytes((folder / name).read_bytes())
    acquire(abstracts, lexicon(), links(), PLAN, folder=half_done)
    assert contents(half_done) == contents(folder)


def test_members_of_a_committee_learn_apart_and_a_lost_one_is_made_again(tmp_path: Path) -> None:
    plan = replace(PLAN, by="committee")
    said: list[str] = []
    whole = acquire(abstracts, lexicon(), links(), plan, folder=tmp_path / "run", say=said.append)
    assert isinstance(whole.model, Committee)
    folders = [tmp_path / "run" / each.recipe.tokeniser for each in whole.model.members]
    assert [each.name for each in folders] == ["punctuation", "fine"]
    one, other = ({each.id for each in read(part / "consensus.jsonl.gz")} for part in folders)
    assert not one & other
    assert len(one) + len(other) == whole.n_documents == 90
    assert "fine: tagger-2" in said
    before = contents(folders[1])
    for lost in (folders[1] / "model.zip", tmp_path / "run" / "model.zip"):
        lost.unlink()
    said.clear()
    again = acquire(abstracts, lexicon(), links(), plan, folder=tmp_path / "run", say=said.append)
    assert said[0] == "fine: recogniser"
    assert contents(folders[1]) == before
    assert (again.n_documents, again.n_names) == (whole.n_documents, whole.n_names)


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
