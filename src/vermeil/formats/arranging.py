"""Which files are annotators of the same documents, and which are pieces of one corpus.

What is in files decides, not how they were named to us: files that share documents, so that all
hang together, are annotators; files that share none are shards. Whether they do is told by the ids
at their beginnings, all of them in corpora of ordinary size (see ``holdings``). Ids that only count
the documents of a file (1, 2, 3, …) are no names: two such files share a document where they have
the same text under the same number, and shards of them call their documents after the file. Folders
in a folder are judged alike, by ids with their texts: annotators, or parts of one corpus.

Files that name their annotators themselves, of whom no two are one in the same document, come to
the same in both ways, and are read side by side. Annotators of the same documents who all have one
name in their files, as a tool gives it to whoever works with it, are called after these.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import get_format, guess_format
from vermeil.formats.files.streams import is_stream
from vermeil.formats.holdings import (
    called_id,
    connected,
    holdings_of,
    links,
    names_by_file,
    said_twice,
)
from vermeil.formats.inputs import Input, files_of, folders_in, is_several
from vermeil.formats.known import file_annotator

ALONE = 0.1
"""So many files, for each of those that hang together, may share nothing with them."""


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
    """Put a folder or pattern whose files or folders are annotators apart into these.

    Refuse one in which some share documents and others share none with these, showing which.
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
        held = holdings_of(files, len(files), (), settled)
        names = names_by_file(files, held)
        return [Row((file,), None, name) for file, name in zip(files, names, strict=True)]
    return _matched(given, text, settled)


def called(documents: Iterable[Document], name: str) -> Iterator[Document]:
    """Call documents as a row says."""
    for document in documents:
        yield document.replace(id=called_id(document.id, name)) if name else document


def _annotators(
    given: Input, texts: Sequence[Input], options: Mapping[str, str]
) -> tuple[Input, ...]:
    """Return what an input is made of if that is annotators, the input itself if it is a corpus."""
    folders = folders_in(given)
    if _are_annotators(given, folders, texts, options):
        return _apart(folders)
    if is_several(given):
        files = files_of(given)
        if not _are_annotators(given, files, texts, options):
            return (given,)
        return _after_files(_apart(files), options)
    for each in folders:
        inner = _annotators(each, texts, options)
        if len(inner) > 1:
            name = inner[0].path.name
            raise UsageError(
                f"{given.path}: {_both(given, inner)} hold the same documents, "
                f"{_both(given, folders)} do not; name the folders of each annotator, as in "
                f"{name}='{given.path}/*/{name}'"
            )
    return (given,)


def _apart(members: Sequence[Input]) -> tuple[Input, ...]:
    return tuple(Input(each.path, None, each.format) for each in members)


def _after_files(files: Sequence[Input], options: Mapping[str, str]) -> tuple[Input, ...]:
    """Call annotators after their files where all of them have one name in these."""
    names = [file_annotator(each.path) for each in files]
    if not all(get_format(str(each.format)).read for each in files):
        return tuple(files)
    said = {each.names for each in holdings_of(files, len(files), (), options) if each.n}
    own = {name for each in said for name in each}
    if len(said) > 1 or len(own) != 1 or len(set(names)) < len(names):
        return tuple(files)
    if not said_twice(files, options):
        return tuple(files)
    [name] = own
    return tuple(
        replace(each, annotator=after, all_called=name)
        for each, after in zip(files, names, strict=True)
    )


def _are_annotators(
    given: Input, members: Sequence[Input], texts: Sequence[Input], options: Mapping[str, str]
) -> bool:
    """Tell whether files or folders share documents, so that all hang together.

    Refuse what shows two things: some share documents, and others none with these, unless these are
    few: of hundreds, somebody marks what nobody else did. What holds nothing shows nothing, but
    beside a single file of annotation without texts, no piece of which it can be.
    """
    if len(members) < 2:
        return False
    groups = _hanging_together(members, texts, options, in_doubt=False)
    if any(len(group) > 1 for group in groups) and len(groups) > 1:
        groups = _hanging_together(members, texts, options, in_doubt=True)
    sharing = next((group for group in groups if len(group) > 1), ())
    if not sharing:
        has_texts = any(each.format is None or get_format(each.format).read for each in members)
        return len(groups) == 1 and not has_texts
    both = f"{given.path}: {_both(given, sharing)} hold the same"
    if all(each.format and get_format(each.format).updates for each in members):
        raise UsageError(
            f"{both} articles, as updates do; read the folder as a whole with --from pubmed"
        )
    most = max(map(len, groups))
    if sum(map(len, groups)) > most * (1 + ALONE) and said_twice(members, options) != "":
        raise UsageError(
            f"{both} documents, {_both(given, [group[0] for group in groups])} do not: are they "
            "annotators, or pieces of one corpus? name each file of an annotator, as a pattern "
            "without quotes does, or all those of each: anna='anna-*.jsonl' ben='ben-*.jsonl'"
        )
    if given.annotator is not None:
        raise UsageError(
            f"{both} documents, so they are several annotators; leave {given.annotator}= off"
        )
    return True


def _hanging_together(
    members: Sequence[Input], texts: Sequence[Input], options: Mapping[str, str], *, in_doubt: bool
) -> list[list[Input]]:
    """Group what shares documents, directly or through others; in each, the first two do.

    A folder shares a document by its id and text, because ids begin anew in the folders of one
    corpus, too.
    """
    beside = [*texts, *(each for each in members if each.format and get_format(each.format).read)]
    held = holdings_of(members, len(members), beside, options, in_doubt=in_doubt)
    seen = [
        each.texts if file.path.is_dir() else each for file, each in zip(members, held, strict=True)
    ]
    linked = links(seen)
    groups = [group for group in connected(linked) if any(seen[at].keys for at in group)]
    return [
        [members[at] for at in sorted(group, key=lambda at: not linked[group[0]] >> at & 1)]
        for group in groups
    ]


def _both(given: Input, members: Sequence[Input]) -> str:
    """Name the first two of some members as they are called in the folder."""
    top = given.path if given.path.is_dir() else given.path.parent
    named = [
        str(each.path.relative_to(top)) if each.path.is_relative_to(top) else str(each.path)
        for each in members[:2]
    ]
    return " and ".join(named)


def _matched(given: Sequence[Input], text: Input | None, options: Mapping[str, str]) -> list[Row]:
    """Make a row of the files that hold the same documents, or one row of all there are."""
    everything = [Row(tuple(given), text)]
    inputs = [text, *given] if text else list(given)
    if any(is_stream(each.path) for each in inputs):
        return everything
    files = [(number, file) for number, each in enumerate(inputs) for file in files_of(each)]
    texts = [each for each in inputs if get_format(each.format or _format_of(each)).read]
    seen = holdings_of([file for _, file in files], len(files), texts, options)
    groups = connected(links(seen))
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
    first = [group[0] for group in groups]
    if rows[1:] and all(each.is_numbered for each in seen if each.n):
        names = names_by_file([files[at][1] for at in first], [seen[at] for at in first])
        return [row._replace(called=name) for row, name in zip(made, names, strict=True)]
    return made


def _format_of(given: Input) -> str:
    return files_of(given)[0].format or guess_format(given.path)
