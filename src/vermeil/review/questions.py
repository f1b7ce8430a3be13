"""What the server answers: one function a question, over the store, with plain data in and out.

Nothing here knows of HTTP, so all of it can be called and tested without a server. Each takes the
curator who asks; what it raises is told to the page in one line.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from math import isnan
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import msgspec

from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import all_formats, get_format, guess_format, read
from vermeil.formats.files.ledger import Ledger
from vermeil.review import history
from vermeil.review.decisions import Change, ConflictError, is_one_line
from vermeil.review.desk import labels_of, on_desk
from vermeil.review.exporting import EXPORTS, agreement, export, writable_formats
from vermeil.review.history import ADJUDICATED, Event
from vermeil.review.importing import import_documents
from vermeil.review.learning.memory import account_of, last_event, learning_choice, next_place
from vermeil.review.queue import PAGE, SHOWN, Settled, listed, progress, settled
from vermeil.review.store import Store
from vermeil.review.team.guidance import check_labels, team_labels

NOT_UPLOADED = frozenset({"parquet", "docbin", "brat", "text"})
"""Formats that are folders, or whose small files can hold very large ones."""

LONGEST_KEY = 100

OWN = "own"
"""What everybody may export."""


class SentDecision(msgspec.Struct, forbid_unknown_fields=True):
    """A decision as the page sends it. Undo and redo name no document."""

    key: str
    desk: Literal["review", "adjudicate"]
    action: str
    document: int = 0
    changes: tuple[Change, ...] = ()


def about(store: Store) -> dict[str, Any]:
    """Say what the page should know before anything else."""
    return {
        **_labels(store),
        "has_guidelines": bool(store.setting("guidelines")),
        "formats": writable_formats(),
        "reads": uploadable_formats(),
    }


def _labels(store: Store) -> dict[str, Any]:
    """List the labels with their colours and keys, those of the team first where it has some."""
    agreed = team_labels(store)
    used = [label for label in labels_of(store) if label not in {each.label for each in agreed}]
    # As in the report, colours go by the alphabet; keys go to what is used most.
    colours = {label: number for number, label in enumerate(sorted(labels_of(store)))}
    colours |= {each.label: each.colour for each in agreed}
    names = [each.label for each in agreed] if agreed else used
    keys = {each.key: each.label for each in agreed if each.key}
    if not agreed:
        keys = {str(number + 1): label for number, label in enumerate(used[:9])}
    return {"labels": names, "colours": colours, "keys": keys, "is_closed": bool(agreed)}


def exports_for(is_adjudicator: bool) -> dict[str, str]:
    """List what somebody may export."""
    own = {OWN: "the names that you settled"}
    return {**EXPORTS, **own} if is_adjudicator else own


def is_party(store: Store, curator: str, document: int) -> bool:
    """Tell whether a curator has settled a document, and so has a side in it."""
    work = history.works_on(store, document).get(curator)
    return work is not None and work[1]


def queue_for(store: Store, curator: str, query: Mapping[str, str]) -> dict[str, Any]:
    """List a page of the queue and say how far the curator is."""
    layer = layer_of(curator, query.get("desk", "review"))
    show = query.get("show", "adjudicate" if layer == ADJUDICATED else "open")
    if show not in SHOWN:
        raise UnknownNameError("list", show, SHOWN)
    skip = query.get("skip", "0")
    if not (skip.isascii() and skip.isdigit() and len(skip) < 10):
        raise UsageError("skip takes a number")
    entries = listed(store, layer, show=show, search=query.get("search", ""), skip=int(skip))
    return {"entries": entries, "page": PAGE, "progress": progress(store, layer)}


def learned_from(store: Store, curator: str, number: int) -> dict[str, Any]:
    """Say what was learned, and where the next decision of a curator outside a document is."""
    account = account_of(store)
    is_behind = learning_choice(store).is_on and (
        not account.is_final or account.event < last_event(store)
    )
    place = next_place(store, curator, but=number)
    return {"account": account, "is_behind": is_behind, "next": place}


def document_for(store: Store, curator: str, number: int, desk: str) -> dict[str, Any]:
    """Put a document on the desk; UnknownDocumentError where there is none."""
    return on_desk(store, layer_of(curator, desk), number)


def decide(store: Store, curator: str, decision: SentDecision) -> dict[str, Any]:
    """Record a decision; when this returns it is on disk."""
    if not 0 < len(decision.key) <= LONGEST_KEY:
        raise UsageError(f"a key has 1 to {LONGEST_KEY} characters")
    check_labels(store, decision.changes)
    layer = layer_of(curator, decision.desk)
    who = {"key": decision.key, "curator": curator, "layer": layer}
    if decision.action == history.UNDO:
        event = history.undo(store, **who)
    elif decision.action == history.REDO:
        event = history.redo(store, **who)
    else:
        event = history.record(
            store,
            **who,
            document=decision.document,
            action=decision.action,
            changes=decision.changes,
        )
    return {"event": event.number, "document": event.document, "changes": event.changes}


def history_of(store: Store, curator: str, number: int, desk: str) -> list[Event]:
    """List what happened to a document on this desk."""
    return list(history.events(store, layer=layer_of(curator, desk), document=number))


def agreement_for(store: Store) -> dict[str, Any]:
    """Say how far the curators agree; undefined numbers are null."""
    found = agreement(store)
    if found is None:
        return {"pairs": [], "n_documents": 0}
    return {
        "n_documents": found.n_documents,
        "exact": _defined(found.exact),
        "alpha": _defined(found.alpha),
        "fleiss": _defined(found.fleiss),
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "n_documents": pair.n_documents,
                "exact": _defined(pair.exact.f1),
                "overlap": _defined(pair.overlap.f1),
                "hearts": _defined(pair.hearts.f1),
                "kappa": _defined(pair.kappa),
            }
            for pair in found.pairs
        ],
    }


def export_notes(store: Store) -> Settled:
    """Say how many documents gold would hold, and how many wait for somebody to adjudicate."""
    return settled(store)


def exported(store: Store, curator: str, folder: Path, query: Mapping[str, str]) -> Path:
    """Write an export into ``folder`` and give the one file to send: several are zipped."""
    what, format = query.get("what", "gold"), query.get("format", "jsonl")
    known = exports_for(True)
    if what not in known:
        raise UnknownNameError("export", what, known)
    if format not in writable_formats():
        raise UnknownNameError("format", format, writable_formats())
    row = get_format(format)
    suffix = {"disagreements": ".tsv", "history": ".jsonl"}.get(what)
    inside = folder / "files"
    inside.mkdir()
    if suffix is None:
        suffix = "" if row.folder else row.suffixes[0]
    target = inside / f"{what}{suffix}"
    if what == OWN:
        made = export(store, target, what="curators", format=format, only=curator)
    else:
        made = export(store, target, what=what, format=format)
    if len(made) == 1 and made[0].is_file():
        return made[0]
    return Path(shutil.make_archive(str(folder / what), "zip", inside))


def uploadable_formats() -> list[str]:
    """Name the formats that can be sent to the page in one file."""
    return [
        name
        for name, row in all_formats().items()
        if (row.read or row.annotate) and name not in NOT_UPLOADED
    ]


def suffix_of(name: str) -> str:
    """Find the suffix of a file's name where a format has it; nothing else of the name is used.

    >>> suffix_of("../../etc/run1.bioc.xml"), suffix_of("run.jsonl.gz"), suffix_of("a.exe")
    ('.bioc.xml', '', '')
    """
    known = {suffix for row in all_formats().values() for suffix in row.suffixes}
    fitting = [suffix for suffix in known if name.lower().endswith(suffix)]
    return max(fitting, key=len, default="")


def imported(store: Store, upload: Path, query: Mapping[str, str], most: int) -> dict[str, Any]:
    """Bring in an uploaded file of up to ``most`` documents, all of it or nothing.

    Stand-off formats annotate the texts under review.
    """
    format = query.get("format") or guess_format(upload)
    if format not in uploadable_formats():
        raise UnknownNameError("format to upload", format, uploadable_formats())
    annotator = query.get("annotator", "").strip()
    if not 0 < len(annotator) <= LONGEST_KEY or not is_one_line(annotator):
        raise UsageError(
            f"say whose annotation this is, in up to {LONGEST_KEY} characters on one line"
        )
    texts = (Document(id=each.id, text=each.text) for _, each in store.documents())
    ledger = Ledger()
    with one_import():
        found = read(upload, format=format, annotator=annotator, documents=texts, ledger=ledger)
        few = list(islice(_named(found, annotator), most + 1))
        if len(few) > most:
            raise UsageError(
                f"an upload has up to {most:,} documents; the owner of the review can add more "
                "with: vermeil review FILE IN…"
            )
        done = import_documents(store, few)
    return {**msgspec.to_builtins(_as_dict(done)), "notes": ledger.summary()}


@contextmanager
def one_import() -> Iterator[None]:
    """Let one at a time change what is under review."""
    if not _IMPORTING.acquire(blocking=False):
        raise ConflictError("another import is at work; try again when it is done")
    try:
        yield
    finally:
        _IMPORTING.release()


def layer_of(curator: str, desk: str) -> str:
    """Name the layer on which a curator works at a desk."""
    if desk not in ("review", "adjudicate"):
        raise UnknownNameError("desk", desk, ("review", "adjudicate"))
    return ADJUDICATED if desk == "adjudicate" else curator


def _named(documents: Iterator[Document], annotator: str) -> Iterator[Document]:
    """Call the only layer of a document what the curator called it."""
    for document in documents:
        if len(document.layers) == 1:
            [layer] = document.layers.values()
            document = document.replace(layers={annotator: layer})
        yield document


def _as_dict(done: Any) -> dict[str, Any]:
    return {name: getattr(done, name) for name in done.__slots__}


def _defined(value: float) -> float | None:
    return None if isnan(value) else value


_IMPORTING = Lock()
