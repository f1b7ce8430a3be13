from dataclasses import dataclass
from pathlib import Path

import pytest

from vermeil import Document
from vermeil.errors import UsageError
from vermeil.runs.folder import StoppedRunError, claimed
from vermeil.runs.manifest import is_untouched

TEXTS = (Document(id="1", text="p53"), Document(id="2", text="IL-2"))


@dataclass(frozen=True)
class Wanted:
    words: frozenset[str] = frozenset(
        ["some", "words", "of", "which", "a", "set", "has", "no", "order"]
    )
    n_rounds: int = 1


def claim(folder: Path, options: object = Wanted(), **given: object) -> None:
    with claimed(folder, stage="test", options=options, **given):  # type: ignore[arg-type]
        pass


def test_an_equal_run_goes_on_and_finds_what_was_made(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "run"
    claim(folder, documents={"texts": TEXTS})
    (folder / "made").write_text("much")
    (folder / ".made.x.partial").write_text("half")
    claim(folder, documents={"texts": iter(TEXTS)})
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "made", "manifest.json"]


def test_a_run_that_is_interrupted_says_how_to_go_on(tmp_path: Path) -> None:
    with (
        pytest.raises(StoppedRunError, match=r"what is done is in .*: repeat the command to go on"),
        claimed(tmp_path, stage="test", options={}),
    ):
        raise KeyboardInterrupt


def test_options_may_change_where_the_run_says_so(tmp_path: Path) -> None:
    claim(tmp_path, may_change=["n_rounds"])
    claim(tmp_path, Wanted(n_rounds=2), may_change=["n_rounds"])
    with pytest.raises(UsageError, match=r"an option has changed \(words: "):
        claim(tmp_path, Wanted(frozenset("other")), may_change=["n_rounds"])


def test_documents_are_known_by_what_they_hold(tmp_path: Path) -> None:
    claim(tmp_path, documents={"texts": TEXTS})
    other = TEXTS[0].with_layer("gold", [])
    with pytest.raises(UsageError, match=r"an input has changed \(texts: "):
        claim(tmp_path, documents={"texts": (other, TEXTS[1])})


def test_a_folder_is_untouched_until_something_is_made(tmp_path: Path) -> None:
    claim(tmp_path)
    (tmp_path / "write").mkdir()
    (tmp_path / "given.jsonl").write_text("[]\n")
    assert is_untouched(tmp_path)
    (tmp_path / "write" / "000000.npz").write_bytes(b"")
    assert not is_untouched(tmp_path)
