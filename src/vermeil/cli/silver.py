"""``vermeil silver``: systems, and silver made of them at every threshold, against gold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.completion import CONSENSUS_METHODS
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, listed
from vermeil.cli.options.writing import AsJson, check_picture
from vermeil.cli.showing.terminal import print_blocks, print_json, say

if TYPE_CHECKING:
    from vermeil.scoring.sweep import SilverRow

VIEWS = ("exact", "boundaries", "partial", "type", "biocreative", "centroid")


def silver(
    inputs: Inputs,
    *,
    gold: Annotated[str, option("LAYER", "The layer to judge by.")] = "gold",
    layers: Annotated[str, option("A,B,…", "Take only these systems; all without this.")] = "",
    by: Annotated[
        str,
        option(
            "METHOD,…",
            f"How to combine: {', '.join(CONSENSUS_METHODS)}.",
            offered=CONSENSUS_METHODS,
        ),
    ] = "centroids",
    like_paper: Annotated[
        bool,
        flag("Find centroids as consensus --like-paper does, and emit hearts.", "--like-paper"),
    ] = False,
    emit: Annotated[
        str,
        option("KIND,…", "What stands for a name: heart,modal unless told; or extent."),
    ] = "",
    thresholds: Annotated[
        str, option("1-6", "Votes that a name needs: a range or a list.")
    ] = "1-6",
    tolerance: Annotated[str, option("N|N%", "Join to a heart what has so many votes less.")] = "0",
    view: Annotated[
        str, option("VIEW", "When a name counts as right against gold.", offered=VIEWS)
    ] = "biocreative",
    silver_view: Annotated[
        str, option("VIEW", "When a name counts as right against silver.", offered=VIEWS)
    ] = "centroid",
    leave_one_out: Annotated[
        bool,
        flag("Also leave each system out of the silver that judges it.", "--leave-one-out"),
    ] = False,
    svg: Annotated[
        Path | None, option("FILE", "Draw systems and silver, precision over recall.")
    ] = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Score systems, and silver made of them, against gold.

    These are Figures 7 and 8 of the centroids paper, and its rank correlation: how far silver
    ranks the systems as gold does.
    """
    from vermeil.verbs.comparisons.silver import swept
    from vermeil.verbs.trials import write_picture

    check_picture(svg)
    source = reading.of(inputs)
    with keeping.ledger() as ledger:
        documents = list(source.documents(ledger))
    found = swept(
        documents,
        gold=gold,
        layers=listed(layers),
        by=listed(by),
        like_paper=like_paper,
        emit=listed(emit),
        thresholds=thresholds,
        tolerance=tolerance,
        views=(view, silver_view),
        leave_one_out=leave_one_out,
        watch=None if as_json else _tell,
    )
    if svg is not None:
        write_picture(svg, found.picture)
    if as_json:
        print_json(found.to_dict())
    else:
        print_blocks(found.blocks())


def _tell(row: SilverRow) -> None:
    votes = "" if row.votes is None else f" at {row.votes:g} votes"
    say(f"{row.name}{votes}: F1 {row.counts.f1:.3f}")
