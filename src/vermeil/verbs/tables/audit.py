"""What an audit of a standard found, as tables."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vermeil.verbs.tables.table import Block, Table, shortened

if TYPE_CHECKING:
    from vermeil.scoring.gold.auditing import Audit

WIDTH = 48
"""Texts in tables are cut to so many characters."""


def audit_blocks(found: "Audit", *, n_shown: int = 0) -> Iterator[Block]:
    """Tell an audit in tables, with ``n_shown`` findings of each kind."""
    yield (
        f"{found.layer}: {found.n_documents:,} documents, {found.n_cores:,} core names, "
        f"{found.n_alternatives:,} alternatives, {found.n_hearts:,} hearts"
    )
    if found.partitioned:
        yield (
            f"no alternatives are marked: of overlapping names the {found.partitioned} is core and "
            "the others are its alternatives (--overlaps names keeps each)"
        )
    yield ""
    if found.centroids is not None:
        check = found.centroids
        ratios = [f"{each:.3f}" for each in (check.precision, check.recall, check.f1)]
        yield Table(
            "Hearts of all names, scored against the standard as BioCreative does",
            ["centroids", "TP", "FP", "FN", "P", "R", "F", "core names"],
            [[check.n_centroids, check.tp, check.fp, check.fn, *ratios, found.n_cores]],
        )
        yield ""
    first = {finding.kind: finding for finding in reversed(found.findings)}
    rows = [
        [
            kind,
            n,
            shortened(first[kind].text, WIDTH) if n else "",
            first[kind].document if n else "",
        ]
        for kind, n in found.counts.items()
    ]
    yield Table("Findings", ["what", "n", "for example", "in"], rows, wide="for example")
    if n_shown:
        yield from _details(found, n_shown)


def _details(found: "Audit", n_shown: int) -> Iterator[Block]:
    from vermeil.scoring.gold.findings import KINDS

    for kind, meaning in KINDS.items():
        findings = found.of_kind(kind)[:n_shown]
        if findings and kind != "unannotated repeat":
            yield ""
            yield f"{kind}: {meaning}"
            rows = [[each.document, shortened(each.text, WIDTH), each.detail] for each in findings]
            yield Table("", ["document", "text", "detail"], rows, wide="detail")
    if found.strings:
        yield ""
        yield "Strings annotated in one place and not in another"
        counts = [
            [shortened(each.text, WIDTH), each.n_annotated, each.n_unannotated, each.n_inside]
            for each in found.strings[:n_shown]
        ]
        yield Table("", ["string", "annotated", "not", "inside others"], counts, wide="string")
