"""Columns of trees: the array scanner against trees read one by one."""

import re
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import TREES
from vermeil import Tree
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable
from vermeil.tree import MAX_DEPTH, parse_line, unescape

GOOD = (
    "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))",
    "( (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB bind) (NP (-NONE- *T*-1))))))",
    "((S (-LRB- -LRB-) (NN and\\/or) (NN 3\\*4) (-RRB- -RRB-)))",
    "  ( S1 ( NP\t(NN\tα-actin ) ( NN \U0001d6fc ) ) )  ",
    "(S\r(NN a)\x0b(NN b)\x1c)",
    "(S (NN\u00a0a) (NN\u2009b)\u2028)",
    "(TOP ( (S (NN a))) (()) (NN b))",
    "(NN p53)",
    "((NN a))",
    "(X " * (MAX_DEPTH - 1) + "(NN a)" + ")" * (MAX_DEPTH - 1),
    "",
    "   ",
    "()",
    "(())",
    "( ( ) )",
    "\r",
)
WORDS = st.text(alphabet="ab.-\\/*αµ\U0001d6fc", min_size=1, max_size=4)
SPACES = st.sampled_from([" ", "  ", "\t", " \t "])


@st.composite
def spaced(draw: st.DrawFn) -> str:
    """A tree with some of its words changed and any white space between its pieces."""
    pieces = re.findall(r"[()]|[^\s()]+", str(draw(TREES)))
    words = [draw(WORDS) if piece == "p53" else piece for piece in pieces]
    return "".join(piece + draw(SPACES) for piece in words)


@given(st.lists(spaced() | st.sampled_from(["", "()", "(())", " "]), max_size=6))
def test_reading_all_at_once_gives_what_reading_one_by_one_gives(lines: list[str]) -> None:
    assert columns(TreeTable.parse(lines)) == columns(one_by_one(lines))


@pytest.mark.parametrize("line", GOOD)
def test_odd_but_sound_lines_are_read_alike_alone_and_among_others(line: str) -> None:
    for lines in ([line], [GOOD[0], line, GOOD[2]], ["", line, ""]):
        assert columns(TreeTable.parse(lines)) == columns(one_by_one(lines))


@given(st.sampled_from(GOOD[:6]), st.data())
@example("(S (NN a)) (S (NN b))", None)
@example("(S (NN a)))", None)
@example("(S a (NN b))", None)
@example("(S (NN a b))", None)
@example("(S (NN) (NN a))", None)
@example("(S (NN a\u00a0b))", None)
@example("a", None)
@example(")(", None)
@example("(S\n(NN a))", None)
@example("(X " * MAX_DEPTH + "(NN a)" + ")" * MAX_DEPTH, None)
def test_what_is_refused_alone_is_refused_among_others(
    text: str, data: st.DataObject | None
) -> None:
    if data is not None:
        at = data.draw(st.integers(0, len(text)))
        put = data.draw(
            st.sampled_from(["", "(", ")", " ", "x", ") (", "()", "\r", "\n", "\u2028"])
        )
        text = text[:at] + put + text[at + data.draw(st.integers(0, 2)) :]
    try:
        alone = parse_line(text)
    except ValueError as error:
        with pytest.raises(ValueError, match=re.escape(str(error))):
            TreeTable.parse([GOOD[0], text, GOOD[2]])
    else:
        assert columns(TreeTable.parse([text, GOOD[0]])) == columns(
            TreeTable.of([alone, Tree.parse(GOOD[0])])
        )


def test_no_lines_make_an_empty_table() -> None:
    table = TreeTable.parse([])
    assert len(table) == 0
    assert table.first_word.tolist() == [0]
    assert table.sentence.tolist() == []


@given(st.lists(st.none() | TREES, max_size=5))
def test_a_table_says_what_the_trees_say(trees: list[Tree | None]) -> None:
    table = TreeTable.of(trees)
    names = table.names
    for number, tree in enumerate(trees):
        words = slice(*table.first_word[number : number + 2].tolist())
        rows = np.flatnonzero(table.sentence == number)
        assert table.failed[number] == (tree is None)
        assert [names.words.names[code] for code in table.word[words]] == list(words_of(tree))
        assert [
            (start - words.start, end - words.start, names.labels.names[label])
            for start, end, label in zip(
                table.start[rows], table.end[rows], table.label[rows], strict=True
            )
        ] == ([] if tree is None else list(tree.brackets))
        assert table.place[words].tolist() == list(range(words.stop - words.start))


@given(st.lists(spaced() | st.sampled_from(GOOD), max_size=6))
def test_a_table_gives_the_trees_back_as_they_were_read(lines: list[str]) -> None:
    table = TreeTable.parse(lines)
    assert [table.tree_as_read(n) for n in range(len(lines))] == [*map(parse_line, lines)]


@given(st.data())
def test_sentences_of_several_tables_make_one_as_if_they_had_been_read_together(
    data: st.DataObject,
) -> None:
    n_sentences = data.draw(st.integers(0, 4))
    lines = st.lists(spaced() | st.just(""), min_size=n_sentences, max_size=n_sentences)
    read = data.draw(st.lists(lines, min_size=1, max_size=3))
    which = data.draw(
        st.lists(st.integers(-1, len(read) - 1), min_size=n_sentences, max_size=n_sentences)
    )
    names = TreeNames()
    parts = [
        TreeTable.parse(each, names).without_sentences(np.array(which, dtype=np.int64) != number)
        for number, each in enumerate(read)
    ]
    chosen = ["" if part < 0 else read[part][number] for number, part in enumerate(which)]
    assert columns(TreeTable.united(parts)) == columns(TreeTable.parse(chosen, names))


def test_a_trace_has_the_place_of_the_word_after_it() -> None:
    table = TreeTable.parse(["", "(S (-NONE- *) (TO to) (-NONE- *) (VB bind) (-NONE- *))"])
    assert table.place.tolist() == [0, 0, 1, 1, 2]


def test_tables_that_share_names_share_codes() -> None:
    names = TreeNames()
    one = TreeTable.parse(["(S (-LRB- -LRB-) (NN a))"], names)
    other = TreeTable.of([Tree.parse("(S (-LRB- -LRB-) (NN a))")], names)
    assert one.word.tolist() == other.word.tolist()
    assert one.label.tolist() == other.label.tolist()


@given(st.lists(WORDS))
def test_words_share_a_code_if_and_only_if_they_are_the_same_unescaped(words: list[str]) -> None:
    names = TreeNames()
    codes = names.words_of(names.coded(words)).tolist()
    assert [names.words.names[code] for code in codes] == [unescape(word) for word in words]
    assert len(set(names.words.names)) == len(names.words.names)


def test_a_backslash_of_its_own_does_not_make_two_words_one() -> None:
    names = TreeNames()
    assert names.words_of(names.coded(["\\/", "\\\\/", "/"])).tolist() == [0, 1, 0]


def one_by_one(lines: list[str]) -> TreeTable:
    return TreeTable.of([parse_line(line) for line in lines])


def columns(table: TreeTable) -> dict[str, list[object]]:
    """Everything a table holds, codes as names."""
    found = {
        each.name: getattr(table, each.name).tolist()
        for each in fields(table)
        if each.name != "names"
    }
    labels, words = table.names.labels.names, table.names.words.names
    spellings = table.names.spellings.names
    return {
        **found,
        "label": [labels[code] for code in found["label"]],
        "tag": [labels[code] for code in found["tag"]],
        "word": [words[code] for code in found["word"]],
        "spelt": [spellings[code] for code in found["spelt"]],
    }


def words_of(tree: Tree | None) -> tuple[str, ...]:
    return () if tree is None else tree.words
