from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from tests.acquisition import bed
from vermeil import Document
from vermeil.acquisition.databases.references import Links, References
from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.matching import match
from vermeil.acquisition.support.counts import PRIOR, KeySupport, SupportRates
from vermeil.acquisition.support.coverage import MOST_RECORDS, Coverage
from vermeil.acquisition.support.judgement import Judgement

NAMES = {
    "insulin": "1",
    "was": "2",
    "rarely": "3",
    "ubiquitin": "4",
    "ubiquitin B": "5",
    "ubiquitin-C": "6",
    "others": "7",
}
N = 1000


@cache
def lexicon() -> Lexicon:
    entries = [Entry(name, id, "Gene") for name, id in NAMES.items()]
    return compile_lexicon(entries, spelling="normalised")


@cache
def documents() -> tuple[Document, ...]:
    """Make texts: insulin in 40, ubiquitin in 32, each was mentioned in all."""
    made = []
    for number in range(N):
        about = "insulin" if number < 40 else "ubiquitin" if number < 72 else "others"
        made.append(Document(id=str(number), text=f"The level of {about} was low."))
    return tuple(made)


def pairs() -> list[tuple[str, str]]:
    """Link few papers on insulin and ubiquitin, some that hold "was", and lists of genes."""
    lists = [(str(id), number) for number in ("390", "391") for id in (1, 2, *range(8, 20))]
    return [
        *(("1", str(number)) for number in range(5)),
        ("1", "300"),
        *(("2", str(number)) for number in range(100, 130)),
        *(("3", str(number)) for number in range(200, 230)),
        *(("5" if number % 2 else "6", str(number)) for number in range(40, 46)),
        *lists,
    ]


@cache
def links() -> Links:
    wanted = {id for id, _ in pairs()}
    spare = [Entry(f"XYZ{id}", id, "Gene") for id in sorted(wanted - set(NAMES.values()))]
    names = [Entry(name, id, "Gene") for name, id in NAMES.items()]
    whole = compile_lexicon([*names, *spare], spelling="normalised")
    every = [*pairs(), *(("999", str(number)) for number in range(N))]
    return Links.of(whole, References.of(every))


def coverage() -> Coverage:
    matches = match(links().lexicon, documents(), overlapping=True)
    return Coverage.of(links(), matches, documents())


def applied(texts: list[Document]) -> dict[str, tuple[int, float]]:
    """Judge the names of texts; what references know of the texts themselves is left out."""
    matches = match(links().lexicon, documents(), overlapping=True)
    supported = links().support(matches, documents())
    every = np.ones(len(matches), dtype=bool)
    rates = SupportRates.of(len(links().lexicon), matches, every, supported)
    own = match(links().lexicon, texts, overlapping=True)
    known = links().are_referenced(texts)[own.document]
    before = rates.of_matches(
        own.key, is_referenced=known, supported=links().support(own, texts) & known
    )
    after = coverage().apply(before, links(), own, texts)
    columns = zip(own.strings(texts), after.n_documents.tolist(), after.rate.tolist(), strict=True)
    return {string: (n, rate) for string, n, rate in columns}


def test_a_name_that_linked_documents_hold_is_judged_among_them() -> None:
    told = applied([Document(id="new", text="insulin was rarely seen")])
    # 40 hold it, 5 of the 6 that are linked: a fifth of 40 count.
    assert told["insulin"] == (8, (5 + PRIOR) / 9)


def test_what_stands_everywhere_or_not_where_it_is_linked_keeps_its_rate() -> None:
    told = applied([Document(id="new", text="insulin was rarely seen")])
    assert told["was"] == (N, (32 + PRIOR) / (N + 1))
    assert told["rarely"] == (0, PRIOR)


def test_a_word_for_a_family_is_covered_by_the_documents_of_its_members() -> None:
    told = applied([Document(id="new", text="ubiquitin")])
    assert told["ubiquitin"] == (6, (6 + PRIOR) / 7)


def test_a_match_is_no_witness_for_itself() -> None:
    assert applied([documents()[0]])["insulin"] == (7, (4 + PRIOR) / 8)
    assert applied([documents()[40]])["ubiquitin"] == (6, (5 + PRIOR) / 7)


def test_documents_linked_to_many_records_are_not_counted() -> None:
    counted = coverage()
    matches = match(links().lexicon, [Document(id="x", text="insulin")])
    assert links().n_records(links().numbers_of(documents()[390:391]))[0] > MOST_RECORDS
    assert counted.n_linked[matches.key[0]] == 6


def test_counts_are_those_of_a_naive_count() -> None:
    counted = coverage()
    matches = match(links().lexicon, documents(), overlapping=True)
    for name, ids in (("insulin", {"1"}), ("ubiquitin", {"5", "6"}), ("was", {"2"})):
        few = {str(number) for number in range(N)} - {"390", "391"}
        linked = {document for id, document in pairs() if id in ids} & few
        holding = {each.id for each in documents() if name in each.text} & linked
        key = next(
            key
            for string, key in zip(matches.strings(documents()), matches.key, strict=True)
            if string == name
        )
        assert (counted.n_linked[key], counted.n_holding[key]) == (len(linked), len(holding))


def test_the_model_learns_from_rates_as_they_are() -> None:
    learned = Judgement.learn(bed.lexicon(), bed.links(), bed.abstracts())
    without = replace(learned, coverage=None)
    some = bed.abstracts()[:40]
    assert learned.coverage is not None
    _, supported, columns = learned.describe(some, to_learn=True)
    _, also, plain = without.describe(some)
    assert np.array_equal(supported, also)
    assert np.array_equal(columns, plain)


def test_what_was_counted_is_saved(tmp_path: Path) -> None:
    learned = Judgement.learn(bed.lexicon(), bed.links(), bed.abstracts())
    learned.save(tmp_path / "judgement.zip")
    again = Judgement.load(tmp_path / "judgement.zip", bed.lexicon(), bed.links())
    assert learned.coverage is not None
    assert again.coverage is not None
    assert np.array_equal(again.coverage.n_linked, learned.coverage.n_linked)
    some = bed.abstracts()[:40]
    assert np.array_equal(again.judge(some).score, learned.judge(some).score)


def test_without_covered_names_nothing_changes() -> None:
    nothing = KeySupport(np.zeros(0, dtype=np.int64), np.zeros(0))
    matches = match(links().lexicon, [])
    assert not len(coverage().apply(nothing, links(), matches, []).rate)
