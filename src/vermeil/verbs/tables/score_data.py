"""Scores as JSON has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.scoring.counts import Counts
from vermeil.scoring.ranked import calibrate, known
from vermeil.scoring.score_sums import SystemSums
from vermeil.scoring.scores import Scores
from vermeil.scoring.significance import bootstrap, permutation
from vermeil.scoring.stage import ScoreStage
from vermeil.scoring.view_sums import Confidences
from vermeil.verbs.tables.scores import Doubts, views_of


def as_data(scores: Mapping[str, Scores], by: str, doubts: Doubts) -> dict[str, Any]:
    """Return everything there is, of one way of scoring or of all, as JSON has it."""
    first = next(iter(scores.values()))
    stage = ScoreStage(first.standard, against=doubts.against, ranked=True, listed=True)
    ids = tuple(document.id for document in first.documents)
    return sums_data(first.standard, ids, stage.sums_of(scores), by, doubts, 0)


def sums_data(
    standard: str,
    ids: Sequence[str],
    scores: Mapping[str, SystemSums],
    by: str,
    doubts: Doubts,
    n_worst: int,
    *,
    n_alternatives: int = 0,
    looked: bool = False,
) -> dict[str, Any]:
    """Return the same of documents that were scored in parts; ``ids`` are those listed.

    ``n_alternatives`` names of a flat standard were taken for alternatives of others. Systems were
    scored on all documents, or with ``looked`` on those that each looked at.
    """
    said = streamed_data(
        standard,
        ids,
        scores,
        by,
        doubts,
        n_worst,
        n_alternatives=n_alternatives,
        looked=looked,
    )
    systems = dict(said["systems"])
    for each in systems.values():
        if "annotations" in each["views"].get("centroid", ()):
            view = each["views"]["centroid"]
            view["annotations"] = msgspec.to_builtins(view["annotations"])
    return {**said, "systems": systems}


def streamed_data(
    standard: str,
    ids: Sequence[str],
    scores: Mapping[str, SystemSums],
    by: str,
    doubts: Doubts,
    n_worst: int,
    *,
    n_alternatives: int = 0,
    looked: bool = False,
) -> dict[str, Any]:
    """Return the same, the systems as an iterator of pairs and annotations as they are."""
    order = sorted(range(len(ids)), key=ids.__getitem__)
    listing = _Listing([ids[place] for place in order], np.array(order, dtype=np.int64))
    return {
        "standard": standard,
        "documents": next(iter(scores.values())).n_documents,
        "counted": "what each system looked at" if looked else "all documents",
        "names_taken_for_alternatives": n_alternatives,
        "systems": (
            (name, _system_data(name, each, by, doubts, listing, n_worst))
            for name, each in scores.items()
        ),
    }


def _system_data(
    name: str, sums: SystemSums, by: str, doubts: Doubts, listing: "_Listing", n_worst: int
) -> dict[str, Any]:
    left_out = {"standard": sums.left_out.wanted, "system": sums.left_out.predicted}
    if sums.left_out.regardless != sums.left_out.wanted:
        left_out["standard_regardless_of_labels"] = sums.left_out.regardless
    said: dict[str, Any] = {
        "documents_without_layer": sums.n_absent,
        "left_out_by_scope": left_out,
        "views": {},
    }
    for view in () if by == "ranked" else views_of(by):
        said["views"][view] = data = _view_data(sums, view)
        if sums.listed is not None:
            data["by_document"] = listing.of(sums.listed[:, [*sums.views].index(view)])
        if view == "centroid" and sums.n_least is None:
            order = attrgetter("document", "start")
            data["annotations"] = sorted(sums.annotations, key=order)
        if doubts.n_resamples:
            data["f1_interval"] = bootstrap(
                sums.views[view].per_document(), n_resamples=doubts.n_resamples, seed=doubts.seed
            )
        if doubts.against not in (None, name):
            test = permutation(*sums.views[view].pairs, seed=doubts.seed)
            data["against"] = {doubts.against: test}
    if sums.tags is not None:
        tags = sums.tags
        said["tags"] = {
            "accuracy": tags.accuracy,
            "right": tags.n_right,
            "tokens": tags.n_tokens,
        }
    sure = sums.confidences
    if sure is not None and (by == "ranked" or (not by and sure.are_known)):
        said["ranked"] = _ranked_data(sure, sums)
    said["confusion"] = [
        {"wanted": w, "predicted": p, "n": n} for (w, p), n in sums.confusion.items()
    ]
    if n_worst:
        said["mistakes"] = [
            {"n": each.n, **msgspec.to_builtins(each.first)} for each in sums.worst(n_worst)
        ]
    return said


@dataclass(frozen=True, slots=True, eq=False)
class _Listing:
    """The documents in order of their ids, and where each of them stands among those scored."""

    ids: list[str]
    places: Ints

    def of(self, rows: Floats) -> list[list[Any]]:
        """List the counts of each document after its id."""
        columns = (_whole_column(column) for column in rows[self.places].T)
        return [list(row) for row in zip(self.ids, *columns, strict=True)]


def _view_data(scores: SystemSums, name: str) -> dict[str, Any]:
    view = scores.views[name]
    predicted, wanted = view.outcomes
    said: dict[str, Any] = _counts_data(view.counts)
    if name == "biocreative":
        said |= {"tp": said["found"], "fp": said["spurious"], "fn": said["missed"]}
    if name == "centroid":
        said["left_boundary"] = scores.left.value
        said["right_boundary"] = scores.right.value
        said["support"] = dict(scores.supports)
    said["outcomes"] = {"predicted": predicted, "wanted": wanted}
    said["mean_over_labels"] = view.over_labels
    said["mean_over_documents"] = view.over_documents
    said["labels"] = {label: _counts_data(counts) for label, counts in view.by_label.items()}
    return said


def _counts_data(counts: Counts) -> dict[str, float]:
    fields = ("right", "predicted", "found", "wanted", "spurious", "missed")
    ratios = ("precision", "recall", "f1")
    return {name: _whole(getattr(counts, name)) for name in fields} | {
        name: getattr(counts, name) for name in ratios
    }


def _whole(count: float) -> float:
    """Show a count without a decimal point where it has no halves."""
    return int(count) if count == int(count) else count


def _whole_column(counts: Floats) -> list[float]:
    if (counts == np.rint(counts)).all():
        return list(counts.astype(np.int64).tolist())
    return [_whole(count) for count in counts.tolist()]


def _ranked_data(sure: Confidences, sums: SystemSums) -> dict[str, Any]:
    judged = sure.judged(sums.views["exact"])
    confidence = known(judged.confidence)
    ranking = judged.ranking
    calibration = calibrate(confidence, judged.is_right)
    threshold, counts = ranking.best
    return {
        "average_precision": ranking.average_precision,
        "mean_average_precision": sure.over_documents.value,
        "mean_average_precision_over_labels": judged.over_labels,
        "best_threshold": threshold,
        "best": _counts_data(counts),
        "recall_at_95_precision": ranking.recall_at(0.95),
        "precision_at_90_recall": ranking.precision_at(0.90),
        "calibration_error": calibration.expected_error,
        "brier": calibration.brier,
        "calibration": {
            name: getattr(calibration, name).tolist()
            for name in ("low", "high", "n", "mean_confidence", "share_right")
        },
        "curve": {
            name: getattr(ranking, name).tolist() for name in ("threshold", "precision", "recall")
        },
    }
