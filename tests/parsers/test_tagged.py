import shlex
import sys
from pathlib import Path

import pytest

from tests.cli import command_line
from tests.parsers.parsers import SCRIPT
from vermeil.errors import UsageError
from vermeil.parsers.tagged import columns, line_of, tagged_by

ECHO = """
import sys
for line in sys.stdin:
    pairs = (token.rsplit('_', 1) for token in line.split())
    print('(S', *(f'({tag} {word})' for word, tag in pairs), ')', flush=True)
"""
FALLBACK = """
import sys
for line in sys.stdin:
    open('asked', 'a').write(line)
    tree = '(T ' + ' '.join(f'(Y {word})' for word in line.split()) + ')'
    print('' if 'EMPTY' in line else tree, flush=True)
"""
PARSER = shlex.join([sys.executable, "-S", "-c", ECHO])
TAGGER = "import sys\nfor line in sys.stdin: print(*(f'{w}/{len(w)}' for w in line.split()))"
PLAIN = shlex.join([sys.executable, "-S", "-c", SCRIPT])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.mrg").write_text(
        "(S (NP (-NONE- *)) (NN p53) (VBZ binds))\n(S (-LRB- -LRB-) (NN a))\n"
    )


def parsed(*options: str, source: str = "gold.mrg") -> list[str]:
    command_line.run(
        "trees", "parse", source, "--cmd", PARSER, "-o", "out.mrg", "--input", "tagged", *options
    )
    return Path("out.mrg").read_text().splitlines()


def test_tags_come_from_the_trees_of_the_input() -> None:
    assert parsed() == ["(S (NN p53) (VBZ binds) )", "(S (-LRB- -LRB-) (NN a) )"]


def test_tags_come_with_the_words_or_in_a_column() -> None:
    Path("in.txt").write_text("p53_NN and/or_CC\n")
    assert parsed("--tags", "inline", source="in.txt") == ["(S (NN p53) (CC and/or) )"]
    Path("in.conll").write_text("p53 x NN\nbinds y VBZ\n\nDNA z NN\n")
    rows = ["(S (NN p53) (VBZ binds) )", "(S (NN DNA) )"]
    assert parsed("--tags", "3", "--restart", source="in.conll") == rows


def test_tags_come_from_a_tagger() -> None:
    tagger = shlex.join([sys.executable, "-S", "-c", TAGGER])
    assert parsed("--tagger", tagger)[0] == "(S (3 p53) (5 binds) )"


def test_each_parser_gets_the_form_it_wants() -> None:
    tokens = [("p53", "NN"), ("(", "-LRB-")]
    assert line_of(tokens, "bikel") == "((p53 (NN)) (-LRB- (-LRB-)))"
    assert line_of(tokens, "collins") == "2 p53 NN -LRB- -LRB-"
    assert line_of(tokens, "slashed") == "p53/NN -LRB-/-LRB-"


def test_what_is_missing_is_said() -> None:
    Path("in.txt").write_text("p53 binds\n")
    with pytest.raises(UsageError, match="has no trees to take tags from"):
        parsed(source="in.txt")
    with pytest.raises(UsageError, match="'p53' has no tag"):
        parsed("--tags", "inline", source="in.txt")
    with pytest.raises(UsageError, match="are for tagged input"):
        command_line.run("trees", "parse", "in.txt", "--cmd", PLAIN, "-o", "o.mrg", "--tags", "2")
    with pytest.raises(UsageError, match=":1: has 2 columns, and 3 was wanted"):
        list(columns(["a b"], 3, "x"))
    with pytest.raises(UsageError, match="other words"):
        tagged_by([sys.executable, "-S", "-c", "print('b_NN')"], [["a"]])
    with pytest.raises(UsageError, match="0 lines for 1 sentences"):
        tagged_by([sys.executable, "-S", "-c", ""], [["a"]])


def test_a_sentence_goes_to_the_next_parser_only_where_those_before_failed() -> None:
    Path("in.txt").write_text("a b\nDIE x\nEMPTY y\nc d\n")
    fallback = shlex.join([sys.executable, "-S", "-c", FALLBACK])
    command_line.run("trees", "parse", "in.txt", "--cmd", PLAIN, "--cmd", fallback, "-o", "out.mrg")
    lines = Path("out.mrg").read_text().splitlines()
    assert lines == ["(S (X a) (X b))", "(T (Y DIE) (Y x))", "(())", "(S (X c) (X d))"]
    assert Path("asked").read_text().splitlines() == ["DIE x", "EMPTY y"]
    table = Path("out.mrg.failures.tsv").read_text().splitlines()
    assert table[1:] == ["3\tempty answer\tparser 2: empty answer"]


def test_a_cascade_can_print_to_the_terminal() -> None:
    Path("in.txt").write_text("a b\nDIE x\n")
    fallback = shlex.join([sys.executable, "-S", "-c", FALLBACK])
    said = command_line.run(
        "trees", "parse", "in.txt", "--cmd", PLAIN, "--cmd", fallback, "-o", "-"
    )
    assert "(S (X a) (X b))\n(T (Y DIE) (Y x))" in said
