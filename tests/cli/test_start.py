"""How the command line starts: quickly, loading a command when it is asked for."""

import ast
import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from tests.cli import command_line
from vermeil import samples
from vermeil.cli import app
from vermeil.cli.options import completion
from vermeil.cli.options.on_demand import OnDemand
from vermeil.cli.review import review
from vermeil.columns.trees.steps import PRESETS
from vermeil.consensus import CONSENSUS
from vermeil.consensus.trees import TREE_CONSENSUS
from vermeil.formats.table import FORMATS
from vermeil.recognise.cascade import NO_RESCORER, SEQUENCES
from vermeil.recognise.recogniser import RECOGNISERS
from vermeil.recognise.rescoring.judges import RESCORERS
from vermeil.review.exporting import EXPORTS
from vermeil.review.web.server import HOST, PORT
from vermeil.runs.engines import ENGINES
from vermeil.samples import GOLD
from vermeil.scoring.scores import VIEWS
from vermeil.scoring.views.partial import MODES

NEEDLESS = {
    "numpy",
    "rich",
    "zstandard",
    "bioc",
    "lxml",
    "scipy",
    "rapidfuzz",
    "sklearn",
    "pyarrow",
}
ROOT = get_command(app)
assert isinstance(ROOT, OnDemand)
# A new group of commands is tested by being there.
GROUPS = [type(each) for each in (ROOT, *ROOT.commands.values()) if isinstance(each, OnDemand)]
ALL = [(group, name) for group in GROUPS for name in group.summaries]


def started(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script = "import sys; sys.argv[0] = 'vermeil'; from vermeil.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


def loaded_by(script: str) -> set[str]:
    shown = f"{script}\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", shown], check=True, capture_output=True, text=True)
    return set(done.stderr.split())


@pytest.mark.parametrize(("group", "name"), ALL, ids=lambda each: getattr(each, "package", each))
def test_the_line_of_a_command_is_how_its_own_help_begins(group: type[OnDemand], name: str) -> None:
    place = name.replace("-", "_")
    function = getattr(import_module(f"{group.package}.{place}"), place)
    first, *_ = (inspect.getdoc(function) or "").split("\n\n")
    assert group.summaries[name] == " ".join(first.split())


@pytest.mark.parametrize(("group", "name"), ALL, ids=lambda each: getattr(each, "package", each))
def test_every_command_has_help_that_fits_a_screen(group: type[OnDemand], name: str) -> None:
    shown = command_line.run(*group.package.split(".")[2:], name, "--help")
    assert len(shown.splitlines()) <= 70


def test_help_is_the_same_when_all_commands_are_loaded() -> None:
    root = get_command(app)
    assert isinstance(root, OnDemand)
    for group in (root, *root.commands.values()):
        if isinstance(group, OnDemand):
            context = typer.Context(group, info_name="vermeil")
            with_stand_ins = group.get_help(context)
            group.load_all()
            assert group.get_help(context) == with_stand_ins


@pytest.mark.parametrize(
    "script",
    [
        "import vermeil.cli",
        "from vermeil.cli import app; app(['--help'], standalone_mode=False)",
        "from vermeil.cli import app; app(['trees', '--help'], standalone_mode=False)",
    ],
)
def test_help_loads_no_command_and_nothing_heavy(script: str) -> None:
    modules = loaded_by(script)
    assert not {name.partition(".")[0] for name in modules} & NEEDLESS
    assert not {f"{group.package}.{name}" for group, name in ALL} & modules


def test_tagging_loads_no_scipy_no_masked_arrays_and_no_other_kind_of_recogniser() -> None:
    modules = loaded_by(
        "from vermeil import Document, models\n"
        "from vermeil.recognise.recogniser import load\n"
        "from vermeil.recognise.tagging import tag\n"
        "text = 'Loss of 4-hydroxyxylazinamide (4-HXA), in breast cancer.'\n"
        "list(tag(load(models.path_of('chem')), [Document(id='1', text=text)], name='chem'))"
    )
    assert not {name.partition(".")[0] for name in modules} & {"scipy", "sklearn"}
    assert "numpy.ma" not in modules
    assert (
        not {f"vermeil.recognise.{name}" for name in ("linear.tagger", "rivals.markov")} & modules
    )
    assert "vermeil.consensus.votes" not in modules


def test_a_command_loads_no_other() -> None:
    modules = loaded_by(
        "from vermeil.cli import app; app(['convert', '--help'], standalone_mode=False)"
    )
    assert "vermeil.cli.convert" in modules
    others = {f"{group.package}.{name}" for group, name in ALL} - {"vermeil.cli.convert"}
    assert not others & modules


def test_a_command_loads_only_the_formats_it_has_a_use_for(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = ["consensus", str(samples.FOLDER / "gold.jsonl"), "-o", str(out)]
    modules = loaded_by(f"from vermeil.cli import app; app({arguments!r}, standalone_mode=False)")
    assert out.exists()
    needless = {"pydantic", "importlib.metadata", "multiprocessing", "pyarrow", "lxml"}
    assert not needless & modules
    kinds = {name for name in modules if name.startswith("vermeil.formats.kinds.")}
    assert "vermeil.formats.kinds.own.jsonl" in kinds
    assert not {each for each in kinds if each.split(".")[3] != "own"}


def test_a_misspelt_command_is_named_with_the_nearest() -> None:
    for arguments, wanted in ((["convrt"], "'convert'"), (["trees", "scor"], "'score'")):
        done = started(*arguments)
        assert done.returncode == 2
        assert f"No such command '{arguments[-1]}'. Did you mean {wanted}?" in done.stderr


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("vermeil c", {"convert", "consensus"}),
        ("vermeil trees sc", {"score"}),
        ("vermeil convert --ski", {"--skip-bad"}),
        ("vermeil trees score --js", {"--json"}),
    ],
)
def test_shells_complete_commands_and_options(typed: str, wanted: set[str]) -> None:
    assert offered(typed) >= wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("vermeil consensus --by ", {*CONSENSUS}),
        ("vermeil trees trust --by v", {"vote"}),
        ("vermeil convert --from pubm", {"pubmed"}),
        ("vermeil convert --to pubm", set()),
        ("vermeil tag --model ", {"chem", "gene"}),
        ("vermeil tag --model mine", set()),
        ("vermeil score gold.jsonl --engine p", {"process", "pool"}),
        ("vermeil acquire label --tokeniser f", {"fine"}),
        ("vermeil info a.jsonl --align ", {"exact", "fuzzy"}),
        ("vermeil train a.jsonl --english ", {"none"}),
    ],
)
def test_shells_complete_the_values_of_options(typed: str, wanted: set[str]) -> None:
    assert offered(typed) == wanted


def offered(typed: str) -> set[str]:
    """Ask as bash does for what the last word, empty after a space, could become."""
    n_words = len(typed.split()) - (not typed.endswith(" "))
    done = started(_VERMEIL_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=str(n_words))
    return {line.split("\t")[0].split(",")[-1] for line in done.stdout.split()}


def test_completing_a_value_loads_nothing_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_VERMEIL_COMPLETE", "complete_bash")
    for typed in ("vermeil convert --from ", "vermeil tag --model ", "vermeil train --by "):
        monkeypatch.setenv("COMP_WORDS", typed)
        monkeypatch.setenv("COMP_CWORD", "3")
        modules = loaded_by(
            "import sys; sys.argv[0] = 'vermeil'; from vermeil.cli import app\n"
            "try: app()\nexcept SystemExit: pass"
        )
        assert not {name.partition(".")[0] for name in modules} & (NEEDLESS - {"zstandard"})


@pytest.mark.parametrize("group", GROUPS, ids=lambda each: each.package)
def test_a_summary_fits_a_line_of_80(group: type[OnDemand]) -> None:
    longest = max(map(len, (*group.summaries, "acquire")))
    assert max(map(len, group.summaries.values())) <= 80 - 2 - 6 - longest


@pytest.mark.parametrize(("group", "name"), ALL, ids=lambda each: getattr(each, "package", each))
def test_every_option_is_explained_in_a_sentence(group: type[OnDemand], name: str) -> None:
    command = get_command(app)
    for part in [*group.package.split(".")[2:], name]:
        assert isinstance(command, OnDemand)
        command.load(part)
        command = command.commands[part]
    for option in command.params:
        said = getattr(option, "help", None) or ""
        first, *_ = said.partition("  [")
        assert first.endswith("."), (option.name, said)
        assert first[0].isupper(), (option.name, said)
        assert len(first.split()) > 2, (option.name, said)


def test_the_help_of_a_command_loads_nothing_heavy() -> None:
    shown = [[*group.package.split(".")[2:], name] for group, name in ALL]
    modules = loaded_by(
        "from vermeil.cli import app\n"
        f"for each in {shown}: app([*each, '--help'], standalone_mode=False)"
    )
    needless = NEEDLESS - {"zstandard"}
    assert not {name.partition(".")[0] for name in modules} & needless


@pytest.mark.parametrize(
    ("offered", "there"),
    [
        (completion.CONSENSUS_METHODS, CONSENSUS),
        (completion.TREE_METHODS, TREE_CONSENSUS),
        (completion.RECOGNISERS, RECOGNISERS),
        (completion.SEQUENCES, SEQUENCES),
        (completion.RESCORERS, (*RESCORERS, NO_RESCORER)),
        (completion.PREPARATIONS, PRESETS),
        (completion.ENGINES, ENGINES),
        (completion.EXPORTS, EXPORTS),
        (completion.VIEWS, {*VIEWS, "ranked"} - {*MODES} | {"exact", "partial"}),
        (completion.FORMATS, FORMATS),
        (completion.READ_ONLY_FORMATS, [name for name, row in FORMATS.items() if not row.write]),
    ],
)
def test_what_shells_offer_is_what_there_is(offered: tuple[str, ...], there: list[str]) -> None:
    assert {*offered} == {*there}


def test_the_address_of_a_review_is_that_of_its_server() -> None:
    defaults = {name: each.default for name, each in inspect.signature(review).parameters.items()}
    assert (defaults["host"], defaults["port"]) == (HOST, PORT)


@pytest.mark.parametrize(
    "told", [{}, {"OPENBLAS_NUM_THREADS": "4"}, {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "3"}]
)
def test_a_command_has_one_thread_for_matrices_and_its_programs_what_the_user_said(
    told: dict[str, str],
) -> None:
    script = (
        "import os, sys\n"
        "from vermeil.cli import main\n"
        "assert 'numpy' not in sys.modules\n"
        "sys.argv = ['vermeil', '--version']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "from vermeil.programs.threads import BLAS_THREADS, users_environment\n"
        "assert all(os.environ[name] == '1' for name in BLAS_THREADS)\n"
        "print({k: value for k, value in users_environment().items() if '_THREADS' in k})"
    )
    bare = {name: value for name, value in os.environ.items() if "_THREADS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", script], env=bare | told, check=True, capture_output=True, text=True
    )
    assert ast.literal_eval(done.stdout.splitlines()[-1]) == told


def test_who_imports_the_library_keeps_their_threads() -> None:
    script = (
        "import os\n"
        "import vermeil.cli, vermeil.consensus.methods\n"
        "print([name for name in os.environ if '_THREADS' in name])"
    )
    bare = {name: value for name, value in os.environ.items() if "_THREADS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", script], env=bare, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [("info",), ("convert", "-o", "-")])
def test_a_full_standard_output_is_one_line(command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", "from vermeil.cli import main; main()", *command, GOLD.path],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    said = "vermeil: standard output: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)
