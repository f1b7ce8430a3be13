"""What the columns of a table of spans hold, told by their names or said by the user.

Case, spaces and punctuation in names make no difference: ``Start Char``, ``start_char`` and
``startChar`` are the same.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from vermeil.errors import UsageError

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "document": (
        *("document", "doc", "doc_id", "document_id", "doc_name", "document_name", "pmid", "file"),
        *("filename", "article", "article_id", "paper_id", "abstract_id", "text_id"),
        *("passage_id", "sentence_id"),
    ),
    "start": (
        *("start", "begin", "from", "start_offset", "start_char", "span_start", "begin_offset"),
        *("begin_char", "char_start", "offset_start", "start_pos", "start_position", "start_index"),
    ),
    "end": (
        *("end", "stop", "to", "end_offset", "end_char", "span_end", "stop_offset", "stop_char"),
        *("char_end", "offset_end", "end_pos", "end_position", "end_index"),
    ),
    "label": (
        *("label", "type", "entity_type", "entity", "category", "tag", "class", "entity_label"),
        *("entity_class", "semantic_type", "span_label", "annotation_type"),
    ),
    "annotator": (
        *("annotator", "annotator_id", "annotator_name", "annotated_by", "user", "user_id"),
        *("user_name", "worker", "worker_id", "worker_name", "rater", "rater_id", "coder"),
        *("curator", "system", "model", "layer"),
    ),
    "confidence": ("confidence", "score", "probability", "prob", "conf"),
    "mention": (
        *("mention", "mention_text", "span", "span_text", "entity_text", "surface"),
        *("surface_form", "covered_text", "matched_text", "word", "name"),
    ),
    "text": ("text",),
    "whole": (
        *("document_text", "doc_text", "full_text", "sentence", "passage", "context", "abstract"),
        *("sentence_text", "passage_text", "abstract_text", "article_text"),
    ),
}
"""What each column may be called, the likeliest first."""

NAMED: Mapping[str, str] = {
    "document": "document",
    "start": "start",
    "end": "end",
    "label-column": "label",
    "annotator": "annotator",
    "confidence": "confidence",
    "mention": "mention",
    "text": "whole",
}
"""The options by which a user names columns; ``label`` is what spans without one are called."""


def places_of(header: Sequence[str], options: Mapping[str, str] | None = None) -> dict[str, int]:
    """Find what is in which column; what the user said comes first, and must be there.

    >>> places_of(["PMID", "from", "to", "kind"], {"label-column": "Kind"})
    {'label': 3, 'document': 0, 'start': 1, 'end': 2}
    """
    names = list(map(_plain, header))
    found: dict[str, int] = {}
    for option, column in NAMED.items():
        said = (options or {}).get(option, "")
        if said:
            found[column] = _place_of(said, option, header, names)
    for column, aliases in COLUMNS.items():
        free = [name if at not in found.values() else "" for at, name in enumerate(names)]
        at = next((free.index(each) for each in map(_plain, aliases) if each in free), None)
        if at is not None:
            found.setdefault(column, at)
    if "document" not in found and "id" in names:
        found["document"] = names.index("id")
    return found


def missing_column(header: Sequence[str], missing: Iterable[str]) -> str:
    """Say which column there is none of, what it may be called, and how to name it."""
    column = sorted(missing)[0]
    known = ", ".join(COLUMNS[column])
    return (
        f"no column {column!r} among {', '.join(header)!r:.80}; it may be called {known}, or be "
        f"named with -O {column}=NAME"
    )


def _place_of(said: str, option: str, header: Sequence[str], names: Sequence[str]) -> int:
    if said in header:
        return header.index(said)
    if _plain(said) not in names:
        raise UsageError(f"no column {said!r} (-O {option}={said}) among {', '.join(header)!r:.80}")
    return names.index(_plain(said))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())
