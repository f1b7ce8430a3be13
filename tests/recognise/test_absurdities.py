import numpy as np

from vermeil import Document
from vermeil.recognise.absurdities import are_absurd
from vermeil.sequences.chains.candidates import in_reading_order
from vermeil.sequences.tokens.axis import TokenAxis

TEXT = "inhibits the amine oxidase of As - not the oxidase"


def absurd(label: str) -> set[str]:
    """List the stretches of up to three words that break a rule for names of a label."""
    axis = TokenAxis.of([Document(id="1", text=TEXT)])
    n = len(axis.words)
    places = [(start, end) for start in range(n) for end in range(start + 1, min(start + 3, n) + 1)]
    start, end = np.array(places).T
    names = in_reading_order(
        (label,),
        axis.first_token,
        start,
        end,
        np.zeros(len(start), dtype=np.int64),
        confidence=np.ones(len(start)),
    )
    kept = names.keep(are_absurd(names, axis))
    return {
        TEXT[axis.start[first] : axis.end[last - 1]]
        for first, last in zip(kept.start, kept.end, strict=True)
    }


def test_a_name_does_not_end_in_a_function_word_nor_lacks_letters() -> None:
    found = absurd("CM")
    assert {"the", "inhibits the", "oxidase of", "of", "-"} <= found
    assert not {"As", "of As", "the amine", "amine oxidase", "As -"} & found


def test_an_enzyme_has_no_space() -> None:
    found = absurd("ASE")
    assert "amine oxidase" in found
    assert "oxidase" not in found
