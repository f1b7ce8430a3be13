import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.review.reviews import CONTESTED, GENE, accepting, rejecting, three_documents
from vermeil import Document, Span
from vermeil.cli.options.groups import spelt_out
from vermeil.cli.review import review
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import read, write
from vermeil.review.history import record
from vermeil.review.lock import sole_writer
from vermeil.review.store import Store
from vermeil.review.web.accounts import has_accounts, is_right, stored_hash

app = typer.Typer()
app.command()(spelt_out(review))


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(three_documents(), "docs.jsonl")


def run(*arguments: str, input: str | None = None) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=False, input=input)
    assert result.exit_code == 0, result.output
    return result.output


def test_documents_are_imported_and_counted() -> None:
    told = run("a.db", "docs.jsonl", "--no-serve")
    assert told == "a.db: 3 documents; 3 new, 0 with new annotation, 0 as before, 0 refused\n"
    found = json.loads(run("a.db", "docs.jsonl", "--no-serve", "--json"))
    assert (found["documents"], found["n_same"]) == (3, 3)


def test_an_annotator_can_be_left_out_of_a_review() -> None:
    run("a.db", "docs.jsonl", "--no-serve", "--without", "llm")
    with Store("a.db") as store:
        assert set(store.document(1).layers) == {"anna", "ben"}
    with pytest.raises(UnknownNameError, match="no annotator named 'lm'; did you mean 'llm'"):
        run("b.db", "docs.jsonl", "--no-serve", "--without", "lm")
    assert not list(Path().glob("b.db*")), "nothing is imported by mistake"


def test_a_changed_text_is_refused_in_one_line() -> None:
    run("a.db", "docs.jsonl", "--no-serve")
    write([Document(id="sure", text="Other.", layers={})], "changed.jsonl")
    told = run("a.db", "changed.jsonl", "--no-serve").splitlines()
    assert told[0].startswith("vermeil: document 'sure' was refused: its text differs")
    assert "1 refused" in told[1]


def test_gold_is_exported_without_a_server() -> None:
    run("a.db", "docs.jsonl", "--no-serve")
    changes = [accepting(GENE, alternatives=((4, 14),)), rejecting((29, 35, "Disease"))]
    with Store("a.db") as store:
        record(
            store,
            key="1",
            curator="cleo",
            layer="cleo",
            document=CONTESTED,
            action="accept",
            changes=changes,
        )
    run("a.db", "--export", "gold.jsonl")
    [document] = read("gold.jsonl")
    assert document.layers["gold"] == (Span(4, 9, "Gene"),)
    found = json.loads(run("a.db", "--export", "gold.eval", "--json"))
    assert found == {"files": ["gold.eval", "gold.alternatives.eval"], "settled": 1}
    run("a.db", "--export", "who.tsv", "--what", "disagreements")
    assert Path("who.tsv").read_text(encoding="utf-8").startswith("document\t")


def test_an_account_takes_its_password_from_standard_input() -> None:
    run("a.db", "docs.jsonl", "--no-serve")
    run("a.db", "--account", "cleo", input="correct horse\n")
    with Store("a.db") as store:
        assert has_accounts(store)
        assert is_right("correct horse", stored_hash(store, "cleo"))


def test_what_cannot_be_served_is_one_line() -> None:
    with pytest.raises(UsageError, match="there is no such review; give it inputs"):
        run("none.db")
    run("a.db", "docs.jsonl", "--no-serve")
    with pytest.raises(UsageError, match="curators need passwords"):
        run("a.db", "--host", "0.0.0.0")
    with (
        sole_writer("a.db"),
        pytest.raises(UsageError, match="in use already"),
    ):
        run("a.db", "docs.jsonl", "--no-serve")


def test_a_missing_extra_is_named() -> None:
    run("a.db", "docs.jsonl", "--no-serve")
    script = (
        "import sys; sys.modules['starlette.applications'] = None\n"
        "from vermeil.review.web.server import serve\nserve('a.db', announce=print)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "pip install 'argon2-cffi>=23.1' 'itsdangerous>=2.1' 'starlette>=0.40'" in done.stderr


@pytest.mark.parametrize(
    "wrong", [("--without", "lm"), ("--scope", "ann=Gene"), ("--scope", "anna=Gen")], ids=" ".join
)
def test_a_first_review_that_fails_leaves_nothing_behind(wrong: tuple[str, str]) -> None:
    with pytest.raises(UnknownNameError):
        run("fresh.db", "docs.jsonl", "--no-serve", *wrong)
    assert not list(Path().glob("fresh.db*"))
    run("kept.db", "docs.jsonl", "--no-serve")
    with pytest.raises(UnknownNameError):
        run("kept.db", "docs.jsonl", "--no-serve", *wrong)
    with Store("kept.db") as store:
        assert store.n_documents() == 3


def test_a_review_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match=r"nodb.db: there is no such review; give it inputs"):
        run("nodb.db", "--no-serve")
    assert not list(Path().glob("nodb.db*"))
