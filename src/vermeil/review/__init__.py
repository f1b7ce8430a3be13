"""The curators' review page: a local web page on one SQLite file, where disputes are settled.

``store`` holds documents and decisions, ``importing`` fills it, ``queue`` says what to look at
first, ``decisions`` says what a decision does, ``history`` records it for good, ``exporting`` makes
gold, ``server`` shows all of it in a browser.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.review.decisions import Answer, Change, ConflictError, Name
    from vermeil.review.disagreements import write_disagreements
    from vermeil.review.exporting import EXPORTS, agreement, by_curator, export, gold, standard
    from vermeil.review.history import ADJUDICATED, Event, events, record, redo, undo
    from vermeil.review.importing import Imported, import_documents
    from vermeil.review.queue import LayerProgress, QueueEntry, listed, progress
    from vermeil.review.store import Store, UnknownDocumentError
    from vermeil.review.web.server import serve

__all__ = [
    "ADJUDICATED",
    "EXPORTS",
    "Answer",
    "Change",
    "ConflictError",
    "Event",
    "Imported",
    "LayerProgress",
    "Name",
    "QueueEntry",
    "Store",
    "UnknownDocumentError",
    "agreement",
    "by_curator",
    "events",
    "export",
    "gold",
    "import_documents",
    "listed",
    "progress",
    "record",
    "redo",
    "serve",
    "standard",
    "undo",
    "write_disagreements",
]

__getattr__ = _lazily(__name__)
