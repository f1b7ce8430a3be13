"""Text as XML writes it: as ``xml.sax.saxutils`` does, which would load the network library."""

from collections.abc import Mapping

_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


def escape(text: str, entities: Mapping[str, str] | None = None) -> str:
    """Write what would be markup, and the keys of ``entities``, as entities.

    >>> escape("a<b & c\\r", {"\\r": "&#13;"})
    'a&lt;b &amp; c&#13;'
    """
    text = text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")
    for found, written in (entities or {}).items():
        text = text.replace(found, written)
    return text


def quoteattr(value: str, entities: Mapping[str, str] | None = None) -> str:
    """Write the value of an attribute, in the quotes that it does not hold itself.

    >>> quoteattr("5'"), quoteattr('5"'), quoteattr("5'\\"")
    ('"5\\'"', '\\'5"\\'', '"5\\'&quot;"')
    """
    value = escape(value, {**(entities or {}), **_BREAKS})
    if '"' not in value:
        return f'"{value}"'
    double = value.replace('"', "&quot;")
    return f'"{double}"' if "'" in value else f"'{value}'"
