"""What is done to trees before they are compared, as named steps that can be chosen and ordered.

``clegg`` is the convention of Clegg and Shepherd, "Evaluating and Integrating Treebank Parsers on a
Biomedical Corpus", section 3 and 4.2, in the order that reproduces its pattern: punctuation goes by
word, not by part of speech, so that all parsers keep the same words. ``evalb`` is what EVALB does
with COLLINS.prm: words go by part of speech, so two parsers may keep different ones.
"""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from vermeil.columns.trees.table import TreeTable
from vermeil.errors import UnknownNameError
from vermeil.tree import TRACE

Step: TypeAlias = Callable[[TreeTable], TreeTable]

ROOTS = ("TOP", "S1", "ROOT", "")
NOMINALS = {"NX": "NP", "NAC": "NP"}
PUNCTUATION = (".", ",", ";", ":", '"', "``", "''")
COLLINS_TAGS = (TRACE, ",", ":", "``", "''", ".")
COLLINS_EQUAL = {"PRT": "ADVP"}

OF_PARSES = frozenset({"nominals"})
"""Steps that are for parses only, as section 4.2 of the paper has it."""

_FUNCTION = re.compile("[-=]")


def prepare(table: TreeTable, steps: Sequence[str], *, is_standard: bool = False) -> TreeTable:
    """Apply steps in order; a name is a step or a preset.

    Steps that bring parsers to the labels of a treebank leave the treebank itself alone.

    >>> table = TreeTable.parse(["(S1 (NP-SBJ (NP (NN p53))) (VP (VBZ binds)) (. .))"])
    >>> prepared = prepare(table, ["clegg"])
    >>> [prepared.names.labels.names[code] for code in prepared.label], len(prepared.word)
    (['NP', 'VP'], 2)
    """
    for name in named(steps):
        if not (is_standard and name in OF_PARSES):
            table = STEPS[name](table)
    return table


def named(steps: Sequence[str]) -> list[str]:
    """Spell out presets; refuse names that are neither preset nor step."""
    found: list[str] = []
    for name in steps:
        if name not in PRESETS and name not in STEPS:
            raise UnknownNameError("step", name, (*PRESETS, *STEPS))
        found.extend(PRESETS.get(name, (name,)))
    return found


def drop_traces(table: TreeTable) -> TreeTable:
    """Drop the words that were never said."""
    return table.without_words(table.tags_among([TRACE]))


def prune(table: TreeTable) -> TreeTable:
    """Drop constituents that hold no word."""
    return table.without_rows(table.start == table.end)


def strip_functions(table: TreeTable) -> TreeTable:
    """Cut labels at the first ``-`` or ``=`` (``NP-SBJ-1`` is ``NP``); a leading one is kept."""
    return table.relabelled(_without_function)


def drop_root(table: TreeTable) -> TreeTable:
    """Drop the topmost constituent where its label is one that only says "root"."""
    return table.without_rows(table.labels_among(ROOTS) & (table.parent == -1))


def merge_nominals(table: TreeTable) -> TreeTable:
    """Call NX and NAC noun phrases."""
    return table.relabelled(lambda label: NOMINALS.get(label, label))


def drop_punctuation(table: TreeTable) -> TreeTable:
    """Drop full stops, commas, semicolons, colons and double quotes, whatever their tag."""
    return table.without_words(table.words_among(PUNCTUATION))


def drop_repeats(table: TreeTable) -> TreeTable:
    """Drop a constituent whose only daughter is a constituent of the same label."""
    same = (table.label[:-1] == table.label[1:]) & (table.start[:-1] == table.start[1:])
    same &= (table.end[:-1] == table.end[1:]) & (table.start[:-1] < table.end[:-1])
    return table.without_rows(np.append(same, False)[: len(table.label)])


def drop_collins_words(table: TreeTable) -> TreeTable:
    """Drop traces and words tagged as punctuation, as COLLINS.prm does."""
    return table.without_words(table.tags_among(COLLINS_TAGS))


def drop_top(table: TreeTable) -> TreeTable:
    """Drop constituents labelled TOP wherever they are; S1 and ROOT stay, as with COLLINS.prm."""
    return table.without_rows(table.labels_among(["TOP", *COLLINS_TAGS]))


def equate_collins(table: TreeTable) -> TreeTable:
    """Take PRT for ADVP, for constituents and words."""
    return table.relabelled(lambda label: COLLINS_EQUAL.get(label, label), tags=True)


STEPS: dict[str, Step] = {
    "traces": drop_traces,
    "prune": prune,
    "functions": strip_functions,
    "root": drop_root,
    "nominals": merge_nominals,
    "punctuation": drop_punctuation,
    "repeats": drop_repeats,
    "collins-words": drop_collins_words,
    "top": drop_top,
    "collins-labels": equate_collins,
}

PRESETS: dict[str, tuple[str, ...]] = {
    "clegg": (
        "traces",
        "prune",
        "functions",
        "root",
        "nominals",
        "punctuation",
        "prune",
        "repeats",
    ),
    "evalb": ("collins-words", "prune", "functions", "top", "collins-labels"),
    "none": (),
}


def _without_function(label: str) -> str:
    return label[:1] + _FUNCTION.split(label[1:], maxsplit=1)[0]
