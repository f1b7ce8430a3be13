"""What a user can ask of a cascade: our way, the paper's way, or something in between.

Options that the two ways answer differently are None until somebody asks; ``settled`` fills them
in, and ``choices`` makes of the answers what a recipe takes. PAPER is what Corbett and Copestake
do as printed.
"""

from collections.abc import Mapping
from typing import Any

from vermeil.errors import UnknownNameError, UsageError
from vermeil.recognise.features.paper_features import PAPER_FAMILIES
from vermeil.recognise.features.views import FAMILIES

FEATURES: Mapping[str, frozenset[str]] = {"usual": FAMILIES, "paper": PAPER_FAMILIES}
"""How tokens and candidates are described."""

USUAL: Mapping[str, Any] = {
    "tokeniser": "fine",
    "sequence": "crf",
    "rescorer": "trees",
    "features": "usual",
    "keep_features": 1.0,
    "parts": 4,
    "deals": 2,
    "filters": False,
    "resolve": "after",
    "threshold": 0.5,
}
"""Our way."""

LINEAR_TOKENISER = "punctuation"
"""What a linear tagger sees unless told: the tokens of acquired annotation, which it learns."""

PAPER: Mapping[str, Any] = {
    "tokeniser": "chemistry",
    "sequence": "memms",
    "rescorer": "logistic",
    "features": "paper",
    "keep_features": 0.5,
    "parts": 2,
    "deals": 1,
    "filters": True,
    "resolve": "before",
    "threshold": 0.3,
}
"""The paper's way: what ``--like-paper`` sets."""

OF_CASCADES = frozenset(USUAL) - {"tokeniser", "threshold"}
"""What only cascades can be asked; the rest every recogniser understands."""

CASCADES = ("cascade", "committee")
RESOLVED = ("after", "before")
"""When overlaps are settled: after candidates are rescored, or before."""


def settled(asked: Mapping[str, Any], *, by: str, like_paper: bool) -> dict[str, Any]:
    """Fill in what was not asked for: as in the paper, or as we do it.

    >>> asked = {"sequence": None, "rescorer": "trees"}
    >>> settled(asked, by="cascade", like_paper=True)
    {'sequence': 'memms', 'rescorer': 'trees'}
    >>> settled({"tokeniser": None}, by="linear", like_paper=False)
    {'tokeniser': 'punctuation'}
    """
    if like_paper and by != "cascade":
        raise UsageError(f"--like-paper trains a cascade; leave it out for --by {by}")
    useless = sorted(name for name in OF_CASCADES if asked.get(name) is not None)
    if useless and by not in CASCADES:
        named = ", ".join(f"--{name.replace('_', '-')}" for name in useless)
        raise UsageError(f"--by {by} has no use for {named}; leave it out")
    way = PAPER if like_paper else USUAL
    if by == "linear":
        way = {**way, "tokeniser": LINEAR_TOKENISER}
    answers = {name: way[name] if value is None else value for name, value in asked.items()}
    for name, kind, known in (
        ("features", "features", FEATURES),
        ("resolve", "way to settle overlaps", RESOLVED),
    ):
        if answers.get(name, way[name]) not in known:
            raise UnknownNameError(kind, answers[name], known)
    return answers


def choices(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Make of answers what a recipe takes."""
    answers = dict(answers)
    return {
        "families": FEATURES[answers.pop("features")],
        "kept": answers.pop("keep_features"),
        "n_parts": answers.pop("parts"),
        "n_deals": answers.pop("deals"),
        "filtered": answers.pop("filters"),
        "blocked_first": answers.pop("resolve") == "before",
        **answers,
    }
