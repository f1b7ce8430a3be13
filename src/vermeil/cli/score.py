"""``vermeil score``: how good systems are, in every view, and what they got wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.chance import Resamples, Seed
from vermeil.cli.options.completion import VIEWS, tokeniser_names
from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Alternatives, ReadingOptions, WatchedCorpus, check_sources
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.scope import Scopes
from vermeil.cli.options.writing import AsJson, Full
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.document import ALTERNATIVES
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, guess_format
from vermeil.formats.corpus import read_corpus
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.input_options import own_options
from vermeil.formats.inputs import Input, files_of
from vermeil.formats.known import file_annotator
from vermeil.scope import Scope, parse_scopes

if TYPE_CHECKING:
    from vermeil.scoring.score_sums import SystemSums

LABELS = {"": None, "same": True, "any": False}
IN_SCOPE = "in-scope"
"""The folder of the second pass, within that of a run to be resumed."""


def score(
    standard_input: Annotated[str, argument("STANDARD", "File of the standard, such as gold.")],
    inputs: Annotated[list[str], argument("SYSTEM…", "Files to score; name=PATH names one.")] = [],  # noqa: B006  (typer reads the default, nobody changes it)
    *,
    by: Annotated[
        str,
        option(
            "VIEW",
            f"When a name counts as right: {', '.join(VIEWS)}; all without this.",
            offered=VIEWS,
        ),
    ] = "",
    alternatives: Alternatives = None,
    standard: Annotated[
        str | None, option("LAYER", "Which layer is the standard, if there are several.")
    ] = None,
    labels: Annotated[
        str,
        option(
            "same|any", "Whether a name must have the same label; without this each view decides."
        ),
    ] = "",
    referents: Annotated[
        bool,
        flag(
            "Take names of one database id in a document for one, found if any is.", "--referents"
        ),
    ] = False,
    overlaps: Annotated[
        str,
        option(
            "alternatives|names",
            "What overlapping names are, where the standard marks no alternatives.",
        ),
    ] = "alternatives",
    scope: Scopes = None,
    looked: Annotated[
        bool, flag("Score each system on the documents that it looked at.", "--looked")
    ] = False,
    per_label: Annotated[bool, flag("Also score each label.", "--per-label")] = False,
    full: Full = False,
    show: Annotated[int, option("N", "Show the N worst mistakes of each system.", min=0)] = 0,
    n_resamples: Resamples = 0,
    against: Annotated[
        str | None, option("SYSTEM", "Test if the others differ from this one by chance.")
    ] = None,
    accuracy: Annotated[
        str | None,
        option(
            "TOKENISER",
            "Also tell which share of its tokens has the right tag (A of the acquisition paper).",
            offered=tokeniser_names,
        ),
    ] = None,
    seed: Seed = 0,
    documents: Annotated[
        bool,
        flag("List the counts of every document, and every annotation's boundaries, in --json."),
    ] = True,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Score systems against a standard.

    The standard is a layer or a set of centroids. With one file, its other layers are scored. Each
    system is scored on the labels that it looks for: those it uses, unless --scope says otherwise.
    Documents that it did not look at count as empty, unless --looked leaves them out.
    """
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.runs.driver import Job
    from vermeil.scoring.gold.cores import OVERLAPS
    from vermeil.scoring.stage import ScoreStage
    from vermeil.text.tokens import tokenise
    from vermeil.verbs.tables.score_data import streamed_data
    from vermeil.verbs.tables.scores import Doubts, detailed_view, score_blocks, views_of

    if by and by not in VIEWS:
        raise UnknownNameError("view", by, VIEWS)
    if labels not in LABELS:
        raise UsageError(f"--labels takes same or any, not {labels!r}")
    if overlaps not in OVERLAPS:
        raise UnknownNameError("way to take overlapping names", overlaps, OVERLAPS)
    if accuracy is not None:
        tokenise("", by=accuracy)
    source = reading.of([standard_input, *inputs])
    if by == "biocreative":
        source = _believing_offsets(source)
    name = standard or _only_layer(source, Ledger(skip_bad=keeping.skip_bad))
    if alternatives:
        path = Input.parse(alternatives, format=reading.source_format).path
        beside = Input(path, name + ALTERNATIVES, reading.source_format)
        check_sources([beside])
        source = replace(source, inputs=[*source.inputs, beside])
    stage = ScoreStage(
        name,
        same_label=LABELS[labels],
        against=against,
        mistakes=detailed_view(by) if show else None,
        ranked=by == "ranked" or (as_json and not by),
        listed=as_json and documents,
        annotated=as_json and documents and by in ("", "centroid"),
        n_least=show if by == "centroid" else 0,
        referents=referents,
        overlaps=overlaps,
        tokeniser=accuracy,
        scope=Scope(told=parse_scopes(scope or ())),
        looked=looked,
        views=views_of(by),
        twice=True,
    )
    with keeping.ledger() as ledger:
        engagement = running.engagement()
        sums = work_through(Job(stage, source, ledger=ledger, engagement=engagement)).known
        again = stage.in_scope(sums)
        if again is not None:
            if engagement.resume is not None:
                engagement = replace(engagement, resume=engagement.resume / IN_SCOPE)
            noted = Ledger(skip_bad=ledger.skip_bad)  # all of it has been noted once
            sums = work_through(Job(again, source, noted, engagement=engagement)).known
    scores = sums.of_systems(name)
    if not scores:
        raise UsageError(f"there is no layer but {name!r}; give the file of a system as well")
    if against is not None and against not in scores:
        raise UnknownNameError("system", against, scores)
    _say_what_is_left_out(name, sums.n_read, scores)
    doubts, n_alternatives = Doubts(n_resamples, against, seed), sums.n_alternatives(name)
    if as_json:
        print_json(
            streamed_data(
                name,
                sums.ids,
                scores,
                by,
                doubts,
                show,
                n_alternatives=n_alternatives,
                looked=looked,
            )
        )
    else:
        print_blocks(
            score_blocks(
                name,
                scores,
                by,
                doubts,
                per_label=per_label,
                full=full,
                n_worst=show,
                n_alternatives=n_alternatives,
                looked=looked,
            )
        )


def _say_what_is_left_out(name: str, n_read: int, scores: Mapping[str, SystemSums]) -> None:
    n_scored = next(iter(scores.values())).n_documents
    if n_read > n_scored:
        say(
            f"vermeil: {n_read - n_scored:,} documents are not in {name} and are not scored",
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
        return given.annotator or file_annotator(given.path)
    own = own_options(given, get_format(format).options, options)
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
