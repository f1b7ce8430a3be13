"""What a user can ask of acquired annotation: our way, the paper's way, or something in between.

Options that the two ways answer differently are None until somebody asks; ``settled`` fills them
in. PAPER is what Usami et al., "Automatic acquisition of huge training data for bio-medical named
entity recognition", do as printed.
"""

from collections.abc import Collection, Mapping
from typing import Any

from vermeil.acquisition.coordination import CONJUNCTIONS, PAPER_CONJUNCTIONS
from vermeil.acquisition.labelling import (
    COORDINATION,
    DICTIONARY,
    EXACT,
    LAYERS,
    REFERENCE,
    THRESHOLD,
    Labelling,
)
from vermeil.acquisition.stage import LabelStage
from vermeil.errors import UnknownNameError, UsageError
from vermeil.recognise.asking import LINEAR_TOKENISER
from vermeil.text.tokens import tokenise

USUAL: Mapping[str, Any] = {
    "layers": LAYERS,
    "tokeniser": LINEAR_TOKENISER,
    "conjunctions": CONJUNCTIONS,
    "coordinate": "names",
    "steps": (DICTIONARY, REFERENCE, COORDINATION),
    "n_tokens": 700_000,
    "n_rounds": 5,
    "shy_last": False,
}
"""Our way."""

PAPER: Mapping[str, Any] = {
    "layers": (EXACT, REFERENCE, COORDINATION),
    "tokeniser": "separators-paper",
    "conjunctions": PAPER_CONJUNCTIONS,
    "coordinate": "tokens",
    "steps": (EXACT, REFERENCE, COORDINATION),
    "n_tokens": 683_000 + 17 * 227_000,
    "n_rounds": 17,
    "shy_last": True,
}
"""The paper's way: what ``--like-paper`` sets. The last four are those of the ladder."""

WAYS_TO_COORDINATE = ("names", "tokens")


def settled(asked: Mapping[str, Any], *, like_paper: bool) -> dict[str, Any]:
    """Fill in what was not asked for: as in the paper, or as we do it.

    What is empty was not asked for either. Tokenisers and ways to coordinate must be known.

    >>> settled({"tokeniser": None, "coordinate": "names"}, like_paper=True)
    {'tokeniser': 'separators-paper', 'coordinate': 'names'}
    """
    way = PAPER if like_paper else USUAL
    answers = {name: value or way[name] for name, value in asked.items()}
    if "tokeniser" in answers:
        tokenise("", by=answers["tokeniser"])
    if answers.get("coordinate", "names") not in WAYS_TO_COORDINATE:
        raise UnknownNameError("way to coordinate", answers["coordinate"], WAYS_TO_COORDINATE)
    return answers


def label_stage(
    *,
    lexicon: str,
    references: str | None,
    learned: str | None,
    threshold: float | None,
    by_length: bool,
    by_discourse: bool,
    gold: str | None,
    asked: Mapping[str, Any],
    like_paper: bool,
) -> LabelStage:
    """Make the stage of ``acquire label``; ``asked`` has what the two ways answer differently."""
    if learned is not None and references is None:
        raise UsageError("--learned is of a lexicon and its references; give --references, too")
    way = settled(asked, like_paper=like_paper)
    if references is None and asked["layers"]:
        _refuse_unfounded(way["layers"])
    how = labelling(way, threshold=threshold, by_discourse=by_discourse, by_length=by_length)
    if by_length and (references is None or not how.learns):
        raise UsageError("--by-length is about the layer consensus, which --references make")
    return LabelStage(
        lexicon=lexicon,
        references=references,
        learned=learned,
        tokeniser=way["tokeniser"],
        gold=gold,
        how=how,
    )


def labelling(
    way: Mapping[str, Any],
    *,
    threshold: float | None = None,
    by_discourse: bool = False,
    by_length: bool = False,
) -> Labelling:
    """Say how text is labelled in a settled way."""
    return Labelling(
        conjunctions=frozenset(" ".join(each.lower().split()) for each in way["conjunctions"]),
        by_discourse=by_discourse,
        threshold=THRESHOLD if threshold is None else threshold,
        layers=tuple(way["layers"]),
        by_tokens=way["coordinate"] == "tokens",
        by_length=by_length,
    )


def _refuse_unfounded(layers: Collection[str]) -> None:
    of_references = [name for name in layers if name not in (DICTIONARY, EXACT)]
    if of_references:
        raise UsageError(f"the layer {of_references[0]} is made by references; give --references")
