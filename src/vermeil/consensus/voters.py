"""Who votes, and documents with their votes as columns, a batch at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from vermeil.columns.held import layers_of
from vermeil.columns.joined import labels_used
from vermeil.columns.span_table import SpanTable
from vermeil.consensus.people.known import META as SETTLED
from vermeil.document import ALTERNATIVES, Document
from vermeil.scope import CONSENSUS_NAME, scope_in
from vermeil.scope import META as SCOPE

BATCH = 500
"""Documents laid out as columns at a time."""

MOST_LAYERS = 30_000
"""Layers of so many documents at the most: hundreds of annotators on each are a lot."""


def voting(
    document: Document,
    annotators: Sequence[str] | None = None,
    name: str = CONSENSUS_NAME,
    *,
    without: Sequence[str] = (),
    alternatives: bool = False,
) -> Document:
    """Keep the layers that vote: the named ones, or all but alternatives and a former consensus.

    Those of ``without`` do not. With ``alternatives``, alternatives vote where their layer does.
    """
    votes = franchise(annotators, name, without=without, alternatives=alternatives)
    return only_voters(document, votes)


def franchise(
    annotators: Sequence[str] | None,
    name: str,
    *,
    without: Sequence[str] = (),
    alternatives: bool = False,
) -> Callable[[str], bool]:
    """Make the rule of ``voting``, to be asked for many documents: whether a layer votes."""

    @cache
    def votes(key: str) -> bool:
        if key == name or key in without:
            return False
        owner = key.removesuffix(ALTERNATIVES)
        if annotators is not None and key in annotators:
            return True
        if owner != key and not (alternatives and votes(owner)):
            return False
        return owner in annotators if annotators is not None else owner != CONSENSUS_NAME

    return votes


def only_voters(document: Document, votes: Callable[[str], bool], *, settled: str = "") -> Document:
    """Leave of a document its text and the layers that vote, and what is settled."""
    voting = {key for key in document.layers if key == settled or votes(key)}
    layers = layers_of(document.layers, voting)
    if layers is document.layers and not (document.standards or document.trees or document.meta):
        return document
    meta = {key: value for key, value in document.meta.items() if settled and key == SETTLED}
    return document.replace(layers=layers, standards={}, trees={}, meta=meta)


def batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Take documents together, BATCH of them or as many as have MOST_LAYERS."""
    batch: list[Document] = []
    n_layers = 0
    for document in documents:
        batch.append(document)
        n_layers += len(document.layers)
        if len(batch) == BATCH or n_layers >= MOST_LAYERS:
            full, batch = batch, []
            n_layers = 0
            yield full
            del full
    if batch:
        yield batch


def tables(documents: Iterable[Document]) -> Iterator[SpanTable]:
    """Lay documents out as columns, a batch at a time."""
    return map(SpanTable.from_documents, batches(documents))


def noting_scope(documents: Iterable[Document], scope: set[tuple[str, str]]) -> Iterator[Document]:
    """Pass documents on, noting what they say of who looked for what."""
    for document in documents:
        for annotator, labels in scope_in(document).items() if SCOPE in document.meta else ():
            scope.update((annotator, label) for label in labels)
        yield document


def noting_labels(documents: Iterable[Document], labels: set[str]) -> Iterator[Document]:
    """Pass documents on, noting the labels that anybody uses."""
    for document in documents:
        for _, used in labels_used([document]):
            labels.update(used)
        yield document


def noting_nests(documents: Iterable[Document], nesting: set[str]) -> Iterator[Document]:
    """Note who has names that overlap each other or have gaps."""
    for document in documents:
        for name, layer in document.layers.items():
            crossed = any(one.end > two.start for one, two in pairwise(layer))
            if crossed or any(span.fragments for span in layer):
                nesting.add(name)
        yield document
