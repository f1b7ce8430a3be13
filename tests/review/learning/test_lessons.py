"""What is learned depends on what is settled, and on nothing else."""

from collections.abc import Mapping

import numpy as np
import pytest

from vermeil import samples
from vermeil.document import Document, Layer, Span
from vermeil.formats import read_corpus
from vermeil.review.learning.lessons import Lessons, Outlook, SettledNames
from vermeil.review.learning.worth import DOCUMENT, NAME, worth

WORDS = ("p53", "CD4", "Ras", "Fos", "Jun", "Myc", "Src", "Abl", "Raf", "Rel")


@pytest.fixture(scope="module")
def voters() -> tuple[dict[int, Document], dict[int, Layer]]:
    """Read some samples; gold is apart."""
    read = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:20]
    kept = {
        n: each.replace(
            layers={k: v for k, v in each.layers.items() if not k.startswith("gold")},
            standards={},
            meta={},
        )
        for n, each in enumerate(read)
    }
    return kept, {n: each.layers["gold"] for n, each in enumerate(read)}


def systematic() -> dict[int, Document]:
    """Three annotators who all take the gap before a name for part of it, and one who does not."""
    found = {}
    for number, word in enumerate(WORDS):
        text = f"human {word} binds"
        wide, narrow = (Span(0, 9, "Gene"),), (Span(6, 9, "Gene"),)
        layers = {"a": wide, "b": wide, "c": wide, "d": narrow}
        found[number] = Document(id=str(number), text=text, layers=layers)
    return found


def narrow(document: Document) -> SettledNames:
    return SettledNames((Span(6, 9, "Gene"),))


def decided(learned: Outlook) -> list[Layer]:
    return [tuple(Span(s.start, s.end, s.label) for s in names) for names in learned.names]


def test_what_is_settled_corrects_what_is_open() -> None:
    documents = systematic()
    before = Lessons().learn(documents, {})
    assert decided(before) == [(Span(0, 9, "Gene"),)] * len(WORDS)
    after = Lessons().learn(documents, {n: narrow(documents[n]) for n in range(4)})
    assert decided(after) == [(Span(6, 9, "Gene"),)] * len(WORDS)
    assert after.n_otherwise == len(WORDS) - 4
    trust = dict(zip(after.crowd.annotators, after.crowd.left[0], strict=True))
    assert trust["d"] > trust["a"]


def test_nothing_is_gained_where_all_is_settled() -> None:
    documents = systematic()
    learned = Lessons().learn(documents, {0: narrow(documents[0]), 1: SettledNames((), ())})
    assert learned.is_settled.tolist() == [True] + [False] * (len(WORDS) - 1)
    assert learned.gain[0] == 0
    assert (learned.gain[1:] > 0).all()


def test_the_same_decisions_teach_the_same_whatever_came_before(
    voters: tuple[dict[int, Document], dict[int, Layer]],
) -> None:
    documents, gold = voters
    fresh, used = Lessons(), Lessons()
    for n in range(1, 6):
        used.learn(documents, {k: SettledNames(gold[k]) for k in range(n, 12)})
    known = {k: SettledNames(gold[k]) for k in (3, 1, 2)}
    first, second = fresh.learn(documents, known), used.learn(documents, known)
    assert np.array_equal(first.gain, second.gain)
    assert np.array_equal(first.crowd.hit, second.crowd.hit)
    assert first.names == second.names


def test_a_document_at_a_time_is_worth_what_its_names_gain_on_average(
    voters: tuple[dict[int, Document], dict[int, Layer]],
) -> None:
    documents, gold = voters
    learned = Lessons().learn(documents, {0: SettledNames(gold[0])})
    whole, each = worth(learned, DOCUMENT), worth(learned, NAME)
    for number in documents:
        own = learned.document == number
        assert np.ptp(whole[own]) == 0
        assert whole[own].sum() == pytest.approx(each[own].sum())


def test_layers_hold_what_is_settled_and_what_is_likeliest() -> None:
    documents = systematic()
    known: Mapping[int, SettledNames] = {0: SettledNames(())}
    layers = Lessons().learn(documents, known).layers(known)
    assert layers[0] == ()
    assert [(s.start, s.end) for s in layers[1]] == [(0, 9)]


def test_a_document_without_names_has_no_places() -> None:
    documents = {1: Document(id="1", text="nothing", layers={"a": (), "b": ()})}
    learned = Lessons().learn(documents, {})
    assert not len(learned.gain)
