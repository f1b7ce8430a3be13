"""What files hold, as far as their beginnings tell, and which of them share documents."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from vermeil.document import Document
from vermeil.errors import VermeilError
from vermeil.formats import get_format, guess_format, read
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import stem
from vermeil.formats.files.states import state_of
from vermeil.formats.inputs import Input, files_of, is_several

N_SEEN, LEAST_SEEN = 20_000, 20
"""Documents that are looked at in all the files of an input, and at least in each of them."""

IN_DOUBT = 50
"""So many times as many are looked at where these do not tell whose work files are."""

Key = str | tuple[str, int]


class Holding(NamedTuple):
    """What a file was seen to hold.

    ``keys`` are its ids, with a mark of the text where they are only numbers; ``is_all`` tells
    whether the file ended.
    """

    keys: frozenset[Key]
    n: int
    is_numbered: bool
    is_all: bool

    @property
    def texts(self) -> "Holding":
        """The same, where an id is shared only with its text."""
        return self._replace(keys=frozenset(key for key in self.keys if isinstance(key, tuple)))


def holding_of(
    file: Input,
    n_files: int,
    texts: Sequence[Input],
    options: Mapping[str, str],
    *,
    in_doubt: bool = False,
) -> Holding:
    """Look at the beginning of a file, one of so many; ``texts`` are those it may be about."""
    if is_several(file):
        return _of_several(file, n_files, texts, options, in_doubt)
    row = get_format(file.format or guess_format(file.path))
    own = {key: value for key, value in options.items() if key in row.options}
    n_most = max(LEAST_SEEN, N_SEEN * (IN_DOUBT if in_doubt else 1) // n_files)
    if row.read is None:
        return _named_in(file, n_most, texts, own)
    return _looked_at(file, n_most, tuple(own.items()), state_of(str(file.path))[1:])


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
    held = [holding_of(each, n_all, texts, options, in_doubt=in_doubt) for each in files]
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
    is_numbered, n = True, 0
    for document in islice(_beginning(file, dict(options)), n_most + 1):
        n += 1
        is_numbered = is_numbered and document.id == str(n)
        marks[document.id] = _mark(document)
    keys: set[Key] = set(marks.items())
    return Holding(
        frozenset(keys if is_numbered else keys | marks.keys()), n, is_numbered, n <= n_most
    )


def _mark(document: Document) -> int:
    """Tell texts apart that differ in more than white space."""
    return hash("".join(document.text.split()))


def _beginning(file: Input, options: Mapping[str, str]) -> Iterator[Document]:
    """Read what can be read; what is wrong with the file is said when it is read in earnest."""
    try:
        yield from read(
            file.path, format=file.format, ledger=Ledger(skip_bad=True), options=options
        )
    except VermeilError:
        return


def _named_in(
    file: Input, n_most: int, texts: Sequence[Input], options: Mapping[str, str]
) -> Holding:
    """Find the documents in which annotation without text has names, given the texts."""
    ids: set[Key] = set()
    n = 0
    for each in texts[:1]:
        bare = (
            Document(id=document.id, text=document.text, meta=document.meta)
            for path in files_of(each)
            for document in _beginning(path, {})
        )
        try:
            found = read(
                file.path,
                format=file.format,
                annotator="",
                documents=islice(bare, n_most),
                ledger=Ledger(skip_bad=True),
                options=options,
            )
            for document in found:
                n += 1
                if any(document.layers.values()):
                    ids |= {document.id, (document.id, _mark(document))}
        except VermeilError:
            break
    return Holding(frozenset(ids), n, False, n < n_most)
