import gzip
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Centroid, Document, Span, Tree
from vermeil.errors import AlignmentError, UnknownNameError, UsageError
from vermeil.formats import write
from vermeil.formats.corpus import merge, read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input

TEXT = "BRCA1 causes breast cancer."
GENE, DISEASE = Span(0, 5, "Gene"), Span(13, 26, "Disease")


def document(id: str, annotator: str, *spans: Span, text: str = TEXT) -> Document:
    return Document(id=id, text=text, layers={annotator: spans})


def merged(
    *inputs: list[Document], fuzzy: bool = False, ledger: Ledger | None = None
) -> list[Document]:
    names = [f"input-{number}" for number in range(len(inputs))]
    return list(merge([iter(each) for each in inputs], names, fuzzy=fuzzy, ledger=ledger))


def test_layers_of_the_same_document_come_together() -> None:
    [both] = merged([document("1", "anna", GENE)], [document("1", "ben", DISEASE)])
    assert both.layers == {"anna": (GENE,), "ben": (DISEASE,)}


@pytest.mark.parametrize("ending", [".entities.jsonl", ".Entities.JSON.gz", ".jsonl"])
def test_a_file_is_the_work_of_whom_it_is_called_after(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"worker-1.a{ending}"
    write([document("1", "x", GENE)], tmp_path / "w.jsonl", format="entities")
    content = (tmp_path / "w.jsonl").read_bytes()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    [found] = read_corpus([Input(path)])
    assert list(found.layers) == ["worker-1.a"]


def test_an_annotator_without_the_document_did_not_look() -> None:
    first, second = merged(
        [document("1", "anna", GENE), document("2", "anna")], [document("2", "ben")]
    )
    assert set(first.layers) == {"anna"}
    assert second.layers == {"anna": (), "ben": ()}


@given(st.permutations(["1", "2", "3"]), st.sets(st.sampled_from(["1", "2", "3"])))
def test_inputs_in_any_order_make_the_same_documents(order: list[str], seen: set[str]) -> None:
    anna = [document(id, "anna", GENE) for id in ("1", "2", "3")]
    ben = [document(id, "ben", DISEASE) for id in order if id in seen]
    documents = merged(anna, ben)
    assert [each.id for each in documents] == ["1", "2", "3"]
    assert {each.id for each in documents if "ben" in each.layers} == seen


def test_inputs_in_the_same_order_are_not_held_in_memory() -> None:
    given = 0

    def counted(annotator: str) -> Iterator[Document]:
        nonlocal given
        for number in range(100):
            given += 1
            yield document(str(number), annotator)

    stream = merge([counted("anna"), counted("ben")], ["a", "b"])
    next(stream)
    assert given == 2


def test_texts_that_differ_in_white_space_are_aligned_exactly() -> None:
    tokenised = document(
        "1", "ben", Span(14, 28, "Disease"), text="BRCA1  causes\nbreast  cancer ."
    )
    [both] = merged([document("1", "anna", GENE)], [tokenised])
    assert both.text == TEXT
    assert both.layers["ben"] == (DISEASE,)


def test_other_differences_are_shown_with_the_way_out() -> None:
    other = document("1", "ben", text="BRCA1 causes lung cancer.")
    with pytest.raises(
        AlignmentError, match=r"input-1: document '1' .*lung.*breast.*--align fuzzy"
    ):
        merged([document("1", "anna")], [other])


def test_fuzzy_alignment_carries_what_it_can_and_reports_the_rest() -> None:
    text = "BRCA1 causes some breast cancers."
    other = document("1", "ben", Span(0, 5, "Gene"), Span(13, 17, "Gene"), text=text)
    ledger = Ledger()
    [both] = merged([document("1", "anna")], [other], fuzzy=True, ledger=ledger)
    assert both.layers["ben"] == (GENE,)
    assert ledger.summary() == ["dropped 1 spans that could not be carried (input-1: 1: some)"]


def test_texts_that_have_little_in_common_are_not_one_document() -> None:
    other = document("1", "ben", Span(0, 10, "Gene"), text="Completely other thing xyzzy")
    with pytest.raises(AlignmentError, match=r"only \d+% is the same: 'Completely"):
        merged([document("1", "anna")], [other], fuzzy=True)


def test_standards_are_carried_too() -> None:
    centroid = Centroid(7, 12, "Gene", 2, ((7, 1), (0, 1)), ((12, 2),))
    other = Document(id="1", text="human  BRCA1", standards={"silver": (centroid,)})
    [both] = merged([Document(id="1", text="human BRCA1")], [other])
    assert both.standards["silver"][0].left == ((6, 1), (0, 1))


def test_a_name_for_an_input_is_that_of_its_layer_and_of_the_alternatives(tmp_path: Path) -> None:
    layers = {"gold": (GENE,), "gold.alternatives": (DISEASE,)}
    write([Document(id="1", text=TEXT, layers=layers)], tmp_path / "a.jsonl")
    for name in ("gold", "silver"):
        [read] = read_corpus([Input(tmp_path / "a.jsonl", name)])
        assert read.layers == {name: (GENE,), f"{name}.alternatives": (DISEASE,)}


@pytest.mark.parametrize("text", ["", TEXT])
def test_what_the_first_input_says_of_a_document_itself_wins(text: str) -> None:
    first = Document(id="1", text=text, meta={"year": 1999, "pmid": "7"})
    second = Document(id="1", text=TEXT, meta={"year": 2001, "journal": "J"})
    [both] = merged([first], [second])
    assert both.meta == {"year": 1999, "pmid": "7", "journal": "J"}


def test_two_layers_of_one_name_are_not_mixed_up() -> None:
    with pytest.raises(UsageError, match=r"has a layer 'anna' already; give the inputs different"):
        merged([document("1", "anna")], [document("1", "anna", GENE)])


def test_an_id_used_twice_in_one_input_is_an_error() -> None:
    twice = [document("1", "ben"), document("1", "ben")]
    for inputs in permutations([twice, [document("1", "anna")]]):
        with pytest.raises(UsageError, match="two documents are called '1'"):
            merged(*inputs)


def test_a_failed_parse_takes_its_text_from_the_parsers_that_did_not_fail() -> None:
    tree = Tree.parse("(S (NN p53))")
    failed = Document(id="1", text="", trees={"bikel": (None,)})
    parsed = Document(id="1", text="p53", trees={"charniak": (tree,)})
    for inputs in permutations([[failed], [parsed]]):
        [both] = merged(*inputs)
        assert (both.text, dict(both.trees)) == ("p53", {"bikel": (None,), "charniak": (tree,)})


class TestReadingFiles:
    @pytest.fixture(autouse=True)
    def files(self, tmp_path: Path) -> None:
        write([document("1", "one", GENE)], tmp_path / "one.jsonl")
        write([document("1", "two", DISEASE)], tmp_path / "two.jsonl")
        both = document("1", "one", GENE).with_layer("two", [])
        write([both], tmp_path / "both.jsonl")
        (tmp_path / "silver.eval").write_text("1|0 4|BRCA1\n")
        self.folder = tmp_path

    def read(self, *arguments: str, text: str | None = None, **options: str) -> list[Document]:
        given = [Input.parse(each.replace("@", f"{self.folder}/")) for each in arguments]
        texts = Input(self.folder / text) if text else None
        return list(read_corpus(given, text=texts, options=options))

    def test_names_given_by_the_user_name_the_layers(self) -> None:
        [read] = self.read("anna=@one.jsonl", "ben=@two.jsonl")
        assert read.layers == {"anna": (GENE,), "ben": (DISEASE,)}

    def test_a_file_of_several_layers_keeps_their_names(self) -> None:
        [read] = self.read("@both.jsonl")
        assert set(read.layers) == {"one", "two"}
        with pytest.raises(UsageError, match=r"holds several layers .* leave anna= off"):
            self.read("anna=@both.jsonl")

    def test_stand_off_files_annotate_the_texts_of_the_others(self) -> None:
        [read] = self.read("@one.jsonl", "@silver.eval")
        assert read.layers == {"one": (GENE,), "silver": (GENE,)}

    def test_stand_off_files_take_their_texts_from_where_the_user_says(self) -> None:
        [read] = self.read("a=@silver.eval", "b=@silver.eval", text="both.jsonl")
        assert set(read.layers) == {"a", "b", "one", "two"}

    def test_stand_off_files_alone_are_an_error_with_the_way_out(self) -> None:
        with pytest.raises(UsageError, match=r"silver\.eval: biocreative holds .* --text PATH"):
            self.read("@silver.eval")

    def test_a_stand_off_layer_does_not_replace_another(self) -> None:
        with pytest.raises(
            UsageError, match="has a layer 'one' already; name this input otherwise"
        ):
            self.read("@one.jsonl", "one=@silver.eval")

    def test_options_reach_the_formats_that_have_them(self) -> None:
        [read] = self.read("@one.jsonl", "@silver.eval", label="Protein")
        assert read.layers["silver"][0].label == "Protein"

    def test_an_option_no_format_has_is_an_error(self) -> None:
        with pytest.raises((UsageError, UnknownNameError), match="colour"):
            self.read("@one.jsonl", colour="blue")

    def test_a_path_with_an_equals_sign_is_a_path(self) -> None:
        path = self.folder / "a=b.jsonl"
        write([document("1", "one", GENE)], path)
        assert Input.parse(str(path)) == Input(path)


def lists_of(folder: Path) -> tuple[Input, list[Input]]:
    """Texts, and two annotators' lists of mentions; one is called by its file, one by a name."""
    write([Document(id="1", text="p53 and p53, MDM2")], folder / "texts.jsonl")
    for name in ("gpt", "other"):
        (folder / f"{name}.mentions.jsonl").write_text('{"id": "1", "mentions": ["p53", "MDM2"]}')
    given = [Input(folder / "gpt.mentions.jsonl", "gpt"), Input(folder / "other.mentions.jsonl")]
    return Input(folder / "texts.jsonl"), given


def test_an_option_goes_to_all_inputs_or_to_the_one_that_is_named(tmp_path: Path) -> None:
    text, given = lists_of(tmp_path)
    options = {"gpt:locate": "all", "locate": "first", "other:label": "Gene"}
    [both] = read_corpus(given, text=text, options=options)
    assert [span.start for span in both.layers["gpt"]] == [0, 8, 13]
    assert [span.start for span in both.layers["other"]] == [0, 13]
    assert {span.label for span in both.layers["other"]} == {"Gene"}
    assert {span.label for span in both.layers["gpt"]} == {"Name"}


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("gqt:locate", "no input named 'gqt'; did you mean 'gpt'?"),
        ("gpt:colour", "the input 'gpt' has no option 'colour'; its format is mentions"),
        ("colour", "no input has an option 'colour'; its formats are jsonl, mentions"),
    ],
)
def test_an_option_that_nobody_has_is_refused(tmp_path: Path, key: str, reason: str) -> None:
    text, given = lists_of(tmp_path)
    with pytest.raises((UsageError, UnknownNameError)) as raised:
        read_corpus(given, text=text, options={key: "all"})
    assert str(raised.value) == reason


def test_an_input_that_holds_nothing_is_told(tmp_path: Path) -> None:
    write([document("1", "anna", GENE)], tmp_path / "anna.jsonl")
    (tmp_path / "ben.jsonl").write_text("\n")
    ledger = Ledger()
    inputs = [Input(tmp_path / f"{name}.jsonl", name, "jsonl") for name in ("anna", "ben")]
    assert len(list(read_corpus(inputs, ledger=ledger))) == 1
    [line] = ledger.summary()
    assert line == f"found 1 inputs that hold no document ({tmp_path / 'ben.jsonl'})"


def test_more_inputs_are_read_at_once_than_files_may_be_open(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    for number in range(80):
        name = f"p{number}"
        batch = [Document(id=str(id), text="p53", layers={name: ()}) for id in range(300)]
        write(batch, tmp_path / f"{name}.jsonl")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = f"""
import resource, sys
from pathlib import Path
from vermeil.errors import VermeilError
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input
resource.setrlimit(resource.RLIMIT_NOFILE, (40, int(sys.argv[1])))
try:
    found = list(CorpusFiles([Input(Path({str(tmp_path)!r}))]).read(Ledger()))
    print(len(found), {{len(document.layers) for document in found}})
except VermeilError as error:
    print(error)
"""
    run = partial(subprocess.run, capture_output=True, text=True)
    assert run([sys.executable, "-c", code, str(hard)]).stdout == "300 {80}\n"
    said = run([sys.executable, "-c", code, "60"]).stdout
    assert "cannot be read: too many open files; read fewer inputs at once" in said
