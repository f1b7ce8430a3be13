"""``vermeil audit``: is this gold standard consistent with itself?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated

from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import Alternatives, ReadingOptions
from vermeil.cli.options.writing import AsJson, check_output
from vermeil.cli.showing.terminal import print_blocks, print_json
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.inputs import Input

OTHERS = "alternatives"
"""What the layer of a file of alternatives is called until the gold layer's name is known."""


def audit(
    gold: Annotated[str, argument("GOLD", "File or folder of the gold standard.")],
    *,
    alternatives: Alternatives = None,
    layer: Annotated[
        str | None, option("NAME", "Which layer to audit, if there are several.")
    ] = None,
    overlaps: Annotated[
        str,
        option(
            "alternatives|names", "What overlapping names are, where no alternatives are marked."
        ),
    ] = "alternatives",
    core: Annotated[
        str,
        option(
            "first|modal",
            "Which of overlapping names is the core, where no alternatives are marked.",
        ),
    ] = "first",
    like_paper: Annotated[
        bool,
        flag("Find the hearts that are scored as consensus --like-paper does.", "--like-paper"),
    ] = False,
    output: Annotated[
        str | None,
        option(
            "OUT",
            "Write core names and alternatives as layers; with {layer}, each to a file.",
            "-o",
            "--output",
        ),
    ] = None,
    show: Annotated[int, option("N", "Show the first N findings of each kind.", min=0)] = 0,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Find what is inconsistent in a gold standard.

    Where there are no alternatives, overlapping names are taken for alternatives of each other.
    """
    from vermeil.consensus.asking import paper_settings
    from vermeil.consensus.centroids import DEFAULTS
    from vermeil.scoring.gold.auditing import audit as audit_documents
    from vermeil.scoring.gold.cores import CORES, OVERLAPS, parted
    from vermeil.verbs.files import write
    from vermeil.verbs.tables.audit import audit_blocks

    if core not in CORES:
        raise UnknownNameError("choice of core names", core, CORES)
    if overlaps not in OVERLAPS:
        raise UnknownNameError("way to take overlapping names", overlaps, OVERLAPS)
    check_output(output, as_json=as_json)
    source = reading.of([gold])
    if alternatives is not None:
        beside = Input(Path(alternatives), OTHERS, reading.source_format)
        source = replace(source, inputs=[*source.inputs, beside])
    with keeping.ledger() as ledger:
        documents = list(source.documents(ledger))
    name = _chosen(documents, layer, apart=alternatives is not None, path=gold)
    if alternatives is not None:
        documents = [_joined(document, name) for document in documents]
    settings = paper_settings() if like_paper else DEFAULTS
    found = audit_documents(documents, name, core=core, overlaps=overlaps, settings=settings)
    if output is not None:
        write(parted(documents, name, core=core, overlaps=overlaps)[0], output)
    if as_json:
        report = {"counts": found.counts}
        report |= {field.name: getattr(found, field.name) for field in fields(found)}
        print_json(report)
    elif output != "-":
        print_blocks(audit_blocks(found, n_shown=show))


def _chosen(documents: Sequence[Document], layer: str | None, *, apart: bool, path: str) -> str:
    """Choose the layer to audit: the named one, or the only one there is."""
    own = {name for document in documents for name in document.layers}
    names = sorted(
        name for name in own if not name.endswith(ALTERNATIVES) and not (apart and name == OTHERS)
    )
    if layer is not None:
        if layer not in names:
            raise UnknownNameError("layer", layer, names)
        return layer
    if not names:
        raise UsageError(f"{path}: no document has a layer to audit")
    if len(names) > 1:
        raise UsageError(
            f"{path}: holds several layers ({', '.join(map(repr, names))}); choose one with --layer"
        )
    return names[0]


def _joined(document: Document, layer: str) -> Document:
    """Put alternatives from a file of their own beside the layer they belong to."""
    layers = dict(document.layers)
    others = layers.pop(OTHERS, ())
    known = layers.get(layer + ALTERNATIVES, ())
    return document.replace(layers={**layers, layer + ALTERNATIVES: (*known, *others)})
