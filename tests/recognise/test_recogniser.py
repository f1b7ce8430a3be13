"""What holds for every kind of recogniser; a new row of the table is tested by being there."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.recognise.annotated import marked
from vermeil import Document
from vermeil.errors import FormatError
from vermeil.models.model_files import read_model, write_model
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import RECOGNISERS, Recogniser, load, save
from vermeil.recognise.words.knowledge import Resources

pytest.importorskip("sklearn")

DRUGS = ("morphine", "clonidine", "naloxone", "heparin", "lithium", "acetic acid", "nitric acid")
GENES = ("BRCA1", "TP53", "protein kinase")
DOCUMENTS = [
    marked(
        f"{drug} {gene}",
        f"Patients received [C:{drug}] ([C:{drug[:3].upper()}]) before the operation. "
        f"Then [C:{drug}] had no effect in "
        f"[G:{gene}] ([G:{gene[:2].upper()}]) mice, and the ethanol was lost.",
    )
    for drug in DRUGS
    for gene in GENES
]
RECIPE = Recipe(("C", "G"), n_rounds=10, n_deals=1)
RESOURCES = Resources({"C": (*DRUGS, "ethanol")}, ("patients", "before", "mice"))


@cache
def trained(kind: str) -> Recogniser:
    if kind == "crf":
        pytest.importorskip("pycrfsuite")
    return RECOGNISERS[kind].fit(DOCUMENTS, RECIPE, RESOURCES)


def rows(found: PlacedNames) -> list[tuple[float, ...]]:
    names = found.candidates
    columns = (names.sentence, names.start, names.end, names.label)
    return [*zip(*(column.tolist() for column in columns), strict=True)]


every_kind = pytest.mark.parametrize("kind", RECOGNISERS)


@every_kind
def test_it_finds_the_names_it_was_given(kind: str) -> None:
    unseen = marked("new", "The rats received [C:lithium], then left.")
    found = trained(kind).find([unseen], threshold=0.5)
    assert found.spans(0, found.candidates)[0].marked(unseen.text) == "lithium"


@every_kind
def test_a_saved_model_finds_the_same(kind: str, tmp_path: Path) -> None:
    save(trained(kind), tmp_path / "model.zip")
    again = load(tmp_path / "model.zip")
    one, two = (each.find(DOCUMENTS, threshold=0.1) for each in (trained(kind), again))
    assert type(again) is RECOGNISERS[kind].made_by
    assert again.recipe.labels == RECIPE.labels
    sure = one.candidates.confidence > 0.12
    assert {row for row, kept in zip(rows(one), sure, strict=True) if kept} <= set(rows(two))


@every_kind
def test_candidates_are_in_reading_order_with_probabilities_from_the_threshold_on(
    kind: str,
) -> None:
    names = trained(kind).find(DOCUMENTS, threshold=0.01).candidates
    assert np.array_equal(np.lexsort((names.label, -names.end, names.start)), range(len(names)))
    assert ((names.confidence >= 0.01) & (names.confidence <= 1)).all()
    assert len(trained(kind).find(DOCUMENTS, threshold=1.1).candidates) == 0


@every_kind
def test_how_documents_are_batched_changes_no_name(kind: str) -> None:
    together = trained(kind).find(DOCUMENTS)
    alone = [trained(kind).find([document]) for document in DOCUMENTS]
    for number, found in enumerate(alone):
        assert found.spans(0, found.candidates) == together.spans(number, together.candidates)


@every_kind
def test_documents_without_text_hold_no_names(kind: str) -> None:
    for documents in ([], [Document(id="1", text="")], [Document(id="1", text=" \n")]):
        assert len(trained(kind).find(documents).candidates) == 0


@every_kind
def test_a_model_file_holds_no_text_of_the_documents(kind: str, tmp_path: Path) -> None:
    save(trained(kind), tmp_path / "model.zip")
    _, header, arrays = read_model(tmp_path / "model.zip")
    whole = repr(header).encode() + b"".join(array.tobytes() for array in arrays.values())
    for word in (b"morphine", b"BRCA1", b"operation"):
        assert word not in whole


def test_a_model_of_an_unknown_kind_is_refused_in_one_line(tmp_path: Path) -> None:
    write_model(tmp_path / "m.zip", "oracle", {}, {})
    with pytest.raises(
        FormatError, match="kind 'oracle', and this program knows cascade, committee"
    ):
        load(tmp_path / "m.zip")


def test_a_committee_of_nobody_is_refused_in_one_line(tmp_path: Path) -> None:
    write_model(tmp_path / "m.zip", "committee", {"members": []}, {})
    with pytest.raises(FormatError, match="is damaged: it lacks 'members'"):
        load(tmp_path / "m.zip")


@every_kind
def test_a_model_with_a_part_missing_is_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    write_model(tmp_path / "m.zip", kind, {"labels": ["C"], "tokeniser": "fine"}, {})
    with pytest.raises(FormatError, match="is damaged: it lacks"):
        load(tmp_path / "m.zip")


def test_a_model_with_the_stepped_rescorer_of_before_is_refused_in_one_line(tmp_path: Path) -> None:
    model, path = trained("cascade"), tmp_path / "old.zip"
    stepped = {name: array for name, array in model.arrays().items() if "rescorer" not in name}
    stepped |= {f"rescorer-0/{name}": np.zeros(3) for name in ("first_step", "weight", "base")}
    write_model(path, "cascade", model.header() | {"rescorer": "logistic"}, stepped)
    with pytest.raises(FormatError, match=r"rescorer is that of an earlier version; train it"):
        load(path)
