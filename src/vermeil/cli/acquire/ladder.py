"""``vermeil acquire ladder``: Table 3 of the acquisition paper, which can be gone on with."""

from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Annotated

from vermeil.cli.acquire.resources import LexiconPath, SyntaxTags, TokeniserName
from vermeil.cli.options.chance import Seed
from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.writing import AsJson, check_picture
from vermeil.cli.showing.terminal import print_blocks, print_json, say
from vermeil.errors import UsageError
from vermeil.formats.files.streams import is_stream


def ladder(
    inputs: Inputs,
    lexicon: LexiconPath,
    references: Annotated[
        Path,
        option(
            "FILE", "Which document is about which id: gene2pubmed, SQLite of Bioconductor, or TSV."
        ),
    ],
    development: Annotated[
        Path, option("PATH", "Annotated documents that every step is scored on.")
    ],
    folder: Annotated[
        Path, option("FOLDER", "Where the models and all steps to them go.", "-o", "--output")
    ],
    *,
    like_paper: Annotated[
        bool,
        flag(
            "Do as the paper does, unless told: exact names, --tokens 4542000 --rounds 17 "
            "--tokeniser separators-paper --coordinate tokens --conjunction , --conjunction . "
            "--conjunction and, and no word of the token itself in the last step.",
            "--like-paper",
        ),
    ] = False,
    tokens: Annotated[
        int | None,
        option(
            "N",
            "Each tagger learns from documents of about N tokens, or from all if there are fewer; "
            "700000 unless told.",
            min=1,
        ),
    ] = None,
    rounds: Annotated[
        int | None, option("N", "Rounds of self-training; 5 unless told.", min=1)
    ] = None,
    threshold: Annotated[
        float, option("MARGIN", "How sure the tagger of a round must be of a name.")
    ] = 0.3,
    cost: Annotated[
        float, option("C", "What an error costs a tagger beside large weights; C of LIBLINEAR.")
    ] = 0.02,
    all_sentences: Annotated[
        bool,
        flag("Learn from all sentences, not only from those with a name.", "--all-sentences"),
    ] = False,
    tags: SyntaxTags = None,
    coordinate: Annotated[
        str | None,
        option(
            "names|tokens",
            "Join whole names (unless told), or step from token to token as Figure 5 is printed.",
        ),
    ] = None,
    conjunction: Annotated[
        list[str] | None,
        option("TEXT", "What may stand between coordinated names; may be given several times."),
    ] = None,
    tokeniser: TokeniserName = None,
    gold: Annotated[str, option("LAYER", "The layer that the steps are scored on.")] = "gold",
    labels: Annotated[
        list[str] | None,
        option("LABEL", "Score only names of this label; may be given several times.", "--label"),
    ] = None,
    page: Annotated[
        Path | None, option("FILE", "Draw Figures 7 and 9 of the paper: rounds and lengths.")
    ] = None,
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Tell what each step of the paper brings: its Table 3.

    Matching; a tagger trained on matches in any texts; and, all on the same texts, taggers trained
    on matches, on those with a reference, with what is coordinated, and after self-training. A run
    that was ended goes on when the same command is given again.
    """
    from vermeil.acquisition.databases.references import open_links
    from vermeil.acquisition.ladder import climb
    from vermeil.acquisition.lexicon.files import load_lexicon
    from vermeil.formats import read
    from vermeil.formats.inputs import files_of
    from vermeil.verbs.comparisons.ladder import ClimbedLadder, draw, judges_of, ladder_plan

    check_picture(page)
    asked = {
        "n_tokens": tokens,
        "n_rounds": rounds,
        "tokeniser": tokeniser,
        "conjunctions": conjunction,
        "coordinate": coordinate,
    }
    plan = ladder_plan(
        asked,
        like_paper=like_paper,
        threshold=threshold,
        cost=cost,
        all_sentences=all_sentences,
        tags=tags,
        seed=seed,
    )
    if not development.exists():
        raise UsageError(f"{development}: no such file")
    source = reading.of(inputs)
    given = [each for each in (*source.inputs, source.text) if each is not None]
    if any(is_stream(each.path) for each in given):
        raise UsageError("a run that can go on reads files, so the texts cannot come from -")
    names = load_lexicon(lexicon)
    links = open_links(names, references)
    judges = judges_of(read(development, annotator=gold), gold, labels or ())
    begun = monotonic()
    with keeping.ledger(beside=folder) as ledger:
        made = climb(
            lambda: source.documents(ledger),
            judges,
            names,
            links,
            plan,
            folder=folder,
            gold=gold,
            files=[lexicon, references, *(file.path for each in given for file in files_of(each))],
            reading={"inputs": inputs, "skip_bad": keeping.skip_bad, **asdict(reading)},
            say=lambda step: say(f"{monotonic() - begun:6.0f} s  {step}"),
        )
    draw(made, page)
    climbed = ClimbedLadder(made, folder)
    if as_json:
        print_json({"output": str(folder), **climbed.to_dict()})
    else:
        print_blocks(climbed.blocks())
