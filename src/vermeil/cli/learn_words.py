"""``vermeil learn-words``: classes of words from texts without annotation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.options.chance import Seed
from vermeil.cli.options.completion import tokeniser_names
from vermeil.cli.options.declaring import option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions
from vermeil.cli.options.running import RunningOptions
from vermeil.cli.options.writing import AsJson, check_target
from vermeil.cli.showing.terminal import print_json, say
from vermeil.errors import UsageError
from vermeil.formats.files.states import RUN


def learn_words(
    inputs: Inputs,
    output: Annotated[Path, option("WORDS", "File for the words (.zip).", "-o", "--output")],
    *,
    tokeniser: Annotated[
        str,
        option("NAME", "How texts are cut; give train the same.", offered=tokeniser_names),
    ] = "fine",
    min_count: Annotated[int, option("N", "Learn words that come N times or more.", min=1)] = 3,
    most: Annotated[
        int, option("N", "Of more than N words of a kind, the commonest.", min=100)
    ] = 200_000,
    seed: Seed = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    running: RunningOptions,
    as_json: AsJson = False,
) -> None:
    """Learn classes of words from texts without annotation.

    Words that keep the same company are in the same class. vermeil train --words WORDS makes use
    of them. Texts are read twice, one input after the other, and what is done is kept beside
    WORDS, so that an interrupted run goes on. The file holds hashes and numbers, and no text.
    """
    import shutil

    from vermeil.cli.showing.long_runs import work_through
    from vermeil.models.model_files import refuse_compressed
    from vermeil.recognise.word_classes.learning import learn
    from vermeil.verbs.recognisers.learning import check_tokeniser

    if str(output) == "-":
        raise UsageError("words cannot be written to standard output; give -o FILE")
    refuse_compressed(output)
    check_target(output)
    check_tokeniser(tokeniser)
    engagement = running.engagement()
    folder = engagement.resume or Path(f"{output}{RUN}")
    source = reading.of(inputs)
    with keeping.ledger(beside=output) as ledger:
        words = learn(
            [replace(source, inputs=[each]) for each in source.inputs],
            folder,
            work_through,
            ledger=ledger,
            engagement=engagement,
            tokeniser=tokeniser,
            min_count=min_count,
            most_words=most,
            seed=seed,
            watch=say,
        )
    words.save(output)
    if engagement.resume is None:
        shutil.rmtree(folder)
    n_bytes = output.stat().st_size
    if as_json:
        print_json({"output": str(output), "bytes": n_bytes, **words.card})
        return
    card = words.card
    typer.echo(
        f"{card['documents']:,} documents, {card['tokens read']:,} tokens read; learned "
        f"{card['tokens']:,} tokens and {card['runs']:,} runs\n{output}: {n_bytes / 1e6:.1f} MB"
    )
