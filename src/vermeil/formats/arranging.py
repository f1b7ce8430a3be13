"""Which files are annotators of the same documents, and which are pieces of one corpus.

What is in files decides, not how they were named to us: files that share documents are annotators,
files that share none are shards. Whether they do is told by the ids at their beginnings, all of
them in corpora of ordinary size. Ids that only count the documents of a file (1, 2, 3, …) are no
names: two such files share a document where they have the same text under the same number, and
shards of them call their documents after the file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from vermeil.document import Document
from vermeil.errors import UsageError, VermeilError
from vermeil.formats import get_format, guess_format, read
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.source import stem
from vermeil.formats.files.streams import is_stream
from vermeil.formats.inputs import Input, files_of, is_several

N_SEEN, LEAST_SEEN = 20_000, 20
"""Documents that are looked at in all the files of an input, and at least in each of them."""

_Key = str | tuple[str, int]


class Row(NamedTuple):
    """Files that are read together, document by document; one for each input that has part in it.

    ``called`` renames documents that are only numbered: ``"a"`` is the name of the only one,
    ``"a/"`` comes before the number of each.
    """

    inputs: tuple[Input, ...]
    text: Input | None = None
    called: str = ""


def arranged(
    inputs: Sequence[Input],
    text: Input | None = None,
    options: Mapping[str, str] | None = None,
) -> tuple[Input, ...]:
    """Put a folder or pattern whose files are annotators apart into these files.

    Refuse one in which some files share documents and others do not, showing which.
    """
    texts = [*([text] if text else ()), *(each for each in inputs if not is_several(each))]
    return tuple(file for each in inputs for file in _annotators(each, texts, options or {}))


def rows_of(
    inputs: Sequence[Input],
    text: Input | None = None,
    options: Mapping[str, str] | None = None,
) -> list[Row]:
    """List the files of inputs that belong together, as far apart as their documents allow.

    Shards of several inputs that hold the same documents make a row. Where they do not match, as
    with a folder beside a single file, all is one row, in which the files of an input are read one
    after the other.
    """
    settled = options or {}
    given = arranged(inputs, text, settled)
    if not any(is_several(each) for each in (*given, *([text] if text else ()))):
        return [Row(given, text)]
    if text is None and len(given) == 1:
        files = files_of(given[0])
        return [Row((file,), None, name) for file, name in _named(files, settled)]
    return _matched(given, text, settled)


def called(documents: Iterable[Document], name: str) -> Iterator[Document]:
    """Call documents as a row says."""
    for document in documents:
        id = f"{name}{document.id}" if name.endswith("/") else name
        yield document.replace(id=id) if name else document


class _Seen(NamedTuple):
    """What a file was seen to hold.

    ``keys`` are its ids, with a mark of the text where they are only numbers; ``is_all`` tells
    whether the file ended.
    """

    keys: frozenset[_Key]
    n: int
    is_numbered: bool
    is_all: bool


def _annotators(
    given: Input, texts: Sequence[Input], options: Mapping[str, str]
) -> tuple[Input, ...]:
    """Return the files of an input if they are annotators, the input itself if it is one corpus."""
    if not is_several(given):
        return (given,)
    files = files_of(given)
    if len(files) < 2:
        return (given,)
    beside = [*texts, *(each for each in files if get_format(str(each.format)).read)]
    linked = _links([_seen(each, len(files), beside, options) for each in files])
    everyone = (1 << len(files)) - 1
    if all(mask == 1 << number for number, mask in enumerate(linked)):
        return (given,)
    if all(get_format(each.format or "").updates for each in files):
        raise UsageError(
            f"{given.path}: {_two_of(files, linked, True)} hold the same articles, as updates do; "
            "read the folder as a whole with --from pubmed"
        )
    if any(mask != everyone for mask in linked):
        raise UsageError(
            f"{given.path}: {_two_of(files, linked, True)} hold the same documents, "
            f"{_two_of(files, linked, False)} do not: are they annotators, or pieces of one "
            "corpus? name each file, or the files of each annotator: anna='anna-*.jsonl' "
            "ben='ben-*.jsonl'"
        )
    if given.annotator is not None:
        raise UsageError(
            f"{given.path}: {_two_of(files, linked, True)} hold the same documents, so they are "
            f"several annotators; leave {given.annotator}= off"
        )
    return tuple(Input(each.path, None, each.format) for each in files)


def _two_of(files: Sequence[Input], linked: Sequence[int], share: bool) -> str:
    """Name the first two files that share documents, or do not."""
    first, second = next(
        (one, other)
        for one in range(len(files))
        for other in range(one + 1, len(files))
        if bool(linked[one] >> other & 1) is share
    )
    return f"{files[first].path.name} and {files[second].path.name}"


def _links(seen: Sequence[_Seen]) -> list[int]:
    """For each file the files that share a document with it, itself among them, as bits."""
    holders: dict[_Key, int] = {}
    for number, each in enumerate(seen):
        for key in each.keys:
            holders[key] = holders.get(key, 0) | 1 << number
    linked = [1 << number for number in range(len(seen))]
    for number, each in enumerate(seen):
        for key in each.keys:
            linked[number] |= holders[key]
    return linked


def _named(files: Sequence[Input], options: Mapping[str, str]) -> Iterator[tuple[Input, str]]:
    """Call the documents of shards after their files where all of them only have numbers."""
    seen = [_seen(each, len(files), (), options) for each in files]
    is_numbered = all(each.is_numbered for each in seen if each.n)
    for file, each in zip(files, seen, strict=True):
        name = stem(file.path)
        only = each.n == 1 and each.is_all
        yield file, (name if only else f"{name}/") if is_numbered else ""


def _matched(given: Sequence[Input], text: Input | None, options: Mapping[str, str]) -> list[Row]:
    """Make a row of the files that hold the same documents, or one row of all there are."""
    everything = [Row(tuple(given), text)]
    inputs = [text, *given] if text else list(given)
    if any(is_stream(each.path) for each in inputs):
        return everything
    files = [(number, file) for number, each in enumerate(inputs) for file in files_of(each)]
    texts = [each for each in inputs if get_format(each.format or _format_of(each)).read]
    seen = [_seen(file, len(files), texts, options) for _, file in files]
    groups = _connected(_links(seen))
    rows = [[files[place] for place in group] for group in groups]
    if any(len({number for number, _ in row}) < len(row) for row in rows):
        return everything
    if not all(each.is_all for each in seen) and any(len(row) < len(inputs) for row in rows):
        return everything
    made = []
    for row in rows:
        by_input = dict(row)
        beside = by_input.pop(0, None) if text else None
        if not by_input or (text and beside is None):
            return everything
        made.append(Row(tuple(by_input.values()), beside))
    return made


def _format_of(given: Input) -> str:
    return files_of(given)[0].format or guess_format(given.path)


def _connected(linked: Sequence[int]) -> list[list[int]]:
    """Put files that are linked, directly or through others, together; in their order."""
    groups: list[int] = []
    for mask in linked:
        apart = [group for group in groups if not group & mask]
        for group in groups:
            mask |= group if group & mask else 0
        groups = [*apart, mask]
    groups.sort(key=lambda group: group & -group)
    return [[at for at in range(len(linked)) if group >> at & 1] for group in groups]


def _seen(file: Input, n_files: int, texts: Sequence[Input], options: Mapping[str, str]) -> _Seen:
    row = get_format(file.format or guess_format(file.path))
    own = {key: value for key, value in options.items() if key in row.options}
    n_most = max(LEAST_SEEN, N_SEEN // n_files)
    if row.read is None:
        return _named_in(file, n_most, texts, own)
    stat = file.path.stat()
    return _looked_at(file, n_most, tuple(own.items()), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4096)
def _looked_at(
    file: Input, n_most: int, options: tuple[tuple[str, str], ...], changed: int, size: int
) -> _Seen:
    """Look at the beginning of a file; ``changed`` and ``size`` tell when to look again."""
    marks: dict[str, int] = {}
    is_numbered, n = True, 0
    for document in islice(_beginning(file, dict(options)), n_most + 1):
        n += 1
        is_numbered = is_numbered and document.id == str(n)
        marks[document.id] = _mark(document)
    keys: set[_Key] = set(marks.items())
    return _Seen(
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
) -> _Seen:
    """Find the documents in which annotation without text has names, given the texts."""
    ids: set[_Key] = set()
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
    return _Seen(frozenset(ids), n, False, n < n_most)
