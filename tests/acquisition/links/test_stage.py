from pathlib import Path

import numpy as np
import pytest

from tests.acquisition.bed import GENES, WORDS, abstracts, lexicon, links, write_links
from vermeil.acquisition.lexicon.files import save_lexicon
from vermeil.acquisition.links.model import LinkModel
from vermeil.acquisition.links.stage import LINKS, LinkStage
from vermeil.errors import FormatError
from vermeil.runs.streaming import Held, Streaming


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    save_lexicon(lexicon(), folder / "genes.zip")
    write_links(folder / "links.tsv")
    return folder


def stage(world: Path, *, judge: float | None = None, learned: str | None = None) -> LinkStage:
    return LinkStage(
        lexicon=str(world / "genes.zip"),
        references=str(world / "links.tsv"),
        learned=learned,
        threshold=0.3,
        tokeniser="punctuation",
        judge=judge,
        seed=0,
    )


def test_links_are_proposed_for_genes_and_not_for_words(world: Path) -> None:
    work = Streaming(stage(world), Held(abstracts()))
    marked = list(work.documents())
    assert work.sums is not None
    assert work.sums.n_documents == len(abstracts())
    words = {str(len(GENES) + number) for number in range(len(WORDS))}
    assert len(work.sums.links) > 50
    assert not words & {link.id for link in work.sums.links}
    texts = {each.id: each for each in abstracts()}
    for link in work.sums.links:
        assert set(link.names) == {GENES[int(link.id)]}
        assert link.names[0] in texts[link.document].text
    known = links()
    for each in marked:
        ids = [id for span in each.layers[LINKS] for id in span.ids]
        number = np.full(len(ids), known.references.number_of(each.id))
        records = np.array([lexicon().ids.index(id) for id in ids])
        assert not known.have(number, records).any()
    ranked = work.sums.ranked
    assert [link.confidence for link in ranked] == sorted(
        (link.confidence for link in ranked), reverse=True
    )


def test_hidden_links_are_found_again_rather_than_others(world: Path) -> None:
    work = Streaming(stage(world, judge=0.2), Held(abstracts()))
    for _ in work.documents():
        pass
    assert work.sums is not None
    trial = work.sums.trial
    assert 0 < trial.n_hidden == trial.n_findable < len(links().pairs)
    wrong = trial.n_found.sum() - trial.n_findable
    # By chance average precision would be the share of hidden links in all that was found.
    assert trial.ranking.average_precision > 1.15 * trial.n_findable / (wrong + trial.n_findable)


def test_what_was_learned_is_the_same_when_it_is_read_again(world: Path, tmp_path: Path) -> None:
    learned = str(tmp_path / "learned.zip")
    plain = stage(world, learned=learned)
    first = plain.prepare(iter(abstracts()), tmp_path)
    assert plain.is_prepared(tmp_path)
    for again in (plain.known(tmp_path), plain.prepare(iter(()), None)):
        ranked = [known.model.rank(abstracts()[:30]).odds for known in (first, again)]
        assert (ranked[0] == ranked[1]).all()


def test_what_was_learned_about_something_else_is_refused(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "judgement.zip"
    LinkModel.learn(lexicon(), links(), abstracts()).judgement.save(path)
    with pytest.raises(FormatError, match="holds a judgement, not what was learned about links"):
        stage(world, learned=str(path)).prepare(iter(()), None)


def test_documents_without_any_name_are_no_trouble(world: Path) -> None:
    known = stage(world).prepare(iter(abstracts()), None)
    empty = abstracts()[0].replace(text="Nothing at all.", layers={})
    assert not len(known.model.rank([empty]).odds)
    assert not len(known.model.rank([]).odds)
