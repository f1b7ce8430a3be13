"""Things that show themselves in a notebook.

The views are those of the report, which stands at the other end of the import order; it is loaded
by its name, and only when a notebook asks.
"""

from importlib import import_module


class Shown:
    """Something that ``vermeil.report.notebook.show`` can show."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(import_module("vermeil.report.notebook").show(self)._repr_html_())
