import pytest

from vermeil import Document
from vermeil.acquisition.databases.references import Links, References
from vermeil.acquisition.labelling import DICTIONARY, Labelling, label
from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon
from vermeil.errors import UnknownNameError, UsageError

AM = [
    Document(
        id="1984484",
        text="It is clear that in culture media of AM, cystatin C and cathepsin B are present.",
    ),
    Document(id="23456", text="Temperature in puerperium is higher in AM, lower in PM."),
]
"""Figures 2 and 3 of "Acquisition"."""


def test_a_layer_keeps_every_id_and_a_span_for_each_label() -> None:
    entries = [Entry("AM", "1", "Gene"), Entry("AM", "2", "Gene"), Entry("AM", "3", "Disease")]
    texts = [Document(id="1", text="in AM.")]
    [document] = label(texts, compile_lexicon(entries), None, None, tokeniser="separators")
    layer = document.layers[DICTIONARY]
    assert [(span.label, span.ids) for span in layer] == [("Disease", ("3",)), ("Gene", ("1", "2"))]


def test_the_example_of_the_paper_needs_no_more_than_its_own_two_abstracts() -> None:
    names = {"AM": "133", "cystatin C": "1471", "cathepsin B": "1508", "PM": "2"}
    lexicon = compile_lexicon([Entry(name, id, "Gene") for name, id in names.items()])
    links = Links.of(lexicon, References.of([("133", "1984484")]))
    layers = ("exact", "reference", "coordination")
    labelled = label(
        AM, lexicon, links, None, tokeniser="separators-paper", how=Labelling(layers=layers)
    )
    one, other = (
        {name: [span.marked(each.text) for span in each.layers[name]] for name in each.layers}
        for each in labelled
    )
    assert one == {
        "exact": ["AM", "cystatin C", "cathepsin B"],
        "reference": ["AM"],
        "coordination": ["AM", "cystatin C", "cathepsin B"],
    }
    assert other == {"exact": ["AM", "PM"], "reference": [], "coordination": []}


def test_exact_names_are_those_of_the_database_to_the_letter() -> None:
    lexicon = compile_lexicon([Entry("TNF alpha", "1", "Gene")], spelling="normalised")
    text = "TNF-α and TNF alpha"
    for layers, found in (
        (("exact",), {"exact": ["TNF alpha"]}),
        (("dictionary",), {"dictionary": ["TNF-α", "TNF alpha"]}),
        (("dictionary", "exact"), {"dictionary": ["TNF-α", "TNF alpha"], "exact": ["TNF alpha"]}),
    ):
        how = Labelling(layers=layers)
        [document] = label(
            [Document(id="1", text=text)], lexicon, None, None, tokeniser="separators", how=how
        )
        marked = {
            name: [span.marked(text) for span in spans] for name, spans in document.layers.items()
        }
        assert marked == found


def test_layers_that_there_are_not_and_ways_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="no layer named 'exakt'; did you mean 'exact'"):
        Labelling(layers=("exakt",))
    with pytest.raises(UsageError, match="leave out --coordinate tokens"):
        Labelling(by_discourse=True, by_tokens=True)
