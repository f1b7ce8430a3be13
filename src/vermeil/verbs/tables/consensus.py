"""What annotators agree on, as tables and as data."""

from collections.abc import Iterator
from typing import Any

from vermeil.consensus.reliability import Reliability
from vermeil.consensus.stage import Tally
from vermeil.verbs.tables.table import Block, Table

CUTS = ("exact", "wider", "narrower")
LEARNABLE = 3
"""Annotators from which on something can be learned about each."""


def reliabilities(learned: Reliability) -> list[dict[str, Any]]:
    """List what was learned of each annotator."""
    coins = learned.existence
    return [
        {
            "annotator": name,
            "finds": float(coins.hit[place]),
            "invents": float(coins.alarm[place]),
            "left": dict(zip(CUTS, learned.left.share[:, place].tolist(), strict=True)),
            "right": dict(zip(CUTS, learned.right.share[:, place].tolist(), strict=True)),
        }
        for place, name in enumerate(learned.annotators)
    ]


def is_learned(learned: Any) -> bool:
    """Tell whether something is known of the annotators: from three of them on."""
    return isinstance(learned, Reliability) and len(learned.annotators) >= LEARNABLE


def reliability_blocks(learned: Any) -> Iterator[Block]:
    """Tell what was learned about annotators, if anything."""
    if not isinstance(learned, Reliability):
        return
    if not is_learned(learned):
        yield "With fewer than three annotators nothing can be learned: votes count the same."
        return
    yield Table(
        "Annotators, as their agreement shows them",
        ["annotator", "finds", "invents", "left exact", *CUTS[1:], "right exact", *CUTS[1:]],
        [
            [
                row["annotator"],
                f"{row['finds']:.3f}",
                f"{row['invents']:.3f}",
                *(f"{row[side][cut]:.2f}" for side in ("left", "right") for cut in CUTS),
            ]
            for row in reliabilities(learned)
        ],
    )


def total_blocks(tally: Tally) -> Iterator[Block]:
    """Tell how much was decided, and what was left out for being a general term."""
    yield (
        f"{tally.n_documents:,} documents, {tally.n_spans:,} names, {tally.n_centroids:,} centroids"
    )
    gone = tally.left_out
    if gone.terms:
        ranked = sorted(gone.terms.items(), key=lambda item: (-item[1], item[0]))
        yield (
            f"{sum(gone.terms.values()):,} hearts left out that are only a general term "
            f"({', '.join(f'{term} {n:,}' for term, n in ranked)}); "
            f"{gone.n_names:,} names hold no other heart"
        )
    yield ""


def contested_blocks(tally: Tally, n: int) -> Iterator[Block]:
    """Tell which documents and names are most contested."""
    rows = [[id, f"{doubt:.2f}"] for doubt, id in tally.most_contested(n)]
    yield Table("Most contested documents", ["document", "expected errors"], rows)
    yield ""
    names = [[name, id, f"{doubt:.2f}"] for doubt, name, id in tally.doubtful[:n]]
    yield Table("Most contested names", ["name", "document", "doubt"], names, wide="name")


def consensus_data(tally: Tally, learned: Any, by: str) -> dict[str, Any]:
    """Return everything as JSON has it."""
    ranked = tally.most_contested(len(tally.contested))
    return {
        "method": by,
        "documents": tally.n_documents,
        "spans": tally.n_spans,
        "centroids": tally.n_centroids,
        "general_terms": {"hearts": tally.left_out.terms, "names": tally.left_out.n_names},
        "annotators": reliabilities(learned) if is_learned(learned) else None,
        "contested_names": [
            {"document": id, "text": name, "doubt": doubt} for doubt, name, id in tally.doubtful
        ],
        "contested": [{"document": id, "expected_errors": doubt} for doubt, id in ranked],
    }
