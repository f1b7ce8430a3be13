import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import vermeil as vm
from tests.verbs.samples import passages
from vermeil import Document, Span, VermeilError, samples

FOLDER = samples.FOLDER


def jsonl(path: Path, *ids: str, layer: str = "ann") -> Path:
    rows = [
        {"id": id, "text": "p53 binds", "layers": {layer: [{"start": 0, "end": 3, "label": "G"}]}}
        for id in ids
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_files_by_name_are_brought_together_by_id() -> None:
    named = {"anna": FOLDER / "anna.xml", "ben": str(FOLDER / "ben.pubtator")}
    corpus = vm.read(named)
    assert set(corpus["sample-001"].layers) == {"anna", "ben"}


def test_a_mapping_names_the_layer_of_each_file(tmp_path: Path) -> None:
    corpus = vm.read({"x": jsonl(tmp_path / "a.jsonl", "1"), "y": jsonl(tmp_path / "b.jsonl", "1")})
    assert set(corpus[0].layers) == {"x", "y"}


def test_documents_may_stand_in_the_place_of_a_file(tmp_path: Path) -> None:
    def stream() -> Iterator[Document]:
        yield Document(id="1", text="p53 binds", layers={"whoever": (Span(4, 9, "V"),)})

    corpus = vm.read({"file": jsonl(tmp_path / "a.jsonl", "1", "2"), "made": stream()})
    for _ in range(2):
        assert [set(each.layers) for each in corpus] == [{"file", "made"}, {"file"}]
    alone = vm.read({"made": [Document(id="1", text="x", layers={"a": ()})]})
    assert set(alone[0].layers) == {"made"}


def test_a_list_of_files_may_be_annotators_or_shards(tmp_path: Path) -> None:
    one, two = jsonl(tmp_path / "1.jsonl", "1", "2"), jsonl(tmp_path / "2.jsonl", "3")
    assert [each.id for each in vm.read([one, two])] == ["1", "2", "3"]


def test_a_folder_of_files_and_a_pattern_are_read_one_after_the_other(tmp_path: Path) -> None:
    jsonl(tmp_path / "1.jsonl", "1")
    jsonl(tmp_path / "2.jsonl", "2")
    assert [each.id for each in vm.read(tmp_path)] == ["1", "2"]
    assert [each.id for each in vm.read(str(tmp_path / "*.jsonl"))] == ["1", "2"]


def test_a_folder_of_brat_is_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("p53 binds")
    (tmp_path / "a.ann").write_text("T1\tGene 0 3\tp53\n")
    [document] = vm.read({"anna": tmp_path})
    assert document.layers["anna"] == (Span(0, 3, "Gene"),)


def test_stand_off_files_take_their_texts_from_elsewhere() -> None:
    corpus = vm.read(FOLDER / "llm.mentions.jsonl", text=samples.GOLD)
    assert {"gold", "llm"} <= set(corpus[0].layers)
    with pytest.raises(VermeilError, match="say where the texts are with text=PATH"):
        vm.read(FOLDER / "llm.mentions.jsonl")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("nowhere.jsonl", "nowhere.jsonl: no such file or folder"),
        ([], "no file was given"),
        ({}, "no file was given"),
        (7, "read takes a path"),
        ([7], "read takes paths, not 7"),
        (b"a.jsonl", "read takes a path"),
        ([Document(id="1", text="x")], "needs no reading"),
    ],
)
def test_what_cannot_be_read_is_refused_at_once(given: object, message: str) -> None:
    with pytest.raises(VermeilError, match=message):
        vm.read(given)  # type: ignore[arg-type]


def test_a_data_frame_is_told_where_to_go() -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(VermeilError, match="with the texts, to from_pandas"):
        vm.read(pandas.DataFrame([{"document": "1", "text": "x"}]))


def test_an_unknown_format_or_option_is_refused_at_once(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", "1")
    with pytest.raises(VermeilError, match="did you mean 'jsonl'"):
        vm.read(path, format="json-l")
    with pytest.raises(VermeilError, match="no input has an option 'colour'"):
        vm.read(path, options={"colour": "red"})
    with pytest.raises(VermeilError, match="no alignment named 'fuzy'; did you mean 'fuzzy'"):
        vm.read(path, align="fuzy")


def test_bad_records_can_be_left_out(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", "1")
    path.write_text(path.read_text() + "{broken\n")
    with pytest.raises(VermeilError, match=r"a\.jsonl:2"):
        list(vm.read(path))
    corpus = vm.read(path, skip_bad=True)
    assert len(corpus) == 1
    assert corpus.notes[0].startswith("skipped 1 bad records")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl.gz"
    vm.write(passages(), path)
    assert list(vm.read(path)) == list(passages())


def test_the_suffix_names_the_format(tmp_path: Path) -> None:
    vm.write(passages(), tmp_path / "out.bioc.xml")
    assert "anna" in vm.read(tmp_path / "out.bioc.xml")[0].layers


def test_each_layer_may_go_to_a_file_of_its_own(tmp_path: Path) -> None:
    vm.write(passages()[:2], tmp_path / "{layer}.pubtator")
    assert (tmp_path / "ben.pubtator").exists()
    assert (tmp_path / "gold.pubtator").exists()


def test_a_format_for_one_layer_asks_which(tmp_path: Path) -> None:
    with pytest.raises(VermeilError, match=r"choose one with layer="):
        vm.write(passages(), tmp_path / "out.pubtator")
    vm.write(passages(), tmp_path / "out.pubtator", layer="ben")
    with pytest.raises(VermeilError, match="no layer named 'benn'; did you mean 'ben'"):
        vm.write(passages(), tmp_path / "out.pubtator", layer="benn")


def test_convert_reads_and_writes(tmp_path: Path) -> None:
    vm.convert(samples.ANNOTATORS[0], tmp_path / "out.conll", options={"scheme": "iobes"})
    assert "B-Gene" in (tmp_path / "out.conll").read_text()


def test_a_file_can_be_written_over_itself(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", "1", "2")
    corpus = vm.read(path)
    vm.write((each.with_layer("more", ()) for each in corpus), path)
    assert [set(each.layers) for each in corpus] == [{"ann", "more"}] * 2


def test_info_counts_what_is_there() -> None:
    contents = vm.info(passages())
    assert contents.found.n_documents == 81
    assert "81 documents" in repr(contents)
    assert "ben                    69" in str(contents)
    assert contents.to_dict()["layers"]["gold"]["n_spans"] == 1163
    frame = contents.to_pandas()
    assert frame.set_index("layer").loc["ben", "n_looked"] == 69


def test_an_open_file_is_no_path(tmp_path: Path) -> None:
    vm.write(passages(), tmp_path / "all.jsonl")
    with (tmp_path / "all.jsonl").open() as stream, pytest.raises(VermeilError) as found:
        vm.read(stream)
    assert "read takes a path, several, or a mapping of names and paths, not <_io.T" in str(found)


def test_commands_that_errors_name_stay_commands(tmp_path: Path) -> None:
    with pytest.raises(VermeilError, match=r"to= \(vermeil convert --list shows all\)"):
        vm.write(passages(), tmp_path / "outfile")
