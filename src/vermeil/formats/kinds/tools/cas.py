"""UIMA CAS, as INCEpTION exports it: XMI with its type system beside, or JSON with it inside.

Files of one annotator on one document, and folders of them, as for WebAnno TSV (see
``annotator_files``). ``TypeSystem.xml`` is looked for beside an XMI and in the folders above it up
to that of the corpus; without it the types of DKPro are known, and annotations of others are left
out and counted. Which feature of an annotation is the label is as in ``webanno``; tokens,
sentences, parts of speech, metadata and relations are passed over.

Read and written by dkpro-cassis (extra: inception), INCEpTION's own library, after a look of our
own at the XML, which must not declare entities. Writing: named entities with identifiers.
"""

import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from vermeil.document import Document, Layer, Span
from vermeil.errors import FormatError, MissingExtraError
from vermeil.formats.files.safe_xml import walk
from vermeil.formats.files.sink import Sink
from vermeil.formats.files.source import Source, json_keys
from vermeil.formats.kinds.literature.pubtator import join_ids
from vermeil.formats.kinds.tools.annotator_files import read_all, write_all
from vermeil.formats.kinds.tools.webanno import is_syntax, labelled

CARRIES_JSON = frozenset(
    {"text", "line breaks", "control", "spans", "layers", "abstention", "labels", "any label"}
    | {"nested", "edges", "ids", "offsets"}
)
CARRIES_XML = CARRIES_JSON - {"control"}
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
TYPES = "TypeSystem.xml"

_OTHERS = ("uima.", "DocumentMetaData", "TagsetDescription", "TagDescription")


def read_xml(source: Source) -> Iterator[Document]:
    """Yield the documents of a file or folder of XMI."""
    return read_all(source, ".xmi", _read_xmi)


def read_json(source: Source) -> Iterator[Document]:
    """Yield the documents of a file or folder of JSON CAS."""
    return read_all(source, ".json", _read_json)


def write_xml(documents: Iterable[Document], sink: Sink) -> None:
    """Write a folder a document, in it an XMI a layer, and the type system beside them."""
    types = _types()
    (sink.folder / TYPES).write_text(types.to_xml(), encoding="utf-8")
    write_all(documents, sink, ".xmi", lambda *given: bytes(_cas(*given).to_xmi().encode()))


def write_json(documents: Iterable[Document], sink: Sink) -> None:
    """Write a folder a document, in it a JSON CAS a layer."""
    write_all(documents, sink, ".json", lambda *given: bytes(_cas(*given).to_json().encode()))


def sniff_xml(head: str) -> bool:
    """Tell whether a file that begins like this is XMI of UIMA."""
    is_xmi = "<xmi:XMI" in head and "/uima/cas.ecore" in head
    return is_xmi and head.lstrip().startswith("<")


def sniff_json(head: str) -> bool:
    """Tell whether a file that begins like this is JSON CAS."""
    return "%FEATURE_STRUCTURES" in json_keys(head) or head.lstrip()[:60].find('"%TYPES"') > 0


def _read_xmi(source: Source) -> tuple[str, Layer]:
    for _ in walk(source):
        pass  # what is not safe to read is refused before the library reads it
    cassis = _cassis()
    with _library(source), source.binary() as stream:
        types = _beside(source) or _dkpro()
        cas = cassis.load_cas_from_xmi(io.BytesIO(stream.read()), typesystem=types, lenient=True)
        return _understood(cas, source)


def _read_json(source: Source) -> tuple[str, Layer]:
    cassis = _cassis()
    text = source.text()
    with _library(source):
        return _understood(cassis.load_cas_from_json(text), source)


def _beside(source: Source) -> Any:
    """Load the type system beside a file, or in the nearest folder above; None where is none."""
    for folder in list(source.path.parents)[:3]:
        path = folder / TYPES
        if path.is_file():
            member = source.member(path)
            for _ in walk(member):
                pass
            return _loaded(member.text())
    return None


@lru_cache(maxsize=8)
def _loaded(types: str) -> Any:
    """Load a type system, once for all the files beside it."""
    return _cassis().load_typesystem(io.BytesIO(types.encode()))


@contextmanager
def _library(source: Source) -> Iterator[None]:
    """Turn what the library raises into one line, and what it warns of into notes."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            yield
        except FormatError:
            raise
        except Exception as error:  # the library checks little, and its errors have no base
            said = str(error) or type(error).__name__
            raise source.error(None, f"not readable as UIMA CAS: {said:.200}") from error
    for each in heard:
        what = "annotations of types that no type system declares"
        source.ledger.note("dropped", what, source.where(), detail=str(each.message)[:80])


def _understood(cas: Any, source: Source) -> tuple[str, Layer]:
    text = cas.sofa_string
    if not isinstance(text, str):
        raise source.error(None, "holds no text")
    spans = []
    for each in cas.select_all_annotations():
        name = each.type.name
        if is_syntax(name) or any(part in name for part in _OTHERS) or not hasattr(each, "begin"):
            continue
        features = {feature.name: getattr(each, feature.name) for feature in each.type.all_features}
        if "Governor" in features or "Dependent" in features:
            source.ledger.note("dropped", "relations and chains", source.where())
            continue
        start, end = each.begin, each.end
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
            if start == end:
                source.ledger.note("dropped", "spans of no character", source.where())
                continue
            raise source.error(None, f"offsets {start}-{end} are not in the text")
        said = {
            key: value if isinstance(value, str) else str(value)
            for key, value in features.items()
            if key not in ("begin", "end", "sofa") and isinstance(value, str | int | float | bool)
        }
        label, ids, attributes = labelled(name.rpartition(".")[2], said)
        spans.append(Span(start, end, label, ids=ids, attributes=attributes))
    return text, tuple(spans)


@cache
def _dkpro() -> Any:
    return _cassis().load_dkpro_core_typesystem()


@cache
def _types() -> Any:
    cassis = _cassis()
    types = cassis.TypeSystem()
    entity = types.create_type(name=ENTITY, supertypeName="uima.tcas.Annotation")
    for feature in ("value", "identifier"):
        types.create_feature(domainType=entity, name=feature, rangeType="uima.cas.String")
    return types


def _cas(document: Document, layer: Layer) -> Any:
    cassis, types = _cassis(), _types()
    cas = cassis.Cas(typesystem=types)
    cas.sofa_string, cas.sofa_mime = document.text, "text/plain"
    entity = types.get_type(ENTITY)
    for span in layer:
        ids = join_ids(span.ids) if span.ids else None
        cas.add(entity(begin=span.start, end=span.end, value=span.label, identifier=ids))
    return cas


def _cassis() -> Any:
    try:
        import cassis
    except ImportError:
        raise MissingExtraError("UIMA CAS", "dkpro-cassis") from None
    return cassis
