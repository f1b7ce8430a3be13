"""``vermeil trees``: constituency trees, one module a command."""

import typer

from vermeil.cli.trees.compare import compare
from vermeil.cli.trees.diagnose import diagnose
from vermeil.cli.trees.parse import parse
from vermeil.cli.trees.show import show

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Parse sentences, show trees.",
)
app.command()(parse)
app.command()(show)
app.command()(diagnose)
app.command()(compare)
