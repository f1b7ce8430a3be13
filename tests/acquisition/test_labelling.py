import numpy as np
import pytest

from vermeil import Document
from vermeil.acquisition.labelling import DICTIONARY, coordinated, label, one_sense
from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon
from vermeil.acquisition.lexicon.matching import match

NAMES = ["tna", "gltC", "gltS", "pyrE", "gltR", "insulin receptor"]


def figure_5(tokens: list[str], lexicon: set[str], seeds: set[int], between: set[str]) -> set[int]:
    """Figure 5 of "Acquisition" to the letter, over single tokens, with the union it means."""
    annotated = set(seeds)
    for i in range(len(tokens)):
        if i not in annotated:
            continue
        for step in (-1, 1):
            j = i + 2 * step
            while (
                0 <= j < len(tokens)
                and tokens[j] in lexicon
                and j not in annotated
                and tokens[j - step] in between
            ):
                annotated.add(j)
                j += 2 * step
    return annotated


def annotated_words(text: str, seeds: list[str], *names: str) -> list[str]:
    entries = [Entry(name, name, "Gene") for name in (*NAMES, *names)]
    documents = [Document(id="1", text=text)]
    matches = match(compile_lexicon(entries), documents)
    words = [text[a:b] for a, b in zip(matches.start.tolist(), matches.end.tolist(), strict=True)]
    seeded = np.array([word in seeds for word in words], dtype=bool)
    found = coordinated(matches, seeded, documents)
    return [word for word, is_so in zip(words, found, strict=True) if is_so]


def test_single_words_are_annotated_as_figure_5_says() -> None:
    text = "tna loci , in the order : tna , gltC , gltS , pyrE ; gltR is near tna or gltC"
    tokens = text.split()
    for seed in range(len(tokens)):
        if tokens[seed] in NAMES:
            documents = [Document(id="1", text=text)]
            matches = match(compile_lexicon([Entry(n, n, "Gene") for n in NAMES]), documents)
            offsets = [len(" ".join([*tokens[:i], ""])) for i in range(len(tokens))]
            seeded = matches.start == offsets[seed]
            found = set(matches.start[coordinated(matches, seeded, documents)].tolist())
            wanted = figure_5(tokens, set(NAMES), {seed}, {",", ";", "and", "or"})
            assert found == {offsets[i] for i in wanted}


def test_whole_names_are_reached_in_both_directions_and_over_the_next() -> None:
    text = "gltC, insulin receptor/tna, as well as pyrE and gltR; but gltS"
    assert annotated_words(text, ["tna"]) == ["gltC", "insulin receptor", "tna", "pyrE", "gltR"]


@pytest.mark.parametrize("between", [" (", " binds ", " ", ") ", "-", ". And ", "\n\n"])
def test_brackets_words_and_mere_spaces_join_nothing(between: str) -> None:
    assert annotated_words(f"tna{between}gltC", ["tna"]) == ["tna"]


@pytest.mark.parametrize("between", [", ", ",\n", " AND ", "/", " ,  or ", " and/or "])
def test_white_space_and_case_of_conjunctions_do_not_matter(between: str) -> None:
    assert annotated_words(f"tna{between}gltC", ["tna"]) == ["tna", "gltC"]


def test_nothing_is_carried_into_the_next_document() -> None:
    documents = [Document(id="1", text="tna"), Document(id="2", text="gltC, tna")]
    matches = match(compile_lexicon([Entry(n, n, "Gene") for n in NAMES]), documents)
    seeded = np.array([True, False, False])
    assert coordinated(matches, seeded, documents).tolist() == [True, False, False]
    assert one_sense(matches, seeded).tolist() == [True, False, False]


def test_coordination_and_one_sense_only_ever_add() -> None:
    documents = [Document(id="1", text="tna, gltC; pyrE binds tna")]
    matches = match(compile_lexicon([Entry(n, n, "Gene") for n in NAMES]), documents)
    for bits in range(2 ** len(matches)):
        seeded = np.array([bits >> row & 1 for row in range(len(matches))], dtype=bool)
        assert (coordinated(matches, seeded, documents) >= seeded).all()
        assert (one_sense(matches, seeded) >= seeded).all()


def test_a_layer_keeps_every_id_and_a_span_for_each_label() -> None:
    entries = [Entry("AM", "1", "Gene"), Entry("AM", "2", "Gene"), Entry("AM", "3", "Disease")]
    texts = [Document(id="1", text="in AM.")]
    [document] = label(texts, compile_lexicon(entries), None, None, tokeniser="separators")
    layer = document.layers[DICTIONARY]
    assert [(span.label, span.ids) for span in layer] == [("Disease", ("3",)), ("Gene", ("1", "2"))]
