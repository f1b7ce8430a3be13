"""What annotators agree on, as tables and as data."""

from collections.abc import Iterator, Mapping
from typing import Any

from vermeil.arrays import Flags, Floats
from vermeil.consensus.methods import CONSENSUS
from vermeil.consensus.people.crowd import Crowd
from vermeil.consensus.people.model import LEAN
from vermeil.consensus.people.why import Reasons
from vermeil.consensus.reliability import LEARNABLE, Reliability
from vermeil.consensus.stage import Tally
from vermeil.verbs.tables.table import Block, Table, signed

N_ROWS = 30
"""Annotators that a table shows; of more, those who saw most."""

FIGURES = ("documents", "finds", "finds_within", "invents", "invents_within", "effort")
"""What a data frame has of each annotator, beside cuts."""

TENDENCY = 0.03
"""By how much one kind of cut must outweigh the other to be a habit."""

CUTS = ("exact", "wider", "narrower")


def reliabilities(learned: Reliability | Crowd) -> list[dict[str, Any]]:
    """List what was learned of each annotator."""
    if isinstance(learned, Reliability):
        coins, sides = learned.existence, (learned.left.share, learned.right.share)
        return [
            _row(name, float(coins.hit[place]), float(coins.alarm[place]), sides, place)
            for place, name in enumerate(learned.annotators)
        ]
    return [
        {
            **_row(
                name,
                float(learned.hit[place]),
                float(learned.alarm[place]),
                (learned.left, learned.right),
                place,
            ),
            "finds_within": _half_width(learned.hit[place], learned.n_names[place]),
            "invents_within": _half_width(learned.alarm[place], learned.n_places[place]),
            "exact_within": {
                side: _half_width(share[0, place], learned.n_names[place] * learned.hit[place])
                for side, share in (("left", learned.left), ("right", learned.right))
            },
            "effort": float(learned.effort[place]),
            "documents": int(learned.n_documents[place]),
            "names": float(learned.n_names[place]),
            "looks_for": _chosen(learned.labels, learned.looks_for[place]),
            "calls": _calls(learned, place),
        }
        for place, name in enumerate(learned.annotators)
    ]


def _row(
    name: str, finds: float, invents: float, sides: tuple[Floats, Floats], place: int
) -> dict[str, Any]:
    left, right = (dict(zip(CUTS, side[:, place].tolist(), strict=True)) for side in sides)
    return {"annotator": name, "finds": finds, "invents": invents, "left": left, "right": right}


def _half_width(share: float, total: float) -> float:
    """Return half of the 95% interval of a share of so many, those it leans on included."""
    return float(1.96 * (share * (1 - share) / (total + LEAN)) ** 0.5)


def _chosen(labels: tuple[str, ...], looks_for: Flags) -> list[str]:
    return [label for label, looks in zip(labels, looks_for.tolist(), strict=True) if looks]


def _calls(crowd: Crowd, place: int) -> dict[str, dict[str, float]]:
    """Say how often a name of each label is called what; nothing where there is no choice."""
    if len(crowd.labels) < 2 or not crowd.together:
        return {}
    table = crowd.confusion[0 if len(crowd.confusion) == 1 else place].tolist()
    return {
        label: dict(zip(crowd.labels, row, strict=True))
        for label, row in zip(crowd.labels, table, strict=True)
    }


def is_learned(learned: Any) -> bool:
    """Tell whether something is known of the annotators."""
    if isinstance(learned, Crowd):
        return learned.is_learned
    return isinstance(learned, Reliability) and len(learned.annotators) >= LEARNABLE


def reliability_blocks(learned: Any) -> Iterator[Block]:
    """Tell what was learned about annotators, if anything."""
    if not isinstance(learned, Reliability | Crowd):
        return
    if len(learned.annotators) >= LEARNABLE and not is_learned(learned):
        yield "Nobody marked anything, so nothing can be learned of the annotators."
        return
    if not is_learned(learned):
        yield "With fewer than three annotators nothing can be learned: votes count the same."
        return
    rows = sorted(reliabilities(learned), key=lambda row: -row.get("names", 0.0))
    if len(rows) <= N_ROWS:
        rows = sorted(rows, key=lambda row: str(row["annotator"]))
    yield Table(
        "Annotators, by agreement with the consensus (left, right: names cut alike there)",
        ["annotator", "documents", "finds", "invents", "left", "right", "cuts"],
        [
            [
                row["annotator"],
                f"{row['documents']:,}" if "documents" in row else "",
                _with_width(row, "finds"),
                _with_width(row, "invents"),
                *(f"{row[side]['exact']:.2f}" for side in ("left", "right")),
                _habit(row),
            ]
            for row in rows[:N_ROWS]
        ],
    )
    if len(rows) > N_ROWS:
        how = ", with fewer names in what they saw" if "names" in rows[0] else ""
        yield f"{len(rows) - N_ROWS:,} more annotators{how}; --json lists all"
    if said := reading_of(learned):
        yield f"{said[0].upper()}{said[1:]}."


def reading_of(learned: Any) -> str:
    """Say whether texts were read, and why; "" where the method does not ask."""
    return learned.reading if isinstance(learned, Crowd) else ""


def _with_width(row: Mapping[str, Any], share: str) -> str:
    said = f"{row[share]:.3f}"
    return f"{said} ±{row[f'{share}_within']:.3f}" if f"{share}_within" in row else said


def _habit(row: Mapping[str, Any]) -> str:
    """Tell who cuts wider than others more often than narrower, or the other way round."""
    lean = sum(row[side]["wider"] - row[side]["narrower"] for side in ("left", "right")) / 2
    return "" if abs(lean) < TENDENCY else "wide" if lean > 0 else "narrow"


def total_blocks(tally: Tally, by: str) -> Iterator[Block]:
    """Tell how much was decided, and what was left out for being a general term, or for votes."""
    yield (
        f"{tally.n_documents:,} documents, {tally.n_spans:,} names, {tally.n_centroids:,} centroids"
    )
    gone = tally.left_out
    if tally.n_marked and not (tally.n_spans or gone.terms) and "min_votes" in CONSENSUS[by].takes:
        yield (
            f"nothing is kept of {tally.n_marked:,} names that were marked: none has the votes "
            "that are asked for of all who looked, for its label or not; --by people learns who "
            "looks for what"
        )
    if gone.terms:
        ranked = sorted(gone.terms.items(), key=lambda item: (-item[1], item[0]))
        yield (
            f"{sum(gone.terms.values()):,} hearts left out that are only a general term "
            f"({', '.join(f'{term} {n:,}' for term, n in ranked)}); "
            f"{gone.n_names:,} names hold no other heart"
        )
    yield ""


def why_blocks(reasons: Reasons) -> Iterator[Block]:
    """Tell who said what of a name, what that is worth, and what it comes to."""
    span = reasons.span
    yield (
        f"{reasons.text!r} ({span.start}-{span.end} of {reasons.document}) as {span.label}: "
        f"confidence {span.confidence:.3f}"
    )
    yield ""
    if reasons.settled:
        yield "It is settled, so that no vote counts."
        yield ""
    rows = [
        [
            each.annotator,
            f"{each.span.start}-{each.span.end}" if each.span else "no name",
            each.span.label if each.span else "",
            each.left,
            each.right,
            signed(each.worth, 2),
        ]
        for each in reasons.voices
        if each.span or each.looks
    ]
    heads = ["annotator", "says", "label", "left", "right", "worth"]
    yield Table("Who said what, and what it is worth in log-odds", heads, rows)
    if n_silent := len(reasons.voices) - len(rows):
        yield f"{n_silent:,} more {'was' if n_silent == 1 else 'were'} not looking"
    yield ""
    total = reasons.log_odds - reasons.before - reasons.naming
    yield f"{signed(reasons.before, 2):>7}  before anybody is heard"
    yield f"{signed(total, 2):>7}  by who marks it"
    yield f"{signed(reasons.naming, 2):>7}  by what it is called"
    yield f"{signed(reasons.log_odds, 2):>7}  to the model, a chance of {reasons.chance:.4f}"
    yield f"{reasons.existence:7.3f}  said, for annotators err together"
    yield f"{reasons.left:7.3f}  for the left edge, {reasons.right:.3f} for the right one"


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
        "reading": reading_of(learned),
        "annotators": reliabilities(learned) if is_learned(learned) else None,
        "contested_names": [
            {"document": id, "text": name, "doubt": doubt} for doubt, name, id in tally.doubtful
        ],
        "contested": [{"document": id, "expected_errors": doubt} for doubt, id in ranked],
    }
