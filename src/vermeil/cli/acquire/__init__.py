"""``vermeil acquire``: training data without hand annotation, one module a command."""

import typer

from vermeil.cli.on_demand import OnDemand, add_stand_ins

SUMMARIES = {
    "lexicon": "Compile lexical databases into one file in which names are found fast.",
    "label": "Annotate texts with the names of a lexicon, in one layer for each way to believe it.",
    "selftrain": "Mend acquired annotation: a tagger adds the names it is sure of, round by round.",
    "run": "Make a recogniser from a lexicon, its references and plain text, all steps in one.",
}
"""The first line of each command's help, which a test compares with the commands themselves."""


class AcquireCommands(OnDemand):
    """The commands that acquire training data."""

    package = "vermeil.cli.acquire"
    summaries = SUMMARIES


app = typer.Typer(
    cls=AcquireCommands,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Make training data and recognisers without hand annotation.",
)
add_stand_ins(app, SUMMARIES)
