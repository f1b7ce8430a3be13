"""What a row of the table of formats is."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from vermeil.document import Document
from vermeil.formats.sink import Sink
from vermeil.formats.source import Source

Read = Callable[[Source], Iterator[Document]]
Annotate = Callable[[Source, Iterable[Document]], Iterator[Document]]
Write = Callable[[Iterable[Document], Sink], None]


@dataclass(frozen=True, slots=True)
class Format:
    """How to read and write one format, and what it can carry.

    A format with texts has ``read``; a stand-off format, whose files hold annotation without
    text, has ``annotate`` instead: it takes the documents and gives them back with one more
    layer. ``options`` lists the values of each option, the default first; an option without
    listed values takes any, and the empty string is its default. ``sniff`` tells from the
    beginning of a file whether it is of this format, for suffixes that several formats share; a
    format without it is known by its suffix alone. A format that reads a whole folder names in
    ``holds`` the suffixes that give such a folder away; ``folder`` says that it writes one.
    """

    summary: str
    carries: frozenset[str]
    suffixes: tuple[str, ...] = ()
    read: Read | None = None
    annotate: Annotate | None = None
    write: Write | None = None
    sniff: Callable[[str], bool] | None = None
    folder: bool = False
    holds: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
