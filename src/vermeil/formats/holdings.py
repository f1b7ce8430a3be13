"""What files hold, as far as their beginnings tell, and which of them share documents."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import VermeilError
from vermeil.formats import get_format, guess_format, read, to_read
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import stem
from vermeil.formats.files.states import state_of
from vermeil.formats.inputs import Input, files_of, is_several
from vermeil.formats.table import StandOff

N_SEEN, LEAST_SEEN = 20_000, 20
"""Documents that are looked at in all the files of an input, and at least in each of them."""

IN_DOUBT = 50
"""So many times as many are looked at where these do not tell whose work files are."""

NOBODY = "\0"
"""How the annotator of a file is called that names none itself."""

Key = str | tuple[str, int]


class Holding(NamedTuple):
    """What a file was seen to hold.

    ``keys`` are its ids, with a mark of the text where they are only numbers; ``is_all`` tells
    whether the file ended; ``names`` are those of its layers.
    """

    keys: frozenset[Key]
    n: int
    is_numbered: bool
    is_all: bool
    names: frozenset[str] = frozenset()

    @property
    def texts(self) -> "Holding":
        """The same, where an id is shared only with its text."""
        return self._replace(keys=frozenset(key for key in self.keys if isinstance(key, tuple)))


def holdings_of(
    files: Sequence[Input],
    n_files: int,
    texts: Sequence[Input],
    options: Mapping[str, str],
    *,
    in_doubt: bool = False,
) -> list[Holding]:
    """Look at the beginnings of files, of so many; ``texts`` are those they may be about."""
    n_most = max(LEAST_SEEN, N_SEEN * (IN_DOUBT if in_doubt else 1) // n_files)
    held: dict[int, Holding] = {}
    standoff: list[int] = []
    for number, file in enumerate(files):
        if is_several(file):
            held[number] = _of_several(file, n_files, texts, options, in_doubt)
            continue
        row = get_format(file.format or guess_format(file.path))
        own = {key: value for key, value in options.items() if key in row.options}
        if row.read is None:
            standoff.append(number)
        else:
            state = state_of(str(file.path))[1:]
            held[number] = _looked_at(file, n_most, tuple(own.items()), state)
    about = _named_in([files[number] for number in standoff], n_most, texts, options)
    held |= dict(zip(standoff, about, strict=True))
    return [held[number] for number in range(len(files))]


def said_twice(files: Sequence[Input], options: Mapping[str, str]) -> str | None:
    """Name a layer that two files have of one document, as far as their beginnings tell.

    "" says that there is none, so that it makes no difference whether files are annotators or
    pieces of one corpus; None, that one cannot tell: a file has no text or names no annotator, or
    an id is of two texts.
    """
    n_most = max(LEAST_SEEN, N_SEEN * IN_DOUBT // max(1, len(files)))
    marks: dict[str, int] = {}
    said: set[tuple[str, str]] = set()
    for file in files:
        row = None if is_several(file) else get_format(file.format or guess_format(file.path))
        if row is None or row.read is None:
            return None
        own = {key: value for key, value in options.items() if key in row.options}
        n, named = 0, set[str]()
        for document in islice(_beginning(file, own, NOBODY), n_most):
            n += 1
            mark = _mark(document)
            if marks.setdefault(document.id, mark) != mark:
                return None
            for name in set(_names(document)):
                if (document.id, name) in said:
                    return name
                said.add((document.id, name))
                named.add(name)
        if NOBODY in named or (n and not named):
            return None
    return ""


def names_by_file(files: Sequence[Input], holdings: Sequence[Holding]) -> list[str]:
    """Say what documents are called after, where all of them only have numbers: their files."""
    if not all(each.is_numbered for each in holdings if each.n):
        return [""] * len(files)
    stems = [stem(file.path) for file in files]
    if len(set(stems)) < len(stems):
        stems = [f"{file.path.parent.name}/{name}" for file, name in zip(files, stems, strict=True)]
    return [
        name if each.n == 1 and each.is_all else f"{name}/"
        for name, each in zip(stems, holdings, strict=True)
    ]


def links(holdings: Sequence[Holding]) -> list[int]:
    """For each file the files that share a document with it, itself among them, as bits."""
    holders: dict[Key, int] = {}
    for number, each in enumerate(holdings):
        for key in each.keys:
            holders[key] = holders.get(key, 0) | 1 << number
    linked = [1 << number for number in range(len(holdings))]
    for number, each in enumerate(holdings):
        for key in each.keys:
            linked[number] |= holders[key]
    return linked


def connected(linked: Sequence[int]) -> list[list[int]]:
    """Put files that are linked, directly or through others, together; in their order.

    >>> connected([0b011, 0b111, 0b110, 0b1000])
    [[0, 1, 2], [3]]
    """
    groups: list[int] = []
    for mask in linked:
        apart = [group for group in groups if not group & mask]
        for group in groups:
            mask |= group if group & mask else 0
        groups = [*apart, mask]
    groups.sort(key=lambda group: group & -group)
    return [[at for at in range(len(linked)) if group >> at & 1] for group in groups]


def _of_several(
    given: Input,
    n_files: int,
    texts: Sequence[Input],
    options: Mapping[str, str],
    in_doubt: bool,
) -> Holding:
    """Put together what the files of a folder hold, called as they are when they are read."""
    files = files_of(given)
    n_all = n_files * len(files)
    held = holdings_of(files, n_all, texts, options, in_doubt=in_doubt)
    keys: set[Key] = set()
    for name, each in zip(names_by_file(files, held), held, strict=True):
        for key in each.keys:
            keys.add((called_id(key[0], name), key[1]) if isinstance(key, tuple) else key)
    is_numbered = len(files) == 1 and held[0].is_numbered
    return Holding(
        frozenset(keys),
        sum(each.n for each in held),
        is_numbered,
        all(each.is_all for each in held),
    )


def called_id(id: str, name: str) -> str:
    """Call a document that has only a number after its file, as ``names_by_file`` says.

    >>> called_id("1", "a"), called_id("2", "a/"), called_id("PMID-1", "")
    ('a', 'a/2', 'PMID-1')
    """
    return f"{name}{id}" if name.endswith("/") else name or id


@lru_cache(maxsize=4096)
def _looked_at(
    file: Input, n_most: int, options: tuple[tuple[str, str], ...], state: tuple[int, ...]
) -> Holding:
    """Look at the beginning of a file; its ``state`` tells when to look again."""
    marks: dict[str, int] = {}
    names: set[str] = set()
    is_numbered, n = True, 0
    for document in islice(_beginning(file, dict(options)), n_most + 1):
        n += 1
        names.update(_names(document))
        is_numbered = is_numbered and document.id == str(n)
        marks[document.id] = _mark(document)
    keys: set[Key] = set(marks.items())
    return Holding(
        frozenset(keys if is_numbered else keys | marks.keys()),
        *(n, is_numbered, n <= n_most),
        names=frozenset(names),
    )


def _names(document: Document) -> Iterator[str]:
    """Name the layers, standards and trees of a document, alternatives as those they belong to."""
    for said in (document.layers, document.standards, document.trees):
        for name in said:
            yield name.removesuffix(ALTERNATIVES)


def _mark(document: Document) -> int:
    """Tell texts apart that differ in more than white space."""
    return hash("".join(document.text.split()))


def _beginning(
    file: Input, options: Mapping[str, str], annotator: str | None = None
) -> Iterator[Document]:
    """Read what can be read; what is wrong with the file is said when it is read in earnest."""
    try:
        yield from read(
            file.path,
            format=file.format,
            annotator=annotator,
            ledger=Ledger(skip_bad=True),
            options=options,
        )
    except VermeilError:
        return


def _named_in(
    files: Sequence[Input], n_most: int, texts: Sequence[Input], options: Mapping[str, str]
) -> list[Holding]:
    """Find the documents in which files of annotation without text have names, given the texts.

    Texts are read once for all files; without texts, no file is read.
    """
    if not texts:
        return [Holding(frozenset(), 0, False, True) for _ in files]
    said = [_Said(file, options) for file in files]
    paths = [path for each in texts[:1] for path in files_of(each)] if files else []
    documents = chain.from_iterable(_beginning(path, {}) for path in paths)
    for document in islice(documents, n_most):
        bare = Document(id=document.id, text=document.text, meta=document.meta)
        mark = _mark(bare)
        for each in said:
            each.hear(bare, mark)
    return [Holding(frozenset(each.keys), each.n, False, each.n < n_most) for each in said]


class _Said:
    """What a file of annotation without text was seen to say of documents."""

    def __init__(self, file: Input, options: Mapping[str, str]) -> None:
        self.keys: set[Key] = set()
        self.n = 0
        row = get_format(file.format or guess_format(file.path))
        own = {key: value for key, value in options.items() if key in row.options}
        self._standoff: StandOff | None = None
        with suppress(VermeilError):
            _, row, source = to_read(file.path, file.format, "", Ledger(skip_bad=True), own)
            assert row.annotate is not None, "a format without texts annotates"
            self._standoff = row.annotate(source)

    def hear(self, document: Document, mark: int) -> None:
        """Note a document, with the mark of its text, if the file has a name in it."""
        if self._standoff is None:
            return
        try:
            found = self._standoff.added_to(document)
        except VermeilError:
            self._standoff = None
            return
        if found is not None:
            self.n += 1
            if any(found.layers.values()):
                self.keys |= {document.id, (document.id, mark)}
