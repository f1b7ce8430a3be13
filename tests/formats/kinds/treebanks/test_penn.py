"""Treebank brackets: one a line, pretty-printed, failed, broken."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import TREES
from vermeil import Document, Tree
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger, guess_format, read, write

LINES = "(TOP (S (NP (NN p53)) (VP (VBZ binds))))\n\n(TOP (NP (NN DNA)))\n"
PRETTY = """
( (S
    (NP-SBJ (NN p53) )
    (VP (VBZ binds)
      (NP (-LRB- -LRB-) (NN DNA\\/RNA) (-NONE- *) )))
  )

(TOP (NP (NN DNA)))
"""


def read_trees(path: Path, content: str, **options: str) -> list[Document]:
    path.write_text(content, newline="")
    return list(read(path, annotator="parser", options=options))


def trees(documents: list[Document]) -> list[str | None]:
    found = [tree for document in documents for tree in document.trees["parser"]]
    return [None if tree is None else str(tree) for tree in found]


def test_one_tree_a_line_with_an_empty_line_for_a_failure(tmp_path: Path) -> None:
    first, second, third = read_trees(tmp_path / "a.mrg", LINES)
    assert first == Document(
        id="1",
        text="p53 binds",
        trees={"parser": (Tree.parse("(TOP (S (NP (NN p53)) (VP (VBZ binds))))"),)},
    )
    assert (second.id, second.text, second.trees) == ("2", "", {"parser": (None,)})
    assert (third.id, third.text) == ("3", "DNA")


def test_pretty_trees_take_several_lines_and_empty_lines_only_separate(tmp_path: Path) -> None:
    documents = read_trees(tmp_path / "a.penn", PRETTY)
    assert [(document.id, document.text) for document in documents] == [
        ("1", "p53 binds ( DNA/RNA"),
        ("2", "DNA"),
    ]
    assert trees(documents)[0] == (
        "(TOP (S (NP-SBJ (NN p53)) (VP (VBZ binds) (NP (-LRB- -LRB-) (NN DNA\\/RNA) (-NONE- *)))))"
    )


def test_empty_brackets_are_a_failure_in_either_layout(tmp_path: Path) -> None:
    for layout in ("line", "pretty"):
        found = read_trees(tmp_path / "a.ptb", "(())\n( )\n(NP (NN a))\n", layout=layout)
        assert trees(found) == [None, None, "(NP (NN a))"]


def test_the_layout_can_be_forced(tmp_path: Path) -> None:
    assert trees(read_trees(tmp_path / "a.mrg", LINES, layout="pretty")) == [
        "(TOP (S (NP (NN p53)) (VP (VBZ binds))))",
        "(TOP (NP (NN DNA)))",
    ]


def test_comments_of_treebanks_are_passed_over(tmp_path: Path) -> None:
    content = "*x*x*x*\n;; made by hand\n(NP (NN a))\r\n(NP\n (NN b)) (NP (NN c))\n"
    assert trees(read_trees(tmp_path / "a.mrg", content)) == [
        "(NP (NN a))",
        "(NP (NN b))",
        "(NP (NN c))",
    ]


@pytest.mark.parametrize(
    ("content", "layout", "reason"),
    [
        ("(NP (NN a))\n(NP (NN b)\n", "line", "2: 1 bracket not closed"),
        ("(NP (NN a))\n(NP\n (NN b)\n\n(NP (NN c))\n", "pretty", "2: 1 bracket not closed"),
        ("(NP (NN a))\n(NP (NN b)) (NP (NN c))\n", "line", "2: wanted one tree, found 2"),
        ("(NP (NN a))\n\nword\n", "pretty", "3: 'word' stands outside any bracket"),
        ("(NP (NN a)))\n", "line", "1: a closing bracket without an opening one"),
        ("(NP (NN a)))\n", "pretty", "1: a closing bracket without an opening one"),
        ("(NP (NN))\n", "line", "1: (NN) holds no word"),
        ("(S " * 300, "pretty", "1: nested deeper than 250 brackets"),
    ],
)
def test_errors_name_the_line_on_which_the_tree_began(
    tmp_path: Path, content: str, layout: str, reason: str
) -> None:
    path = tmp_path / "a.mrg"
    with pytest.raises(FormatError) as raised:
        read_trees(path, content, layout=layout)
    assert str(raised.value) == f"{path}:{reason}"


def test_bad_trees_can_be_set_aside_and_keep_their_number(tmp_path: Path) -> None:
    (tmp_path / "a.mrg").write_text("(NP (NN a))\n(NP x y)\n(NP (NN c))\n")
    found = list(read(tmp_path / "a.mrg", ledger=Ledger(skip_bad=True)))
    assert [document.id for document in found] == ["1", "3"]


def test_sentences_are_written_one_a_line_or_prettily(tmp_path: Path) -> None:
    sentences = (Tree.parse("(S (NP (DT the) (NN p53)) (VP (VBZ binds)))"), None)
    document = Document(id="1", text="", trees={"parser": sentences})
    write([document], tmp_path / "a.mrg")
    assert (tmp_path / "a.mrg").read_text() == (
        "(S (NP (DT the) (NN p53)) (VP (VBZ binds)))\n(())\n"
    )
    write([document], tmp_path / "b.mrg", options={"layout": "pretty"})
    assert (tmp_path / "b.mrg").read_text() == (
        "(S\n  (NP (DT the) (NN p53))\n  (VP (VBZ binds)))\n(())\n"
    )


def test_trees_of_two_parsers_need_a_choice(tmp_path: Path) -> None:
    tree = Tree.parse("(NP (NN a))")
    document = Document(id="1", text="a", trees={"x": (tree,), "y": (None,)})
    with pytest.raises(
        UsageError, match="holds the trees of one parser, and there are 'x' and 'y'"
    ):
        write([document], tmp_path / "a.mrg")
    write([document], tmp_path / "a.mrg", layer="y")
    assert (tmp_path / "a.mrg").read_text() == "(())\n"


def test_words_that_are_no_words_in_brackets_are_refused(tmp_path: Path) -> None:
    for word in ("in vitro", "f(x)", ""):
        document = Document(id="7", text="", trees={"x": (Tree("NP", (Tree("NN", (word,)),)),)})
        with pytest.raises(UsageError, match=r"document '7': .* cannot be written as brackets"):
            write([document], tmp_path / "a.mrg")


def test_what_is_lost_is_counted(tmp_path: Path) -> None:
    ledger = Ledger()
    tree = Tree.parse("(NP (NN a))")
    corpus = [Document(id="x", text="a"), Document(id="y", text="a", trees={"p": (tree,)})]
    write(corpus, tmp_path / "a.mrg", ledger=ledger)
    assert ledger.counts == {
        ("dropped", "documents without parse trees"): 1,
        ("dropped", "document ids"): 1,
    }


def test_trees_are_recognised_without_a_suffix(tmp_path: Path) -> None:
    (tmp_path / "trees").write_text(PRETTY)
    assert guess_format(tmp_path / "trees") == "penn"


@given(
    sentences=st.lists(st.none() | TREES, max_size=6),
    layout=st.sampled_from(["line", "pretty"]),
    reading=st.sampled_from(["auto", "pretty"]),
)
def test_trees_come_back_whatever_the_layout(
    sentences: list[Tree | None], layout: str, reading: str
) -> None:
    with TemporaryDirectory() as directory:
        path = Path(directory) / "a.mrg"
        document = Document(id="d", text="", trees={"parser": tuple(sentences)})
        write([document], path, options={"layout": layout})
        back = list(read(path, annotator="parser", options={"layout": reading}))
    assert [tree for each in back for tree in each.trees["parser"]] == sentences
    words = [" ".join(tree.words) if tree else "" for tree in sentences]
    assert [document.text for document in back] == words


@pytest.mark.corpus
def test_the_genia_trees_come_back_line_by_line(corpora: Path, tmp_path: Path) -> None:
    n_failures = {"bikelnew": 3, "bikelold": 3, "stansmall-max40": 89}
    for path in sorted((corpora / "genia-trees").glob("*.mrg")):
        documents = list(read(path))
        assert len(documents) == 912
        failed = [document for document in documents if document.trees[path.stem] == (None,)]
        assert len(failed) == n_failures.get(path.stem, 0)
        write(documents, tmp_path / path.name)
        before = [line or "(())" for line in path.read_text().splitlines()]
        assert (tmp_path / path.name).read_text().splitlines() == before
