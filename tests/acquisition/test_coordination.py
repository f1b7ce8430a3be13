import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from vermeil import Document
from vermeil.acquisition.coordination import (
    PAPER_CONJUNCTIONS,
    coordinated,
    one_sense,
    stepped,
)
from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
from vermeil.acquisition.lexicon.matching import match

NAMES = ["tna", "gltC", "gltS", "pyrE", "gltR", "insulin receptor"]


def lexicon(*names: str) -> Lexicon:
    return compile_lexicon([Entry(name, name, "Gene") for name in (*NAMES, *names)])


def figure_5(
    tokens: list[str], known: set[str], seeds: set[int], between: frozenset[str]
) -> set[int]:
    """Figure 5 of "Acquisition" to the letter, over single tokens, with the union it means."""
    annotated = set(seeds)
    for i in range(len(tokens)):
        if i not in annotated:
            continue
        for step in (-1, 1):
            j = i + 2 * step
            while (
                0 <= j < len(tokens)
                and tokens[j] in known
                and j not in annotated
                and tokens[j - step] in between
            ):
                annotated.add(j)
                j += 2 * step
    return annotated


def annotated_words(
    text: str, seeds: list[str], *names: str, between: frozenset[str] | None = None
) -> list[str]:
    documents = [Document(id="1", text=text)]
    matches = match(lexicon(*names), documents)
    words = [text[a:b] for a, b in zip(matches.start.tolist(), matches.end.tolist(), strict=True)]
    seeded = np.array([word in seeds for word in words], dtype=bool)
    own = {} if between is None else {"conjunctions": between}
    found = coordinated(matches, seeded, documents, **own)
    return [word for word, is_so in zip(words, found, strict=True) if is_so]


def stepped_words(text: str, seeds: list[str]) -> list[str]:
    documents = [Document(id="1", text=text)]
    names, tokeniser = lexicon(), "separators-paper"
    matches = match(names, documents, tokeniser=tokeniser)
    spans = list(zip(matches.start.tolist(), matches.end.tolist(), strict=True))
    annotated = matches.keep(np.flatnonzero([text[a:b] in seeds for a, b in spans]))
    words = match(names, documents, tokeniser=tokeniser, overlapping=True)
    found = stepped(
        words, annotated, documents, tokeniser=tokeniser, conjunctions=PAPER_CONJUNCTIONS
    )
    return [text[a:b] for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]


def test_single_words_are_annotated_as_figure_5_says() -> None:
    text = "tna loci , in the order : tna , gltC , gltS , pyrE ; gltR is near tna or gltC"
    tokens = text.split()
    for seed in range(len(tokens)):
        if tokens[seed] in NAMES:
            documents = [Document(id="1", text=text)]
            matches = match(lexicon(), documents)
            offsets = [len(" ".join([*tokens[:i], ""])) for i in range(len(tokens))]
            seeded = matches.start == offsets[seed]
            found = set(matches.start[coordinated(matches, seeded, documents)].tolist())
            wanted = figure_5(tokens, set(NAMES), {seed}, frozenset({",", ";", "and", "or"}))
            assert found == {offsets[i] for i in wanted}


@given(
    st.lists(st.sampled_from(["tna", "gltC", "gltS", ",", "and", "loci"]), min_size=1, max_size=12),
    st.sampled_from(["tna", "gltC"]),
)
def test_steps_over_tokens_are_figure_5_to_the_letter(tokens: list[str], seed: str) -> None:
    seeds = {i for i, token in enumerate(tokens) if token == seed}
    wanted = figure_5(tokens, set(NAMES), seeds, PAPER_CONJUNCTIONS)
    assert stepped_words(" ".join(tokens), [seed]) == [tokens[i] for i in sorted(wanted)]


def test_steps_over_tokens_reach_no_name_of_two_and_nothing_beyond_the_sentence() -> None:
    assert stepped_words("tna, insulin receptor, gltC", ["tna"]) == ["tna"]
    assert stepped_words("insulin receptor and gltC", ["insulin receptor"]) == [
        "insulin receptor",
        "gltC",
    ]
    assert stepped_words("We saw tna. Then gltS was seen.", ["tna"]) == ["tna"]
    assert stepped_words("We saw the operon tna. GltS too. tna. gltS", ["tna"]) == ["tna", "tna"]


def test_whole_names_are_reached_in_both_directions_and_over_the_next() -> None:
    text = "gltC, insulin receptor/tna, as well as pyrE and gltR; but gltS"
    assert annotated_words(text, ["tna"]) == ["gltC", "insulin receptor", "tna", "pyrE", "gltR"]


def test_a_full_stop_joins_within_a_sentence_only() -> None:
    inside, apart = "the loci tna.gltC were near", "We saw tna. Then came gltC"
    assert annotated_words(inside, ["tna"], between=PAPER_CONJUNCTIONS) == ["tna", "gltC"]
    assert annotated_words(apart, ["tna"], between=PAPER_CONJUNCTIONS) == ["tna"]
    ends = "We saw tna. GltC was seen."
    assert annotated_words(ends, ["tna"], "GltC", between=PAPER_CONJUNCTIONS) == ["tna"]


@pytest.mark.parametrize("between", [" (", " binds ", " ", ") ", "-", ". And ", "\n\n"])
def test_brackets_words_and_mere_spaces_join_nothing(between: str) -> None:
    assert annotated_words(f"tna{between}gltC", ["tna"]) == ["tna"]


@pytest.mark.parametrize("between", [", ", ",\n", " AND ", "/", " ,  or ", " and/or "])
def test_white_space_and_case_of_conjunctions_do_not_matter(between: str) -> None:
    assert annotated_words(f"tna{between}gltC", ["tna"]) == ["tna", "gltC"]


def test_nothing_is_carried_into_the_next_document() -> None:
    documents = [Document(id="1", text="tna"), Document(id="2", text="gltC, tna")]
    matches = match(lexicon(), documents)
    seeded = np.array([True, False, False])
    assert coordinated(matches, seeded, documents).tolist() == [True, False, False]
    assert one_sense(matches, seeded).tolist() == [True, False, False]


def test_coordination_and_one_sense_only_ever_add() -> None:
    documents = [Document(id="1", text="tna, gltC; pyrE binds tna")]
    matches = match(lexicon(), documents)
    for bits in range(2 ** len(matches)):
        seeded = np.array([bits >> row & 1 for row in range(len(matches))], dtype=bool)
        assert (coordinated(matches, seeded, documents) >= seeded).all()
        assert (one_sense(matches, seeded) >= seeded).all()
