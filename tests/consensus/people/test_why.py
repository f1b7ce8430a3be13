"""Why a name is as sure as it is: the parts are those of the model, and come to what is said."""

from dataclasses import replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vermeil as vm
from tests.consensus.people.test_reading import told, votes
from tests.test_laws import batches
from vermeil import Document, Span
from vermeil.consensus.people.why import Voice, parsed_place
from vermeil.errors import UsageError
from vermeil.verbs.combining import Why

TEXT = "BRCA1 and p53 in breast cancer cells"
GENE, DISEASE, WIDE = Span(0, 5, "Gene"), Span(17, 30, "Disease"), Span(10, 30, "Disease")


def quarrel() -> list[Document]:
    layers = {"a": (GENE, DISEASE), "b": (GENE, WIDE), "c": (DISEASE,), "d": (GENE, DISEASE)}
    return [Document(id=str(n), text=TEXT, layers=layers) for n in range(20)]


@given(batch=batches(annotators=("a", "b", "c", "d")), data=st.data())
def test_the_parts_come_to_the_confidence_of_the_name(
    batch: list[Document], data: st.DataObject
) -> None:
    if not any(document.layers for document in batch):
        return
    silver = vm.combine(batch)
    found = [(each, name) for each in silver.documents for name in each.layers["consensus"]]
    if not found:
        return
    document, name = data.draw(st.sampled_from(found))
    reasons = silver.why(document, name).reasons
    total = reasons.before + reasons.naming + sum(voice.worth for voice in reasons.voices)
    assert reasons.log_odds == pytest.approx(total)
    said = reasons.existence * reasons.left * reasons.right
    assert reasons.span.confidence == pytest.approx(said)
    assert {voice.annotator for voice in reasons.voices} == {*document.layers} - {"consensus"}


def test_where_texts_are_read_the_parts_come_to_the_chance_that_was_read() -> None:
    silver = vm.combine(votes(told()), read=True)
    for document in silver.documents[:20]:
        for name in document.layers["consensus"]:
            reasons = silver.why(document, name).reasons
            total = reasons.before + reasons.naming + sum(voice.worth for voice in reasons.voices)
            assert reasons.log_odds == pytest.approx(total)
            # The other label takes a little of it.
            alone = 1 / (1 + exp(-reasons.log_odds))
            assert reasons.chance - 1e-9 <= alone < reasons.chance + 0.05


def test_it_tells_who_said_what() -> None:
    silver = vm.combine(quarrel())
    why = silver.why("3", (18, 20))
    says = {voice.annotator: (voice.left, voice.right) for voice in why.reasons.voices}
    assert says == {
        "a": ("exact", "exact"),
        "b": ("wider", "exact"),
        "c": ("exact", "exact"),
        "d": ("exact", "exact"),
    }
    heard = {voice.annotator: voice for voice in silver.why("3", GENE).reasons.voices}["c"]
    assert (heard.span, heard.looks, heard.worth) == (None, False, 0.0)
    told = vm.combine(quarrel(), scope={"c": ["*"]}).why("3", GENE).reasons.voices
    assert [voice.worth < 0 for voice in told] == [False, False, True, False]
    assert "'breast cancer' (17-30 of 3) as Disease" in str(why)
    assert list(why.to_pandas()["annotator"]) == ["a", "b", "c", "d"]
    assert why.to_dict()["span"]["label"] == "Disease"
    assert "'BRCA1' (0-5 of 3)" in str(vm.combine(quarrel(), why="3:0-5"))


def test_who_was_not_looking_shares_a_line() -> None:
    said = str(vm.combine(quarrel()).why("3", GENE))
    assert "\n1 more was not looking\n" in said
    assert "\nc " not in said
    voices = tuple(Voice(f"{n}", None, False, -1e-9, "", "") for n in range(48))
    reasons = vm.combine(quarrel()).why("3", GENE).reasons
    marked = [replace(each, worth=-0.001) for each in reasons.voices if each.looks]
    shown = str(Why(replace(reasons, voices=(*marked, *voices), naming=-0.001)))
    assert "\n48 more were not looking\n" in shown
    assert "-0.00" not in shown


def test_what_is_settled_says_so() -> None:
    batch = [document.with_layer("curator", (GENE,)) for document in quarrel()]
    why = vm.combine(batch, settled="curator").why("0", GENE)
    assert why.reasons.settled
    assert "settled" in str(why)
    assert why.reasons.span.confidence == 1.0


def test_there_is_no_why_without_a_name_or_a_model() -> None:
    with pytest.raises(UsageError, match="nobody marked anything at 31-36 of document '0'"):
        vm.combine(quarrel()).why("0", (31, 36))
    with pytest.raises(UsageError, match="majority does not say why"):
        vm.combine(quarrel(), by="majority").why("0", GENE)


@pytest.mark.parametrize("given", ["3", "3:5", ":1-2", "3:a-b", "3:5-5", "3:-1-4"])
def test_a_place_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="--why"):
        parsed_place(given)
