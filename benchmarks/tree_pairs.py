"""Trees of any number, made up from a seed, and what a parser with faults would make of them."""

import random
from collections.abc import Iterator
from pathlib import Path

RULES = {
    "S": (("NP", "VP"), ("NP", "VP", "."), ("PP", ",", "NP", "VP", ".")),
    "NP": (("DT", "NN"), ("NN", "NN"), ("NP", "PP"), ("NP", "CC", "NP"), ("JJ", "NNS"), ("PRP",)),
    "VP": (("VBZ", "NP"), ("VBD", "NP", "PP"), ("VBN", "PP"), ("VBZ", "SBAR"), ("VBD",)),
    "PP": (("IN", "NP"),),
    "SBAR": (("IN", "S"),),
}
WORDS = {"DT": "the", "CC": "and", "IN": "of", "PRP": "it", ".": ".", ",": ","}
N_FAILURES = 0.01


def tree_pairs(n: int, *, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Yield ``n`` trees in brackets, each with the parser's; one in a hundred is not parsed."""
    rng = random.Random(seed)
    for _ in range(n):
        gold = _grown("S", rng, 0)
        parsed = "" if rng.random() < N_FAILURES else f"(TOP {_faulty(gold, rng)})"
        yield f"(TOP {_spelt(gold)})", parsed


def write_pairs(n: int, folder: Path) -> tuple[Path, Path]:
    """Write made-up trees and what a parser made of them."""
    gold, parsed = folder / "made-up-gold.mrg", folder / "made-up-parsed.mrg"
    with gold.open("w", encoding="utf-8") as one, parsed.open("w", encoding="utf-8") as other:
        for tree, guess in tree_pairs(n):
            one.write(tree + "\n")
            other.write(guess + "\n")
    return gold, parsed


Node = tuple[str, "str | list[Node]"]


def _grown(label: str, rng: random.Random, depth: int) -> Node:
    if label not in RULES:
        return label, WORDS.get(label) or f"w{int(rng.paretovariate(0.8)) % 5000}"
    rules = RULES[label]
    rule = rules[0] if depth > 9 else rng.choice(rules)
    return label, [_grown(child, rng, depth + 1) for child in rule]


def _spelt(node: Node) -> str:
    label, inside = node
    return f"({label} {inside if isinstance(inside, str) else ' '.join(map(_spelt, inside))})"


def _faulty(node: Node, rng: random.Random) -> str:
    """Spell a tree with some brackets left out and some labelled otherwise; its words stay."""
    label, inside = node
    if isinstance(inside, str):
        return f"({label} {inside})"
    within = " ".join(_faulty(child, rng) for child in inside)
    chance = rng.random()
    if chance < 0.08 and label != "S":
        return within
    return f"({rng.choice(('NP', 'VP', 'PP')) if chance > 0.95 else label} {within})"
