"""XML read as data: streamed, numbered by line, and never told to expand or fetch anything.

Entities are not expanded and DTDs not loaded. A file that declares anything of its own (an
internal DTD subset) or uses an entity other than XML's five is refused with one line, because
reading on would lose characters. Comments and processing instructions are left out.
"""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from vermeil.errors import FormatError
from vermeil.formats.files.source import Source

Element: TypeAlias = Any
"""An lxml element; lxml has no types of its own."""

_PLACE = re.compile(r",? line \d+, column \d+$")
_NAME = re.compile(r"(?!xml)[A-Za-z_][A-Za-z0-9_.-]*", re.IGNORECASE)


def walk(
    source: Source, *tags: str, events: tuple[str, ...] = ("start", "end")
) -> Iterator[tuple[str, Element]]:
    """Yield parse events ("start", "end") with their elements; ``tags`` are local names.

    Without ``tags`` every element is yielded. The caller clears what it has done with; see
    ``records`` for the usual case. Broken XML is a FormatError with its line.
    """
    from lxml import etree  # loaded only where XML is read

    with source.binary() as stream:
        context = etree.iterparse(
            stream,
            events=events,
            tag=tuple(f"{{*}}{tag}" for tag in tags) or None,
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        is_checked = False
        while True:
            try:
                event, element = next(context)
            except StopIteration:
                _refuse_lost_entities(source, context)
                return
            except etree.XMLSyntaxError as error:
                raise _explained(source, context, error) from None
            if not is_checked:
                _refuse_declarations(source, element)
                is_checked = True
            _refuse_lost_entities(source, context)
            yield event, element


def records(source: Source, *tags: str) -> Iterator[Element]:
    """Yield each outermost element called one of ``tags``, whole, and free it afterwards."""
    depth = 0
    for event, element in walk(source, *tags):
        depth += 1 if event == "start" else -1
        if depth == 0:
            yield element
            release(element)


def release(element: Element) -> None:
    """Free an element that is done with, and the siblings before it; its tail stays."""
    element.clear(keep_tail=True)
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    tag: str = element.tag
    return tag.rpartition("}")[2]


def is_name(name: str) -> bool:
    """Tell whether ``name`` can safely name an element: ASCII, without colon, not xml….

    >>> is_name("Gene"), is_name("cell line"), is_name("1st"), is_name("")
    (True, False, False, False)
    """
    return _NAME.fullmatch(name) is not None


def _refuse_declarations(source: Source, element: Element) -> None:
    dtd = element.getroottree().docinfo.internalDTD
    if dtd is None:
        return
    entity = next(dtd.iterentities(), None)
    if entity is not None:
        raise source.error(
            None, f"declares the entity {entity.name!r}, which is not safe to read; write it out"
        )
    if next(dtd.iterelements(), None) is not None:
        raise source.error(
            None, "declares elements in its DOCTYPE; take the part in [ ] out of the file first"
        )


def _refuse_lost_entities(source: Source, context: Any) -> None:
    log = context.error_log
    if len(log):
        raise source.error(log[0].line, f"broken XML: {log[0].message}")


def _explained(source: Source, context: Any, error: SyntaxError) -> FormatError:
    log = context.error_log
    if len(log):
        return source.error(log[0].line, f"broken XML: {log[0].message}")
    if error.msg == "no element found":
        return source.error(None, "wanted XML, and found no element")
    return source.error(error.lineno, f"broken XML: {_PLACE.sub('', str(error.msg))}")
