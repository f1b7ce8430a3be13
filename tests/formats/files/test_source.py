import gzip
from pathlib import Path

import pytest
import zstandard

from vermeil import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats import read, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source, json_keys, most_unpacked


def source(path: Path, content: bytes, *, skip_bad: bool = False) -> Source:
    path.write_bytes(content)
    return Source(path, "ann", Ledger(skip_bad=skip_bad))


def test_lines_end_at_newline_only_and_lose_their_ends(tmp_path: Path) -> None:
    lines = source(tmp_path / "a.txt", "a\u2028b\x0bc\r\nd\x85\n\ne".encode()).lines()
    assert list(lines) == [(1, "a\u2028b\x0bc"), (2, "d\x85"), (3, ""), (4, "e")]


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_called_by_its_name(coding: str, tmp_path: Path) -> None:
    given = source(tmp_path / "a.jsonl", "\ufeff{}".encode(coding))
    with pytest.raises(FormatError, match="is UTF-16, not UTF-8; convert it first, with iconv"):
        list(given.lines())


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    marked = source(tmp_path / "a.txt", b"\xef\xbb\xbfBRCA1\n")
    assert list(marked.lines()) == [(1, "BRCA1")]
    assert marked.text() == "BRCA1\n"


def test_blocks_are_runs_of_lines_between_blank_ones(tmp_path: Path) -> None:
    blocks = source(tmp_path / "a.txt", b"\n1\n2\n \n\n3").blocks()
    assert list(blocks) == [[(2, "1"), (3, "2")], [(6, "3")]]


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstandard.ZstdCompressor().compress)]
)
class TestCompression:
    def test_is_told_by_content_and_not_by_suffix(
        self, suffix: str, pack: object, tmp_path: Path
    ) -> None:
        assert source(tmp_path / "a.txt", pack(b"a\n")).text() == "a\n"  # type: ignore[operator]
        assert source(tmp_path / f"a.txt{suffix}", b"not packed").text() == "not packed"

    def test_is_undone(self, suffix: str, pack: object, tmp_path: Path) -> None:
        packed = pack("α\nβ".encode())  # type: ignore[operator]
        assert list(source(tmp_path / f"a.txt{suffix}", packed).lines()) == [(1, "α"), (2, "β")]

    def test_several_parts_in_one_file_are_all_read(
        self, suffix: str, pack: object, tmp_path: Path
    ) -> None:
        packed = pack(b"a\n") + pack(b"b\n")  # type: ignore[operator]
        assert source(tmp_path / f"a.txt{suffix}", packed).text() == "a\nb\n"

    def test_that_is_cut_off_is_an_error(self, suffix: str, pack: object, tmp_path: Path) -> None:
        packed = pack(bytes(range(256)) * 400)[:-30]  # type: ignore[operator]
        with pytest.raises(FormatError, match=r"a\.txt\.\w+: "):
            list(source(tmp_path / f"a.txt{suffix}", packed).raw_lines())


def test_bytes_that_are_not_utf8_are_named_with_line_and_column(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.txt:2: not UTF-8: byte 0xe9 at column 4; .*iconv"):
        list(source(tmp_path / "a.txt", b"ok\nna\x20\xe9ve\n").lines())


def test_a_folder_where_a_file_was_wanted_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is a folder, and a file was wanted"):
        Source(tmp_path, "ann").text()


def test_a_bad_record_ends_the_run(tmp_path: Path) -> None:
    with (
        pytest.raises(FormatError, match=r"a\.txt:7: no good"),
        source(tmp_path / "a.txt", b"").guard(7, "record"),
    ):
        raise ValueError("no good")


def test_a_bad_record_is_set_aside_and_counted_when_asked(tmp_path: Path) -> None:
    kind = source(tmp_path / "a.txt", b"", skip_bad=True)
    with kind.guard(7, "record"):
        raise ValueError("no good")
    assert kind.ledger.counts == {("skipped", "bad records"): 1}


def test_a_bug_is_no_bad_record(tmp_path: Path) -> None:
    kind = source(tmp_path / "a.txt", b"", skip_bad=True)
    with pytest.raises(KeyError), kind.guard(7, "record"):
        raise KeyError("a bug")


@pytest.mark.parametrize(
    ("head", "keys"),
    [
        ('{"id": "1", "text": "a"}\n{"x": 1}', {"id", "text"}),
        ('[{"id": 1, "data": {"text": "a"}}]', {"id", "data"}),
        ('{\n  "text": "a",\n  "denotations": []\n}', {"text", "denotations"}),
        ('{"id": "1", "text": "cut o', {"id", "text"}),
        ("not JSON", set()),
        ("", set()),
    ],
)
def test_keys_of_the_first_object_are_found(head: str, keys: set[str]) -> None:
    assert json_keys(head) >= keys
    assert bool(json_keys(head)) == bool(keys)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_file_that_unpacks_to_too_much_is_refused(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"a.txt{suffix}"
    content = bytes(5_000_000)
    pack = gzip.compress if suffix == ".gz" else zstandard.ZstdCompressor().compress
    path.write_bytes(pack(content))
    assert Source(path, "").text() == content.decode()
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "0.004")
    with pytest.raises(FormatError, match=r"unpacks to more than 0\.004 GB.*--max-size GB"):
        Source(path, "").text()
    monkeypatch.setenv("VERMEIL_MAX_SIZE", "nan")
    with pytest.raises(UsageError, match="a number of gigabytes, not 'nan'"):
        Source(path, "").text()
    monkeypatch.delenv("VERMEIL_MAX_SIZE")
    assert most_unpacked(3_000_000) == 10**9
    assert most_unpacked(30_000_000) == 3 * 10**9


def test_lines_may_end_with_a_lone_carriage_return_which_is_noted(tmp_path: Path) -> None:
    (tmp_path / "old.lines").write_bytes(b"\xef\xbb\xbfone\r\rthree\r")
    ledger = Ledger()
    lines = list(Source(tmp_path / "old.lines", "", ledger).lines())
    assert lines == [(1, "one"), (2, ""), (3, "three")]
    assert ledger.counts == {("repaired", "lines that end with a lone carriage return"): 3}


@pytest.mark.parametrize("content", [b"a\rb\nc", b"a\rb\n", b"a\r", b"a\r\nb"])
def test_a_carriage_return_among_line_feeds_ends_no_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.lines").write_bytes(content)
    ledger = Ledger()
    lines = [line for _, line in Source(tmp_path / "a.lines", "", ledger).lines()]
    assert lines == [each.removesuffix("\r") for each in content.decode().split("\n") if each]
    assert not ledger.counts


@pytest.mark.parametrize("name", ["pubtator", "csv", "conll", "lines", "biocreative-text"])
def test_files_of_old_programs_are_read_as_others_are(name: str, tmp_path: Path) -> None:
    documents = [
        Document(id=id, text="p53 binds.", layers={"a": (Span(0, 3, "Gene"),)}) for id in "12"
    ]
    write(documents, tmp_path / "a", format=name)
    before = list(read(tmp_path / "a", format=name))
    (tmp_path / "a").write_bytes((tmp_path / "a").read_bytes().replace(b"\n", b"\r"))
    assert list(read(tmp_path / "a", format=name)) == before
