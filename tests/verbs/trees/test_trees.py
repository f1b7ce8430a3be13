import json
from pathlib import Path

import msgspec
import pytest

import vermeil as vm
from tests.verbs.test_judging import command
from vermeil import Document, Tree, VermeilError

GOLD = "(S (NP (NN p53)) (VP (VBZ binds) (NP (NN DNA))))"
FLAT = "(S (NP (NN p53)) (VBZ binds) (NP (NN DNA)))"
OTHER = "(S (NP (DT the) (NN cell)) (VP (VBZ dies)))"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    for name, lines in {"gold": [GOLD, OTHER], "a": [FLAT, OTHER], "b": [GOLD, ""]}.items():
        (tmp_path / f"{name}.mrg").write_text("".join(line + "\n" for line in lines))
    return {name: tmp_path / f"{name}.mrg" for name in ("gold", "a", "b")}


PARSERS = {"a": [FLAT, OTHER], "b": [Tree.parse(GOLD), None]}


def test_trees_in_memory_score_as_those_in_files(files: dict[str, Path]) -> None:
    held = vm.trees.score([GOLD, OTHER], PARSERS)
    read = vm.trees.score(files["gold"], [files["a"], files["b"]])
    assert str(held) == str(read)
    assert held["a"].all.counts == read["a"].all.counts
    assert repr(held) == "<TreeScoreboard: 2 parsers against gold, 2 sentences>"


def test_scores_are_those_of_the_command(files: dict[str, Path]) -> None:
    gold, a, b = (str(files[name]) for name in ("gold", "a", "b"))
    options = {"per_label": True, "words": 3, "worst": 2, "oracle": True, "against": "a"}
    scores = vm.trees.score(gold, {"a": a, "b": b}, **options, bootstrap=100)  # type: ignore[arg-type]
    flags = ["--per-label", "--words", "3", "--worst", "2", "--oracle", "--against", "a"]
    flags += ["--bootstrap", "100"]
    assert str(scores).split() == command("trees", "score", gold, a, b, *flags).split()
    given = json.loads(command("trees", "score", gold, a, b, *flags, "--json"))
    assert json.loads(msgspec.json.encode(scores.to_dict())) == given
    frame = scores.to_pandas().set_index(["parser", "over"])
    assert frame.loc[("b", "parsed"), "f1"] == 1.0


def test_documents_and_bracket_strings_are_parsers_too(files: dict[str, Path]) -> None:
    corpus = vm.read(files["a"])
    first = vm.trees.score(files["gold"], {"a": corpus})
    second = vm.trees.score("\n".join([GOLD, OTHER]), {"a": "\n".join([FLAT, OTHER])})
    assert first["a"].all.counts == second["a"].all.counts


def test_trees_of_several_parsers_in_a_document_are_told_apart() -> None:
    tree = Tree.parse(GOLD)
    document = Document(id="1", text="p53 binds DNA", trees={"x": (tree,), "y": (None,)})
    assert vm.trees.read([document], parser="y") == [None]
    with pytest.raises(VermeilError, match="no parser in document '1' named 'z'"):
        vm.trees.read([document], parser="z")


def test_the_combined_tree_is_what_most_parsers_say() -> None:
    made = vm.trees.combine({"a": [GOLD], "b": [GOLD], "c": [FLAT]}, by="vote")
    assert made[0] is not None
    assert set(Tree.parse(GOLD).brackets) <= set(made[0].brackets)
    assert len(made) == 1
    assert made.trust == [pytest.approx(1.0)]
    assert made.documents[0].trees["consensus"] == (made[0],)
    assert list(made.to_pandas().columns) == ["sentence", "tree", "trust"]
    assert repr(made) == "<TreeConsensus: 3 parsers by vote>"


def test_combining_is_that_of_the_command(files: dict[str, Path], tmp_path: Path) -> None:
    a, b, out = str(files["a"]), str(files["b"]), tmp_path / "out.mrg"
    given = command("trees", "combine", a, b, "-o", str(out))
    made = vm.trees.combine([a, b])
    assert given.split()[: len(str(made).split())] == str(made).split()
    assert vm.trees.read(out) == made.trees
    assert made.weights.keys() == {"a", "b"}
    vm.write(made.documents, tmp_path / "again.mrg")
    assert (tmp_path / "again.mrg").read_bytes() == out.read_bytes()
    told = json.loads(command("trees", "combine", a, b, "-o", str(out), "--json"))
    assert json.loads(msgspec.json.encode(made.to_dict())) == told


def test_trust_diagnosis_and_comparison_are_those_of_the_commands(files: dict[str, Path]) -> None:
    gold, a, b = (str(files[name]) for name in ("gold", "a", "b"))
    for result, arguments in (
        (vm.trees.trust([a, b], gold=gold), ["trust", a, b, "--gold", gold]),
        (vm.trees.diagnose(gold, [a, b]), ["diagnose", gold, a, b]),
        (
            vm.trees.diagnose(gold, a, rule="S -> NP VP"),
            ["diagnose", gold, a, "--rule", "S -> NP VP"],
        ),
        (vm.trees.compare([gold, a]), ["compare", gold, a]),
        (vm.trees.compare([a, b], failures=gold), ["compare", a, b, "--failures", gold]),
    ):
        assert str(result).split() == command("trees", *arguments).split()
        told = json.loads(command("trees", *arguments, "--json"))
        assert json.loads(msgspec.json.encode(result.to_dict())) == told
        assert len(repr(result)) < 200
        assert len(result.to_pandas())
        assert "<iframe" in result._repr_html_()


def test_a_tree_is_shown_and_two_are_compared(files: dict[str, Path]) -> None:
    assert "NP  p53" in str(vm.trees.show(GOLD))
    both = vm.trees.show(files["gold"], files["a"])
    assert "- only in gold   + only in a" in str(both)
    assert "<svg" in both.draw()
    assert "<iframe" in both._repr_html_()
    assert "<iframe" in vm.trees.show([None])._repr_html_()
    given = command("trees", "show", str(files["gold"]), str(files["a"]), "--json")
    assert [json.loads(msgspec.json.encode(both.to_dict()))] == json.loads(given)
    assert len(both.to_pandas()) == len(Tree.parse(GOLD).brackets) + len(Tree.parse(FLAT).brackets)


@pytest.mark.parametrize(
    ("parsers", "message"),
    [
        ({}, "no parser was given"),
        (3, "parsers are files or trees by name, not 3"),
        ({"a": 3}, "a: trees are a file or a list of trees, not 3"),
        ({"a": [3]}, "a: item 1 is 3, which is no tree"),
        ({"a": ["(S"]}, "a 1: "),
        ("nowhere.mrg", "nowhere.mrg: no such file"),
        ({"gold": [GOLD, OTHER]}, "two parsers are called 'gold'"),
        ({"a": [GOLD]}, "a: ends after sentence 1"),
        ({"a": [OTHER, OTHER]}, "word 1 is 'the', and in gold it is 'p53'"),
    ],
)
def test_what_cannot_be_scored_is_said(parsers: object, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.trees.score([GOLD, OTHER], parsers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "vot"}, "did you mean 'vote'"),
        ({"quorum": 0.9}, "best has no use for quorum=; try by='vote'"),
        ({"ties": "luck"}, "ties= takes order or measures, not 'luck'"),
        ({"prepare": "cleg"}, "did you mean 'clegg'"),
        ({"members": "c"}, "no parser named 'c'"),
        ({"cascade": {"ab": "a,c"}}, "no parser named 'c'"),
        ({"by": "vote", "weight": {"z": 2}}, "no parser named 'z'"),
    ],
)
def test_what_cannot_be_combined_is_said(options: dict[str, object], message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.trees.combine(PARSERS, **options).trees  # type: ignore[arg-type]  # noqa: B018


def test_the_names_of_the_module_are_there() -> None:
    for name in vm.trees.__all__:
        assert getattr(vm.trees, name)
