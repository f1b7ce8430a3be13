"""``vermeil trees``: constituency trees, one module a command."""

import typer

from vermeil.cli.on_demand import OnDemand, add_stand_ins

SUMMARIES = {
    "score": "Score parsers against a treebank, sentence by sentence in the order of the files.",
    "diagnose": "Show which production rules parsers get wrong, and what they write instead.",
    "compare": "Compare treebanks: sizes, rules, labels, lengths and complexities of sentences.",
    "combine": "Combine the trees of several parsers into one a sentence, over the same words.",
    "trust": "Rank sentences by how little their combined tree can be trusted, and show where.",
    "show": "Show a tree, or two trees of a sentence with their differences marked.",
    "parse": (
        "Parse sentences with an external program that reads one a line and writes one tree a line."
    ),
}
"""The first line of each command's help, which a test compares with the commands themselves."""


class TreeCommands(OnDemand):
    """The commands for trees."""

    package = "vermeil.cli.trees"
    summaries = SUMMARIES


app = typer.Typer(
    cls=TreeCommands,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Score, diagnose, compare, combine, show and make parse trees.",
)
add_stand_ins(app, SUMMARIES)
