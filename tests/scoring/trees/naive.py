"""Scores of two trees by their definitions, one word and one bracket at a time."""

from collections import Counter
from collections.abc import Callable, Sequence

from vermeil import Tree
from vermeil.tree import Bracket

Price = Callable[[str, str], float]


def lineages(tree: Tree) -> list[list[str]]:
    return lineages_under(tree.brackets, len(list(tree.leaves())))


def lineages_under(brackets: Sequence[Bracket], n_words: int) -> list[list[str]]:
    """Walk up from each word: labels, with marks at the highest that begins and ends there."""
    found = []
    for word in range(n_words):
        up = [each for each in brackets if each.start <= word < each.end][::-1]
        begins = [place for place, each in enumerate(up) if each.start == word]
        ends = [place for place, each in enumerate(up) if each.end == word + 1]
        lineage: list[str] = []
        for place, each in enumerate(up):
            lineage.extend("[" if place in begins[-1:] else "")
            lineage.append(each.label)
            lineage.extend("]" if place in ends[-1:] else "")
        found.append(lineage)
    return found


def leaf_ancestor(
    gold: Tree, parsed: Tree, price: Price = lambda a, b: float(a != b)
) -> list[float]:
    return [
        1 - edit_distance(one, other, price) / (len(one) + len(other)) if one or other else 1.0
        for one, other in zip(lineages(gold), lineages(parsed), strict=True)
    ]


def edit_distance(one: Sequence[str], other: Sequence[str], price: Price) -> float:
    table = [[float(i + j) for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            table[i + 1][j + 1] = min(
                table[i][j + 1] + 1, table[i + 1][j] + 1, table[i][j] + (a != b and price(a, b))
            )
    return table[-1][-1]


def matched(gold: Tree, parsed: Tree) -> int:
    return (Counter(gold.brackets) & Counter(parsed.brackets)).total()


def unlabelled(gold: Tree, parsed: Tree) -> int:
    spans = [Counter(each[:2] for each in tree.brackets) for tree in (gold, parsed)]
    return (spans[0] & spans[1]).total()


def crossing(gold: Tree, parsed: Tree) -> int:
    return sum(any(cross(a, b) for b in gold.brackets) for a in parsed.brackets)


def cross(a: Bracket, b: Bracket) -> bool:
    return a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end
