"""``vermeil consensus``: many annotators to one layer and one standard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from vermeil.cli.options.completion import CONSENSUS_METHODS
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, listed, parsed_weights
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.scope import Scopes
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.consensus.stage import Tally


def consensus(
    inputs: Inputs,
    output: Output,
    *,
    target_format: TargetFormat = None,
    by: Annotated[
        str | None,
        option(
            "METHOD",
            f"How to combine: {', '.join(CONSENSUS_METHODS)}; people unless told.",
            offered=CONSENSUS_METHODS,
        ),
    ] = None,
    like_paper: Annotated[
        bool,
        flag(
            "Do as the paper does, unless told: --by centroids --emit heart --no-singles "
            "--ignore \"'*+-] --boundaries changes --alternatives --no-levels.",
            "--like-paper",
        ),
    ] = False,
    layers: Annotated[str, option("A,B,…", "Let only these annotators vote.")] = "",
    without: Annotated[str, option("A,B,…", "Let these annotators not vote.")] = "",
    alternatives: Annotated[bool | None, flag("Let X.alternatives vote where X does.")] = None,
    min_votes: Annotated[str, option("N|N%", "Votes that a name needs.")] = "0",
    tolerance: Annotated[str, option("N|N%", "Widen hearts by so many votes.")] = "0",
    ignore: Annotated[str | None, option("CHARS", "Give these characters no votes.")] = None,
    singles: Annotated[bool | None, flag("Keep names of one character, or not.")] = None,
    boundaries: Annotated[
        str | None,
        option(
            "names|changes",
            "Count ends of names, or changes of votes.",
        ),
    ] = None,
    levels: Annotated[
        bool | None,
        flag(
            "Decide nested names each, broken ones whole.",
            "--levels/--no-levels",
        ),
    ] = None,
    extents: Annotated[
        str,
        option(
            "posterior|votes",
            "Worth of boundaries: a chance, or votes.",
        ),
    ] = "",
    mass: Annotated[
        str,
        option(
            "N|N%",
            "Keep boundaries with this share of support.",
        ),
    ] = "",
    together: Annotated[bool, flag("Let labels of centroids vote together.")] = False,
    general_terms: Annotated[
        str, option("default|FILE", "Leave out hearts that are general terms.")
    ] = "",
    weight: Annotated[
        list[str] | None, option("NAME=N", "Let the votes of an annotator count N.")
    ] = None,
    scope: Scopes = None,
    settled: Annotated[
        str,
        option(
            "LAYER",
            "Take the names of this layer as known.",
        ),
    ] = "",
    read: Annotated[
        bool | None,
        flag(
            "Read the texts, too; where it pays, unless told.",
            "--read/--no-read",
        ),
    ] = None,
    by_confidence: Annotated[bool, flag("Let sure votes count more.", "--by-confidence")] = False,
    emit: Annotated[
        str | None,
        option(
            "KIND",
            "Which span of a name to write: modal, heart or extent; modal unless told.",
            offered=("modal", "heart", "extent"),
        ),
    ] = None,
    name: Annotated[str, option("NAME", "Name of the new layer.")] = "consensus",
    show: Annotated[int, option("N", "Show the N most contested texts.", min=0)] = 0,
    why: Annotated[str, option("ID:START-END", "Show how sure a name there is, and why.")] = "",
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Make one standard of what several annotators said.

    The default learns from their agreement how far to trust each and needs no threshold.
    """
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.consensus.asking import amount, check_extents, filled_in, share_of
    from vermeil.consensus.centroids import Settings
    from vermeil.consensus.methods import Options as Choices
    from vermeil.consensus.methods import get_method, takers, unused
    from vermeil.consensus.people.why import parsed_place
    from vermeil.consensus.stage import EVERY, ConsensusStage
    from vermeil.formats.files.ledger import Ledger
    from vermeil.runs.driver import Job
    from vermeil.runs.target import Target
    from vermeil.scope import parse_scopes

    check_output(output, as_json=as_json)
    place = parsed_place(why) if why else None
    asked = {"by": by, "emit": emit, "ignored": ignore, "singles": singles}
    asked |= {"boundaries": boundaries, "alternatives": alternatives, "levels": levels}
    way = filled_in(asked, like_paper=like_paper)
    by = str(way.pop("by"))
    get_method(by)
    emitted, with_alternatives = way.pop("emit"), way.pop("alternatives")
    weighed = bool(weight) or by_confidence
    way |= amount("min_votes", min_votes, "--min-votes", weighed=weighed)
    way |= amount("tolerance", tolerance, "--tolerance", weighed=weighed)
    way |= {"extents": check_extents(extents), "mass": share_of("mass", mass, "--mass")}
    settings = Settings(**way, together=together, general_terms=_terms(general_terms))
    told = parse_scopes(scope or ())
    choices = Choices(
        settings, emitted, parsed_weights(weight), by_confidence, told, settled=settled, read=read
    )
    useless = unused(by, choices)
    if useless:
        named = ", ".join(f"--{option.replace('_', '-')}" for option in useless)
        able = " or ".join(takers(useless))
        raise UsageError(f"{by} has no use for {named}{f'; try --by {able}' if able else ''}")
    source = reading.of(inputs, written=(output, keeping.log))
    if "{layer}" in output:
        raise UsageError("a consensus is one layer; leave {layer} out of the name of the output")
    stage = ConsensusStage(
        by=by,
        choices=choices,
        chosen=listed(layers) or None,
        excluded=listed(without),
        alternatives=with_alternatives,
        layer=name,
        n_contested=EVERY if as_json else show,
    )
    with keeping.ledger(beside=output) as ledger:
        done = work_through(
            Job(
                stage,
                source,
                ledger=ledger,
                target=Target(output, target_format, own=name),
                engagement=running.engagement(),
            )
        )
    tally, learned = done.sums, done.known.model
    reasons = None
    if place is not None:
        id, start, end = place
        found = next((each for each in source.documents(Ledger()) if each.id == id), None)
        if found is None:
            raise UsageError(f"--why: there is no document {id!r}")
        reasons = stage.why(found, start, end, done.known)
    if as_json:
        from vermeil.verbs.tables.consensus import consensus_data

        told = {} if reasons is None else {"why": msgspec.to_builtins(reasons)}
        print_json({"output": output, **consensus_data(tally, learned, by), **told})
    elif output != "-":
        _show(tally, learned, by, show)
        if reasons is not None:
            from vermeil.verbs.tables.consensus import why_blocks

            typer.echo()
            print_blocks(why_blocks(reasons))


def _show(tally: Tally, learned: Any, by: str, n_shown: int) -> None:
    from vermeil.verbs.tables.consensus import contested_blocks, reliability_blocks, total_blocks

    print_blocks(total_blocks(tally, by))
    print_blocks(reliability_blocks(learned))
    if n_shown:
        typer.echo()
        print_blocks(contested_blocks(tally, n_shown))


def _terms(given: str) -> frozenset[str]:
    """Read general terms, one a line; ours where the user asks for the default."""
    from vermeil.consensus.asking import terms_in
    from vermeil.consensus.centroids import GENERAL_TERMS

    if given in ("", "default"):
        return GENERAL_TERMS if given else frozenset()
    return terms_in(Path(given))
