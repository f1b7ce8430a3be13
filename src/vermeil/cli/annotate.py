"""``vermeil annotate``: any program or language model as one more annotator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Inputs, ReadingOptions, listed, parsed_options
from vermeil.cli.options.writing import AsJson, Output, TargetFormat, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json, say, watched
from vermeil.errors import UsageError
from vermeil.formats import get_format, write

if TYPE_CHECKING:
    from vermeil.document import Document

KEY = "VERMEIL_API_KEY"
ANSWERS = "{output}.answers.jsonl"


def annotate(
    inputs: Inputs,
    output: Output,
    *,
    command: Annotated[
        str | None, option("COMMAND", "Program that reads documents and finds names.", "--cmd")
    ] = None,
    api: Annotated[
        str | None, option("URL", "OpenAI-compatible endpoint, as in http://localhost:11434/v1.")
    ] = None,
    model: Annotated[str | None, option("MODEL", "Which language model to ask there.")] = None,
    labels: Annotated[str, option("A,B,…", "What to look for, such as Gene,Disease.")] = "",
    prompt: Annotated[
        Path | None, option("FILE", "Prompt with {text} and {labels}, instead of ours.")
    ] = None,
    name: Annotated[
        str, option("NAME", "Name of the new layer; without this that of the model or program.")
    ] = "",
    answers: Annotated[
        Path | None, option("FILE", "Where answers are kept; without this beside OUT.")
    ] = None,
    again: Annotated[
        bool, flag("Ask again where the answer that is kept cannot be used.", "--again")
    ] = False,
    jobs: Annotated[
        int | None,
        option("N", "Requests or processes at a time; without this 4 and 1.", min=1, max=256),
    ] = None,
    timeout: Annotated[float, option("SECONDS", "Give up waiting after this time.", min=0.001)] = (
        60.0
    ),
    startup: Annotated[
        float, option("SECONDS", "Wait longer for the first answer of a program.", min=0.0)
    ] = 60.0,
    memory: Annotated[
        int | None, option("MB", "Memory that a program may take, in megabytes.", min=1)
    ] = None,
    one_shot: Annotated[
        bool,
        flag("Start the program anew for each document, if it answers at its end.", "--one-shot"),
    ] = False,
    retries: Annotated[
        int, option("N", "Repeat a request that fails so often, waiting longer.", min=0)
    ] = 6,
    per_minute: Annotated[
        float | None, option("N", "Begin at most N requests a minute.", min=0.001)
    ] = None,
    key_from: Annotated[
        str, option("NAME", "Environment variable that holds the key of the endpoint.")
    ] = KEY,
    schema: Annotated[
        bool, flag("Ask for an answer by a JSON schema.", "--schema/--no-schema")
    ] = True,
    temperature: Annotated[
        float | None, option("T", "Temperature; without this the endpoint's.", min=0)
    ] = None,
    max_tokens: Annotated[int | None, option("N", "Tokens that an answer may have.", min=1)] = None,
    target_format: TargetFormat = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Ask any program or language model for the names in texts.

    A program reads {"id", "text"} a line and writes mentions or spans a line. Answers are kept in
    OUT.answers.jsonl as they come, so that the same command goes on where it stopped and nothing is
    asked twice. The key of an endpoint is taken from the environment only.
    """
    from dataclasses import replace

    from vermeil.verbs.annotating import JOBS, annotator_of, run_annotator
    from vermeil.verbs.corpus import Corpus

    check_output(output, as_json=as_json)
    if output == "-" and answers is None:
        raise UsageError("where are answers to be kept? Say --answers FILE, or write to a file")
    kept = answers or Path(ANSWERS.format(output=output))
    own, others = _parted(parsed_options(reading.options))
    annotator = annotator_of(
        cmd=command,
        api=api,
        model=model,
        labels=listed(labels),
        prompt=prompt,
        name=name,
        timeout=timeout,
        startup=startup,
        memory=memory,
        one_shot=one_shot,
        retries=retries,
        per_minute=per_minute,
        key_from=key_from,
        schema=schema,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    source = replace(reading, options=None).of(inputs, written=(output, kept, keeping.log))
    source = replace(source, options=others, written=(kept.resolve(),))

    def watch(going: Iterator[Document]) -> Iterable[Document]:
        return watched(going, noun="documents")

    with keeping.ledger(beside=output) as ledger:
        corpus = Corpus(source.read, "texts")
        if any(str(each.path) == "-" for each in source.inputs):
            corpus = corpus.hold()
        try:
            found = run_annotator(
                corpus,
                annotator,
                labels=listed(labels),
                answers=kept,
                again=again,
                jobs=jobs or JOBS["cmd" if command else "api"],
                options=own,
                ledger=ledger,
                watch=watch,
            )
        except KeyboardInterrupt:
            say(f"vermeil: stopped; answers are in {kept}: repeat to go on")
            raise
        if found.asked.n_documents and not found.asked.n_answered:
            first, reason = found.asked.failures[0]
            raise UsageError(f"no document has an answer; {first}: {reason}")
        write(found.documents, output, format=target_format, ledger=ledger)
    if output == "-":
        return
    if as_json:
        print_json({"output": output, "answers": str(kept), **found.to_dict()})
    else:
        print_blocks(found.blocks())


def _parted(options: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Tell options that say how answers are read from those of the inputs."""
    known = get_format("answers").options
    own = {key: value for key, value in options.items() if key in known}
    return own, {key: value for key, value in options.items() if key not in known}
