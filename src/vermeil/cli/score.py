"""``vermeil score``: how good systems are, in every view, and what they got wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.options.reading import (
    Align,
    From,
    Options,
    TextPath,
    WatchedCorpus,
    check_sources,
    reading,
)
from vermeil.cli.options.running import Address, Engine, Resume, ShardSize, Workers
from vermeil.cli.showing.terminal import (
    AsJson,
    Log,
    SkipBad,
    keeping_ledger,
    print_blocks,
    print_json,
)
from vermeil.document import ALTERNATIVES
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, guess_format
from vermeil.formats.corpus import read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import stem
from vermeil.formats.inputs import Input, files_of

if TYPE_CHECKING:
    from vermeil.scoring.score_sums import SystemSums

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
    documents: Annotated[
        bool, typer.Option(help="List the counts of every document in --json.")
    ] = True,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    resume: Resume = None,
    shard_size: ShardSize = None,
    as_json: AsJson = False,
) -> None:
    """Score systems against a standard.

    The standard is a layer or a set of centroids. With one file, its other layers are scored.
    """
    from vermeil.cli.long_runs import work_through
    from vermeil.runs.driver import Engagement, Job
    from vermeil.scoring.stage import ScoreStage
    from vermeil.verbs.tables.score_data import sums_data
    from vermeil.verbs.tables.scores import Doubts, detailed_view, score_blocks

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
        beside = Input(path, name + ALTERNATIVES, source_format)
        check_sources([beside])
        source = replace(source, inputs=[*source.inputs, beside])
    stage = ScoreStage(
        name,
        same_label=LABELS[labels],
        against=against,
        mistakes=detailed_view(by) if show else None,
        ranked=by == "ranked" or (as_json and not by),
        listed=as_json and documents,
    )
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=Path("vermeil.bad.jsonl")) as ledger:
        sums = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                engagement=Engagement(engine, address, workers, resume, shard_size),
            )
        ).known
    scores = sums.of_systems(name)
    if not scores:
        raise UsageError(f"there is no layer but {name!r}; give the file of a system as well")
    if against is not None and against not in scores:
        raise UnknownNameError("system", against, scores)
    _say_what_is_left_out(name, sums.n_read, scores)
    doubts = Doubts(n_resamples, against, seed)
    if as_json:
        print_json(sums_data(name, sums.ids, scores, by, doubts, show))
    else:
        blocks = score_blocks(name, scores, by, doubts, per_label=per_label, n_worst=show)
        print_blocks(blocks)


def _say_what_is_left_out(name: str, n_read: int, scores: Mapping[str, SystemSums]) -> None:
    n_scored = next(iter(scores.values())).n_documents
    if n_read > n_scored:
        typer.echo(
            f"vermeil: {n_read - n_scored:,} documents are not in {name} and are not scored",
            err=True,
        )
    for system, each in scores.items():
        if each.n_absent:
            typer.echo(
                f"vermeil: {system} has no layer on {each.n_absent:,} of {n_scored:,} "
                "documents, which count as empty",
                err=True,
            )


def _believing_offsets(source: WatchedCorpus) -> WatchedCorpus:
    """Let offsets decide where names contradict them, as the official scorer does."""
    formats = {each.format or guess_format(each.path) for each in source.inputs}
    if "biocreative" not in formats:
        return source
    return replace(source, options={"names": "note", **source.options})


def _only_layer(source: WatchedCorpus, ledger: Ledger) -> str:
    """Find what the standard is called: the only layer of its file, as far as is needed."""
    given, options = files_of(source.inputs[0])[0], source.options
    format = given.format or guess_format(given.path)
    if given.annotator or not get_format(format).read:
        return given.annotator or stem(given.path)
    if str(given.path) == "-":
        raise UsageError("say which layer of - is the standard with --standard LAYER")
    own = {key: value for key, value in options.items() if key in get_format(format).options}
    names: set[str] = set()
    for document in read_corpus([given], ledger=ledger, options=own):
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
