"""The option that says who looks for what; ``vermeil.scope`` says what that means."""

from typing import Annotated

from vermeil.cli.options.declaring import option

Scopes = Annotated[
    list[str] | None,
    option(
        "NAME=LABEL,…",
        "What an annotator looks for, if not for just the labels it uses; * is everything.",
        "--scope",
    ),
]
