"""Documents as spaCy Docs, and back. No offset moves: tokens are split where a span needs it.

Every layer is a span group of its annotator's name (``doc.spans["anna"]``), with what a spaCy span
has no field for in its ``attrs``; the entities of a Doc (``doc.ents``) are a layer, too.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import Source
from vermeil.verbs.corpus import LOG
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

ENTS = "ents"
CONFIDENCE = "confidence"
"""The extension of spans in which our pipeline component leaves how sure it is."""


@verb
def to_spacy(
    document: Document, nlp: "Language | None" = None, *, layer: str | None = None
) -> "Doc":
    """Make a spaCy Doc of a document: a span group a layer, and ``layer`` as its entities.

    The tokens are those of ``nlp``, or ours without it, split where a span begins or ends inside
    one. Without ``layer``, the only layer there is becomes the entities; of spans that overlap, the
    entities have the longest. Metadata are in ``doc.user_data``.
    """
    from vermeil.formats.kinds.tokens.docbin import doc_of, spacy_types
    from vermeil.text.tokens import tokenise

    if not isinstance(document, Document):
        raise UsageError(f"to_spacy takes one document, not {type(document).__name__}")
    if layer is not None and layer not in document.layers:
        raise UnknownNameError("layer", layer, document.layers)
    if layer is None and len(document.layers) == 1:
        layer = next(iter(document.layers))
    vocabulary = spacy_types("a spaCy Doc").Vocab() if nlp is None else nlp.vocab
    if nlp is None:
        tokens = list(tokenise(document.text, by="fine"))
    else:
        made = nlp.make_doc(document.text)
        tokens = [(each.idx, each.idx + len(each)) for each in made if not each.is_space]
    doc: Doc
    doc, n_inner = doc_of(document, vocabulary, tokens, ents=layer)
    if n_inner:
        LOG.warning("%s: %d overlapping spans are not in doc.ents", document.id, n_inner)
    return doc


@verb
def from_spacy(doc: "Doc", *, id: str | None = None, annotator: str = ENTS) -> Document:
    """Make a document of a spaCy Doc: its span groups as layers, its entities as ``annotator``.

    Entities that are one of the groups, as ``to_spacy`` makes them, are not taken twice. Their
    confidences are those of the extension ``confidence`` where it is set.
    """
    import msgspec

    from vermeil.formats.kinds.tokens.docbin import document_of

    if type(doc).__name__ != "Doc" or not hasattr(doc, "ents"):
        raise UsageError(f"from_spacy takes a spaCy Doc, not {type(doc).__name__}")
    source = Source(Path("the Doc"), annotator, Ledger())
    document = document_of(doc, 1, source)
    if id is not None:
        document = document.replace(id=str(id))
    sure = _confidences(doc)
    name = annotator if annotator in document.layers and annotator not in doc.spans else ENTS
    if not sure or name not in document.layers or name in doc.spans:
        return document
    spans = [
        msgspec.structs.replace(span, confidence=sure.get((span.start, span.end)))
        for span in document.layers[name]
    ]
    return document.with_layer(name, spans)


def _confidences(doc: "Doc") -> dict[tuple[int, int], float]:
    """Read how sure somebody is of entities, by their offsets."""
    from spacy.tokens import Span as SpacySpan

    if not SpacySpan.has_extension(CONFIDENCE):
        return {}
    found: dict[tuple[int, int], Any] = {
        (span.start_char, span.end_char): span._.get(CONFIDENCE) for span in doc.ents
    }
    return {place: float(value) for place, value in found.items() if isinstance(value, float)}
