"""Cross-validation beside training: Table 2 of Corbett and Copestake, and its curves."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.verbs.tables.table import Table, figure

if TYPE_CHECKING:
    from vermeil.recognise.judging.cross_validation import Validation
    from vermeil.recognise.recipe import Recipe
    from vermeil.recognise.words.knowledge import Resources
    from vermeil.scoring.ranked import Ranking

FULL, NO_OVERLAPS = "full", "no overlaps"


def cross_validated(
    by: str,
    documents: Sequence[Document],
    recipe: "Recipe",
    resources: "Resources",
    *,
    n_folds: int,
    ablate: bool,
    watch: Callable[[str], None] | None,
) -> dict[str, "Validation"]:
    """Cross-validate a recogniser; with ``ablate``, the cascade without its stages and rivals too.

    Rivals that cannot be trained (no crfsuite, no names for a dictionary) are left out.
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
            seed=recipe.seed,
        )
    return found


def rankings_of(validations: Mapping[str, "Validation"]) -> dict[str, "Ranking"]:
    """Return the rankings to draw; the full system without overlaps is one of its own."""
    found = {name: each.ranking for name, each in validations.items()}
    if FULL in validations:
        found[NO_OVERLAPS] = validations[FULL].flat_ranking
    return found


def figures_of(validations: Mapping[str, "Validation"]) -> dict[str, dict[str, float]]:
    """Return the figures of each system, rounded, as the card of a model keeps them."""
    found = {}
    for name, ranking in rankings_of(validations).items():
        validation = validations[FULL if name == NO_OVERLAPS else name]
        tuned = validation.tuned
        exact = {
            "map": ranking.average_precision,
            "precision": tuned.precision,
            "recall": tuned.recall,
            "f1": tuned.f1,
            "recall_at_95_precision": ranking.recall_at(0.95),
            "precision_at_90_recall": ranking.precision_at(0.9),
            "calibration_error": validation.calibration(
                overlaps=name != NO_OVERLAPS
            ).expected_error,
        }
        found[name] = {key: round(value, 4) for key, value in exact.items()}
    return found


def figures_table(found: Mapping[str, Mapping[str, Any]], *, n_folds: int) -> Table:
    """List the figures of each system."""
    return Table(
        f"Cross-validated in {n_folds} folds; P, R and F1 at the threshold that is best for the "
        "other folds",
        ["system", "MAP", "P", "R", "F1", "R at P 95%", "P at R 90%", "ECE"],
        [[name, *(figure(value) for value in row.values())] for name, row in found.items()],
    )


def _can_train(kind: str, resources: "Resources") -> bool:
    if kind == "crf":
        return find_spec("pycrfsuite") is not None
    return kind != "dictionary" or bool(resources.names)


def _prefixed(watch: Callable[[str], None] | None, prefix: str) -> Callable[[str], None] | None:
    return None if watch is None else lambda stage: watch(prefix + stage)
