"""``vermeil tag``: a layer of names with confidences, found by a model."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.reading import Align, From, Inputs, Options, Reading, TextPath, reading
from vermeil.cli.recognisers import Model, model_name, open_model
from vermeil.cli.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json
from vermeil.cli.writing import check_target, refuse_two_on_stdout
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import get_format, guess_format, write


def tag(
    inputs: Inputs,
    model: Model,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; - for stdout.")
    ],
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Confidence that a name needs; see tune.")
    ] = 0.5,
    overlaps: Annotated[
        bool, typer.Option("--overlaps", help="Keep names that overlap surer ones.")
    ] = False,
    standard: Annotated[
        bool, typer.Option("--standard", help="Add boundary distributions, as a standard.")
    ] = False,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What to call the layer; else like the model.")
    ] = "",
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the output.")
    ] = None,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Find names in texts: one more layer, in which every name has a confidence.

    Without --from, standard input (-) is plain text. Documents stream; other layers are kept.
    """
    from vermeil.recognise.found import tag as find_names
    from vermeil.recognise.tagging import tag_with_standard

    refuse_two_on_stdout(output, as_json=as_json)
    check_target(output)
    source = reading(inputs, source_format=source_format, text=text, align=align, options=options)
    source = _with_plain_input(source)
    target = Path(output)
    to = target_format or guess_format(target, exists=False)
    recogniser = open_model(model)
    layer = name or model_name(model)
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl")
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        counted = _Counted(layer)
        fresh = counted.before(source.documents(ledger))
        work = tag_with_standard if standard else find_names
        stream = work(recogniser, fresh, name=layer, threshold=threshold, overlaps=overlaps)
        only = None if "layers" in get_format(to).carries else layer
        write(counted.after(stream), target, format=to, layer=only, ledger=ledger)
    if output == "-":
        return
    if as_json:
        print_json(
            {
                "output": output,
                "format": to,
                "layer": layer,
                "threshold": threshold,
                "documents": counted.n_documents,
                "names": counted.n_names,
            }
        )
    else:
        typer.echo(
            f"{counted.n_documents:,} documents, {counted.n_names:,} names in layer {layer!r}"
        )


class _Counted:
    """How much has been tagged; refuses documents that have the layer already."""

    def __init__(self, layer: str) -> None:
        self._layer = layer
        self.n_documents = self.n_names = 0

    def before(self, documents: Iterator[Document]) -> Iterator[Document]:
        for document in documents:
            if self._layer in document.layers:
                raise UsageError(
                    f"document {document.id!r} has a layer {self._layer!r} already; "
                    "choose another --name"
                )
            yield document

    def after(self, documents: Iterator[Document]) -> Iterator[Document]:
        for document in documents:
            self.n_documents += 1
            self.n_names += len(document.layers[self._layer])
            yield document


def _with_plain_input(source: Reading) -> Reading:
    """Take standard input for plain text where no format was named."""
    sources = [
        replace(each, format="text") if str(each.path) == "-" and each.format is None else each
        for each in source.sources
    ]
    return replace(source, sources=sources)
