"""Several files about the same texts, read as one stream of documents with all their layers.

Documents are brought together by id. The first input that has a document supplies its text;
texts that differ from it only in white space are aligned exactly by their other characters.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vermeil.document import ALTERNATIVES, Centroid, Document
from vermeil.errors import AlignmentError, UsageError
from vermeil.formats import get_format, guess_format, read, to_read
from vermeil.formats.arranging import called, rows_of
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.open_files import allow
from vermeil.formats.files.seen_ids import refusing_twins
from vermeil.formats.files.states import states_of, unchanged
from vermeil.formats.input_options import options_by_input
from vermeil.formats.inputs import Input, files_of
from vermeil.formats.known import file_annotator
from vermeil.formats.labels import Labels
from vermeil.formats.standoff import NewLayer, annotated
from vermeil.shown import Brief

if TYPE_CHECKING:
    from vermeil.text.alignment import Alignment

_KEYED = ("layers", "standards", "trees")

LEAST_ALIKE = 0.5
"""Share of their characters that two texts must have in common to be versions of one document."""


@dataclass(frozen=True, slots=True, repr=False)
class CorpusFiles(Brief):
    """Files, and how their documents are read: any number of times, each time as a stream.

    What is ``written`` into their folders meanwhile changes nothing.
    """

    inputs: Sequence[Input]
    text: Input | None = None
    fuzzy: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    labels: Labels = field(default_factory=Labels)
    in_columns: bool = False
    written: Collection[Path] = ()

    def read(self, ledger: Ledger) -> Iterator[Document]:
        """Read the documents from the first on, noting in ``ledger`` what had to be mended.

        Inputs that are sets of files are read file by file, those with the same documents side by
        side.
        """
        rows = rows_of(self.inputs, self.text, self.options)
        streams = (
            called(
                read_corpus(
                    row.inputs,
                    text=row.text,
                    fuzzy=self.fuzzy,
                    ledger=ledger,
                    options=self.options,
                    in_columns=self.in_columns,
                ),
                row.called,
            )
            for row in rows
        )
        # What is wrong with the first files is said now, not when their documents are asked for.
        before = states_of(self.paths(), self.written)
        every = chain(next(streams, ()), chain.from_iterable(streams))
        documents = unchanged(every, before, self.written)
        unique = refusing_twins(documents, self.inputs[0].path) if rows[1:] else documents
        return self.labels.apply(unique, ledger, are_all=True)

    def paths(self) -> list[Path]:
        """List the files and folders that are read."""
        given = [self.text, *self.inputs] if self.text else self.inputs
        return [each.path for one in given for each in files_of(one)]


def read_corpus(
    inputs: Sequence[Input],
    *,
    text: Input | None = None,
    fuzzy: bool = False,
    ledger: Ledger | None = None,
    options: Mapping[str, str] | None = None,
    in_columns: bool = False,
) -> Iterator[Document]:
    """Yield each document once, with the layers of all inputs.

    Stand-off inputs annotate the documents of ``text`` and of the inputs that hold texts. A
    document waits in memory until every input has delivered it or ended, so inputs in the same
    order stream. With ``fuzzy``, offsets are carried across small edits between two texts, and
    what could not be carried is noted in ``ledger``. ``options`` go to every format that has
    them; one that no format has is an error. An option called ``NAME:option`` goes to the input of
    that name only, and wins. Only what need not be brought together is read ``in_columns``.
    """
    ledger = ledger or Ledger()
    note_called(inputs, ledger)
    sets = [(each, _told(each)) for each in inputs]
    with_text = [(each, files) for each, files in sets if get_format(_kind(files)).read]
    standoff = [(each, files) for each, files in sets if not get_format(_kind(files)).read]
    if text is not None:
        with_text.insert(0, (text, _told(text)))
    if not with_text:
        each, files = sets[0]
        raise UsageError(
            f"{each.path}: {_kind(files)} holds annotation without text; say where the texts are "
            "with --text PATH"
        )
    rows = [(each, [str(file.format) for file in files]) for each, files in with_text + standoff]
    chosen = options_by_input(rows, options or {})
    alone = in_columns and len(sets) == 1 and text is None
    streams = [
        _noted_if_empty(
            renamed(_one_after_the_other(files, ledger, own, in_columns=alone), each), each, ledger
        )
        for (each, files), own in zip(with_text, chosen, strict=False)
    ]
    paths = [each.path for each, _ in with_text]
    documents = merge(streams, paths, fuzzy=fuzzy, ledger=ledger) if streams[1:] else streams[0]
    found = zip(standoff, chosen[len(with_text) :], strict=True)
    # All are checked before the first is read.
    readers = [_reader_of_layer(each, files, ledger, own) for (each, files), own in found]
    return annotated(documents, (reader() for reader in readers)) if readers else documents


def note_called(inputs: Sequence[Input], ledger: Ledger) -> None:
    """Note the annotators who are called after their files, though these call them otherwise."""
    for each in inputs:
        if each.all_called:
            what = f"layers {each.all_called!r} after their files, which hold the same documents"
            ledger.note("called", what, str(each.path), detail=str(each.annotator))


def _reader_of_layer(
    given: Input,
    files: Sequence[Input],
    ledger: Ledger,
    options: Mapping[str, Mapping[str, str]],
) -> Callable[[], NewLayer]:
    """Return what reads the one file of an input that is annotation without text."""
    if len(files) > 1:
        raise UsageError(
            f"{given.path}: annotation without text in {len(files)} files, and texts that do "
            "not come in as many; put its files together in one"
        )
    path, name = files[0].path, _kind(files)
    whose = given.annotator or given.within
    _, row, source = to_read(path, name, whose, ledger, options[name])
    assert row.annotate is not None, "a format without texts annotates"
    return partial(NewLayer, row.annotate, source, whose or file_annotator(given.path))


def _told(given: Input) -> tuple[Input, ...]:
    """List the files of an input, each with its format."""
    return tuple(
        replace(each, format=each.format or guess_format(each.path)) for each in files_of(given)
    )


def _kind(files: Sequence[Input]) -> str:
    return str(files[0].format)


def _one_after_the_other(
    files: Sequence[Input],
    ledger: Ledger,
    options: Mapping[str, Mapping[str, str]],
    *,
    in_columns: bool,
) -> Iterator[Document]:
    """Read the files of an input; what is wrong with the first is said at once."""
    streams = (
        read(
            each.path,
            format=each.format,
            annotator=each.annotator or each.within,
            ledger=ledger,
            options=options[str(each.format)],
            in_columns=in_columns,
        )
        for each in files
    )
    return chain(next(streams), chain.from_iterable(streams))


def _noted_if_empty(
    documents: Iterator[Document], given: Input, ledger: Ledger
) -> Iterator[Document]:
    """Pass documents on; say that there was none."""
    is_empty = True
    for document in documents:
        is_empty = False
        yield document
    if is_empty:
        ledger.note("found", "inputs that hold no document", str(given.path))


def merge(
    streams: Sequence[Iterator[Document]],
    names: Sequence[Path | str],
    *,
    fuzzy: bool = False,
    ledger: Ledger | None = None,
) -> Iterator[Document]:
    """Bring the documents of several streams together by id.

    They come in the order of the first stream; what only later streams have comes after it.
    """
    ledger = ledger or Ledger()
    allow(len(streams))
    queues = [_Queue(stream, name) for stream, name in zip(streams, names, strict=True)]
    for number, queue in enumerate(queues):
        while (document := queue.next()) is not None:
            found = {number: document}
            for later in range(number + 1, len(queues)):
                other = queues[later].take(document.id)
                if other is not None:
                    found[later] = other
            yield _combined(found, names, fuzzy, ledger)


class _Queue:
    """A stream of documents that can be asked for one by id; what it passes over waits."""

    def __init__(self, stream: Iterator[Document], name: Path | str) -> None:
        self._stream, self._name = stream, name
        self._waiting: dict[str, Document] = {}
        self._ids: set[str] = set()

    def next(self) -> Document | None:
        if self._waiting:
            return self._waiting.pop(next(iter(self._waiting)))
        return self._read()

    def take(self, id: str) -> Document | None:
        if id in self._waiting:
            return self._waiting.pop(id)
        while id not in self._ids and (document := self._read()) is not None:
            if document.id == id:
                return document
            self._waiting[document.id] = document
        return None

    def _read(self) -> Document | None:
        document = next(self._stream, None)
        if document is not None:
            if document.id in self._ids:
                raise UsageError(
                    f"{self._name}: two documents are called {document.id!r}, so inputs cannot be "
                    "brought together by id; rename or remove one"
                )
            self._ids.add(document.id)
        return document


def _combined(
    parts: dict[int, Document], names: Sequence[Path | str], fuzzy: bool, ledger: Ledger
) -> Document:
    first, *others = sorted(parts)
    if not others:
        return parts[first]
    joined = _Joined(parts[first])
    for number in others:
        joined.add(parts[number], names[number], fuzzy, ledger)
    return joined.document()


class _Joined:
    """What several inputs say of one document, gathered: hundreds of them may say something."""

    def __init__(self, base: Document) -> None:
        self._base, self._meta = base, base.meta
        self._said = {field: dict(getattr(base, field)) for field in _KEYED}

    def add(self, other: Document, name: Path | str, fuzzy: bool, ledger: Ledger) -> None:
        """Add what the next input says; the text is that of the first that has one."""
        base, said = self._base, self._said
        clash = [key for field in _KEYED for key in getattr(other, field) if key in said[field]]
        if clash:
            raise UsageError(
                f"{name}: document {base.id!r} has a layer {clash[0]!r} already; give the inputs "
                "different names, as in a=one.jsonl b=two.jsonl"
            )
        if not base.text and not said["layers"]:
            self._base, self._meta = other, {**other.meta, **self._meta}
            self._said = {field: {**getattr(other, field), **said[field]} for field in _KEYED}
            return
        if other.text != base.text and (other.text or other.layers):
            other = _carried(other, base, name, fuzzy, ledger)
        self._meta = {**other.meta, **self._meta}
        for kind in _KEYED:
            said[kind].update(getattr(other, kind))

    def document(self) -> Document:
        """Return all of it."""
        return self._base.replace(meta=self._meta, **self._said)


def _carried(
    document: Document, onto: Document, name: Path | str, fuzzy: bool, ledger: Ledger
) -> Document:
    """Move everything said about a text onto another version of it."""
    from vermeil.text.alignment import align

    try:
        alignment = align(document.text, onto.text, fuzzy=fuzzy)
    except AlignmentError as error:
        raise AlignmentError(
            f"{name}: document {document.id!r} has another text here: {error}; "
            "ask for it with --align fuzzy"
        ) from error
    if alignment.likeness < LEAST_ALIKE:
        raise AlignmentError(
            f"{name}: document {document.id!r} has another text here, of which only "
            f"{alignment.likeness:.0%} is the same: {document.text[:30]!r}, not {onto.text[:30]!r}"
        )
    layers = {}
    for annotator, layer in document.layers.items():
        moved = [alignment.carry_span(span) for span in layer]
        for span, there in zip(layer, moved, strict=True):
            if there is None:
                marked = span.marked(document.text)
                where = f"{name}: {document.id}"
                ledger.note("dropped", "spans that could not be carried", where, detail=marked)
        layers[annotator] = tuple(span for span in moved if span)
    standards = {}
    for annotator, standard in document.standards.items():
        hearts = [_carried_centroid(centroid, alignment) for centroid in standard]
        lost = hearts.count(None)
        if lost:
            where = f"{name}: {document.id}"
            ledger.note("dropped", "centroids that could not be carried", where, n=lost)
        standards[annotator] = tuple(heart for heart in hearts if heart)
    meta = {key: value for key, value in document.meta.items() if key != "sections"}
    return document.replace(text=onto.text, layers=layers, standards=standards, meta=meta)


def _carried_centroid(centroid: Centroid, alignment: "Alignment") -> Centroid | None:
    heart = alignment.carry(centroid.start, centroid.end)
    if heart is None:
        return None
    left = [(alignment.carry(at, centroid.end), value) for at, value in centroid.left]
    right = [(alignment.carry(centroid.start, at), value) for at, value in centroid.right]
    pairs = [(alignment.carry(first, last), value) for first, last, value in centroid.pairs]
    if any(place is None for place, _ in left + right + pairs):
        return None
    return msgspec.structs.replace(
        centroid,
        start=heart[0],
        end=heart[1],
        left=tuple((place[0], value) for place, value in left if place),
        right=tuple((place[1], value) for place, value in right if place),
        pairs=tuple((*place, value) for place, value in pairs if place),
    )


def renamed(documents: Iterator[Document], given: Input) -> Iterator[Document]:
    """Call the one layer of an input, and its alternatives, by the name the user gave it."""
    name = given.annotator
    if name is None:
        yield from documents
        return
    only: str | None = None
    for document in documents:
        for key in (key for kind in _KEYED for key in getattr(document, kind)):
            key = key.removesuffix(ALTERNATIVES)
            only = only or key
            if key != only:
                raise UsageError(
                    f"{given.path}: holds several layers ({only!r}, {key!r}) and names them "
                    f"itself; leave {name}= off"
                )
        if only in (None, name):
            yield document
        else:
            changes = {
                kind: {name + key.removeprefix(only): value for key, value in held.items()}
                for kind in _KEYED
                if (held := getattr(document, kind))
            }
            yield document.replace(**changes)
