import re

from vermeil.reports.drawing.elements import Section
from vermeil.reports.trees.ported import portability_section
from vermeil.scoring.trees.porting import ported
from vermeil.verbs.trees.reading import parser_source

HERE = [
    "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))",
    "(S (NP (DT the) (NN cell)) (VP (VBZ divides)))",
]
THERE = ["(S (NP (NN trade)) (VP (VBZ grows)))"]


def section() -> Section:
    here = parser_source({"bio": HERE, "a": HERE})
    there = parser_source({"news": THERE, "a": THERE})
    return portability_section(ported(here, there, ["clegg"], n_resamples=0))


def test_lengths_complexities_and_depths_of_both_treebanks_are_drawn() -> None:
    html = str(section().body)
    for measure in ("length, words", "complexity, constituents", "depth, levels"):
        assert f"Sentences by {measure}" in html
    assert "constituents a word" in html


def test_a_rule_that_one_treebank_has_not_has_no_bar_there() -> None:
    html = str(section().body)
    drawn = html[html.index("F of the commonest rules, a") :]
    assert re.findall(r"<title>NP → DT NN: (\S+)</title>", drawn) == ["1"]
    assert re.findall(r"<title>NP → NN: (\S+)</title>", drawn) == ["1", "1"]


def test_without_resamples_there_are_no_intervals() -> None:
    html = str(section().body)
    assert "nan" not in html
    assert "0.00 [" not in html
