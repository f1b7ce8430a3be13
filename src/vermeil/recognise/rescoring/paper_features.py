"""What a document says about a candidate name, as the paper has it.

Corbett and Copestake, section 3.6: the logit of the probability p; of all unblocked candidates of
the document and label with the same string, the maximum and the mean probability, and how far p is
from them; and what is known of short forms in brackets. ``features`` has more of the same kind.
"""

from collections.abc import Sequence

import numpy as np

from vermeil.arrays import Flags, Floats, Ints, numbered
from vermeil.recognise.rescoring.abbreviations import abbreviations
from vermeil.recognise.rescoring.features import DescribedCandidates, log_odds
from vermeil.sequences.chains.candidates import Candidates, blocked_by
from vermeil.sequences.tokens.axis import TokenAxis


def describe_like_paper(
    candidates: Candidates, axis: TokenAxis, texts: Sequence[str]
) -> DescribedCandidates:
    """Describe the candidates of whole documents."""
    document = np.searchsorted(axis.first_of_document, candidates.start, side="right") - 1
    columns = zip(
        document.tolist(),
        axis.start[candidates.start].tolist(),
        axis.end[candidates.end - 1].tolist(),
        candidates.label.tolist(),
        strict=True,
    )
    keys = [(of, label, texts[of][start:end]) for of, start, end, label in columns]
    group = numbered(keys)[1]
    logit = log_odds(candidates.confidence)
    told: dict[str, Floats] = {"logit": logit}
    told |= _alike(group, candidates.confidence, blocked_by(candidates) < 0)
    told |= abbreviations(candidates, axis, [key[2] for key in keys], logit, group)
    return DescribedCandidates(tuple(told), np.stack(list(told.values()), axis=1))


def _alike(group: Ints, p: Floats, unblocked: Flags) -> dict[str, Floats]:
    """Compare candidates with the unblocked ones of their group, themselves among them."""
    n_groups = int(group.max(initial=-1)) + 1
    n = np.bincount(group[unblocked], minlength=n_groups).astype(np.float64)
    total = np.bincount(group[unblocked], p[unblocked], n_groups)
    mean = np.divide(total, n, out=np.full(n_groups, np.nan), where=n > 0)
    best = np.full(n_groups, np.nan)
    np.fmax.at(best, group[unblocked], p[unblocked])
    return {
        "same: best": best[group],
        "same: mean": mean[group],
        "p less best": p - best[group],
        "p less mean": p - mean[group],
    }
