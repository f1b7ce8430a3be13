"""crowd-kit's Dawid-Skene over the token tags of our own ballot, for comparison."""

import numpy as np
import pandas
from crowdkit.aggregation import DawidSkene

from vermeil import Document, SpanTable
from vermeil.consensus.token_vote import OUTSIDE, collect, names


def votes_of(table: SpanTable) -> tuple[pandas.DataFrame, int]:
    """Lay the votes out as crowd-kit wants them, a row for each token and annotator."""
    ballot = collect(table)
    n_tokens, n_annotators = len(ballot.start), len(table.annotators)
    tags = np.full((n_tokens, n_annotators), OUTSIDE)
    tags[ballot.token, ballot.annotator] = ballot.tag
    looked = table.looked[ballot.document]
    token, worker = np.nonzero(looked)
    frame = pandas.DataFrame({"task": token, "worker": worker, "label": tags[token, worker]})
    return frame, n_tokens


def dawid_skene(documents: list[Document], annotators: list[str]) -> list[Document]:
    """Add what crowd-kit makes of the annotators, as the layer crowd-kit."""
    voters = [
        Document(id=d.id, text=d.text, layers={name: d.layers[name] for name in annotators})
        for d in documents
    ]
    table = SpanTable.from_documents(voters)
    frame, n_tokens = votes_of(table)
    best = DawidSkene(n_iter=100).fit_predict(frame)
    tag = best.reindex(range(n_tokens), fill_value=OUTSIDE).to_numpy()
    token = np.flatnonzero(tag != OUTSIDE)
    label, goes_on = np.divmod(tag[token] - 1, 2)
    ones = np.ones(len(token))
    decision = names(collect(table), token, label, goes_on == 0, ones, ones)
    return [
        document.with_layer("crowd-kit", layer)
        for document, layer in zip(documents, decision.layers(), strict=True)
    ]
