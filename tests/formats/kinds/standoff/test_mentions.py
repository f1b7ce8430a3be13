"""Lists of mentions: where they are found, what is said of those that are not, and who looked."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import Ledger, guess_format, read, write

TEXT = "TP53 and p53: the p53-binding protein, p530 and P53."


def locate(
    *mentions: Any,
    text: str = TEXT,
    ledger: Ledger | None = None,
    label: str = "Gene",
    locate: str = "in-order",
) -> list[tuple[int, str, str]]:
    """List start, marked text and label of what is found."""
    options = {"label": label, "locate": locate}
    with TemporaryDirectory() as directory:
        path = Path(directory) / "llm.jsonl"
        path.write_bytes(msgspec.json.encode({"id": "1", "mentions": list(mentions)}))
        texts = [Document(id="1", text=text)]
        [document] = read(path, format="mentions", documents=texts, ledger=ledger, options=options)
    return [(s.start, s.marked(text), s.label) for s in document.layers["llm"]]


def noted(ledger: Ledger) -> dict[str, int]:
    return {f"{deed} {what}": n for (deed, what), n in ledger.counts.items()}


def test_mentions_are_taken_in_order_and_no_place_twice() -> None:
    ledger = Ledger()
    gene, protein = {"text": "p53", "label": "Gene"}, {"text": "p53", "label": "Protein"}
    assert locate(gene, protein, ledger=ledger) == [(9, "p53", "Gene"), (18, "p53", "Protein")]
    assert noted(ledger) == {}


def test_other_spellings_of_a_string_do_not_get_its_place_again() -> None:
    ledger = Ledger()
    assert locate("p53", "P53", "p 53", text="p53", ledger=ledger) == [(0, "p53", "Gene")]
    assert noted(ledger) == {"dropped mentions repeated more often than in the text": 2}


def test_a_repeated_mention_does_not_make_do_with_a_worse_place() -> None:
    assert locate("S", "S", text="S-deficient, a gene's, SpoT") == [(0, "S", "Gene")]


def test_a_mention_that_is_not_further_on_is_looked_for_from_the_beginning() -> None:
    found = locate("protein", "TP53")
    assert found == [(0, "TP53", "Gene"), (30, "protein", "Gene")]


def test_an_occurrence_inside_a_longer_word_is_the_last_choice() -> None:
    assert locate("53", text="p53 and 53")[0] == (8, "53", "Gene")
    assert locate("53", text="p53 and p54") == [(1, "53", "Gene")]
    assert locate("Insulin", text="Insulinoma or insulin") == [(14, "insulin", "Gene")]
    assert locate("e", text="e\u0301 e") == [(3, "e", "Gene")]


def test_every_ambiguous_mention_is_listed_with_its_place() -> None:
    ledger = Ledger()
    assert locate("p53", ledger=ledger) == [(9, "p53", "Gene")]
    assert noted(ledger) == {"guessed places of ambiguous mentions": 1}
    assert re.search(r"llm\.jsonl:1: p53\)", ledger.summary()[0])


def test_a_mention_that_is_nowhere_is_listed_and_left_out() -> None:
    ledger = Ledger()
    assert locate("BRCA1", "p53-binding", "p53-binding", ledger=ledger) == [
        (18, "p53-binding", "Gene")
    ]
    assert noted(ledger) == {
        "dropped mentions that are not in the text": 1,
        "dropped mentions repeated more often than in the text": 1,
    }


@pytest.mark.parametrize(
    ("mention", "found", "ignoring"),
    [
        ("Tp53", "TP53", "letter case"),
        ("p53 - binding", "p53-binding", "white space"),
        ("P53-Binding  Protein", "p53-binding protein", "letter case and white space"),
        ("bindingProtein", "binding protein", "letter case and white space"),
    ],
)
def test_loose_matches_are_said_aloud(mention: str, found: str, ignoring: str) -> None:
    ledger = Ledger()
    [(_, marked, _)] = locate(mention, ledger=ledger)
    assert marked == found
    assert noted(ledger) == {f"changed mentions matched ignoring {ignoring}": 1}


def test_all_occurrences_or_only_the_first_can_be_asked_for() -> None:
    assert locate("p53", "p53", locate="all") == [(9, "p53", "Gene"), (18, "p53", "Gene")]
    ledger = Ledger()
    assert locate("p53", locate="first", ledger=ledger) == [(9, "p53", "Gene")]
    assert noted(ledger) == {"guessed places of ambiguous mentions": 1}


def test_what_is_said_of_a_mention_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "llm.jsonl"
    path.write_text(
        '{"id": 1, "entities": [{"name": "TP53", "type": "Gene", "score": 0.5, "id": 7157, '
        '"why": "a gene", "page": 99, "evidence": {"a": 1}, "note": null}], "model": "x"}\n'
    )
    ledger = Ledger()
    [document] = read(
        path, format="mentions", documents=[Document(id="1", text=TEXT)], ledger=ledger
    )
    attributes = (("why", "a gene"), ("page", "99"))
    assert document.layers["llm"] == (Span(0, 4, "Gene", 0.5, (), ("7157",), attributes),)
    assert noted(ledger) == {"dropped lists and objects under 'evidence'": 1}


def test_lists_by_label_strings_and_json_arrays_are_read(tmp_path: Path) -> None:
    path = tmp_path / "llm.mentions.json"
    path.write_text(
        '[\n {"pmid": "1", "spans": {"Gene": ["TP53"], "Protein": [{"text": "p53"}]}},\n'
        ' {"pmid": "2", "spans": []}\n]'
    )
    texts = [Document(id=id, text="TP53, p53") for id in ("2", "1", "3")]
    second, first, third = read(path, documents=texts, annotator="llm")
    assert first.layers["llm"] == (Span(0, 4, "Gene"), Span(6, 9, "Protein"))
    assert second.layers == {"llm": ()}
    assert third.layers == {}


def test_strings_are_labelled_by_the_option() -> None:
    assert locate("TP53", label="DNA") == [(0, "TP53", "DNA")]


def test_what_has_no_label_is_called_a_name_and_said() -> None:
    ledger = Ledger()
    assert locate("TP53", {"text": "P53"}, label="", ledger=ledger) == [
        (0, "TP53", "Name"),
        (48, "P53", "Name"),
    ]
    assert noted(ledger) == {
        "called mentions without a label Name; -O label=LABEL says what they are": 2
    }


ASPIRIN = "Give no aspirin with aspirin-like drugs: aspirin harms."


def pipeline(start: int, end: int, word: str = "aspirin") -> dict[str, Any]:
    """An entity as the pipeline of Hugging Face's transformers gives it."""
    return {"entity_group": "Chemical", "score": 0.5, "word": word, "start": start, "end": end}


def test_offsets_that_fit_the_text_win() -> None:
    ledger = Ledger()
    found = locate(pipeline(41, 48), pipeline(21, 28), text=ASPIRIN, ledger=ledger)
    assert found == [(21, "aspirin", "Chemical"), (41, "aspirin", "Chemical")]
    assert noted(ledger) == {}


@pytest.mark.parametrize(
    "word", ["Aspirin", "##aspirin", "\u2581aspirin", "\u0120aspirin", "a spirin"]
)
def test_offsets_fit_though_a_tagger_spells_the_word_its_own_way(word: str) -> None:
    ledger = Ledger()
    assert locate(pipeline(41, 48, word), text=ASPIRIN, ledger=ledger) == [
        (41, "aspirin", "Chemical")
    ]
    assert noted(ledger) == {}


def test_offsets_in_other_units_are_repaired_and_said() -> None:
    ledger = Ledger()
    text = "\U0001d6fc \U0001d6fc aspirin, aspirin"
    assert locate(pipeline(6, 13), text=text, ledger=ledger) == [(4, "aspirin", "Chemical")]
    assert noted(ledger) == {"repaired offsets that count UTF-16 code units": 1}


def test_offsets_that_miss_go_to_the_nearest_place_of_their_string_and_that_is_said() -> None:
    ledger = Ledger()
    found = locate(pipeline(39, 46), pipeline(8, 15), text=ASPIRIN, ledger=ledger)
    assert found == [(8, "aspirin", "Chemical"), (41, "aspirin", "Chemical")]
    assert noted(ledger) == {
        "repaired offsets that do not mark their mentions, by the nearest place": 1
    }
    assert locate(pipeline(0, 9, "ibuprofen"), text=ASPIRIN, ledger=ledger) == []
    assert noted(ledger)["dropped mentions that are not in the text"] == 1


def test_offsets_alone_will_do_and_outside_the_text_are_dropped_and_said() -> None:
    ledger = Ledger()
    given = [{"start": "8", "end_offset": 15, "label": "Chemical"}, {"begin": 50, "end": 99}]
    assert locate(*given, text=ASPIRIN, ledger=ledger) == [(8, "aspirin", "Chemical")]
    assert noted(ledger) == {"dropped offsets outside the text": 1}


def test_tokens_with_tags_are_put_together_to_names() -> None:
    def piece(index: int, tag: str, start: int, end: int) -> dict[str, Any]:
        word = ASPIRIN[start:end]
        return {
            "entity": tag,
            "score": 0.9,
            "index": index,
            "word": word,
            "start": start,
            "end": end,
        }

    pieces = [
        piece(3, "B-Drug", 8, 11),
        piece(4, "I-Drug", 11, 15),
        piece(6, "B-Drug", 21, 28),
        piece(8, "I-Drug", 29, 33),
        piece(9, "I-Other", 34, 39),
    ]
    ledger = Ledger()
    assert locate(*pieces, text=ASPIRIN, ledger=ledger) == [
        (8, "aspirin", "Drug"),
        (21, "aspirin-like", "Drug"),
        (34, "drugs", "Other"),
    ]
    assert noted(ledger) == {}


def test_mentions_without_offsets_take_places_that_are_left() -> None:
    found = locate("aspirin", pipeline(8, 15), text=ASPIRIN)
    assert [start for start, _, _ in found] == [8, 21]


@pytest.mark.parametrize("odd", ["20.5", "", None, True, "\u0663", [1], "9" * 4000])
def test_what_is_no_offset_counts_for_nothing(odd: Any) -> None:
    assert locate({"text": "aspirin", "start": odd}, text=ASPIRIN)[0][0] == 8


def read_lists(folder: Path, *lists: list[str], ledger: Ledger, **options: str) -> list[Document]:
    path = folder / "llm.mentions.jsonl"
    rows = [{"id": str(n), "mentions": names} for n, names in enumerate(lists)]
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    texts = [Document(id=str(n), text="p53 and p53, MDM2") for n in range(len(lists))]
    return list(read(path, documents=texts, annotator="llm", ledger=ledger, options=options))


def test_names_that_are_listed_once_are_found_everywhere_and_that_is_said(tmp_path: Path) -> None:
    ledger = Ledger()
    [document, _] = read_lists(tmp_path, ["p53", "MDM2"], ["MDM2"], ledger=ledger, label="Gene")
    assert [span.start for span in document.layers["llm"]] == [0, 8, 13]
    what = "names everywhere they occur, for lists here repeat none (-O locate=in-order)"
    assert noted(ledger) == {f"placed {what}": 1}


def test_lists_that_repeat_names_are_taken_in_order(tmp_path: Path) -> None:
    ledger = Ledger()
    lists = [["p53", "MDM2"], ["p53", "p53"]]
    first, second = read_lists(tmp_path, *lists, ledger=ledger, label="Gene")
    assert [span.start for span in first.layers["llm"]] == [0, 13]
    assert [span.start for span in second.layers["llm"]] == [0, 8]
    assert noted(ledger) == {"guessed places of ambiguous mentions": 1}


def test_an_occasional_repetition_does_not_make_lists_of_names_into_lists_of_mentions(
    tmp_path: Path,
) -> None:
    lists = [["p53", "MDM2"]] * 20 + [["p53", "p53"]]
    first, *_ = read_lists(tmp_path, *lists, ledger=Ledger(), label="Gene")
    assert [span.start for span in first.layers["llm"]] == [0, 8, 13]


def test_a_document_without_an_answer_was_not_looked_at(tmp_path: Path) -> None:
    path, ledger = tmp_path / "llm.mentions.jsonl", Ledger()
    path.write_text('{"id": "1", "mentions": []}')
    texts = [Document(id=id, text="p53") for id in ("1", "2")]
    first, second = read(path, documents=texts, annotator="llm", ledger=ledger)
    assert (first.layers, second.layers) == ({"llm": ()}, {})
    assert noted(ledger) == {"missing answers: documents not looked at": 1}
    options = {"missing": "nothing-found"}
    _, second = read(path, documents=texts, annotator="llm", ledger=ledger, options=options)
    assert second.layers == {"llm": ()}


def test_the_documents_that_many_did_not_look_at_are_one_note(tmp_path: Path) -> None:
    ledger = Ledger()
    for name in "abcde":
        path = tmp_path / f"{name}.mentions.jsonl"
        path.write_text('{"id": "1", "mentions": []}')
        texts = [Document(id=id, text="p53") for id in ("1", "2", "3")]
        list(read(path, documents=texts, ledger=ledger))
    [said] = ledger.summary()
    assert said.startswith("missing 10 answers: documents not looked at by a, b, c and 2 more (")
    assert ledger.lost().endswith("by a, b, c and 2 more")


def test_a_record_that_is_set_aside_leaves_its_document_unlooked_at(tmp_path: Path) -> None:
    path, ledger = tmp_path / "llm.mentions.jsonl", Ledger(skip_bad=True)
    path.write_text('{"id": "1", "mentions": [7]}\n{"id": "2", "mentions": ["p53"]}')
    texts = [Document(id=id, text="p53") for id in ("1", "2")]
    first, second = read(path, documents=texts, annotator="llm", ledger=ledger)
    assert first.layers == {}
    assert second.layers["llm"]


def test_a_score_that_is_no_probability_is_dropped_and_counted() -> None:
    ledger = Ledger()
    assert locate({"text": "TP53", "score": 7}, ledger=ledger) == [(0, "TP53", "Gene")]
    assert noted(ledger) == {"dropped scores that are no probabilities": 1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"mentions": []}', "there is no 'id'; wanted one of id, doc_id, document_id, pmid"),
        ('{"id": "1"}', "there is no 'mentions'; wanted one of mentions, entities, spans"),
        ('{"id": "1", "mentions": [{"label": "Gene"}]}',
         "Object missing required field `text`"),
        ('{"id": "1", "mentions": [" "]}', "a mention has no text"),
        ('{"id": "1", "mentions": [7]}', "Expected `str | object`, got `int` - at `$[0]`"),
        ('{"id": [], "mentions": []}', "Expected `int | str`, got `array`"),
        ('{"id": "7", "mentions": []}', "the id '7' is not among the texts"),
        ('{"id": "0", "mentions": []}', "the id '0' is already that of line 1"),
    ],
)  # fmt: skip
def test_each_kind_of_error_names_its_line(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "a.mentions.jsonl"
    path.write_text('{"id": "0", "mentions": []}\n' + line)
    texts = [Document(id="0", text=""), Document(id="1", text="")]
    with pytest.raises(FormatError) as raised:
        list(read(path, documents=texts))
    assert str(raised.value) == f"{path}:2: {reason}"


def test_mentions_are_written_in_reading_order(tmp_path: Path) -> None:
    spans = (Span(5, 8, "Gene", 0.5, (), ("7157",)), Span(0, 8, "Protein"))
    document = Document(id="1", text="the\n p53", layers={"x": spans})
    write([document, Document(id="2", text="")], tmp_path / "a.mentions.jsonl")
    assert (tmp_path / "a.mentions.jsonl").read_text() == (
        '{"id":"1","mentions":[{"text":"the\\n p53","label":"Protein"},'
        '{"text":"p53","label":"Gene","confidence":0.5,"ids":["7157"]}]}\n'
    )
    (tmp_path / "a.mentions.jsonl").rename(tmp_path / "b.jsonl")
    assert guess_format(tmp_path / "b.jsonl") == "mentions"


WORDS = st.sampled_from(["p53", "P53", "p", "α-globin", "\U0001d6fc", "IL-2", "of", "e\u0301t"])


@given(words=st.lists(WORDS, max_size=12), names=st.sets(WORDS), data=st.data())
def test_where_every_occurrence_is_marked_all_come_back_exactly(
    words: list[str], names: set[str], data: st.DataObject
) -> None:
    text, spans = "", []
    for word in words:
        text += data.draw(st.sampled_from([" ", "\r\n", ", ", "\u2028("]))
        if word in names:
            label = data.draw(st.sampled_from(["Gene", "cell line"]))
            confidence = data.draw(st.none() | st.just(0.25))
            attributes = data.draw(st.just(()) | st.just((("a b", "c"), ("a b", "d"))))
            spans.append(
                Span(len(text), len(text) + len(word), label, confidence, (), ("7 a",), attributes)
            )
        text += word
    document = Document(id="1", text=text, layers={"x": tuple(spans)})
    ledger = Ledger()
    with TemporaryDirectory() as directory:
        path = Path(directory) / "x.mentions.jsonl"
        write([document], path, ledger=ledger)
        plain = [Document(id="1", text=text)]
        assert list(read(path, documents=plain, annotator="x", ledger=ledger)) == [document]
    assert ledger.counts == {}


@given(
    text=st.text("ab 12-\n", max_size=30),
    mentions=st.lists(st.text("abAB 12", min_size=1, max_size=4).filter(str.strip), max_size=6),
    how=st.sampled_from(["in-order", "first", "all"]),
)
def test_whatever_is_found_spells_the_mention_and_every_mention_is_accounted_for(
    text: str, mentions: list[str], how: str
) -> None:
    ledger = Ledger()
    found = locate(*mentions, text=text, locate=how, ledger=ledger)

    def level(string: str) -> str:
        return "".join(string.split()).lower()

    for _, marked, _ in found:
        assert level(marked) in map(level, mentions)
    lost = [mention for mention in mentions if level(mention) not in level(text)]
    assert ledger.counts["dropped", "mentions that are not in the text"] == len(lost)
    if how == "in-order":
        spare = ledger.counts["dropped", "mentions repeated more often than in the text"]
        assert len(found) <= len(mentions) - len(lost) - spare
