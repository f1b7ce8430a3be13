import re

import pytest

from tests.reports.findings import HOSTILE, Page
from vermeil import Tree
from vermeil.columns.trees.names import TreeNames
from vermeil.columns.trees.table import TreeTable
from vermeil.errors import UsageError
from vermeil.formats.forests import Forests
from vermeil.reports.drawing.elements import Html, joined
from vermeil.reports.page import make_page
from vermeil.reports.trees.findings import TreeFindings, find_trees
from vermeil.reports.trees.sections import lone_tree, pair_of_trees, tree_sections
from vermeil.reports.trees.svg import Exhibit
from vermeil.scoring.trees.scores import score_trees

GOLD = (
    "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))",
    "(NP (NP (NN T)) (NN cells))",
    "(S (NP (PRP We)) (VP (VBP know)))",
)
PARSERS = {
    "one": ("(S (NN p53) (NP (VBZ binds) (NP (NN DNA))))", "(NP (NN T) (NN cells))", GOLD[2]),
    "two": (GOLD[0], "", "(S (NP (PRP We)) (NP (VBP know)))"),
}


def forests(first: int, last: int, names: TreeNames | None = None) -> Forests:
    names = names or TreeNames()
    lines = {"gold": GOLD, **PARSERS}
    return Forests(
        first + 1,
        {name: TreeTable.parse(each[first:last], names) for name, each in lines.items()},
    )


@pytest.fixture
def findings() -> TreeFindings:
    return find_trees([forests(0, 3)], gold="gold", steps=())


def markup(findings: TreeFindings) -> Html:
    return joined(*(each.body for each in tree_sections(findings)))


def test_numbers_are_those_of_the_library(findings: TreeFindings) -> None:
    batch = forests(0, 3)
    for name in PARSERS:
        alone = score_trees(batch.tables["gold"], batch.tables[name])
        assert findings.scores[name].all.counts == alone.all.counts
        assert findings.scores[name].n_failed == alone.n_failed
    made = markup(findings)
    assert f"<td>{findings.scores['one'].all.leaf_ancestor:.3f}</td>" in made


def test_batches_add_up(findings: TreeFindings) -> None:
    names = TreeNames()
    pieces = find_trees([forests(0, 2, names), forests(2, 3, names)], gold="gold", steps=())
    for name in PARSERS:
        assert pieces.scores[name].all.counts == findings.scores[name].all.counts
        assert pieces.diagnoses[name].by_rule == findings.diagnoses[name].by_rule
    assert pieces.exhibit(3, "two").trees == findings.exhibit(3, "two").trees


def test_failures_name_their_sentences(findings: TreeFindings) -> None:
    failed = re.search(r"<details><summary>1</summary><small>(.*?)</small>", markup(findings))
    assert failed is not None
    assert failed[1] == "2"


def test_differing_brackets_are_marked_by_sign_colour_and_word(findings: TreeFindings) -> None:
    made = pair_of_trees(findings.exhibit(1, "one"))
    assert '<b class="only-first">-NP</b><span class="sr"> (only in the first)</span>' in made
    assert made.count('class="relabelled"') == 2


def test_a_failed_parse_beside_a_tree_can_be_shown(findings: TreeFindings) -> None:
    assert "(no parse)" in pair_of_trees(findings.exhibit(2, "two"))


def test_words_and_labels_that_try_to_be_markup_are_text() -> None:
    tree = Tree("<b>", (Tree("NN", (HOSTILE.replace(" ", ""),)),))
    for made in (lone_tree(tree), pair_of_trees(Exhibit("1", ("<i>", "b"), (tree, tree)))):
        assert "<script" not in made
        assert "<i>" not in made


def test_every_link_leads_to_a_sentence(findings: TreeFindings) -> None:
    page = Page(make_page("Trees", trees=findings))
    assert any(href.startswith("#sentence-") for href, _ in page.links)
    assert all(href[1:] in page.ids for href, _ in page.links)


def test_a_treebank_without_a_parser_is_refused() -> None:
    batch = forests(0, 1)
    alone = batch.of(["gold"])
    with pytest.raises(UsageError, match="no parser"):
        find_trees([alone], gold="gold")
    with pytest.raises(UsageError, match="holds no trees"):
        find_trees([], gold="gold")


def test_stretches_on_which_parsers_differ_stand_in_their_sentences(findings: TreeFindings) -> None:
    assert findings.trust is not None
    told = findings.trust.doubtful
    assert [each.agreement for each in told] == sorted(each.agreement for each in told)
    sentences = {each.sentence: each for each in told}
    assert 2 not in sentences  # one parser alone agrees with itself
    assert sentences[1].words
    said = " ".join(filter(None, (sentences[1].before, sentences[1].words, sentences[1].after)))
    assert said == "p53 binds DNA"
    [doubts] = [each for each in tree_sections(findings) if each.id == "doubts"]
    assert f"<mark>{sentences[1].words}</mark>" in doubts.body


def test_parsers_that_agree_leave_nothing_to_doubt() -> None:
    names = TreeNames()
    same = {name: TreeTable.parse(GOLD, names) for name in ("gold", "one", "two")}
    found = find_trees([Forests(1, same)], gold="gold", steps=())
    assert found.trust is not None
    assert not found.trust.doubtful
    [doubts] = [each for each in tree_sections(found) if each.id == "doubts"]
    assert "No stretches" in doubts.body
