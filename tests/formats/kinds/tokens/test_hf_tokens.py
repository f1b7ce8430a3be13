"""Tokens and tags as Hugging Face datasets hold them."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.formats.rows import load_rows
from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import Ledger, guess_format, read, write

load = partial(load_rows, format="hf", annotator="anna")


@pytest.mark.parametrize(
    ("tokens", "tags"), [("tokens", "ner_tags"), ("tokens", "tags"), ("words", "labels")]
)
def test_tokens_and_tags_go_by_several_names(tmp_path: Path, tokens: str, tags: str) -> None:
    (document,) = load(tmp_path, {"id": 7, tokens: ["IL-2", "gene"], tags: ["B-DNA", "I-DNA"]})
    assert document.id == "7"
    assert document.text == "IL-2 gene"
    assert document.layers == {"anna": (Span(0, 9, "DNA"),)}


def test_numbers_are_named_by_the_option_classes(tmp_path: Path) -> None:
    row = {"tokens": ["p53", "binds", "."], "ner_tags": [1, 0, -100]}
    (document,) = load(tmp_path, row, classes="O, B-Gene,I-Gene")
    assert document == Document(id="1", text="p53 binds .", layers={"anna": (Span(0, 3, "Gene"),)})


def test_numbers_without_names_are_an_error_that_says_how_to_name_them(tmp_path: Path) -> None:
    row = {"tokens": ["p53"], "ner_tags": [2]}
    with pytest.raises(FormatError, match=r"file.jsonl:1: tag 2 is a number .* classes=O,B-Gene"):
        load(tmp_path, row)
    with pytest.raises(FormatError, match=r"tag 2, but classes names only 0 to 1"):
        load(tmp_path, row, classes="O,B-Gene")


def test_a_text_is_followed_token_by_token(tmp_path: Path) -> None:
    row = {"text": "IL-2  binds.", "tokens": ["IL-2", "binds", "."], "tags": ["B-G", "O", "O"]}
    assert load(tmp_path, row)[0].text == "IL-2  binds."


def test_rows_without_tags_are_texts_nobody_looked_at(tmp_path: Path) -> None:
    assert load(tmp_path, {"tokens": ["p53"]})[0].layers == {}


def test_other_columns_are_counted_as_dropped(tmp_path: Path) -> None:
    ledger = Ledger()
    row = {"tokens": ["p53"], "ner_tags": ["O"], "pos_tags": [3], "chunk_tags": [1]}
    load(tmp_path, row, row, ledger=ledger)
    assert ledger.counts["dropped", "columns 'pos_tags'"] == 2


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([], "not a JSON object"),
        ({"id": "1"}, "missing required field `tokens`"),
        ({"tokens": ["a", 1]}, r"Expected `str`, got `int` - at `\$.tokens"),
        ({"tokens": ["a"], "tags": ["O", "O"]}, "2 tags for 1 tokens"),
        ({"tokens": ["a", ""], "tags": ["O", "O"]}, "token 1 is empty"),
        ({"tokens": ["a"], "tags": ["gene"]}, "tag 'gene', wanted O"),
        ({"tokens": ["a"], "text": "b"}, "token 'a' does not come next in the text"),
        ({"tokens": ["a"], "text": "a", "offsets": []}, "0 offsets for 1 tokens"),
        ({"tokens": ["a"], "text": "ba", "offsets": [[0, 1]]}, "text at 0-1 is 'b', not 'a'"),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(
    tmp_path: Path, row: object, message: str
) -> None:
    with pytest.raises(FormatError, match=rf"file.jsonl:2: .*{message}"):
        load(tmp_path, {"tokens": []}, row)


def test_a_flat_layer_is_written_as_everyone_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "out.hf.jsonl"
    document = Document(id="1", text="IL-2  binds", layers={"anna": (Span(0, 4, "cell line"),)})
    write([document], path, options={"tokens": "words"})
    assert json.loads(path.read_text()) == {
        "id": "1",
        "tokens": ["IL-2", "binds"],
        "ner_tags": ["B-cell line", "O"],
        "annotator": "anna",
        "offsets": [[0, 4], [6, 11]],
        "text": "IL-2  binds",
    }
    assert list(read(path)) == [document]


def test_several_layers_and_overlapping_spans_are_written_as_tracks(tmp_path: Path) -> None:
    path = tmp_path / "out.hf.jsonl"
    nested = (Span(0, 8, "DNA"), Span(0, 3, "Protein"))
    document = Document(id="1", text="p53 gene", layers={"anna": nested, "ben": ()})
    write([document], path, options={"tokens": "words"})
    row = json.loads(path.read_text())
    assert row["layers"] == {
        "anna": [["B-DNA", "I-DNA"], ["B-Protein", "O"]],
        "ben": [["O", "O"]],
    }
    assert "ner_tags" not in row
    assert list(read(path)) == [document]


def test_the_format_is_known_by_its_keys(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    for layers in ({}, {"anna": ()}, {"anna": (), "ben": ()}):
        write([Document(id="1", text="p53", layers=layers)], path, format="hf")
        assert guess_format(path) == "hf"
