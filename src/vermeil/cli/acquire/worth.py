"""``vermeil acquire worth``: how much hand annotation is as good as an acquired recogniser."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.acquire.resources import TokeniserName
from vermeil.cli.options.chance import Seed
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.recognisers import LayerOption, Model, model_name, open_model
from vermeil.cli.options.writing import AsJson, check_picture
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.errors import UsageError

if TYPE_CHECKING:
    from vermeil.acquisition.manual_curve import Piece


def worth(
    inputs: Inputs,
    model: Model,
    development: Annotated[
        Path, option("PATH", "Annotated documents that the model and all taggers are scored on.")
    ],
    *,
    layer: LayerOption = None,
    labels: Annotated[
        list[str] | None,
        option("LABEL", "Learn and score only this label; may be given several times.", "--label"),
    ] = None,
    pieces: Annotated[int, option("N", "Deal the annotated documents into N pieces.", min=1)] = 20,
    threshold: Annotated[
        float, option("P", "Confidence that a name of the model needs.", min=0, max=1)
    ] = 0.5,
    tokeniser: TokeniserName = None,
    like_paper: Annotated[
        bool,
        flag("Do as the paper does, unless told: --tokeniser separators-paper.", "--like-paper"),
    ] = False,
    page: Annotated[Path | None, option("FILE", "Draw the curve, Figure 8 of the paper.")] = None,
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Tell how much hand annotation is as good as a model: Figure 8.

    The tagger of the acquisition paper learns from one piece of the annotated documents, from two,
    and so on to all of them, and is scored beside the model.
    """
    from vermeil.formats import read
    from vermeil.reports.acquired import worth_page
    from vermeil.verbs.comparisons.worth import AnnotationWorth, compare_worth
    from vermeil.verbs.models import Model as Named
    from vermeil.verbs.trials import write_picture

    check_picture(page)
    if not development.exists():
        raise UsageError(f"{development}: no such file")
    source = reading.of(inputs)
    with keeping.ledger() as ledger:
        documents = list(source.documents(ledger))
    found = compare_worth(
        documents,
        list(read(development)),
        Named(open_model(model), model_name(model)),
        layer=layer,
        labels=labels or (),
        pieces=pieces,
        threshold=threshold,
        asked={"tokeniser": tokeniser},
        like_paper=like_paper,
        seed=seed,
        watch=_tell,
    )
    if page is not None:
        write_picture(page, worth_page(found))
    compared = AnnotationWorth(found)
    if as_json:
        print_json(compared.to_dict())
    else:
        print_blocks(compared.blocks())


def _tell(piece: "Piece") -> None:
    say(f"{piece.n_documents:,} documents: F1 {piece.f1:.3f}")
