import json
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli import command_line
from vermeil import Centroid, Document, Span
from vermeil.cli import app
from vermeil.formats import write

DATA = Path(__file__).parent.parent / "data"
TEXTS = ["BRCA1 causes breast cancer.", "p53 and BRCA1 in mice", "no names here"]
GOLD = [
    (Span(0, 5, "Gene"), Span(13, 26, "Disease")),
    (Span(0, 3, "Gene"), Span(8, 13, "Gene")),
    (),
]
ANNA = [
    (Span(0, 5, "Gene", 0.9), Span(20, 26, "Disease", 0.8)),
    (Span(0, 3, "Disease", 0.4), Span(17, 21, "Species", 0.3)),
    (),
]
BEN = [(Span(0, 5, "Gene"), Span(13, 26, "Disease")), (Span(8, 13, "Gene"),)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, layers in (("gold", GOLD), ("anna", ANNA), ("ben", BEN)):
        write(
            [
                Document(id=str(n), text=TEXTS[n], layers={name: layer})
                for n, layer in enumerate(layers)
            ],
            f"{name}.jsonl",
        )
    Path("text.in").write_text("S1 alpha beta gamma delta\nS2 epsilon\n")
    Path("gold.eval").write_text("S1|0 8|alpha beta\nS2|0 6|epsilon\n")
    Path("other.eval").write_text("S1|0 4|alpha\n")
    Path("s1.eval").write_text("S1|0 4|alpha\nS1|9 13|gamma\n")


run = partial(command_line.run, "score")


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "score", *arguments, is_silent=False)


def test_the_tables_are_as_they_should_be() -> None:
    shown = run("gold.jsonl", "anna.jsonl", "ben.jsonl", "--per-label", "--show", "3")
    assert shown == (DATA / "score.txt").read_text()


@pytest.mark.parametrize("view", ["exact", "biocreative", "partial", "centroid"])
def test_the_table_of_each_view_is_as_it_should_be(view: str) -> None:
    shown = run("gold.jsonl", "anna.jsonl", "ben.jsonl", "--by", view)
    assert shown == (DATA / f"score-{view}.txt").read_text()


def test_confidences_are_ranked() -> None:
    assert (
        run("gold.jsonl", "anna.jsonl", "--by", "ranked") == (DATA / "score-ranked.txt").read_text()
    )


def test_alternatives_and_texts_come_from_files_of_their_own() -> None:
    arguments = ["--text", "text.in", "--by", "biocreative", "gold.eval"]
    arguments += ["--alternatives", "other.eval", "a=s1.eval", "s1.eval", "--json"]
    scores = json.loads(run(*arguments))
    assert scores["standard"] == "gold"
    assert list(scores["systems"]) == ["a", "s1"]
    found = scores["systems"]["a"]["views"]["biocreative"]
    assert (found["tp"], found["fp"], found["fn"]) == (1, 1, 1)


def test_all_other_layers_of_one_file_are_scored() -> None:
    layers = {"gold": GOLD[0], "gold.alternatives": (), "anna": ANNA[0], "ben": BEN[0]}
    write([Document(id="0", text=TEXTS[0], layers=layers)], "all.jsonl")
    scores = json.loads(run("all.jsonl", "--standard", "gold", "--json"))
    assert list(scores["systems"]) == ["anna", "ben"]


def test_json_has_every_view_label_and_document() -> None:
    scores = json.loads(run("gold.jsonl", "anna.jsonl", "--json", "--show", "2"))
    anna = scores["systems"]["anna"]
    assert list(anna["views"]) == [
        "exact",
        "boundaries",
        "partial",
        "type",
        "biocreative",
        "centroid",
    ]
    assert anna["views"]["partial"]["right"] == 2.5
    assert anna["views"]["exact"]["labels"]["Disease"]["predicted"] == 2
    assert anna["views"]["exact"]["by_document"][1] == ["1", 0, 2, 0, 2]
    assert {"wanted": "Gene", "predicted": "Disease", "n": 1} in anna["confusion"]
    assert anna["ranked"]["average_precision"] == 0.25
    assert anna["ranked"]["mean_average_precision"] == 0.25
    assert anna["mistakes"][1]["compared"] == {"start": 13, "end": 26, "label": "Disease"}


def test_undefined_is_null() -> None:
    write([Document(id="0", text=TEXTS[0], layers={"none": ()})], "none.jsonl")
    scores = json.loads(run("gold.jsonl", "none.jsonl", "--json"))
    assert scores["systems"]["none"]["views"]["exact"]["precision"] is None


def test_intervals_and_tests_are_given_on_demand() -> None:
    arguments = ["gold.jsonl", "anna.jsonl", "ben.jsonl", "--bootstrap", "50", "--against", "ben"]
    shown = run(*arguments)
    assert "95% intervals of F from 50 resamples" in shown
    assert "exact F against ben, permutation test" in shown
    exact = json.loads(run(*arguments, "--json"))["systems"]["anna"]["views"]["exact"]
    assert exact["f1_interval"]["low"] <= exact["f1"] <= exact["f1_interval"]["high"]
    assert exact["against"]["ben"]["p_value"] <= 1


def test_a_standard_of_centroids_is_used() -> None:
    heart = Centroid(20, 26, "Disease", 2.0, ((20, 1.0), (13, 1.0)), ((26, 2.0),))
    document = Document(id="0", text=TEXTS[0], standards={"silver": (heart,)})
    write([document], "silver.jsonl")
    scores = json.loads(run("silver.jsonl", "anna.jsonl", "--by", "centroid", "--json"))
    found = scores["systems"]["anna"]["views"]["centroid"]
    assert (found["found"], found["left_boundary"]) == (1, 1)


def test_a_system_that_did_not_look_is_named_in_the_heading() -> None:
    heading, said, *_ = run("gold.jsonl", "anna.jsonl", "ben.jsonl").splitlines()
    assert heading == "gold is the standard; 3 documents"
    assert said == "not looked at, and counted as empty: ben 1 documents (--looked leaves them out)"
    heading, said, *_ = run("gold.jsonl", "anna.jsonl", "ben.jsonl", "--looked").splitlines()
    assert heading == "gold is the standard; 3 documents"
    assert said == "only documents that a system looked at count: ben 2; the others all"
    data = json.loads(run("gold.jsonl", "ben.jsonl", "--looked", "--json"))
    assert data["counted"] == "what each system looked at"
    assert data["systems"]["ben"]["documents_without_layer"] == 1


def test_the_order_of_systems_changes_nothing() -> None:
    arguments = ["--json", "--show", "5", "--bootstrap", "20"]
    there = run("gold.jsonl", "anna.jsonl", "ben.jsonl", *arguments)
    assert run("gold.jsonl", "ben.jsonl", "anna.jsonl", *arguments) == there


def test_several_layers_need_a_choice(capsys: pytest.CaptureFixture[str]) -> None:
    layers = {"gold": (), "anna": ()}
    write([Document(id="0", text=TEXTS[0], layers=layers)], "all.jsonl")
    assert fail(capsys, "all.jsonl") == (
        "vermeil: all.jsonl: holds several layers (anna, gold); say which is the standard with "
        "--standard LAYER"
    )


def test_a_standard_alone_is_not_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(capsys, "gold.jsonl") == (
        "vermeil: there is no layer but 'gold'; give the file of a system as well"
    )


def test_unknown_names_are_answered_with_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.jsonl", "anna.jsonl", "--by", "exactly")
    assert line == "vermeil: no view named 'exactly'; did you mean 'exact'?"
    line = fail(capsys, "gold.jsonl", "anna.jsonl", "--against", "ana")
    assert line == "vermeil: no system named 'ana'; did you mean 'anna'?"


def test_ranking_needs_confidences(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "anna.jsonl", "gold.jsonl", "--by", "ranked")
    assert line.startswith("vermeil: gold has predictions without confidence")


def test_offsets_decide_where_names_contradict_them_as_the_official_scorer_has_it() -> None:
    Path("text.in").write_text("P1 BRCA1 causes breast cancer\n")
    Path("core.eval").write_text("P1|0 4|BRCA1\n")
    Path("ann.eval").write_text("P1|0 4|x\n")
    arguments = ["score", "--text", "text.in", "--by", "biocreative", "core.eval", "ann.eval"]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert "ann     1.000  1.000  1.000   1   0   0" in result.stdout
    assert "repaired 1 names by their offsets" in result.stderr


def test_the_boundary_scores_of_each_annotation_are_in_the_json() -> None:
    scored = json.loads(run("gold.jsonl", "ben.jsonl", "--by", "centroid", "--json"))
    first, *_ = rows = scored["systems"]["ben"]["views"]["centroid"]["annotations"]
    assert first == {
        "document": "0",
        "start": 0,
        "end": 5,
        "label": "Gene",
        "text": "BRCA1",
        "outcome": "right",
        "left": 1.0,
        "right": 1.0,
        "support": "said",
    }
    assert [row["text"] for row in rows] == ["BRCA1", "breast cancer", "BRCA1"]
    support = scored["systems"]["ben"]["views"]["centroid"]["support"]
    assert support == {"said": 3, "recombined": 0, "permitted": 0, "unheard": 0}
    without = json.loads(run("gold.jsonl", "ben.jsonl", "--json", "--no-documents"))
    assert "annotations" not in without["systems"]["ben"]["views"]["centroid"]


def test_the_least_accepted_boundaries_are_shown() -> None:
    heart = Centroid(0, 5, "Gene", 3, ((0, 3.0),), ((5, 1.0), (12, 2.0)))
    layers = {"ann": (Span(0, 5, "Gene"),), "ben": (Span(0, 12, "Gene"),)}
    document = Document(id="1", text=TEXTS[0], layers=layers).with_standard("silver", [heart])
    write([document], "silver.jsonl")
    shown = run("silver.jsonl", "--standard", "silver", "--by", "centroid", "--show", "1")
    assert "Least accepted boundaries of ann" in shown
    assert ["1.000", "0.500", "said", "BRCA1", "1", "0-5"] in map(str.split, shown.splitlines())


def test_names_of_one_referent_are_found_if_one_is() -> None:
    gold = (Span(0, 3, "Gene", ids=("1",)), Span(8, 13, "Gene", ids=("1",)))
    layers = {"gold": gold, "ann": (Span(0, 3, "Gene"),)}
    write([Document(id="1", text=TEXTS[1], layers=layers)], "ids.jsonl")
    recalls = [
        json.loads(run("ids.jsonl", "--standard", "gold", "--json", *more))["systems"]["ann"][
            "views"
        ]["centroid"]["recall"]
        for more in ((), ("--referents",))
    ]
    assert recalls == [0.5, 1]


def test_an_unknown_way_to_take_overlaps_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = fail(capsys, "gold.jsonl", "ben.jsonl", "--overlaps", "some")
    assert "no way to take overlapping names named 'some'" in line


def test_accuracy_is_the_share_of_tokens_with_the_right_tag(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ("gold.jsonl", "anna.jsonl", "ben.jsonl", "--accuracy", "words")
    shown = run(*command)
    # BRCA1 and what is outside of names: 3 of 5; "and", "in": 2 of 5; no names: 3 of 3.
    assert "anna    0.615      8      13" in shown
    assert "ben     0.923     12      13" in shown
    assert "anna    0.692      9      13" in run(*command, "--by", "exact", "--labels", "any")
    whole, parts = (
        json.loads(run(*command, "--json", *more))["systems"]["ben"]["tags"]
        for more in ((), ("--engine", "process", "--shard-size", "100"))
    )
    assert whole == parts == {"accuracy": 12 / 13, "right": 12, "tokens": 13}
    assert "tags" not in json.loads(run(*command[:3], "--json"))["systems"]["ben"]
    line = fail(capsys, "gold.jsonl", "anna.jsonl", "--accuracy", "word")
    assert line == "vermeil: no tokeniser named 'word'; did you mean 'words'?"


def in_chemistry() -> None:
    """Write a system that knows one of the standard's two labels."""
    gene = (Span(0, 5, "Gene"),)
    write([Document(id="0", text=TEXTS[0], layers={"genes": gene})], "genes.jsonl")


def test_a_system_is_scored_on_the_labels_it_looks_for_and_the_heading_says_so() -> None:
    in_chemistry()
    shown = run("gold.jsonl", "genes.jsonl", "ben.jsonl", "--by", "exact")
    assert "not counted for genes, which does not look for that: 1 Disease of gold\n" in shown
    assert "best compared label by label" in shown
    rows = {line.split()[0]: line.split() for line in shown.splitlines() if line}
    assert rows["genes"][1:7] == ["1.000", "0.333", "0.500", "1", "1", "3"]
    assert rows["ben"][6] == "4"


@pytest.mark.parametrize("engine", [[], ["--engine", "process"]])
def test_scope_can_be_told(engine: list[str]) -> None:
    in_chemistry()
    arguments = ["gold.jsonl", "genes.jsonl", "--json", *engine]

    def told(*more: str) -> list[object]:
        genes = json.loads(run(*arguments, *more))["systems"]["genes"]
        wanted = {view: counts["wanted"] for view, counts in genes["views"].items()}
        return [set(wanted.values()), genes["left_out_by_scope"]["standard"]]

    assert told() == [{3}, {"Disease": 1}]
    assert told("--scope", "genes=Gene,Disease") == [{4}, {}]
    assert told("--scope", "genes=*") == [{4}, {}]
    assert told("--scope", "gold=Gene") == [{3}, {"Disease": 1}]


def test_accuracy_is_in_scope() -> None:
    in_chemistry()
    command = ("gold.jsonl", "genes.jsonl", "--accuracy", "words")
    assert "genes   0.846     11      13" in run(*command)
    assert "genes   0.692      9      13" in run(*command, "--scope", "genes=*")


def test_a_run_that_goes_on_knows_both_of_its_passes() -> None:
    in_chemistry()
    arguments = ["gold.jsonl", "genes.jsonl", "--resume", "kept"]
    assert run(*arguments) == run(*arguments)
    assert Path("kept/in-scope/manifest.json").exists()


def test_standard_input_is_scored_in_scope() -> None:
    layers = {"gold": GOLD[0], "genes": GOLD[0][:1]}
    write([Document(id="0", text=TEXTS[0], layers=layers)], "both.jsonl")
    result = CliRunner().invoke(
        app,
        ["score", "-", "--from", "jsonl", "--standard", "gold"],
        input=Path("both.jsonl").read_bytes(),
        catch_exceptions=False,
    )
    assert result.stdout == run("both.jsonl", "--standard", "gold")
    assert "not counted for genes" in result.stdout


def test_a_scope_that_cannot_be_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    files = ("gold.jsonl", "anna.jsonl")
    assert "NAME=LABEL,LABEL, got 'anna'" in fail(capsys, *files, "--scope", "anna")
    assert "did you mean 'anna'" in fail(capsys, *files, "--scope", "ann=Gene")


def crowd() -> list[Document]:
    """Forty people who each saw three of forty texts, somebody who saw all, and gold."""
    text, names = "BRCA1 causes breast cancer.", (Span(0, 5, "Gene"), Span(13, 26, "Disease"))
    return [
        Document(
            id=f"{n:02}",
            text=text,
            layers={
                "gold": names,
                "zoe": names,
                **{f"worker-{(n + k) % 40:02}": names[: 1 + (n * k) % 2] for k in (0, 9, 21)},
            },
        )
        for n in range(40)
    ]


def test_of_a_crowd_those_are_shown_who_saw_most() -> None:
    write(crowd(), "crowd.jsonl")
    shown = run("crowd.jsonl", "--standard", "gold", "--show", "1", "--per-label")
    assert "41 systems; 30 are shown, none of which looked at fewer documents" in shown
    assert "worker-04 37, worker-05 37 and 34 more systems (--looked leaves them out)" in shown
    assert "\nzoe " in shown
    assert "worker-39" not in shown
    assert max(map(len, shown.splitlines())) < 200
    assert "worker-39 " in run("crowd.jsonl", "--standard", "gold", "--against", "worker-39")
    full = run("crowd.jsonl", "--standard", "gold", "--full", "--looked")
    assert all(f"\nworker-{n:02} " in full for n in range(40))
    assert "worker-05 3 and 34 more; the others all" in full


def test_who_saw_nothing_of_the_standard_differs_by_a_dash() -> None:
    first = crowd()[0]
    beyond = first.replace(id="beyond", layers={"yan": first.layers["gold"]})
    write([*crowd(), beyond], "beyond.jsonl")
    shown = run("beyond.jsonl", "--standard", "gold", "--looked", "--against", "zoe", "--full")
    tested = shown.split("F against zoe")[1].splitlines()
    [row] = [line.split() for line in tested if line.startswith("yan ")]
    assert row == ["yan", "–", "–", "0"]
    assert "nan" not in shown


def test_info_of_a_crowd_fits_a_screen() -> None:
    write(crowd(), "crowd.jsonl")
    shown = command_line.run("info", "crowd.jsonl")
    assert len(shown.splitlines()) < 60
    assert "Layers (30 of 42; see --full)" in shown
    assert "Gene     200          42" in shown
    assert "\nworker-39 " in command_line.run("info", "crowd.jsonl", "--full")
