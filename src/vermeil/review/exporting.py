"""What comes out of a review, at any time: gold, each curator's layer, centroids, the history.

Gold is what was adjudicated; where nothing was, what the one curator who is done says, or all of
them if they say the same. Documents on which finished curators differ are left out until somebody
adjudicates, and counted. Other acceptable spans are in the layer ``gold.alternatives``, or in a
file of their own where the format holds one layer. Comments on a name are its attributes
``comment``; all others are listed in the document's metadata, ``comments``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import Settings
from vermeil.consensus.voters import BATCH
from vermeil.document import ALTERNATIVES, Document, Layer, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import all_formats, get_format, guess_format, write
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing
from vermeil.formats.files.sink import file_name
from vermeil.review.decisions import WHOLE, Work, layers_of
from vermeil.review.disagreements import write_disagreements
from vermeil.review.history import ADJUDICATED, events, works_on
from vermeil.review.store import Store
from vermeil.scoring.agreement import Agreement, agree

GOLD = "gold"
CURATORS = "curators"


def export(
    store: Store,
    path: Path | str,
    *,
    what: str = GOLD,
    format: str | None = None,
    ledger: Ledger | None = None,
    only: str | None = None,
) -> list[Path]:
    """Write ``what`` (see EXPORTS) to ``path`` and return the files that were made.

    A format that holds one layer gets a file for each, with the layer in its name. Of the layers
    of curators, ``only`` that of one of them can be asked for.
    """
    path, ledger = Path(path), ledger or Ledger()
    if what not in EXPORTS:
        raise UnknownNameError("export", what, EXPORTS)
    if what == "disagreements":
        write_disagreements(store, path)
        return [path]
    if what == "history":
        write_history(store, path)
        return [path]
    name = format or guess_format(path, exists=False)
    carries = get_format(name).carries
    if not {"spans", "distributions"} & carries:
        known = ", ".join(writable_formats())
        raise UsageError(f"{path}: {name} holds no names; a review can be written as {known}")

    def documents(notes: Ledger | None = None) -> Iterator[Document]:
        found = _DOCUMENTS[what](store, notes)
        if only is not None:
            found = _of_one(found, only)
        return as_standard(found, what) if "spans" not in carries else found

    if "layers" in carries or "spans" not in carries:
        write(documents(ledger), path, format=name, ledger=ledger)
        return [path]
    layers = sorted({layer for each in documents(ledger) for layer in each.layers})
    if len(layers) < 2:
        write(documents(), path, format=name, ledger=ledger)
        return [path]
    made = []
    for layer in layers:
        target = path if layer in (GOLD, CURATORS) else _beside(path, layer)
        write(documents(), target, format=name, layer=layer, ledger=ledger)
        made.append(target)
    return made


def writable_formats() -> list[str]:
    """Name the formats that can hold names, with or without distributions."""
    return [
        name
        for name, row in all_formats().items()
        if row.write is not None and {"spans", "distributions"} & row.carries
    ]


def gold(store: Store, ledger: Ledger | None = None) -> Iterator[Document]:
    """Yield the documents that are settled, with the layer GOLD and its alternatives."""
    for number, document in store.documents():
        works = {layer: work for layer, (work, done) in works_on(store, number).items() if done}
        if not works:
            continue
        settled = _settled(works)
        if settled is not None:
            yield _commented(_bare(document, _named(GOLD, *settled)), works_on(store, number))
        elif ledger is not None:
            ledger.note("left out", "documents whose curators differ", document.id)


def by_curator(store: Store, ledger: Ledger | None = None) -> Iterator[Document]:
    """Yield the documents somebody has finished, with a layer for each who has, and comments."""
    for number, document in _layered(store):
        yield _commented(document, works_on(store, number))


def standard(store: Store, ledger: Ledger | None = None) -> Iterator[Document]:
    """Yield the documents curators have finished with the centroids of what they say."""
    return as_standard(_without_adjudicated(each for _, each in _layered(store)), CURATORS)


def as_standard(documents: Iterable[Document], name: str) -> Iterator[Document]:
    """Turn layers with alternatives into centroids.

    Each layer has one vote for a name, shared out equally among the spans it finds acceptable.
    """
    stream = iter(documents)
    options = Options(Settings(levels=False), by_confidence=True)  # what is acceptable overlaps
    while batch := list(islice(stream, BATCH)):
        voters = [document.replace(layers=_shared_votes(document)) for document in batch]
        for found in combine(voters, by="centroids", name=f"{name} ", options=options):
            centroids, layer = found.standards[f"{name} "], found.layers[f"{name} "]
            yield found.replace(layers={name: layer}, standards={name: centroids})


def agreement(store: Store) -> Agreement | None:
    """Compare the curators who are done; None where there are not two."""
    documents = list(_without_adjudicated(each for _, each in _layered(store)))
    names = {name for document in documents for name in document.layers}
    if len([name for name in names if not name.endswith(ALTERNATIVES)]) < 2:
        return None
    return agree(documents, leave_one_out=False)


def write_history(store: Store, path: Path) -> None:
    """Write every event, as JSON lines, and after them what was done to the review as a whole."""
    with store.reading() as connection:
        ids = dict(connection.execute("SELECT number, id FROM documents"))
        acts = connection.execute(
            "SELECT time, curator, action, subject FROM acts ORDER BY number"
        ).fetchall()
    with replacing(path) as out:
        for event in events(store):
            row: dict[str, Any] = msgspec.to_builtins(event)
            row["document"] = ids[event.document]
            out.write(msgspec.json.encode(row) + b"\n")
        for time, curator, action, subject in acts:
            of = "document" if action in ("archive", "restore") else "subject"
            row = {"time": time, "curator": curator, "action": action, of: subject}
            out.write(msgspec.json.encode(row) + b"\n")


def _layered(store: Store) -> Iterator[tuple[int, Document]]:
    """Yield the documents somebody has finished with a layer for each who has."""
    for number, document in store.documents():
        layers: dict[str, Layer] = {}
        for curator, (work, done) in works_on(store, number).items():
            if done:
                layers |= _named(curator, *layers_of(work))
        if layers:
            yield number, _bare(document, layers)


def _commented(document: Document, works: dict[str, tuple[Work, bool]]) -> Document:
    """Put the comments of curators on the names they were made on, and all others beside."""
    by_name: dict[tuple[str, Span], list[tuple[str, str]]] = {}
    beside: list[dict[str, Any]] = []
    for curator, (work, _) in works.items():
        layer = curator if curator in document.layers else GOLD
        names = set(document.layers.get(layer, ()))
        for answer in work:
            if not answer.comment:
                continue
            spans = layers_of((answer,))[0]
            if spans and spans[0] in names:
                by_name.setdefault((layer, spans[0]), []).append(("comment", answer.comment))
                continue
            said: dict[str, Any] = {"curator": curator, "comment": answer.comment}
            if answer.place != WHOLE:
                start, end, label = answer.place
                said |= {"start": start, "end": end, "label": label}
            beside.append(said)
    if not by_name and not beside:
        return document
    layers = {
        name: tuple(
            msgspec.structs.replace(span, attributes=tuple(by_name.get((name, span), ())))
            for span in layer
        )
        for name, layer in document.layers.items()
    }
    meta = {**document.meta, "comments": beside} if beside else document.meta
    return document.replace(layers=layers, meta=meta)


def _settled(works: dict[str, Work]) -> tuple[Layer, Layer] | None:
    if ADJUDICATED in works:
        return layers_of(works[ADJUDICATED])
    said = [layers_of(work) for work in works.values()]
    names = said[0][0]
    if any(other != names for other, _ in said):
        return None
    others = {span for _, alternatives in said for span in alternatives} - set(names)
    return names, tuple(others)


def _named(name: str, names: Layer, others: Layer) -> dict[str, Layer]:
    return {name: names, **({name + ALTERNATIVES: others} if others else {})}


def _bare(document: Document, layers: dict[str, Layer]) -> Document:
    return Document(id=document.id, text=document.text, layers=layers, meta=document.meta)


def _without_adjudicated(documents: Iterable[Document]) -> Iterator[Document]:
    left_out = {ADJUDICATED, ADJUDICATED + ALTERNATIVES}
    for document in documents:
        layers = {name: layer for name, layer in document.layers.items() if name not in left_out}
        if layers:
            yield document.replace(layers=layers)


def _of_one(documents: Iterable[Document], curator: str) -> Iterator[Document]:
    for document in documents:
        if curator in document.layers:
            names = {curator, curator + ALTERNATIVES} & document.layers.keys()
            said = [
                each for each in document.meta.get("comments", ()) if each["curator"] == curator
            ]
            yield document.replace(
                layers={name: document.layers[name] for name in sorted(names)},
                meta={**document.meta, "comments": said} if said else _without(document.meta),
            )


def _without(meta: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in meta.items() if name != "comments"}


def _shared_votes(document: Document) -> dict[str, Layer]:
    """Put alternatives into the layer they belong to, each span with its share of the vote."""
    shared: dict[str, Layer] = {}
    for name, layer in document.layers.items():
        if name.endswith(ALTERNATIVES):
            continue
        others = document.alternatives(name)
        spans: list[Span] = []
        for span in layer:
            same = [span, *(each for each in others if _meets(span, each))]
            spans += [msgspec.structs.replace(each, confidence=1 / len(same)) for each in same]
        shared[name] = tuple(spans)
    return shared


def _meets(span: Span, other: Span) -> bool:
    return span.label == other.label and span.start < other.end and other.start < span.end


def _beside(path: Path, layer: str) -> Path:
    layer = layer.removeprefix(f"{GOLD}.")
    stem, dot, suffixes = path.name.partition(".")
    return path.with_name(f"{stem}.{file_name(layer)}{dot}{suffixes}")


_DOCUMENTS: dict[str, Callable[[Store, Ledger | None], Iterator[Document]]] = {
    GOLD: gold,
    CURATORS: by_curator,
    "standard": standard,
}
EXPORTS = {
    GOLD: "the names that are settled, with alternatives",
    CURATORS: "the layer of each curator",
    "standard": "the centroids of the curators",
    "disagreements": "a table of who differs where",
    "history": "every decision, as JSON lines",
}
"""What can be exported."""
