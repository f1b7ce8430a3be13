"""``vermeil score``: how good systems are, in every view, and what they got wrong."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from vermeil.cli.reading import Align, From, Options, Reading, TextPath, check_sources, reading
from vermeil.cli.score_tables import Doubts, detailed_view, has_confidences, print_scores
from vermeil.cli.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json
from vermeil.document import ALTERNATIVES
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, guess_format
from vermeil.formats.corpus import Input, read_corpus
from vermeil.formats.ledger import Ledger
from vermeil.formats.source import stem
from vermeil.scoring.counts import Counts
from vermeil.scoring.instances import offenders
from vermeil.scoring.partial import MODES
from vermeil.scoring.ranked import Judged, calibrate
from vermeil.scoring.scores import VIEWS, Scores
from vermeil.scoring.scores import score as score_documents
from vermeil.scoring.significance import bootstrap, permutation

WAYS = ("exact", "biocreative", "partial", "centroid", "ranked")
LABELS = {"": None, "same": True, "any": False}


def score(
    standard_input: Annotated[
        str, typer.Argument(metavar="STANDARD", help="The file of the standard.")
    ],
    inputs: Annotated[
        list[str], typer.Argument(metavar="SYSTEM…", help="Files to score; name=PATH names one.")
    ] = [],  # noqa: B006  (typer reads the default, nobody changes it)
    by: Annotated[str, typer.Option(metavar="VIEW", help=f"{', '.join(WAYS)}; else all.")] = "",
    alternatives: Annotated[
        str | None, typer.Option(metavar="PATH", help="Other spans the standard accepts.")
    ] = None,
    standard: Annotated[
        str | None, typer.Option(metavar="LAYER", help="The layer that is the standard.")
    ] = None,
    labels: Annotated[
        str, typer.Option(metavar="same|any", help="Whether labels are compared.")
    ] = "",
    per_label: Annotated[bool, typer.Option("--per-label", help="Show each label.")] = False,
    show: Annotated[int, typer.Option(metavar="N", min=0, help="Show the N worst mistakes.")] = 0,
    n_resamples: Annotated[
        int,
        typer.Option(
            "--bootstrap", metavar="N", min=0, help="Give 95% intervals of F from N resamples."
        ),
    ] = 0,
    against: Annotated[
        str | None, typer.Option(metavar="SYSTEM", help="Test the others against this one.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of what is drawn at random.")] = 0,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Score systems against a standard.

    The standard is a layer or a set of centroids. With one file, its other layers are scored.
    """
    if by and by not in WAYS:
        raise UnknownNameError("view", by, WAYS)
    if labels not in LABELS:
        raise UsageError(f"--labels takes same or any, not {labels!r}")
    source = reading(
        [standard_input, *inputs],
        source_format=source_format,
        text=text,
        align=align,
        options=options,
    )
    if by == "biocreative":
        source = _believing_offsets(source)
    name = standard or _only_layer(source, Ledger(skip_bad=skip_bad))
    if alternatives:
        path = Input.parse(alternatives, format=source_format).path
        source.sources.append(Input(path, name + ALTERNATIVES, source_format))
        check_sources(source.sources)
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=Path("vermeil.bad.jsonl")) as ledger:
        everything = list(source.documents(ledger))
    scores = score_documents(everything, standard=name, same_label=LABELS[labels])
    if not scores:
        raise UsageError(f"there is no layer but {name!r}; give the file of a system as well")
    if against is not None and against not in scores:
        raise UnknownNameError("system", against, scores)
    n_outside = len(everything) - len(next(iter(scores.values())).documents)
    if n_outside:
        typer.echo(
            f"vermeil: {n_outside:,} documents are not in {name} and are not scored", err=True
        )
    for system, each in scores.items():
        if each.n_absent:
            typer.echo(
                f"vermeil: {system} has no layer on {each.n_absent:,} of {len(each.documents):,} "
                "documents, which count as empty",
                err=True,
            )
    doubts = Doubts(n_resamples, against, seed)
    if as_json:
        print_json(as_data(scores, by, doubts, n_worst=show))
    else:
        print_scores(scores, by, doubts, per_label=per_label, n_worst=show)


def _believing_offsets(source: Reading) -> Reading:
    """Let offsets decide where names contradict them, as the official scorer does."""
    formats = {each.format or guess_format(each.path) for each in source.sources}
    if "biocreative" not in formats:
        return source
    return replace(source, options={"names": "note", **source.options})


def _only_layer(source: Reading, ledger: Ledger) -> str:
    """Find what the standard is called: the only layer of its file, as far as is needed."""
    given, options = source.sources[0], source.options
    format = given.format or guess_format(given.path)
    if given.annotator or not get_format(format).read:
        return given.annotator or stem(given.path)
    if str(given.path) == "-":
        raise UsageError("say which layer of - is the standard with --standard LAYER")
    known = {key: value for key, value in options.items() if key in get_format(format).options}
    names: set[str] = set()
    for document in read_corpus([given], ledger=ledger, options=known):
        held = (*document.layers, *document.standards)
        names = {name for name in held if not name.endswith(ALTERNATIVES)}
        if names:
            break
    if not names:
        raise UsageError(f"{given.path}: holds no annotation to score against")
    if len(names) > 1:
        listed = ", ".join(sorted(names))
        raise UsageError(
            f"{given.path}: holds several layers ({listed}); say which is the standard with "
            "--standard LAYER"
        )
    return names.pop()


def as_data(
    scores: Mapping[str, Scores], by: str, doubts: Doubts, *, n_worst: int = 0
) -> dict[str, Any]:
    """Give everything there is, of one way of scoring or of all, as JSON has it."""
    first = next(iter(scores.values()))
    return {
        "standard": first.standard,
        "documents": len(first.documents),
        "systems": {
            name: _system_data(each, by, scores, doubts, n_worst) for name, each in scores.items()
        },
    }


def _system_data(
    scores: Scores, by: str, others: Mapping[str, Scores], doubts: Doubts, n_worst: int
) -> dict[str, Any]:
    said: dict[str, Any] = {"documents_without_layer": scores.n_absent, "views": {}}
    for view in _views_of(by):
        said["views"][view] = data = _view_data(scores, view)
        counts = scores.per_document(view)
        if doubts.n_resamples:
            data["f1_interval"] = bootstrap(
                counts, n_resamples=doubts.n_resamples, seed=doubts.seed
            )
        if doubts.against not in (None, scores.system):
            rival = others[doubts.against].per_document(view)
            data["against"] = {doubts.against: permutation(counts, rival, seed=doubts.seed)}
    if by == "ranked" or (not by and has_confidences(scores)):
        said["ranked"] = _ranked_data(scores)
    cells = scores.confusion.cells.items()
    said["confusion"] = [{"wanted": w, "predicted": p, "n": n} for (w, p), n in cells]
    if n_worst:
        worst = offenders(scores, detailed_view(by), n_worst)
        said["mistakes"] = [{"n": each.n, **msgspec.to_builtins(each.first)} for each in worst]
    return said


def _views_of(by: str) -> tuple[str, ...]:
    if by == "partial":
        return tuple(MODES)
    return VIEWS if not by else () if by == "ranked" else (by,)


def _view_data(scores: Scores, name: str) -> dict[str, Any]:
    view = scores.views[name]
    predicted, wanted = view.outcomes
    said: dict[str, Any] = _counts_data(view.counts)
    if name == "biocreative":
        said |= {"tp": said["found"], "fp": said["spurious"], "fn": said["missed"]}
    if name == "centroid":
        said["left_boundary"] = scores.boundaries.mean_left
        said["right_boundary"] = scores.boundaries.mean_right
    said["outcomes"] = {"predicted": predicted, "wanted": wanted}
    said["mean_over_labels"] = view.over_labels
    said["mean_over_documents"] = view.over_documents
    said["labels"] = {label: _counts_data(counts) for label, counts in view.by_label.items()}
    rows = zip(scores.documents, view.per_document().tolist(), strict=True)
    said["by_document"] = [[document.id, *map(_whole, counts)] for document, counts in rows]
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


def _ranked_data(scores: Scores) -> dict[str, Any]:
    judged = Judged.by(scores.views["exact"])
    ranking = judged.ranking
    calibration = calibrate(judged.confidence, judged.is_right)
    threshold, counts = ranking.best
    return {
        "average_precision": ranking.average_precision,
        "mean_over_documents": judged.over_documents,
        "mean_over_labels": judged.over_labels,
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
