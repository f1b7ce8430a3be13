"""``trees.show``: a tree, or two with their differences, as text and as a picture."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from vermeil.errors import UsageError
from vermeil.formats.inputs import Input, input_name
from vermeil.tree import Tree
from vermeil.verbs.checking import whole_number
from vermeil.verbs.tables.layout import table_width
from vermeil.verbs.tables.table import Block, Table, Tabled
from vermeil.verbs.trees.reading import Trees, read, steps_of
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.reports.trees.difference import Marks
    from vermeil.reports.trees.svg import Exhibit

NAMES = ("first", "second")


class ShownTrees(Tabled):
    """A tree, or two trees of a sentence; ``print`` outlines them, ``draw`` makes a picture."""

    def __init__(
        self, number: int, exhibit: "Exhibit", *, tags: bool, lineages: bool = False
    ) -> None:
        self._number, self._exhibit, self._tags = number, exhibit, tags
        self._lineages = lineages

    @property
    def trees(self) -> tuple[Tree | None, ...]:
        """The trees."""
        return tuple(self._exhibit.trees)

    def blocks(self) -> Iterator[Block]:
        """Yield the outlines, one after the other, with what differs marked."""
        from vermeil.reports.trees.difference import mark
        from vermeil.reports.trees.text import outline

        exhibit, width = self._exhibit, table_width()
        yield f"{exhibit.title}: {' and '.join(exhibit.names)}"
        marks: Sequence[Marks | None] = (None,)
        if len(exhibit.trees) == 2:
            yield "- only in {}   + only in {}   ~ same span, other label".format(*exhibit.names)
            marks = mark(*exhibit.trees)
        for name, tree, marked in zip(exhibit.names, exhibit.trees, marks, strict=True):
            if len(exhibit.trees) == 2:
                yield name
            yield from map(str, outline(tree, marked, width=width, tags=self._tags))
        if self._lineages:
            yield ""
            yield lineage_table(exhibit)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a bracket of each tree."""
        for each in self.to_dict()["trees"]:
            for bracket in each["brackets"] or ():
                yield {"tree": each["name"], **bracket}

    def to_dict(self) -> dict[str, Any]:
        """Return the brackets as JSON has them."""
        return exhibit_data(self._number, self._exhibit)

    def draw(self) -> str:
        """Draw the trees as SVG."""
        from vermeil.reports.trees.svg import draw

        return draw([self._exhibit])

    def __repr__(self) -> str:
        return f"<ShownTrees: {self._exhibit.title}>"

    def _repr_html_(self) -> str:
        from vermeil.reports.notebook import show as shown

        first, *second = self.trees
        if first is None or None in second:
            return super()._repr_html_()
        return shown(first, *second)._repr_html_()


@verb
def show(
    first: Trees | Tree,
    second: Trees | Tree | None = None,
    *,
    sentence: int = 1,
    svg: str | PathLike[str] | None = None,
    tags: bool = False,
    lineages: bool = False,
    prepare: str | Iterable[str] = "none",
    format: str | None = None,
) -> ShownTrees:
    """Show a tree, or two trees of a sentence with their differences marked.

    ``sentence`` counts from 1. ``tags`` shows parts of speech, too, and ``lineages`` the way from
    each word up both trees with its leaf-ancestor score. A picture is drawn to ``svg``.

    >>> print(show("(S (NP (NN p53)) (VP (VBZ binds)))"))
    sentence 1: first
      S
      ├─ NP  p53
      └─ VP  binds
    """
    from vermeil.reports.trees.svg import Exhibit

    sentence = whole_number("sentence", sentence)
    given = [each for each in (first, second) if each is not None]
    columns = [_read(each, format) for each in given]
    names = tuple(map(_name, given, NAMES))
    names = names if len(set(names)) == len(names) else NAMES[: len(names)]
    for name, trees in zip(names, columns, strict=True):
        if not 1 <= sentence <= len(trees):
            raise UsageError(f"{name}: has {len(trees):,} sentences, and {sentence:,} was wanted")
    steps = steps_of(prepare)
    chosen = [prepared_trees([trees[sentence - 1]], steps)[0] for trees in columns]
    exhibit = Exhibit(f"sentence {sentence}", names, tuple(chosen))
    refuse_other_words(sentence, exhibit)
    if lineages:
        refuse_no_pair(exhibit)
    shown = ShownTrees(sentence, exhibit, tags=tags, lineages=lineages)
    if svg is not None:
        write_picture(svg, shown.draw())
    return shown


def prepared_trees(trees: list[Tree | None], steps: Sequence[str]) -> list[Tree | None]:
    """Make trees alike by the named steps."""
    from vermeil.columns.trees.steps import prepare as prepared_table
    from vermeil.columns.trees.table import TreeTable

    if not steps:
        return trees
    table = prepared_table(TreeTable.of(trees), steps)
    return [_without_root(table.tree(number, root="")) for number in range(len(trees))]


def _without_root(tree: Tree | None) -> Tree | None:
    """Take the root off that holds a sentence together, where one constituent does that."""
    if tree is not None and len(tree.children) == 1 and isinstance(child := tree.children[0], Tree):
        return tree if child.is_tag else child
    return tree


def refuse_other_words(number: int, exhibit: "Exhibit") -> None:
    """Refuse two trees that are not over the same words."""
    from vermeil.reports.trees.difference import mark

    if len(exhibit.trees) == 2:
        try:
            mark(*exhibit.trees)
        except ValueError as error:
            both = " and ".join(exhibit.names)
            raise UsageError(f"{both}: sentence {number}: {error}") from error


def refuse_no_pair(exhibit: "Exhibit") -> None:
    """Refuse to compare lineages where there are not two trees."""
    if len(exhibit.trees) != 2 or None in exhibit.trees:
        raise UsageError("--lineages compares two trees of a sentence; give both")


def lineage_table(exhibit: "Exhibit") -> Table:
    """Set the lineages of each word in two trees side by side, with its leaf-ancestor score."""
    from vermeil.columns.trees.lineages import Lineages, leaf_ancestor
    from vermeil.columns.trees.names import TreeNames
    from vermeil.columns.trees.steps import drop_traces
    from vermeil.columns.trees.table import TreeTable

    names = TreeNames()
    tables = [drop_traces(TreeTable.of([tree], names)) for tree in exhibit.trees]
    # A root without a name only holds the sentence together.
    first, second = (table.without_rows(table.labels_among([""])) for table in tables)
    both = Lineages.of(first), Lineages.of(second)
    scores = leaf_ancestor(both[0], both[1]).tolist()
    words = [first.names.words.names[code] for code in first.word.tolist()]
    rows = [
        [word, *(" ".join(each.spelt(number)) for each in both), f"{score:.3f}"]
        for number, (word, score) in enumerate(zip(words, scores, strict=True))
    ]
    mean = f"{sum(scores) / len(scores):.3f}" if scores else "–"
    rows.append(["mean", "", "", mean])
    return Table("Lineages, from each word up", ["word", *exhibit.names, "LA"], rows)


def _read(given: Trees | Tree, format: str | None) -> list[Tree | None]:
    if isinstance(given, Tree):
        return [given]
    if isinstance(given, str) and given.lstrip().startswith("("):
        return read([given])
    return read(given, format=format)


def _name(given: object, otherwise: str) -> str:
    if isinstance(given, Input):
        return input_name(given)
    is_file = isinstance(given, PathLike) or (
        isinstance(given, str) and not given.lstrip().startswith("(")
    )
    return input_name(Input.parse(str(given))) if is_file else otherwise


def exhibit_data(number: int, exhibit: "Exhibit") -> dict[str, Any]:
    """Return the brackets of a sentence as JSON has them, marked where two trees differ."""
    from vermeil.reports.trees.difference import mark

    marks: tuple[Marks | None, ...] = (None,)
    if len(exhibit.trees) == 2:
        marks = mark(*exhibit.trees)
    return {
        "sentence": number,
        "words": next((tree.words for tree in exhibit.trees if tree is not None), ()),
        "trees": [
            {"name": name, "brackets": _brackets(tree, marked)}
            for name, tree, marked in zip(exhibit.names, exhibit.trees, marks, strict=True)
        ],
    }


def _brackets(tree: Tree | None, marks: "Marks | None") -> list[dict[str, Any]] | None:
    if tree is None:
        return None
    if marks is None:
        return [bracket._asdict() for bracket in tree.brackets]
    return [
        {**each.bracket._asdict(), "status": each.status, "other": each.other} for each in marks
    ]
