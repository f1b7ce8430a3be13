"""The views of the report in a notebook.

``show(thing)`` shows a document, a standard over its text, scores or a tree; documents, scores and
trees that end a cell show themselves (see ``vermeil.shown``). Each view is a small page of its own
in a frame, so neither it nor the notebook can disturb the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from vermeil.document import Centroid, Document, Standard
from vermeil.reports.drawing.elements import Section, element, joined, name_of, table
from vermeil.reports.page import bare_page
from vermeil.reports.spans.summary import HEADS, MEANING, score_cells
from vermeil.reports.spans.text_data import document_data
from vermeil.reports.trees.sections import lone_tree, pair_of_trees
from vermeil.reports.trees.svg import Exhibit
from vermeil.scoring.scores import Scores
from vermeil.shown import Brief
from vermeil.tree import Tree

Showable: TypeAlias = Document | Standard | Scores | Mapping[str, Scores] | Tree

TALLEST = 640
"""Pixels after which a view scrolls."""

LINE = 130
"""Characters that a line of the vote view has room for, about."""


@dataclass(frozen=True, slots=True, repr=False)
class NotebookView(Brief):
    """Something to show; a notebook asks it for its HTML. ``height`` is in pixels."""

    page: str
    height: int

    def _repr_html_(self) -> str:
        return element(
            "iframe",
            srcdoc=self.page,
            sandbox="allow-scripts",
            title="vermeil",
            width="100%",
            height=min(TALLEST, self.height),
            style="border:0",
        )


def show(
    thing: Showable,
    other: Tree | None = None,
    *,
    text: str | None = None,
    annotators: Sequence[str] | None = None,
) -> NotebookView:
    """Show a document's votes, a standard over its ``text``, scores, or a tree.

    ``annotators`` of a document are those that vote: all layers but alternatives and the
    consensus unless named. With an ``other`` tree the two stand side by side.
    """
    if isinstance(thing, Document):
        return _votes(thing, annotators, None)
    if isinstance(thing, Tree):
        return _trees(thing, other)
    if isinstance(thing, Scores):
        return _scores({thing.system: thing})
    if isinstance(thing, Mapping):
        return _scores(thing)
    return _standard(thing, text)


def _votes(
    document: Document, annotators: Sequence[str] | None, standard: Standard | None
) -> NotebookView:
    data = document_data(document, annotators, standard)
    n_lines = 1 + len(document.text) // LINE + document.text.count("\n")
    page = bare_page(document.id, [_section(element("ol", id="shown"))], data)
    return NotebookView(page, 110 + n_lines * (60 + 11 * len(data.annotators)))


def _standard(standard: Sequence[Centroid], text: str | None) -> NotebookView:
    if text is None:
        raise TypeError("a standard is shown over its text: show(standard, text=document.text)")
    return _votes(Document(id="standard", text=text), (), tuple(standard))


def _scores(scores: Mapping[str, Scores]) -> NotebookView:
    rows = [
        [name_of(name), *score_cells(name, each, {}, linked=False)] for name, each in scores.items()
    ]
    names = {each.standard for each in scores.values()}
    title = f"Against {', '.join(sorted(names))}"
    note = element("p", MEANING, class_="note")
    page = bare_page(title, [_section(table(title, ["", *HEADS], rows), note)])
    return NotebookView(page, 150 + 24 * len(rows))


def _trees(tree: Tree, other: Tree | None) -> NotebookView:
    if other is None:
        made = lone_tree(tree)
    else:
        made = pair_of_trees(Exhibit("two trees", ("first", "second"), (tree, other)), is_open=True)
    n_lines = max(len(each.brackets) for each in (tree, other) if each is not None)
    return NotebookView(bare_page("tree", [_section(made)]), 90 + 24 * n_lines)


def _section(*children: object) -> Section:
    return Section("", "", joined(*children))
