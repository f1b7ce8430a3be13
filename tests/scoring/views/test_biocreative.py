from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from tests.scoring.corpora import corpora
from tests.scoring.looking import score
from vermeil import Document, Span
from vermeil.errors import FormatError
from vermeil.formats import read
from vermeil.formats.corpus import read_corpus
from vermeil.formats.inputs import Input
from vermeil.scoring.counts import Counts
from vermeil.scoring.scores import Scores

TEXT = "Gamma glutamyl transpeptidase (GGTP) and Rel"
WHOLE, FIRST, SECOND = Span(0, 36, "Gene"), Span(0, 29, "Gene"), Span(31, 35, "Gene")
REL = Span(41, 44, "Gene")


def scored(gold: tuple[Span, ...], alternatives: tuple[Span, ...], ann: tuple[Span, ...]) -> Scores:
    layers = {"gold": gold, "gold.alternatives": alternatives, "ann": ann}
    return score([Document(id="1", text=TEXT, layers=layers)], standard="gold")["ann"]


def tp_fp_fn(scores: Scores) -> tuple[float, float, float]:
    counts = scores.counts("biocreative")
    return counts.found, counts.spurious, counts.missed


def test_one_long_prediction_can_find_two_names() -> None:
    assert tp_fp_fn(scored((FIRST, SECOND), (WHOLE,), (WHOLE,))) == (2, 0, 0)


def test_two_short_predictions_in_one_name_find_one() -> None:
    assert tp_fp_fn(scored((WHOLE,), (FIRST, SECOND), (FIRST, SECOND))) == (1, 0, 0)


def test_an_alternative_without_a_name_earns_nothing_and_costs_nothing() -> None:
    assert tp_fp_fn(scored((FIRST,), (REL,), (REL,))) == (0, 0, 1)


def test_a_wrong_prediction_counts_as_often_as_it_is_made() -> None:
    wrong = Span(6, 14, "Gene")
    assert tp_fp_fn(scored((FIRST,), (), (FIRST, wrong, wrong))) == (1, 2, 0)


def test_a_right_prediction_made_twice_counts_once() -> None:
    assert tp_fp_fn(scored((FIRST,), (), (FIRST, FIRST))) == (1, 0, 0)


def test_a_found_name_is_credited_to_its_own_offsets_before_an_alternatives() -> None:
    own, alternative = Span(0, 29, "Protein"), Span(0, 36, "Gene")
    by_label = scored((FIRST,), (WHOLE,), (alternative, own)).views["biocreative"].by_label
    assert (by_label["Protein"].right, by_label["Protein"].predicted) == (1, 1)
    assert (by_label["Gene"].right, by_label["Gene"].predicted) == (0, 0)


def test_of_predictions_with_the_same_offsets_the_first_is_credited_whatever_its_label() -> None:
    gold, other = Span(41, 44, "Protein"), Span(41, 44, "Gene")
    document = Document(id="1", text=TEXT, layers={"gold": (gold,), "ann": (other, gold)})
    by_label = score([document], standard="gold")["ann"].views["biocreative"].by_label
    assert (by_label["Gene"].right, by_label["Gene"].predicted) == (1, 1)
    assert (by_label["Protein"].right, by_label["Protein"].predicted) == (0, 0)


def test_labels_are_not_compared_unless_asked_for() -> None:
    document = Document(
        id="1", text=TEXT, layers={"gold": (REL,), "ann": (Span(41, 44, "Protein"),)}
    )
    assert score([document], standard="gold")["ann"].counts("biocreative").found == 1
    strict = score([document], standard="gold", same_label=True)
    assert strict["ann"].counts("biocreative").found == 0


def test_white_space_at_an_edge_does_not_count() -> None:
    assert tp_fp_fn(scored((REL,), (), (Span(40, 44, "Gene"),))) == (1, 0, 0)


def test_where_nothing_is_predicted_precision_is_undefined_and_f_is_nothing() -> None:
    counts = scored((FIRST,), (), ()).counts("biocreative")
    assert counts.precision != counts.precision
    assert (counts.recall, counts.f1) == (0, 0)


def writable(document: Document) -> Document:
    """Leave out what the official format cannot hold: names of nothing but white space."""
    layers = {
        name: tuple(s for s in layer if not document.text[s.start : s.end].isspace())
        for name, layer in document.layers.items()
    }
    return document.replace(layers=layers)


def offsets(document: Document, layer: str) -> list[tuple[int, int]]:
    """As the official format has them, in characters that are not white space."""
    found = []
    for span in document.layers.get(layer, ()):
        before = len("".join(document.text[: span.start].split()))
        size = len("".join(document.text[span.start : span.end].split()))
        found.append((before, before + size - 1))
    return found


def alt_eval(documents: list[Document]) -> tuple[int, int, int]:
    """The official counts, from their description."""
    tp = fp = fn = 0
    for document in documents:
        gold, alternatives, predicted = (
            offsets(document, name) for name in ("gold", "gold.alternatives", "ann")
        )
        for first, last in gold:
            accepted = [(first, last)]
            accepted += [(a, b) for a, b in alternatives if a <= last and b >= first]
            if set(accepted) & set(predicted):
                tp += 1
            else:
                fn += 1
        fp += sum(n for place, n in Counter(predicted).items() if place not in gold + alternatives)
    return tp, fp, fn


@given(corpora())
def test_counts_are_those_of_the_definition(documents: list[Document]) -> None:
    covered = [writable(document) for document in documents if "gold" in document.layers]
    assert tp_fp_fn(score(covered, standard="gold", systems=["ann"])["ann"]) == alt_eval(covered)


@given(corpora())
def test_the_standard_finds_itself(documents: list[Document]) -> None:
    same = [
        each.with_layer("self", each.layers["gold"]) for each in documents if "gold" in each.layers
    ]
    counts = score(same, standard="gold", systems=["self"])["self"].counts("biocreative")
    assert (counts.spurious, counts.missed) == (0, 0)


@pytest.fixture(scope="module")
def train(corpora: Path) -> list[Document]:
    folder = corpora / "bc2gm" / "train"
    gold, alternatives = Input(folder / "GENE.eval", "gold"), folder / "ALTGENE.eval"
    inputs = [gold, Input(alternatives, "gold.alternatives")]
    return list(read_corpus(inputs, text=Input(folder / "train.in")))


def recorded(corpora: Path) -> dict[str, list[str]]:
    table = corpora / "bc2gm" / "alt_eval-cases" / "reference.tsv"
    rows = [line.split("\t") for line in table.read_text().splitlines() if line[0] != "#"]
    return {case: counts for case, *counts in rows}


def run_case(documents: list[Document], path: Path) -> Counts:
    annotated = read_case(documents, path)
    return score(annotated, standard="gold", systems=["ann"])["ann"].counts("biocreative")


def read_case(documents: list[Document], path: Path) -> Iterator[Document]:
    """Read a file as the official scorer does, which does not look at the names in it."""
    return read(path, annotator="ann", documents=iter(documents), options={"names": "ignore"})


WELL_FORMED = [
    "case_change",
    "core0",
    "coreless",
    "crlf_text",
    "dupFP",
    "no_text_field",
    "super_two_cores",
    "two_subs_one_core",
]


@pytest.mark.corpus
@pytest.mark.parametrize("case", WELL_FORMED)
def test_well_formed_files_have_the_counts_of_the_official_scorer(
    case: str, train: list[Document], corpora: Path
) -> None:
    counts = run_case(train, corpora / "bc2gm" / "alt_eval-cases" / f"{case}.eval")
    found = [counts.found, counts.spurious, counts.missed]
    assert found == [int(each) for each in recorded(corpora)[case]]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("leading_zero", "no leading zeros, found '014 33'"),
        ("two_spaces", "one space between them and no leading zeros, found '14  33'"),
        ("no_bar", "wanted ID|first last|name, found 'P00001606T0076 14 33'"),
        ("no_bar_after", "wanted two offsets"),
        ("unknown_id", "is not among the texts"),
        ("reversed_span", "the first offset comes after the last: '33 14'"),
    ],
)
def test_ill_formed_files_are_refused(
    case: str, message: str, train: list[Document], corpora: Path
) -> None:
    with pytest.raises(FormatError) as error:
        run_case(train, corpora / "bc2gm" / "alt_eval-cases" / f"{case}.eval")
    assert message in str(error.value)


@pytest.mark.corpus
def test_two_slips_that_cost_a_point_officially_are_forgiven(
    train: list[Document], corpora: Path
) -> None:
    """The official scorer takes a line end for part of an offset, a blank line for a name."""
    folder = corpora / "bc2gm" / "alt_eval-cases"
    assert (
        recorded(corpora)["crlf_no_text"] == recorded(corpora)["blank_line"] == ["1", "1", "18264"]
    )
    line_end, blank = (
        run_case(train, folder / f"{n}.eval") for n in ("crlf_no_text", "blank_line")
    )
    assert (line_end.found, line_end.spurious) == (2, 0)
    assert (blank.found, blank.spurious) == (1, 0)


@pytest.mark.corpus
@pytest.mark.parametrize(("case", "n_wrong"), [("empty", 0), ("only_fp", 1)])
def test_where_nothing_matches_there_are_counts_and_no_crash(
    case: str, n_wrong: int, train: list[Document], corpora: Path
) -> None:
    counts = run_case(train, corpora / "bc2gm" / "alt_eval-cases" / f"{case}.eval")
    assert (counts.found, counts.spurious, counts.missed) == (0, n_wrong, 18265)


@pytest.mark.corpus
def test_a_subset_of_documents_is_scored_alone(train: list[Document], corpora: Path) -> None:
    folder = corpora / "bc2gm" / "alt_eval-cases"
    ids = set((folder / "ids.txt").read_text().split())
    annotated = read_case(train, folder / "ids_subset.eval")
    some = [document for document in annotated if document.id in ids]
    counts = score(some, standard="gold", systems=["ann"])["ann"].counts("biocreative")
    found = [counts.found, counts.spurious, counts.missed]
    assert found == [int(each) for each in recorded(corpora)["ids_subset"]]


@pytest.mark.corpus
def test_gold_and_its_alternatives_have_the_counts_of_the_official_scorer(
    train: list[Document], corpora: Path
) -> None:
    reference = recorded(corpora)
    documents = [
        document.with_layer("gene", document.layers["gold"])
        .with_layer("altgene", document.alternatives("gold"))
        .with_layer("gene+alt", document.layers["gold"] + document.alternatives("gold"))
        .with_layer("gene_twice", document.layers["gold"] * 2)
        for document in train
    ]
    for system, scores in score(documents, standard="gold").items():
        assert list(tp_fp_fn(scores)) == [int(each) for each in reference[system]]
