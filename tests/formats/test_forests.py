"""Trees of several parsers read in step: what is aligned, and what is said of broken files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.consensus.trees.voices import lines_of
from tests.scoring.trees.same_words import trees
from vermeil.document import Document
from vermeil.errors import FormatError, UnknownNameError, UsageError
from vermeil.formats import Ledger, write
from vermeil.formats.forests import Forests, read_forests
from vermeil.formats.inputs import Input
from vermeil.scoring.trees.scores import TreeScores, score_trees
from vermeil.tree import Tree

DATA = Path(__file__).parents[1] / "data"
A, B, C, D = (f"(S (NN {word}) (VB binds))" for word in ("p53", "BRCA1", "DNA", "α"))
GOLD = [A, B, C, D]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save("gold", *GOLD)


def save(name: str, *lines: str) -> None:
    Path(f"{name}.mrg").write_text("".join(f"{line}\n" for line in lines))


def read(
    *inputs: str, ledger: Ledger | None = None, batch: int = 1000, **options: str
) -> list[Forests]:
    sources = [Input.parse(each) for each in inputs]
    return list(read_forests(sources, ledger=ledger, options=options, batch=batch))


def test_sentences_are_aligned_by_position_and_failures_are_kept() -> None:
    save("parser", A, "", "(())", "( (S (NN α) (NP (VB binds))))")
    [forests] = read("gold.mrg", "mine=parser.mrg")
    assert (forests.first, len(forests), list(forests.tables)) == (1, 4, ["gold", "mine"])
    assert forests.tables["mine"].failed.tolist() == [False, True, True, False]
    assert lines_of(forests)["gold"] == GOLD


def test_words_may_differ_by_escapes_and_traces() -> None:
    save("one", "(S (NP (-NONE- *)) (-LRB- -LRB-) (NN and\\/or) (NN x))")
    save("other", "(S (-LRB- -LRB-) (NN and/or) (NN x) (NP (-NONE- *T*)))")
    [forests] = read("one.mrg", "other.mrg")
    assert not forests.tables["other"].failed.any()


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([A, "(S (NN BRCA1) (VB binds)", C, D], r"^bad\.mrg:2: 1 bracket not closed$"),
        ([A, B + ")", C, D], r"^bad\.mrg:2: a closing bracket without an opening one$"),
        ([A, B, "x " + C, D], r"^bad\.mrg:3: 'x' stands outside any bracket"),
        (
            [A, B.replace("binds", "is"), C, D],
            r"^bad\.mrg:2: sentence 2: word 2 is 'is', and in gold\.mrg it is 'binds'$",
        ),
        (
            [A, "(S (NN BRCA1))", C, D],
            r"^bad\.mrg:2: sentence 2: word 2 is missing, and in gold\.mrg it is 'binds'",
        ),
        (
            [A, C, D],
            r"^bad\.mrg:2: sentence 2: word 1 is 'DNA', and in gold\.mrg it is 'BRCA1'; "
            "these are the words of its next sentence, so one is missing here",
        ),
        (
            [A, A, B, C, D],
            r"^bad\.mrg:2: .*; its words come one sentence later here, so there is one too many",
        ),
        (
            [A, B, C],
            r"^bad\.mrg: ends after sentence 3, and gold\.mrg goes on; a sentence that was not "
            r"parsed needs an empty line or \(\(\)\)$",
        ),
        ([*GOLD, A], r"^gold\.mrg: ends after sentence 4, and bad\.mrg goes on"),
        ([A, "(X " * 10_000 + "x" + ")" * 10_000, C, D], r"^bad\.mrg:2: nested deeper than 250"),
        ([A, "(X " * 10_000, C, D], r"^bad\.mrg:2: nested deeper than 250 brackets"),
        ([A, f"{B} {B}", C, D], r"^bad\.mrg:2: wanted one tree, found 2$"),
    ],
)
# With two sentences a batch the one after a lost one is not at hand yet.
@pytest.mark.parametrize("batch", [1000, 2])
def test_a_broken_file_is_refused_in_one_line_that_says_where(
    lines: list[str], complaint: str, batch: int
) -> None:
    save("bad", *lines)
    if batch == 2:
        complaint = complaint.partition("; its words")[0].partition("; these are")[0]
    with pytest.raises(FormatError, match=complaint) as refused:
        read("gold.mrg", "bad.mrg", batch=batch)
    assert "\n" not in str(refused.value)


def test_bad_trees_are_failures_where_bad_records_are_skipped() -> None:
    save("bad", A, f"{B} {B}", C.replace("binds", "is"), D)
    ledger = Ledger(skip_bad=True)
    [forests] = read("gold.mrg", "bad.mrg", ledger=ledger)
    assert forests.tables["bad"].failed.tolist() == [False, True, True, False]
    assert lines_of(forests)["bad"] == [A, "", "", D]
    assert ledger.summary() == [
        "skipped 2 bad records (bad.mrg:2: wanted one tree, found 2; bad.mrg:3: sentence 3: word 2 "
        "is 'is', and in gold.mrg it is 'binds')"
    ]


def test_an_open_bracket_spoils_one_line_where_the_layout_is_known() -> None:
    save("bad", A, B[:-1], C, D)
    ledger = Ledger(skip_bad=True)
    [forests] = read("gold.mrg", "bad.mrg", ledger=ledger, layout="line")
    assert forests.tables["bad"].failed.tolist() == [False, True, False, False]


def test_the_third_input_has_to_agree_where_the_first_failed() -> None:
    save("one", "", B, C, D)
    save("two", A, B, C, D)
    save("three", A.replace("p53", "p50"), B, C, D)
    with pytest.raises(
        FormatError, match=r"three\.mrg:1: .* is 'p50', and in two\.mrg it is 'p53'"
    ):
        read("one.mrg", "two.mrg", "three.mrg")


def test_a_sentence_of_three_hundred_words_just_works() -> None:
    save("long", "(S " + " ".join(f"(NP (NN w{n}))" for n in range(300)) + ")")
    [forests] = read("long.mrg", "other=long.mrg")
    scores = score_trees(*forests.prepared(["clegg"]).values())
    assert (scores.all.n_words.tolist(), scores.all.matched.tolist()) == ([300], [301])


def test_pretty_printed_files_are_aligned_with_files_of_one_tree_a_line() -> None:
    pretty = "\n\n".join(tree.replace(" (VB", "\n    (VB") for tree in GOLD)
    save("pretty", pretty)
    [forests] = read("gold.mrg", "pretty.mrg")
    assert score_trees(*forests.prepared(["none"]).values()).all.share_perfect == 1
    save("pretty", pretty.replace("α", "β"))
    with pytest.raises(FormatError, match=r"pretty\.mrg:10: sentence 4: word 1 is 'β'"):
        read("gold.mrg", "pretty.mrg")


def test_the_trees_of_documents_are_read_in_order() -> None:
    documents = [
        Document(id="d1", text="", trees={"gold": (Tree.parse(A), None)}),
        Document(id="d2", text="", trees={"gold": (Tree.parse(C), Tree.parse(D))}),
    ]
    write(documents, "gold.jsonl")
    [forests] = read("gold.jsonl", "lines=gold.mrg")
    assert forests.tables["gold"].failed.tolist() == [False, True, False, False]


def test_a_parser_is_found_by_its_name_among_several_of_a_file() -> None:
    both = {"one": (Tree.parse(A),), "two": (Tree.parse("(NP (NN p53) (VB binds))"),)}
    write([Document(id="d", text="p53 binds", trees=both)], "both.jsonl")
    [forests] = read("one=both.jsonl", "two=both.jsonl")
    assert lines_of(forests) == {"one": [A], "two": ["(NP (NN p53) (VB binds))"]}
    with pytest.raises(UnknownNameError, match=r"no parser in both\.jsonl named 'both'"):
        read("both.jsonl")


def test_genia_xml_holds_trees_too() -> None:
    path = DATA / "genia-xml" / "abstract.xml"
    [forests] = read(f"genia={path}")
    assert len(forests) > 0
    save("again", *lines_of(forests)["genia"])
    [forests] = read(f"genia={path}", "again.mrg")
    assert score_trees(*forests.prepared(["clegg"]).values()).all.share_perfect == 1


def test_inputs_need_names_of_their_own_and_trees() -> None:
    with pytest.raises(
        UsageError, match="two inputs have the same name; tell them apart with NAME"
    ):
        read("gold.mrg", "gold.mrg")
    Path("text.txt").write_text("p53 binds")
    with pytest.raises(UsageError, match=r"text\.txt: text holds no parse trees"):
        read("gold.mrg", "text.txt")


@given(st.lists(st.integers(1, 5).flatmap(lambda n: st.tuples(trees(n), st.none() | trees(n)))))
def test_small_batches_add_up_to_one_large_one(pairs: list[tuple[Tree, Tree | None]]) -> None:
    save("one", *(str(one) for one, _ in pairs))
    save("two", *("" if two is None else str(two) for _, two in pairs))
    whole, parts = (read("one.mrg", "two.mrg", batch=n) for n in (1000, 3))
    assert [each.first for each in parts] == list(range(1, len(pairs) + 1, 3))
    if whole:
        one, many = total(whole), total(parts)
        assert one.all.counts == many.all.counts
        assert one.all.number.tolist() == many.all.number.tolist()
        assert one.all.la.tolist() == pytest.approx(many.all.la.tolist())
        assert (one.labels, one.n_failed) == (many.labels, many.n_failed)


def total(batches: list[Forests]) -> TreeScores:
    first, *others = (
        score_trees(*batch.prepared(["clegg"]).values(), first=batch.first) for batch in batches
    )
    for other in others:
        first += other
    return first
