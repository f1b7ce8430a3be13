"""Every format under every misleading name: told by content, or a line that says what it may be."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.formats.test_fuzz import seeds
from vermeil.errors import UsageError
from vermeil.formats import FORMATS, guess_format, read, write
from vermeil.formats.known import begins_like, folder_format
from vermeil.samples import GOLD

SUFFIXES = (".txt", ".json", ".xml", ".tsv", "", ".conll", ".jsonl")
ALONE = sorted(
    name
    for name, row in FORMATS.items()
    if (row.read or row.annotate) and not row.folder and name not in ("lines", "ebm-nlp")
)
"""Formats of one file; lines of text and words a line look like any plain text."""

OWN = {
    "penn": "(S (NP (NN p53)) (VP (VBZ binds)))\n",
    "biocreative-text": "P00001606T0076 Comparison with alkaline phosphatases\n",
}
"""What our own samples do not show: a tree, and the ids by which sentences are told from prose."""

PROSE = [
    "Treatment with vitamin B",
    "blood group O\nblood group B\nblood group O\n",
    "(BRCA1 (breast cancer 1) is a gene.) It is long.",
    "x^2 is the square of x",
    "P53 binds DNA.\nIt is a protein.",
    "a\tb\tc",
    "1. Introduction\n\nThe gene [BRCA1] {sic} was found in 1994 | so they say.",
    "<1% of patients had a rash, and >5% did not.",
    "{not} JSON, but a brace",
    "[1] Smith et al.",
    "id,name\nis a header in prose",
    "# A heading\n\nSome text.",
]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", ALONE)
def test_a_misleading_name_misleads_nobody(name: str, suffix: str, tmp_path: Path) -> None:
    own = OWN.get(name, "").encode() or seeds(name, tmp_path)[0].read_bytes()
    path = tmp_path / f"misleading{suffix}"
    path.write_bytes(own)
    try:
        assert guess_format(path) == name
    except UsageError as error:
        assert f" {name}" in str(error), error  # noqa: PT017


def test_nothing_else_begins_like_our_own_lines() -> None:
    # So no other format need be asked about a file that does.
    values: dict[str, list[Any]] = {"layers": [{}, {"a": []}], "standards": [{}], "trees": [{}]}
    for given in product(*([None, *each] for each in values.values())):
        fields = {key: each for key, each in zip(values, given, strict=True) if each is not None}
        for id in ("a", 1):
            line = json.dumps({"id": id, "text": "BRCA1 binds.", **fields}) + "\n"
            assert begins_like(line) == ["jsonl"]


@pytest.mark.parametrize("text", PROSE)
def test_prose_in_a_text_file_is_plain_text(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prose.txt"
    path.write_text(text)
    assert guess_format(path) == "text"
    assert folder_format(tmp_path) == "text"


def test_a_corpus_of_abstracts_called_txt_is_not_one_document(tmp_path: Path) -> None:
    gold = list(read(GOLD.path))
    write(gold, tmp_path / "corpus.txt", format="pubtator", layer="gold")
    assert len(list(read(tmp_path / "corpus.txt"))) == len(gold)


def test_a_folder_of_such_files_is_a_folder_of_files(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / f"{name}.txt").write_text("IL-2\tB-Gene\nbinds\tO\n")
    assert folder_format(tmp_path) is None
    (tmp_path / "z.txt").write_text("Some prose.")
    with pytest.raises(UsageError, match=r"z\.txt is plain text and \w\.txt looks like conll"):
        folder_format(tmp_path)


def test_what_begins_like_several_formats_is_for_the_user_to_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vermeil.formats.known.begins_like", lambda start: ["conll", "pubtator"])
    path = tmp_path / "file.dat"
    path.write_text("something")
    with pytest.raises(UsageError, match=r"might be conll or pubtator; say which with --from"):
        guess_format(path)


@pytest.mark.parametrize(
    "text",
    [
        "# writes <collection><source>x</source>\n",
        "# reads <PubmedArticleSet>\n",
        "see <xmi:XMI xmlns='http:///uima/cas.ecore'>\n",
        "the element <sentence><tok cat='NN'>\n",
    ],
)
def test_what_is_no_xml_is_not_taken_for_it(text: str, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(text)
    with pytest.raises(UsageError, match=r"cannot tell the format; .* --list shows all\)$"):
        guess_format(tmp_path / "script.py")


def test_an_empty_folder_is_called_so(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("")
    with pytest.raises(UsageError, match="there is no file in this folder"):
        guess_format(tmp_path)


def test_xml_may_be_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    gold = list(read(GOLD.path))[:2]
    write(gold, path, format="bioc-xml", layer="gold")
    spelt = path.read_text().replace("UTF-8", "UTF-16", 1)
    whole = [each.text for each in read(path)]
    path.write_bytes(spelt.encode("utf-16"))
    assert [each.text for each in read(path)] == whole


@pytest.mark.parametrize(
    ("name", "start", "said"),
    [
        ("paper.pdf", b"%PDF-1.7\n", "is a PDF; take its text out first, .* pdftotext"),
        ("paper.txt", b"%PDF-1.7\n", "is a PDF"),
        ("names.xlsx", b"PK\x03\x04\x14", "save its sheet as CSV"),
        ("names.docx", b"PK\x03\x04\x14", "save its text as plain text"),
        ("texts.zip", b"PK\x03\x04\x14", "unpack it, and name the folder"),
    ],
)
def test_what_is_no_text_says_how_to_make_it_one(
    name: str, start: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(start)
    with pytest.raises(UsageError, match=said):
        guess_format(tmp_path / name)
