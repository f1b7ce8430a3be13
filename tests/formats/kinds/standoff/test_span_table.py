from pathlib import Path

from vermeil import Document, Span
from vermeil.formats import read, write


def test_a_lone_carriage_return_in_a_text_does_not_end_its_row(tmp_path: Path) -> None:
    document = Document(id="1", text="p53\rbinds", layers={"anna": (Span(0, 3, "Gene"),)})
    write([document, Document(id="2", text="\r")], tmp_path / "spans.csv")
    back = list(read(tmp_path / "spans.csv"))
    assert [each.text for each in back] == ["p53\rbinds", "\r"]
    assert back[0].layers == document.layers
