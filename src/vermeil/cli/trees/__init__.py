"""``vermeil trees``: constituency trees, one module a command."""

import typer

from vermeil.cli.trees.combine import combine
from vermeil.cli.trees.compare import compare
from vermeil.cli.trees.diagnose import diagnose
from vermeil.cli.trees.parse import parse
from vermeil.cli.trees.score import score
from vermeil.cli.trees.show import show
from vermeil.cli.trees.trust import trust

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Score, diagnose, compare, combine, show and make parse trees.",
)
app.command()(score)
app.command()(diagnose)
app.command()(compare)
app.command()(combine)
app.command()(trust)
app.command()(show)
app.command()(parse)
