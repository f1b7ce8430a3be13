"""A recogniser that knows what all documents of a corpus say together: a first pass over them.

A cascade that was trained with corpus-wide evidence reads a document by itself as if nothing else
were known of its strings; ``informed`` of a corpus, it judges names by the other documents, too.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.placed_names import Finder
from vermeil.recognise.rescoring.corpus_evidence import CorpusEvidence
from vermeil.recognise.rescoring.features import CORPUS
from vermeil.sequences.tokens.stretches import batches

Found = TypeVar("Found", bound=Finder)


def gather(cascade: Cascade, documents: Iterable[Document]) -> CorpusEvidence:
    """Go through documents once and sum up what they say of strings. Streams."""
    evidence = CorpusEvidence.nothing()
    for batch in batches(documents):
        evidence += cascade.evidence_in([stretch.own for stretch in batch])
    return evidence


def informed(finder: Found, documents: Iterable[Document]) -> Found:
    """Tell a recogniser what documents say together, if it can make anything of it."""
    if isinstance(finder, Cascade) and CORPUS in finder.recipe.evidence:
        return replace(finder, corpus=gather(finder, documents))
    return finder


def corpus_wide(finder: Finder) -> Cascade:
    """Refuse recognisers that were not trained to look at a corpus."""
    if not isinstance(finder, Cascade) or CORPUS not in finder.recipe.evidence:
        raise UsageError(
            "this model was not trained to look at other documents; leave --corpus-wide out, or "
            "train a cascade with --corpus-wide"
        )
    return finder
