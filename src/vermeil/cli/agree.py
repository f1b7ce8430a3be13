"""``vermeil agree``: how far annotators agree, pair by pair and all together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.chance import Resamples, Seed
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.scope import Scopes
from vermeil.cli.options.writing import AsJson, Full
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.scope import parse_scopes

if TYPE_CHECKING:
    from vermeil.runs.driver import Engagement


def agree(
    inputs: Inputs,
    *,
    layers: Annotated[
        str | None, option("A,B,…", "Compare only these annotators; all without this.")
    ] = None,
    scope: Scopes = None,
    leave_one_out: Annotated[
        bool, flag("Compare each annotator with the consensus of all others.")
    ] = True,
    resamples: Resamples = 0,
    seed: Seed = 0,
    gold: Annotated[
        str | None, option("LAYER", "Also rank annotators against this layer and their consensus.")
    ] = None,
    show: Annotated[int, option("N", "List the N documents with the least agreement.", min=0)] = 0,
    full: Full = False,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Show how far annotators agree: F1, kappa and alpha.

    Each is also compared with the consensus of the others. An annotator without a layer on a
    document did not look at it; two are compared over the documents both looked at and the labels
    both look for. Layers of alternatives and a former consensus are left out, unless named.
    """
    from vermeil.cli.showing.long_runs import work_through
    from vermeil.runs.driver import Job
    from vermeil.scoring.agreement import AgreeStage, VotersStage, agreement_of
    from vermeil.scoring.silver import compare_standards
    from vermeil.verbs.tables.agreement import (
        agreement_blocks,
        agreement_data,
        comparison_blocks,
    )

    told, source, engagement = parse_scopes(scope or ()), reading.of(inputs), running.engagement()
    named = [name.strip() for name in layers.split(",")] if layers else []
    chosen = tuple(name for name in named if name != gold) or None
    first = VotersStage(chosen, () if gold is None else (gold,), leave_one_out)
    with keeping.ledger() as ledger:
        # The documents are read twice, and what is noted of them is to be noted once.
        quiet = Ledger(skip_bad=keeping.skip_bad)
        job = Job(first, source, ledger=quiet, engagement=_step(engagement, "voters"))
        voters = work_through(job).known
        for note in first.notes(voters):
            ledger.note(*note)
        stage = AgreeStage.of(
            voters,
            told,
            leave_one_out=leave_one_out,
            n_resamples=resamples,
            seed=seed,
            n_worst=show,
        )
        again = Job(stage, source, ledger=ledger, engagement=_step(engagement, "agree"))
        agreement = agreement_of(stage, work_through(again).known)
    comparison = None
    if gold is not None:
        documents = list(source.read(Ledger(skip_bad=keeping.skip_bad)))
        comparison = compare_standards(documents, gold=gold, systems=list(voters.used))
    if as_json:
        data = agreement_data(agreement)
        print_json(data | ({"silver_and_gold": comparison} if comparison else {}))
        return
    print_blocks(agreement_blocks(agreement, full=full))
    if comparison:
        print_blocks(comparison_blocks(comparison))


def _step(engagement: Engagement, name: str) -> Engagement:
    """Let each of the two steps keep its shards in a folder of its own."""
    if engagement.resume is None:
        return engagement
    try:
        engagement.resume.mkdir(exist_ok=True)
    except OSError as error:
        raise UsageError(f"{engagement.resume}: cannot be written: {error.strerror}") from error
    return replace(engagement, resume=engagement.resume / name)
