"""The model of people against a plain twin: loops, and a dictionary for each annotator."""

from collections import defaultdict
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents
from vermeil import Document, Span, SpanTable
from vermeil.columns.levels import levels_of
from vermeil.consensus import Options, combine
from vermeil.consensus.people.answers import AnswerRows, Answers
from vermeil.consensus.people.crowd import Crowd, Replies, chances
from vermeil.consensus.people.evidence import gather, ranks_of
from vermeil.consensus.people.judging import judge
from vermeil.consensus.people.known import NOT_THERE
from vermeil.consensus.people.model import learn, scope_of
from vermeil.consensus.reliability import N_EMPTY

BATCHES = st.lists(documents(annotators=("a", "b", "c", "d")), min_size=1, max_size=4)
TEXT = "BRCA1 and p53 in breast cancer cells"


def crowd(n_people: int = 40, n_documents: int = 120, seed: int = 0) -> list[Document]:
    """Three of many people see each text; person 0 misses half, person 1 says Cell for Gene."""
    rng = np.random.default_rng(seed)
    batch = []
    for number in range(n_documents):
        layers = {}
        for person in rng.choice(n_people, 3, replace=False).tolist():
            finds = 0.5 if person == 0 else 0.95
            label = "Cell" if person == 1 else "Gene"
            spans = [Span(0, 5, label)] if rng.random() < finds else []
            spans += [Span(17, 30, "Disease")] if rng.random() < finds else []
            layers[f"p{person:03}"] = tuple(spans)
        batch.append(Document(id=str(number), text=TEXT, layers=layers))
    return batch


def observed(batch: list[Document]) -> Answers:
    table = SpanTable.from_documents(batch)
    return Answers.of(table, levels=levels_of(table))


def naive_chances(batch: list[Document], learned: Crowd) -> list[dict[str, float]]:
    """Weigh the answers about each heart annotator by annotator."""
    table = SpanTable.from_documents(batch)
    own = learned.among(table.annotators)
    evidence = gather(table, together=own.together, levels=levels_of(table))
    found = []
    for heart in range(len(evidence)):
        said = {
            int(evidence.annotator[at]): int(evidence.label[at])
            for at in range(evidence.first[heart], evidence.first[heart + 1])
        }
        steps = {
            int(evidence.annotator[at]): int(evidence.step[at])
            for at in range(evidence.first[heart], evidence.first[heart + 1])
        }
        odds = {}
        for k, label in enumerate(table.labels):
            asked = [j for j in said if own.looks_for[j, k]]
            if not own.together and k not in said.values():
                continue
            weigh = 1 / (1 + max(len(asked) - own.n_free, 0) * own.dependence)
            total = 0.0
            for j in asked:
                hit, alarm = own.hit[j], own.alarm[j]
                marked = said[j] != NOT_THERE
                total += log(hit / alarm) if marked else log((1 - hit) / (1 - alarm))
                total += own.sure[j, steps[j]] if marked else 0.0
            total *= weigh
            if own.together and len(table.labels) > 1:
                for j in asked:
                    if said[j] != NOT_THERE:
                        place = 0 if len(own.confusion) == 1 else j
                        total += log(own.confusion[place, k, said[j]])
                        total -= log(own.invented[place, said[j]])
            prior = own.prior.sum() if own.together else own.prior[k]
            odds[label] = exp(total) * own.prior[k] / (1 - min(prior, 1 - 1e-9))
        found.append({label: value / (1 + sum(odds.values())) for label, value in odds.items()})
    return found


@given(batch=BATCHES)
def test_columns_say_what_the_plain_twin_says(batch: list[Document]) -> None:
    table = SpanTable.from_documents(batch)
    learned = learn(observed(batch))
    judged = judge(
        gather(table, together=learned.together, levels=levels_of(table)),
        learned.among(table.annotators),
    )
    for row, wanted in zip(judged.chance, naive_chances(batch, learned), strict=True):
        for label, chance in zip(table.labels, row, strict=True):
            assert chance == pytest.approx(wanted.get(label, 0.0), abs=1e-9)


@given(batch=BATCHES)
def test_hits_are_the_shares_of_true_names_that_lean_on_the_peers(
    batch: list[Document],
) -> None:
    """One M step by loops gives back the parameters that the last E step was made with."""
    answers = observed(batch)
    learned = learn(answers)
    if not len(answers.pooled) or not learned.is_learned:
        return
    rows = answers.pooled if learned.together else answers.apart
    replies = Replies.of(rows.first, rows.annotator, rows.label, rows.step)
    chance, silent = chances(replies.log_odds(learned)), chances(replies.silence(learned))
    seen: dict[int, float] = defaultdict(float)
    hits: dict[int, float] = defaultdict(float)
    for row in range(len(rows)):
        entries = range(rows.first[row], rows.first[row + 1])
        own = {int(rows.label[at]) for at in entries} - {NOT_THERE}
        for at in entries:
            j = int(rows.annotator[at])
            if not learned.together and not any(learned.looks_for[j, k] for k in own):
                continue
            sought = [k for k in range(len(learned.labels)) if learned.looks_for[j, k]]
            true, missed = (sum(each[row, k] for k in sought) for each in (chance, silent))
            seen[j] += (true + N_EMPTY * missed) * rows.count[row]
            if rows.label[at] != NOT_THERE:
                hits[j] += true * rows.count[row]
    for j in range(len(learned.annotators)):
        everybody = range(len(learned.annotators))
        peers = [i for i in everybody if learned.together or same(learned, i, j)]
        crowds = (sum(hits[i] for i in peers) + 2.4) / (sum(seen[i] for i in peers) + 4)
        wanted = (hits[j] + 10 * crowds) / (seen[j] + 10)
        # EM ends after so many rounds, on a handful of names before it stands still.
        assert learned.hit[j] == pytest.approx(min(max(wanted, 1e-4), 1 - 1e-4), abs=1e-2)


def same(learned: Crowd, one: int, other: int) -> bool:
    return bool((learned.looks_for[one] == learned.looks_for[other]).all())


@given(batch=BATCHES)
def test_answers_of_two_parts_add_to_those_of_the_whole(batch: list[Document]) -> None:
    whole, parts = observed(batch), observed(batch[:1]) + observed(batch[1:])
    assert (whole.annotators, whole.labels) == (parts.annotators, parts.labels)
    for one, two in ((whole.pooled, parts.pooled), (whole.apart, parts.apart)):
        for column in AnswerRows.__dataclass_fields__:
            assert getattr(one, column).tolist() == getattr(two, column).tolist()


@given(batch=BATCHES)
def test_ranks_count_the_distinct_boundaries_nearer_to_the_heart(batch: list[Document]) -> None:
    evidence = gather(SpanTable.from_documents(batch), together=True)
    ranks = ranks_of(evidence, evidence.left)
    for heart in range(len(evidence)):
        part = slice(evidence.first[heart], evidence.first[heart + 1])
        given_here = sorted({reach for reach in evidence.left[part].tolist() if reach >= 0})
        for reach, rank in zip(evidence.left[part].tolist(), ranks[part].tolist(), strict=True):
            assert rank == (given_here.index(reach) if reach >= 0 else NOT_THERE)


def test_somebody_seen_a_little_leans_on_the_crowd() -> None:
    batch = crowd()
    learned = learn(observed(batch))
    finds = dict(zip(learned.annotators, learned.hit, strict=True))
    others = np.median([value for name, value in finds.items() if name != "p000"])
    assert finds["p000"] < others - 0.1
    newcomer = Document(id="new", text=TEXT, layers={"zoe": (), **batch[0].layers})
    seen_once = learn(observed([*batch, newcomer]))
    assert seen_once.hit[seen_once.annotators.index("zoe")] > 0.7


def test_what_somebody_calls_things_is_learned_and_does_not_cost_a_name() -> None:
    learned = learn(observed(crowd(n_people=6, n_documents=300)))
    gene, cell = learned.labels.index("Gene"), learned.labels.index("Cell")
    who = learned.annotators.index("p001")
    assert learned.confusion[who, gene, cell] > 0.7
    for document in combine(crowd(n_people=6, n_documents=300)):
        assert {span.label for span in document.layers["consensus"]} <= {"Gene", "Disease"}


def test_a_chemical_tagger_is_no_witness_against_a_disease() -> None:
    both = (Span(0, 5, "Chemical"), Span(17, 30, "Disease"))
    layers = {"anna": both, "ben": both, "chem": both[:1], "chem2": both[:1], "chem3": both[:1]}
    batch = [Document(id=str(n), text=TEXT, layers=layers) for n in range(20)]
    learned = learn(observed(batch))
    finds = dict(zip(learned.annotators, learned.hit, strict=True))
    assert finds["chem"] > 0.9
    assert all(len(document.layers["consensus"]) == 2 for document in combine(batch))
    told = Options(scope={name: frozenset({"*"}) for name in ("chem", "chem2", "chem3")})
    assert all(len(d.layers["consensus"]) == 1 for d in combine(batch, options=told))


def test_where_everybody_looks_for_one_label_labels_are_questions_of_their_own() -> None:
    gene, disease = (Span(0, 30, "Gene"),), (Span(17, 30, "Disease"),)
    layers = {"g1": gene, "g2": gene, "g3": gene, "d1": disease, "d2": disease, "d3": disease}
    batch = [Document(id=str(n), text=TEXT, layers=layers) for n in range(5)]
    learned = learn(observed(batch))
    assert not learned.together
    assert not scope_of(observed(batch), {})[learned.annotators.index("g1")].all()


def test_who_marks_nothing_looks_for_everything() -> None:
    layers = {"anna": (Span(0, 5, "Gene"),), "ben": (Span(17, 30, "Disease"),), "cleo": ()}
    answers = observed([Document(id="1", text=TEXT, layers=layers)])
    assert scope_of(answers, {}).tolist() == [[False, True], [True, False], [True, True]]


def test_beyond_three_annotators_count_less_and_less() -> None:
    layers = {name: (Span(0, 5, "Gene"),) for name in "abcdefghij"}
    documents = [
        Document(id=str(n), text=TEXT, layers=dict(list(layers.items())[:n])) for n in range(2, 11)
    ]
    answers = observed(documents)
    learned = learn(answers)
    rows = answers.pooled
    replies = Replies.of(rows.first, rows.annotator, rows.label, rows.step)
    n_looked = np.diff(rows.first)
    worth = replies.temper(learned)[:, 0] * n_looked
    assert np.allclose(worth[n_looked <= 3], n_looked[n_looked <= 3])
    order = np.argsort(n_looked)
    assert (np.diff(worth[order]) > 0).all()
    assert worth.max() < 5


def test_what_is_said_is_less_sure_than_the_model_and_decides_nothing() -> None:
    batch = crowd(n_people=6, n_documents=60)
    table = SpanTable.from_documents(batch)
    learned = learn(observed(batch))
    judged = judge(
        gather(table, together=learned.together, levels=levels_of(table)),
        learned.among(table.annotators),
    )
    proposed = judged.verdict(table).proposed
    raw, said = proposed.rank, proposed.confidence
    assert ((said < raw) == (raw > 0.5))[np.abs(raw - 0.5) > 0.2].all()
    kept = {
        (int(d), int(s))
        for d, s in zip(proposed.document[raw >= 0.45], proposed.start[raw >= 0.45], strict=True)
    }
    decided = judged.verdict(table).decided()
    assert {(int(d), int(s)) for d, s in zip(decided.document, decided.start, strict=True)} <= kept


def test_documents_can_say_who_looked_for_what() -> None:
    both = (Span(0, 5, "Chemical"), Span(17, 30, "Disease"))
    layers = {"anna": both, "ben": both[:1], "cleo": both[:1], "dora": both[:1]}
    silent = [Document(id=str(n), text=TEXT, layers=layers) for n in range(9)]
    meta = {"scope": {name: ["Chemical", "Disease"] for name in ("ben", "cleo", "dora")}}
    speaking = [document.replace(meta=meta) for document in silent]
    assert len(combine(silent)[0].layers["consensus"]) == 2
    assert len(combine(speaking)[0].layers["consensus"]) == 1


def test_chances_of_many_labels_add_up_to_no_more_than_one() -> None:
    labels = [f"Label {n}" for n in range(25)]
    text = " ".join(f"name{n:02}" for n in range(25))
    layers = {
        f"annotator {a}": tuple(
            Span(7 * n, 7 * n + 6, labels[(n + (a * n) % 3) % 25]) for n in range(25)
        )
        for a in range(14)
    }
    [found] = combine([Document(id="1", text=text, layers=layers)])
    assert all(0 <= (each.confidence or 0) <= 1 for each in found.standards["consensus"])
