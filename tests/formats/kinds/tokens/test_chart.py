import json
from itertools import pairwise
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import read, write
from vermeil.formats.kinds.tokens.chart import edge_of
from vermeil.text.tokens import tokenise

TEXT = "We gave citric acid. It (CA) helped."
NAMES = (
    Span(8, 19, "Chemical", confidence=0.9),
    Span(8, 14, "Chemical", confidence=0.05),
    Span(25, 27, "Chemical", confidence=0.5),
)


def rows(document: Document, folder: Path, **options: str) -> dict[str, object]:
    write([document], folder / "out.chart.jsonl", options=options)
    found: dict[str, object] = json.loads((folder / "out.chart.jsonl").read_text())
    return found


def test_names_are_edges_over_the_tokens_they_cover(tmp_path: Path) -> None:
    row = rows(Document(id="1", text=TEXT, layers={"chem": NAMES}), tmp_path)
    tokens = [TEXT[start:end] for start, end in row["tokens"]]  # type: ignore[attr-defined]
    edges = row["edges"]["chem"]  # type: ignore[index]
    covered = [tokens[edge["from"] : edge["to"]] for edge in edges]
    assert covered == [["citric", "acid"], ["citric"], ["CA"]]
    assert [edge["confidence"] for edge in edges] == [0.9, 0.05, 0.5]
    sentences = [tokens[first:last] for first, last in row["sentences"]]  # type: ignore[attr-defined]
    assert [words[0] for words in sentences] == ["We", "It"]


def test_a_name_inside_a_token_covers_it_and_keeps_its_place(tmp_path: Path) -> None:
    document = Document(id="1", text="an ethanol-fed rat", layers={"chem": (Span(3, 10, "C"),)})
    row = rows(document, tmp_path, tokens="words")
    [edge] = row["edges"]["chem"]  # type: ignore[index]
    assert (edge["from"], edge["to"], edge["start"], edge["end"]) == (1, 2, 3, 10)
    assert list(read(tmp_path / "out.chart.jsonl")) == [document]


def test_the_format_is_known_by_its_content(tmp_path: Path) -> None:
    document = Document(id="1", text=TEXT, layers={"chem": NAMES, "anna": ()})
    write([document], tmp_path / "names.jsonl", format="chart")
    assert list(read(tmp_path / "names.jsonl")) == [document]


def test_an_edge_beyond_the_text_is_refused(tmp_path: Path) -> None:
    bad = {"id": "1", "text": "ab", "tokens": [[0, 2]], "sentences": [[0, 1]]}
    edge = {"from": 0, "to": 1, "start": 0, "end": 9, "label": "C"}
    path = tmp_path / "bad.chart.jsonl"
    path.write_text(json.dumps({**bad, "edges": {"chem": [edge]}}) + "\n")
    with pytest.raises(FormatError, match="ends at 9"):
        list(read(path))


@given(st.text("ab .-", min_size=1, max_size=20), st.integers(0, 19), st.integers(1, 20))
def test_an_edge_covers_just_the_tokens_that_share_a_character(
    text: str, start: int, length: int
) -> None:
    tokens = tokenise(text, by="words")
    first, last = edge_of(tokens, start, start + length)
    shared = [
        number
        for number, (begin, end) in enumerate(tokens)
        if begin < start + length and start < end
    ]
    assert shared == list(range(first, last))
    assert all(one < other for one, other in pairwise(shared))
