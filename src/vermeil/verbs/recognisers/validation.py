"""Cross-validation beside training: Table 2 of Corbett and Copestake, and its curves."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.verbs.checking import number
from vermeil.verbs.tables.table import Table, figure

if TYPE_CHECKING:
    from vermeil.recognise.judging.cross_validation import Validation
    from vermeil.recognise.recipe import Recipe
    from vermeil.recognise.words.knowledge import Resources
    from vermeil.scoring.ranked import Ranking

FULL, NO_OVERLAPS = "full", "no overlaps"
PAPER_THRESHOLD = 0.3
"""The threshold of the F in the paper's Table 2."""

SHARES = "0.125,0.25,0.5"
"""Shares of the training documents that a learning curve goes through before all of them."""

HEADINGS = {
    "average_precision": "AP",
    "precision": "P",
    "recall": "R",
    "f1": "F1",
    "f1_at_0.3": "F1 at .3",
    "greatest_recall": "max R",
    "recall_at_95_precision": "R at P 95%",
    "precision_at_90_recall": "P at R 90%",
    "calibration_error": "ECE",
}


def cross_validated(
    by: str,
    documents: Sequence[Document],
    recipe: "Recipe",
    resources: "Resources",
    *,
    n_folds: int,
    ablate: bool,
    watch: Callable[[str], None] | None,
    balance: str = "",
) -> dict[str, "Validation"]:
    """Cross-validate a recogniser; with ``ablate``, the cascade without its stages and rivals too.

    Rivals that cannot be trained (no crfsuite, no names for a dictionary) are left out. Folds are
    balanced by a field of the metadata, if one is named.
    """
    from vermeil.recognise.judging.cross_validation import cross_validate, paper_systems, trainer

    systems = {by: (by, recipe)}
    if by == "cascade":
        systems = {
            name: (kind, own)
            for name, (kind, own) in paper_systems(recipe).items()
            if name == FULL or (ablate and _can_train(kind, resources))
        }
    found = {}
    for name, (kind, own) in systems.items():
        say = _prefixed(watch, f"{n_folds} folds, {name}: ")
        found[name] = cross_validate(
            trainer(kind, own, resources, watch=say),
            documents,
            recipe.labels,
            annotator=recipe.annotator,
            n_folds=n_folds,
            balance=balance,
            seed=recipe.seed,
        )
    return found


def learned_from_less(
    by: str,
    documents: Sequence[Document],
    recipe: "Recipe",
    resources: "Resources",
    *,
    shares: Sequence[float],
    n_folds: int,
    watch: Callable[[str], None] | None,
    balance: str = "",
) -> dict[float, "Validation"]:
    """Cross-validate a recogniser that learns from less, for each share of the documents."""
    from vermeil.recognise.judging.cross_validation import cross_validate, trainer

    return {
        share: cross_validate(
            trainer(by, recipe, resources, watch=_prefixed(watch, f"{share:g} of documents: ")),
            documents,
            recipe.labels,
            annotator=recipe.annotator,
            n_folds=n_folds,
            balance=balance,
            share=share,
            seed=recipe.seed,
        )
        for share in shares
    }


def shares_of(given: str | Iterable[float]) -> tuple[float, ...]:
    """Take shares of the training documents, in rising order.

    >>> shares_of("0.5,0.25"), shares_of([0.1])
    ((0.25, 0.5), (0.1,))
    """
    listed = given.split(",") if isinstance(given, str) else given
    shares = sorted({number("a share", each) for each in listed})
    for share in shares:
        if not 0 < share < 1:
            raise UsageError(f"a share lies between 0 and 1, got {share:g}; all is always tried")
    return tuple(shares)


def rankings_of(validations: Mapping[str, "Validation"]) -> dict[str, "Ranking"]:
    """Return the rankings to draw; the full system without overlaps is one of its own."""
    found = {name: each.ranking for name, each in validations.items()}
    if FULL in validations:
        found[NO_OVERLAPS] = validations[FULL].flat_ranking
    return found


def figures_of(validations: Mapping[str, "Validation"]) -> dict[str, dict[str, float]]:
    """Return the figures of each system, rounded, as the card of a model keeps them."""
    return {
        name: _figures(
            validations[FULL if name == NO_OVERLAPS else name],
            ranking,
            overlaps=name != NO_OVERLAPS,
        )
        for name, ranking in rankings_of(validations).items()
    }


def learning_figures(steps: Mapping[float, "Validation"]) -> list[dict[str, float]]:
    """Return the figures of each share of the training documents, as the card keeps them."""
    return [
        {
            "share": share,
            "documents": round(sum(each.n_trained) / len(each.n_trained)),
            **_figures(each, each.ranking),
        }
        for share, each in steps.items()
    ]


def figures_table(found: Mapping[str, Mapping[str, Any]], *, n_folds: int) -> Table:
    """List the figures of each system."""
    return Table(
        f"Cross-validated in {n_folds} folds; AP: average precision of all candidates pooled; "
        "P, R and F1 at the threshold that is best for the other folds; F1 at .3 with overlaps "
        "kept; max R: recall of all candidates",
        ["system", *HEADINGS.values()],
        [[name, *(figure(row[key]) for key in HEADINGS)] for name, row in found.items()],
    )


def learning_table(steps: Sequence[Mapping[str, Any]], *, n_folds: int) -> Table:
    """List the figures of each share of the training documents."""
    return Table(
        f"Learned from less, in {n_folds} folds; figures as above",
        ["share", "documents", *HEADINGS.values()],
        [
            [f"{step['share']:g}", step["documents"], *(figure(step[key]) for key in HEADINGS)]
            for step in steps
        ],
    )


def learning_lines(steps: Sequence[Mapping[str, Any]]) -> dict[str, list[tuple[float, float]]]:
    """Return the lines of a learning curve: figures over the share of the training documents."""
    return {
        HEADINGS[key]: [(step["share"], step[key]) for step in steps]
        for key in ("average_precision", "f1", "greatest_recall")
    }


def _figures(
    validation: "Validation", ranking: "Ranking", *, overlaps: bool = True
) -> dict[str, float]:
    tuned = validation.tuned
    exact = {
        "average_precision": ranking.average_precision,
        "precision": tuned.precision,
        "recall": tuned.recall,
        "f1": tuned.f1,
        "f1_at_0.3": ranking.at(PAPER_THRESHOLD).f1,
        "greatest_recall": ranking.greatest_recall,
        "recall_at_95_precision": ranking.recall_at(0.95),
        "precision_at_90_recall": ranking.precision_at(0.9),
        "calibration_error": validation.calibration(overlaps=overlaps).expected_error,
    }
    return {key: round(value, 4) for key, value in exact.items()}


def _can_train(kind: str, resources: "Resources") -> bool:
    if kind == "crf":
        return find_spec("pycrfsuite") is not None
    return kind != "dictionary" or bool(resources.names)


def _prefixed(watch: Callable[[str], None] | None, prefix: str) -> Callable[[str], None] | None:
    return None if watch is None else lambda stage: watch(prefix + stage)
