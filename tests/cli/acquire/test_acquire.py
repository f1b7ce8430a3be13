import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE
from time import monotonic, sleep

import pytest

from tests.acquisition.bed import GENES, WORDS, abstracts, write_links
from tests.cli import command_line
from vermeil import Document
from vermeil.formats import read, write

pytest.importorskip("sklearn")

RUN = ("--lexicon", "genes.zip", "--references", "links.tsv")


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{number}\t{name}\tGene" for number, name in enumerate([*GENES, *WORDS])]
    Path("genes.tsv").write_text("\n".join(["id\tname\tlabel", *rows, "99\t7\tGene", ""]))
    write(abstracts(), "abstracts.jsonl")
    write_links(Path("links.tsv"))


run = partial(command_line.run, "acquire")


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    return command_line.fail(capsys, "acquire", *arguments)


def test_a_lexicon_is_compiled_with_a_count_of_what_was_removed() -> None:
    shown = run("lexicon", "genes.tsv", "-o", "genes.zip")
    assert "removed: without a letter" in shown
    told = json.loads(run("lexicon", "genes.tsv", "-o", "genes.zip", "--json"))
    assert (told["entries"], told["removed"]) == (40, {"without a letter": 1})
    assert told["labels"] == ["Gene"]


def test_text_is_labelled_in_layers_and_scored_where_there_is_gold() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    told = json.loads(
        run("label", "abstracts.jsonl", *RUN, "-o", "out.jsonl", "--gold", "gold", "--json")
    )
    layers = told["layers"]
    assert list(layers) == ["dictionary", "reference", "coordination", "consensus"]
    assert layers["reference"]["precision"] == 1.0
    assert layers["consensus"]["f1"] > layers["dictionary"]["f1"]
    first = next(iter(read("out.jsonl")))
    assert set(layers) <= set(first.layers)
    assert all(span.ids for span in first.layers["dictionary"])


def test_without_references_there_is_the_dictionary_alone() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    shown = run("label", "abstracts.jsonl", "--lexicon", "genes.zip", "-o", "out.jsonl")
    assert "dictionary" in shown
    assert "reference" not in shown


def test_the_paper_s_layers_need_neither_twenty_supported_names_nor_two_readings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    write(abstracts()[:2], "two.jsonl")
    assert "too little to learn from" in fail(capsys, "label", "two.jsonl", *RUN, "-o", "o.jsonl")
    layers = "exact,reference,coordination"
    run("label", "two.jsonl", *RUN, "-o", "few.jsonl", "--layers", layers)
    assert set(next(iter(read("few.jsonl"))).layers) == {"gold", *layers.split(",")}
    run("label", "two.jsonl", *RUN, "-o", "paper.jsonl", "--like-paper")
    assert set(next(iter(read("paper.jsonl"))).layers) == {"gold", *layers.split(",")}
    command = ("label", "-", "--from", "jsonl", *RUN, "--layers", layers, "-o", "piped.jsonl")
    run(*command, given=Path("two.jsonl").read_text())
    assert Path("piped.jsonl").read_bytes() == Path("few.jsonl").read_bytes()


def test_paper_s_layers_are_made_in_shards_as_in_a_stream() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    command = ("label", "abstracts.jsonl", *RUN, "--layers", "reference,coordination")
    run(*command, "-o", "whole.jsonl")
    run(*command, "-o", "shards.jsonl", "--engine", "process", "--shard-size", "20000")
    assert Path("whole.jsonl").read_bytes() == Path("shards.jsonl").read_bytes()


def test_what_coordination_goes_over_is_the_user_s_to_say() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    write([Document(id="1001", text="We saw ABC1 with KIN1 and RAD1.")], "one.jsonl")
    Path("links.tsv").write_text(f"id\tdocument\n{GENES.index('KIN1')}\t1001\n")
    command = ("label", "one.jsonl", *RUN, "--layers", "coordination", "--json", "-o", "o.jsonl")

    def n_names(*more: str) -> int:
        told = json.loads(run(*command, *more))
        return int(told["layers"]["coordination"]["names"])

    assert n_names() == 2
    assert n_names("--conjunction", "with") == 2
    assert n_names("--conjunction", "With", "--conjunction", "and") == 3
    assert n_names("--conjunction", ",") == 1
    assert n_names("--coordinate", "tokens") == 2


GENE_INFO = (
    "#tax_id\tGeneID\tSymbol\tSynonyms\tSymbol_from_nomenclature_authority\t"
    "Full_name_from_nomenclature_authority\tOther_designations\tdescription\n"
    "9606\t672\tBRCA1\tIRIS\tBRCA1\tBRCA1 DNA repair associated\t-\t-\n"
    "10090\t12189\tBrca1\t-\tBrca1\tbreast cancer 1\t-\t-\n"
)


def test_columns_and_organisms_of_a_gene_database_can_be_chosen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("all.gene_info").write_text(GENE_INFO)

    def n_names(*more: str) -> int:
        command = ("lexicon", "all.gene_info", "-o", "few.zip", "--spelling", "exact", "--json")
        return int(json.loads(run(*command, *more))["names"])

    assert n_names() == 5
    assert n_names("--organism", "9606") == 3
    assert n_names("--columns", "Symbol,Synonyms") == 3
    assert n_names("--columns", "Symbol", "--organism", "9606", "--organism", "10090") == 2
    assert "lacks Symbols" in fail(
        capsys, "lexicon", "all.gene_info", "-o", "x.zip", "--columns", "Symbols"
    )
    line = fail(capsys, "lexicon", "genes.tsv", "-o", "x.zip", "--organism", "9606")
    assert "genes.tsv: --columns and --organism are of gene-info, this is tsv" in line


def test_what_was_learned_serves_other_texts() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    run("label", "abstracts.jsonl", *RUN, "--learned", "learned.zip", "-o", "out.jsonl")
    write(abstracts(300)[240:], "new.jsonl")
    told = json.loads(
        run("label", "new.jsonl", *RUN, "--learned", "learned.zip", "-o", "new-out.jsonl", "--json")
    )
    assert told["layers"]["consensus"]["names"] > 0


def test_self_training_keeps_what_was_annotated() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    run("label", "abstracts.jsonl", *RUN, "-o", "out.jsonl")
    shown = run(
        "selftrain", "out.jsonl", "-o", "mended.jsonl", "--rounds", "2", "--seed-tokens", "1500",
        "--sample-tokens", "1500", "--learner", "online",
    )  # fmt: skip
    assert "mended.jsonl" in shown
    for document in read("mended.jsonl"):
        kept = {(span.start, span.end) for span in document.layers["coordination"]}
        assert kept <= {(span.start, span.end) for span in document.layers["self-training"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lexicon", "missing.tsv", "-o", "x.zip"), "missing.tsv: no such file"),
        (("lexicon", "genes.tsv", "-o", "x.zip", "--spelling", "fuzzy"), "no spelling named"),
        (("label", "abstracts.jsonl", "--lexicon", "genes.tsv", "-o", "o.jsonl"), "genes.tsv"),
        (("selftrain", "abstracts.jsonl", "-o", "o.jsonl"), "no document has a layer"),
        (
            (
                "label",
                "abstracts.jsonl",
                "--lexicon",
                "g.zip",
                "-o",
                "o.jsonl",
                "--layers",
                "exact,x",
            ),
            "the layer x is made by references",
        ),
        (
            ("label", "abstracts.jsonl", *RUN, "-o", "o.jsonl", "--layers", "exakt"),
            "no layer named 'exakt'; did you mean 'exact'",
        ),
        (
            ("label", "abstracts.jsonl", *RUN, "-o", "o.jsonl", "--coordinate", "words"),
            "no way to coordinate named 'words'",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in fail(capsys, *arguments)


def test_references_to_nothing_in_the_lexicon_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    Path("links.tsv").write_text("id\tdocument\nX\t1000\n")
    line = fail(capsys, "label", "abstracts.jsonl", *RUN, "-o", "out.jsonl")
    assert "none of its ids is in the lexicon" in line


def test_giving_the_stated_default_of_the_threshold_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    command = ("run", "abstracts.jsonl", *RUN, "--documents", "60", "--by", "linear", "-o", "run")
    made = json.loads(run(*command, "--json"))
    # Another plan would be refused in this folder.
    assert json.loads(run(*command, "--threshold", "-2.5", "--json")) == made
    assert "an option has changed" in fail(capsys, *command, "--threshold", "-2")


def test_texts_that_are_read_more_than_once_cannot_come_from_a_pipe(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "cannot come from -" in fail(capsys, "run", "-", *RUN, "-o", "run")


def test_figures_7_and_9_are_made_by_one_command() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    run("label", "abstracts.jsonl", *RUN, "-o", "out.jsonl", "--like-paper")
    write(abstracts(260)[240:], "judges.jsonl")
    shown = run(
        "selftrain", "out.jsonl", "-o", "mended.jsonl", "--rounds", "2", "--seed-tokens", "1500",
        "--sample-tokens", "1500", "--like-paper", "--development", "judges.jsonl", "--page",
        "page.html",
    )  # fmt: skip
    lines = [line.strip() for line in shown.splitlines()]
    rounds = [line.split() for line in lines if line[:1].isdigit()]
    assert [each[0] for each in rounds] == ["0", "1", "2"]
    assert all(0 < float(each[-1]) <= 1 for each in rounds)
    assert [line.split()[0] for line in lines if line.startswith("a")] == ["annotated", "added"]
    page = Path("page.html").read_text()
    assert "Figure 7" in page
    assert "Figure 9" in page


def test_self_training_goes_on_with_more_rounds() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    run("label", "abstracts.jsonl", *RUN, "-o", "out.jsonl")
    command = (
        "selftrain", "out.jsonl", "--seed-tokens", "1500", "--sample-tokens", "1500", "--learner",
        "online", "--json",
    )  # fmt: skip
    run(*command, "--rounds", "1", "-o", "one.jsonl", "--resume", "kept")
    run(*command, "--rounds", "2", "-o", "two.jsonl", "--resume", "kept")
    run(*command, "--rounds", "2", "-o", "whole.jsonl")
    assert Path("two.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    assert Path("kept/round-002.json").exists()


def test_a_run_stopped_and_killed_on_the_way_goes_on_to_the_same_bytes() -> None:
    run("lexicon", "genes.tsv", "-o", "genes.zip")
    Path("texts").mkdir()
    for number in range(3):
        write(abstracts()[number::3], f"texts/{number}.jsonl")
    command = [
        sys.executable, "-c", "from vermeil.cli import main; main()", "acquire", "run",
        "texts/*.jsonl", *RUN, "--documents", "60", "-o",
    ]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}

    def ended(how: signal.Signals, after: str) -> tuple[int, str]:
        """End a run when it has written a file."""
        process = subprocess.Popen(
            [*command, "ended"], stdout=DEVNULL, stderr=PIPE, text=True, env=environment
        )
        patience = monotonic() + 120
        while not Path("ended", after).exists() and monotonic() < patience:
            sleep(0.02)
        process.send_signal(how)
        _, said = process.communicate()
        return process.returncode, said.splitlines()[-1]

    status, said = ended(signal.SIGTERM, after="tagger-1.zip")
    assert status == 128 + signal.SIGTERM
    assert said.endswith(
        "stopped by SIGTERM; what is done is in ended: repeat the command to go on"
    )
    assert not Path("ended/consensus.jsonl.gz").exists()
    status, _ = ended(signal.SIGKILL, after="consensus.jsonl.gz")
    assert status == -signal.SIGKILL
    assert not Path("ended/model.zip").exists()
    for folder in ("ended", "whole"):
        subprocess.run([*command, folder], check=True, capture_output=True, env=environment)
    for path in Path("whole").iterdir():
        assert (Path("ended") / path.name).read_bytes() == path.read_bytes(), path.name
