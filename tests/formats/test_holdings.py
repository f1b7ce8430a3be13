"""What the beginnings of files tell: of annotation without text, too."""

import importlib.metadata
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from vermeil import Document, Span
from vermeil.errors import AlignmentError
from vermeil.formats import write
from vermeil.formats.files.source import Source
from vermeil.formats.holdings import holdings_of
from vermeil.formats.inputs import Input
from vermeil.formats.known import all_formats
from vermeil.formats.table import Format


class Fickle:
    """Annotation of another package that gives up at the second document only."""

    def __init__(self, source: Source) -> None:
        self._whose = source.annotator

    def added_to(self, document: Document) -> Document:
        if document.id == "2":
            raise AlignmentError("another text")
        return document.with_layer(self._whose, [Span(0, 3, "Gene")])

    def finish(self) -> None:
        pass


@pytest.fixture
def fickle(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    row = Format("gives up", frozenset({"spans"}), annotate=Fickle)
    point = SimpleNamespace(name="fickle", load=lambda: row)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: [point])
    all_formats.cache_clear()
    yield point.name
    all_formats.cache_clear()


def test_nothing_more_is_asked_of_a_file_that_did_not_fit_a_text(
    fickle: str, tmp_path: Path
) -> None:
    texts = tmp_path / "texts.jsonl"
    write([Document(id=id, text="p53") for id in ("1", "2", "3")], texts)
    [held] = holdings_of([Input(tmp_path / "a", None, fickle)], 1, [Input(texts)], {})
    assert {key for key in held.keys if isinstance(key, str)} == {"1"}


def test_annotation_is_not_read_where_there_are_no_texts_to_hold_it_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.eval"
    path.write_text("1|0 2|p53\n")
    read: list[Path] = []
    monkeypatch.setattr(Path, "open", lambda path, *_, **__: read.append(path))
    [held] = holdings_of([Input(path, None, "biocreative")], 1, [], {})
    assert (held.keys, held.n, held.is_all, read) == (frozenset(), 0, True, [])
