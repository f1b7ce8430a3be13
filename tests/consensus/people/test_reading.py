"""A consensus that reads: its laws, its choice, and a plain twin of what it makes of a prior."""

import random
from dataclasses import replace
from functools import reduce
from math import exp, log
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_laws import TEXTS, batches, layers, names
from vermeil import Document, Layer, Span, SpanTable
from vermeil.arrays import Floats, Ints
from vermeil.columns.levels import levels_of
from vermeil.consensus import ConsensusStage, Options, combine
from vermeil.consensus.methods import get_method
from vermeil.consensus.people import evidence as evidences
from vermeil.consensus.people import heart_texts, reading
from vermeil.consensus.people.crowd import Crowd, Cut
from vermeil.consensus.people.evidence import gather, ranks_of
from vermeil.consensus.people.heart_texts import CrowdSeen, DescribedHearts
from vermeil.consensus.people.judging import judge
from vermeil.consensus.people.known import NOT_THERE
from vermeil.consensus.people.model import learn
from vermeil.consensus.people.reading import Reader
from vermeil.consensus.reading.described import DescribedThings
from vermeil.consensus.reading.places import ProposedEdges, ReadTexts, text_key
from vermeil.consensus.reading.text_model import TextPrior

READING, BLIND = Options(read=True), Options(read=False)
GENES, DRUGS = (
    ("BRCA1", "TP53", "EGFR", "KRAS", "MYC"),
    ("aspirin", "imatinib", "taxol", "metformin"),
)
FILLERS = ("tumours", "children", "the assay", "cohort", "placebo")


def told(n_documents: int = 160, n_people: int = 25, seed: int = 0) -> list[Document]:
    """Three of many people mark genes and drugs, miss a third, and mark other words by mistake.

    The text tells: a gene is "expressed", a drug "given", and what is marked by mistake "seen".
    """
    rng = np.random.default_rng(seed)
    batch = []
    for number in range(n_documents):
        text = ""
        gold: list[tuple[int, int, str]] = []
        false: list[tuple[int, int, str]] = []
        for _ in range(4):
            kind = rng.integers(3)
            word = str(rng.choice((GENES, DRUGS, FILLERS)[kind]))
            lead = ("Cells expressed ", "Patients were given ", "We have seen ")[kind]
            start = len(text) + len(lead)
            span = (start, start + len(word))
            (false if kind == 2 else gold).append((*span, ("Gene", "Drug", "Gene")[kind]))
            text += f"{lead}{word} again. "
        said: dict[str, Layer] = {}
        for person in rng.choice(n_people, 3, replace=False).tolist():
            marked = [name for name in gold if rng.random() < 0.6]
            marked += [name for name in false if rng.random() < 0.2]
            said[f"p{person:02}"] = tuple(Span(*name) for name in sorted(marked))
        said["gold"] = tuple(Span(*name) for name in gold)
        batch.append(Document(id=str(number), text=text, layers=said))
    return batch


def votes(batch: list[Document]) -> list[Document]:
    return [
        document.replace(layers={n: own for n, own in document.layers.items() if n != "gold"})
        for document in batch
    ]


def right(batch: list[Document], options: Options) -> float:
    """F of the consensus against gold."""
    n_right = n_all = 0
    for asked, found in zip(batch, combine(votes(batch), options=options), strict=True):
        wanted, decided = (
            {(span.start, span.end, span.label) for span in layer}
            for layer in (asked.layers["gold"], found.layers["consensus"])
        )
        n_right += 2 * len(wanted & decided)
        n_all += len(wanted) + len(decided)
    return n_right / n_all


def seen_in(batch: list[Document], options: Options = READING) -> CrowdSeen:
    seen: CrowdSeen = ConsensusStage(choices=options).observe(iter(batch)).patterns
    return seen


@pytest.fixture(scope="module")
def batch() -> list[Document]:
    return told()


def test_reading_helps_where_the_text_tells_what_few_people_do_not(batch: list[Document]) -> None:
    assert right(batch, READING) > right(batch, BLIND) + 0.02


def test_it_is_chosen_without_gold_and_says_why(batch: list[Document]) -> None:
    crowd = reading.learn_reading(seen_in(votes(batch)))
    assert crowd.text is not None
    assert crowd.reading.startswith("texts read: who is left out is predicted better (-")
    assert right(batch, Options()) == right(batch, READING)


def test_texts_that_tell_nothing_are_not_read(batch: list[Document]) -> None:
    rng = random.Random(1)
    noise = [
        document.replace(text="".join(rng.choice("abcdefgh ") for _ in document.text))
        for document in votes(batch)
    ]
    crowd = reading.learn_reading(seen_in(noise))
    assert crowd.text is None
    assert crowd.reading.startswith("texts not read: who is left out is predicted no better")


def test_texts_of_systems_and_of_a_few_documents_are_not_read(batch: list[Document]) -> None:
    few = reading.learn_reading(seen_in(votes(batch)[:20]))
    assert few.reading == "texts not read: there is too little to learn from"
    systems = [
        document.replace(layers=dict(zip("abc", document.layers.values(), strict=False)))
        for document in votes(batch)
    ]
    crowd = reading.learn_reading(seen_in(systems))
    assert crowd.reading == "texts not read: annotators saw nearly everything, as systems do"


def cut_by_systems(n_documents: int = 400, seed: int = 0) -> list[Document]:
    """Three systems find what anybody sees, but differ in the cut, which the text tells.

    A gene that is "the" gene is named with what it is, and one that is "a" gene without.
    """
    rng = np.random.default_rng(seed)
    batch = []
    for number in range(n_documents):
        text = ""
        said: dict[str, list[Span]] = {name: [] for name in ("a", "b", "c", "gold")}
        for _ in range(3):
            lead, is_wide = (("We saw a ", False), ("We saw the ", True))[rng.integers(2)]
            start = len(text) + len(lead)
            name = str(rng.choice(GENES))
            text += f"{lead}{name} kinase again. "
            for who, own in said.items():
                wrong = who != "gold" and rng.random() < 0.25
                own.append(Span(start, start + len(name) + 7 * (is_wide != wrong), "Gene"))
        layers = {who: tuple(own) for who, own in said.items()}
        batch.append(Document(id=str(number), text=text, layers=layers))
    return batch


def test_texts_of_systems_are_read_for_the_cuts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = cut_by_systems()
    assert right(batch, Options()) == right(batch, BLIND)  # too little
    monkeypatch.setattr(reading, "LEAST_FOR_CUTS", 300)
    crowd = reading.learn_reading(seen_in(votes(batch)))
    assert crowd.reading.startswith("texts read for the cuts alone: annotators saw nearly")
    assert right(batch, Options()) > right(batch, BLIND) + 0.02
    table = SpanTable.from_documents(votes(batch))
    evidence = gather(table, together=crowd.together)
    heard, plain = reading.judge_reading(table, evidence, crowd), judge(evidence, crowd)
    assert (heard.chance == plain.chance).all()
    assert not (heard.right.chance == plain.right.chance).all()


def test_too_many_names_of_systems_are_not_read_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LEAST_FOR_CUTS", 10)
    monkeypatch.setattr(reading, "MOST_FOR_CUTS", 300)
    crowd = reading.learn_reading(seen_in(votes(cut_by_systems())))
    assert crowd.reading == "texts not read: annotators saw nearly everything, as systems do"


def test_the_likelihood_of_who_is_left_out_rises_with_the_right_model(
    batch: list[Document],
) -> None:
    seen = seen_in(votes(batch))
    crowd = learn(seen.answers)
    assert seen.texts is not None
    described = DescribedHearts.of(seen.texts.hearts(together=True), seen.texts.kept)
    reader = Reader(described, seen.answers, crowd, "")
    without, within, already = reader.first_look()
    prior = reader._scored(reader.first)
    mixed_up = np.random.default_rng(0).permutation(prior.labels)
    wrong = reader._left_out(crowd, replace(prior, labels=mixed_up, already=already))
    assert within > without > wrong
    assert reader.learned(1.0)[1] > reader.learned(0.0)[1]


@given(batch=batches(), data=st.data())
def test_judging_with_a_prior_equals_the_naive_twin(
    batch: list[Document], data: st.DataObject
) -> None:
    table = SpanTable.from_documents(batch)
    crowd = learn(seen_in(batch, BLIND).answers).among(table.annotators)
    evidence = gather(table, together=crowd.together, levels=levels_of(table))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    crowd = replace(crowd, voice=rng.uniform(0.3, 1, len(crowd.voice)))
    sides = [
        np.bincount(
            heart_texts.boundaries_of(evidence, ranks_of(evidence, reach), is_left=is_left).heart
        )
        for is_left, reach in ((True, evidence.left), (False, evidence.right))
    ]
    left, right = (rng.normal(size=int(side.sum())) for side in sides)
    prior = TextPrior(rng.normal(size=(len(evidence), len(table.labels))), left, right, 0.7)
    judged = judge(evidence, crowd, prior=prior)
    for heart in range(len(evidence)):
        odds, temper = naive_odds(evidence, crowd, heart, prior)
        total = 1 + sum(exp(each) for each in odds.values())
        found = judged.chance[heart]
        for label in range(len(table.labels)):
            wanted = exp(odds[label]) / total if label in odds else 0.0
            assert found[label] == pytest.approx(wanted, abs=1e-9)
        share = found / found.sum() if found.sum() else found
        mean_temper = sum(temper[k] * share[k] for k in range(len(share)))
        for edges, reach, cut, said, size in (
            (judged.left, evidence.left, crowd.left, prior.left, sides[0]),
            (judged.right, evidence.right, crowd.right, prior.right, sides[1]),
        ):
            ranks = ranks_of(evidence, reach)
            wanted_cuts = naive_cuts(evidence, ranks, cut, crowd.voice, heart, mean_temper)
            first = int(size[:heart].sum())
            scores = [exp(own + said[first + rank]) for rank, own in enumerate(wanted_cuts)]
            own = [score / sum(scores) for score in scores]
            assert edges.chance[first : first + len(own)] == pytest.approx(own, abs=1e-9)


def naive_odds(
    evidence: evidences.Testimony, crowd: Crowd, heart: int, prior: TextPrior
) -> tuple[dict[int, float], dict[int, float]]:
    """Weigh what is said of one heart, annotator by annotator, on top of the prior."""
    said = answers_about(evidence, heart)
    odds, tempers = {}, {}
    for k in range(len(crowd.labels)):
        asked = [j for j in said if crowd.looks_for[j, k]]
        n_looked = sum(crowd.voice[j] for j in asked)
        tempers[k] = 1 / (1 + max(n_looked - crowd.n_free, 0) * crowd.dependence)
        if not crowd.together and k not in said.values():
            continue
        total = 0.0
        for j in asked:
            hit, alarm = crowd.hit[j], crowd.alarm[j]
            ratio = hit / alarm if said[j] != NOT_THERE else (1 - hit) / (1 - alarm)
            total += log(ratio) * crowd.voice[j]
        total *= tempers[k]
        if crowd.together and len(crowd.labels) > 1:
            for j in asked:
                if said[j] != NOT_THERE:
                    place = 0 if len(crowd.confusion) == 1 else j
                    ratio = crowd.confusion[place, k, said[j]] / crowd.invented[place, said[j]]
                    total += log(ratio) * crowd.voice[j]
        heard = [
            1 - exp(min(tempers[k] * sum(log(1 - own[j]) * crowd.voice[j] for j in asked), -1e-6))
            for own in (crowd.hit, crowd.alarm)
        ]
        odds[k] = total + prior.labels[heart, k] - prior.already * log(heard[0] / heard[1])
    return odds, tempers


def naive_cuts(
    evidence: evidences.Testimony, ranks: Ints, cut: Cut, voice: Floats, heart: int, temper: float
) -> list[float]:
    """Weigh each boundary of one side by how each annotator who proposed one tends to cut."""
    first, end = evidence.first[heart : heart + 2].tolist()
    proposed = [
        (int(evidence.annotator[at]), int(ranks[at]))
        for at in range(first, end)
        if ranks[at] != NOT_THERE
    ]
    most = max((rank for _, rank in proposed), default=0)
    found = []
    for true in range(most + 1):
        total = 0.0
        for annotator, rank in proposed:
            if rank == true:
                own = cut[0, annotator]
            elif rank > true:
                own = cut[1, annotator] / max(most - true, 1)
            else:
                own = cut[2, annotator] / max(true, 1)
            total += log(own) * voice[annotator]
        found.append(total * temper)
    return found


def answers_about(evidence: evidences.Testimony, heart: int) -> dict[int, int]:
    first, end = evidence.first[heart : heart + 2].tolist()
    return {int(evidence.annotator[at]): int(evidence.label[at]) for at in range(first, end)}


@pytest.mark.parametrize("n", [3, 14])
@settings(max_examples=10)
@given(data=st.data())
def test_identical_annotators_give_back_that_annotator(n: int, data: st.DataObject) -> None:
    batch = []
    for number in range(data.draw(st.integers(1, 3))):
        text = data.draw(TEXTS)
        layer = data.draw(layers(text=text))
        everybody = {f"a{k}": layer for k in range(n)}
        batch.append(Document(id=str(number), text=text, layers=everybody))
    for document in combine(batch, options=READING):
        assert names(document.layers["consensus"]) == names(document.layers["a0"])


@settings(max_examples=10)
@given(batch=batches())
def test_nothing_is_found_that_nobody_marked_there(batch: list[Document]) -> None:
    for document in combine(batch, options=READING):
        everybody = [own for n, own in document.layers.items() if n != "consensus"]
        starts = {span.start for layer in everybody for span in layer}
        ends = {span.end for layer in everybody for span in layer}
        for decided in document.layers["consensus"]:
            assert decided.start in starts
            assert decided.end in ends


def test_what_follows_in_a_batch_does_not_show_at_the_end_of_a_text() -> None:
    own, next_one = (Document(id=text, text=text) for text in ("given imatinib", "Again taxol"))
    end, nothing = np.array([len(own.text)]), np.zeros(1, dtype=np.int64)
    edges = ProposedEdges(nothing, end, nothing, nothing, is_left=False)
    alone, beside = (
        DescribedThings.of(ReadTexts(some).boundaries(edges, nothing, nothing + 6, end))
        for some in ([own], [own, next_one])
    )
    here, there = (
        [each.features[each.first[row] : each.first[row + 1]].tolist() for row in each.row[0]]
        for each in (alone, beside)
    )
    assert here == there


@settings(max_examples=10)
@given(batch=batches(), chance=st.randoms(use_true_random=False))
def test_no_order_changes_a_digit(batch: list[Document], chance: random.Random) -> None:
    again = [
        document.replace(layers=dict(chance.sample(sorted(document.layers.items()), k)))
        for document in chance.sample(batch, len(batch))
        for k in [len(document.layers)]
    ]
    here, there = (
        {each.id: each.layers["consensus"] for each in combine(some, options=READING)}
        for some in (batch, again)
    )
    assert here == there


def test_no_way_of_cutting_a_corpus_changes_a_digit(
    batch: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    method = get_method("people")
    assert method.learn is not None
    some = votes(batch)
    monkeypatch.setattr(heart_texts, "MOST_READ", 150)
    whole = seen_in(some)
    parts = [seen_in(some[n : n + 37]) for n in range(0, len(some), 37)]
    joined = parts[3] + parts[0] + (parts[4] + parts[2] + parts[1])
    assert whole.texts is not None
    assert joined.texts is not None
    assert whole.texts.n_zeros == joined.texts.n_zeros > 0
    one, other = (method.learn(seen, READING).text for seen in (whole, joined))
    for fold, own in one.folds.items():
        assert np.array_equal(own.labels.weights, other.folds[fold].labels.weights)
        assert np.array_equal(own.left.weights, other.folds[fold].left.weights)


def test_what_a_process_read_before_spares_texts_but_changes_no_digit(
    batch: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heart_texts, "MOST_READ", 150)
    stage = ConsensusStage(choices=READING)
    memory: list[dict[str, Any]] = [{}, {}]
    whole = stage.observe(iter(batch)).patterns.texts
    parts = []
    for number in (0, 1, 1, 2, 3, 4):  # two processes; a part is done again
        part = batch[number * 37 : number * 37 + 37]
        parts.append(stage.observe_shard(iter(part), number, memory[number % 2]).patterns.texts)
    del parts[1]
    alone = stage.observe(iter(batch[148:185])).patterns.texts
    assert parts[-1].n_zeros > alone.n_zeros
    joined = reduce(add, parts)
    assert joined.n_zeros == whole.n_zeros
    for together in (True, False):
        one, other = (sorted(each.hearts(together=together).key) for each in (joined, whole))
        assert one == other


def test_of_hearts_that_are_no_longer_kept_nothing_is_kept(
    batch: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heart_texts, "MOST_READ", 150)
    parts = [seen_in(votes(batch[n : n + 37])).texts for n in range(0, len(batch), 37)]
    kept = reduce(add, [part for part in parts if part is not None])
    assert kept.n_zeros > 0
    own = {text_key(each): each.text for each in batch}
    keys = (kept.hearts(together=together).key.tolist() for together in (True, False))
    assert kept.kept.key.tolist() == sorted(set().union(*keys))
    assert len(kept.kept.content) == kept.kept.first[-1]
    for document, key in zip(kept.kept.of_keys(kept.kept.key), kept.kept.key.tolist(), strict=True):
        assert document.text == own[key]


def test_texts_of_systems_are_not_even_described(
    batch: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: Any) -> None:
        raise AssertionError("a text was read")

    monkeypatch.setattr(heart_texts, "ReadTexts", refuse)
    everybody = [each.replace(layers=dict.fromkeys("abcde", each.layers["gold"])) for each in batch]
    learned = ConsensusStage().finish(ConsensusStage().observe(iter(everybody)))
    assert learned.model.reading.startswith("texts not read: annotators saw nearly everything")
    with pytest.raises(AssertionError, match="a text was read"):
        ConsensusStage(choices=READING).finish(ConsensusStage().observe(iter(everybody)))
