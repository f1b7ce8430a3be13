"""An ensemble of parsers at work on batches of sentences: members, cascades, and the trees made.

Trees are combined as they are after preparation and given back over all their words: a chosen tree,
and one on which all members agree, as its parser wrote it; a tree made of brackets with every word
it had before, punctuation inside the smallest constituent on both sides of it, parts of speech as
most members have them, under TOP unless it has a root.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vermeil.columns.trees.steps import ROOTS, drop_traces, prepare
from vermeil.columns.trees.table import TreeTable
from vermeil.consensus.trees import TreeDecision, TreeOptions, get_tree_method
from vermeil.consensus.trees.known import GoldTrees, NamedTexts
from vermeil.consensus.trees.switching import cascaded, first_parsed
from vermeil.consensus.trees.word_axis import WordAxis
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.forests import Forests
from vermeil.tree import TRACE, Bracket, Tree, assemble


@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """A batch with what the ensemble made of it; ``trees`` has None where every member failed."""

    members: Forests
    prepared: dict[str, TreeTable]
    decision: TreeDecision
    trees: list[Tree | None]


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Who is in it and how they are combined.

    ``cascades`` makes new members of old ones: the first of its parts that has a parse. Without
    ``members`` all cascades take part, and all parsers that are in none. ``gold`` are right trees
    of some of the sentences, to learn from, ``names`` those in their texts, which a tree of
    ``best`` had better not cut in two.
    """

    by: str = "best"
    members: tuple[str, ...] = ()
    cascades: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    steps: tuple[str, ...] = ("clegg",)
    options: TreeOptions = field(default_factory=TreeOptions)
    gold: GoldTrees | None = None
    names: NamedTexts | None = None

    def learn(self, batches: Iterable[Forests]) -> Any:
        """Go through the sentences once and learn what the method needs; None if nothing."""
        return self.finish(self.observe(batches))

    def observe(self, batches: Iterable[Forests]) -> Any:
        """Go through the sentences and see what the method learns from; None if from nothing."""
        method = get_tree_method(self.by)
        if method.observe is None:
            return None
        seen: Any = None
        for batch in batches:
            members = self.gather(batch)
            gold = () if self.gold is None else (self._right_trees(members),)
            some = method.observe(members.prepared(self.steps), *gold)
            seen = some if seen is None else seen + some
        if seen is None:
            raise UsageError("there is no sentence to learn from")
        return seen

    def finish(self, seen: Any) -> Any:
        """Learn from what was seen in all sentences."""
        method = get_tree_method(self.by)
        return None if method.learn is None else method.learn(seen)

    def combine(self, batch: Forests, learned: Any) -> Combined:
        """Make a tree for each sentence of the batch."""
        members = self.gather(batch)
        prepared = members.prepared(self.steps)
        options = self.options
        if self.gold is not None:
            options = replace(options, gold=self._right_trees(members))
        if self.names is not None:
            tables = list(members.tables.values())
            options = replace(options, names=self.names.edges(tables, list(prepared.values())))
        decision = get_tree_method(self.by).decide(prepared, options, learned)
        return Combined(members, prepared, decision, _trees(members, prepared, decision))

    def _right_trees(self, members: Forests) -> TreeTable:
        """Find the right trees of a batch, failures where gold has none, prepared alike."""
        assert self.gold is not None, "asked for where there is gold"
        tables = list(members.tables.values())
        found = TreeTable.of(self.gold.of(tables), tables[0].names)
        prepared = prepare(found, self.steps, is_standard=True)
        length = np.max([prepare(table, self.steps).n_words for table in tables], axis=0)
        # What is left of a sentence may be other words where steps go by part of speech.
        return prepared.without_sentences(prepared.n_words != length)

    def gather(self, batch: Forests) -> Forests:
        """Return the batch with the members of the ensemble only, cascades made."""
        tables = dict(batch.tables)
        for name, parts in self.cascades.items():
            if name in batch.tables:
                raise UsageError(f"the cascade {name!r} is called like a parser; rename it")
            for part in parts:
                if part not in tables:
                    raise UnknownNameError("parser", part, tables)
            tables[name] = cascaded([tables[part] for part in parts])
        used = {part for parts in self.cascades.values() for part in parts}
        chosen = self.members or tuple(name for name in tables if name not in used)
        for name in chosen:
            if name not in tables:
                raise UnknownNameError("parser", name, tables)
        return Forests(batch.first, tables).of(chosen)


def _trees(
    members: Forests, prepared: Mapping[str, TreeTable], decision: TreeDecision
) -> list[Tree | None]:
    names, tables = list(members.tables), list(members.tables.values())
    plain = [drop_traces(table) for table in tables]
    axis = WordAxis.of(plain)
    labels = plain[0].names.labels.names
    source = first_parsed([~table.failed for table in plain]).tolist()
    trees: list[Tree | None] = []
    for number, (winner, brackets) in enumerate(
        zip(decision.winner.tolist(), decision.brackets, strict=True)
    ):
        if winner >= 0:
            trees.append(tables[winner].tree_as_read(number))
        elif brackets is None:
            trees.append(None)
        elif _are_alike(tables, number):
            trees.append(tables[source[number]].tree_as_read(number))
        else:
            member = source[number]
            words = [word for _, word in plain[member].leaves(number)]
            codes = axis.tag[axis.first_word[number] : axis.first_word[number + 1]].tolist()
            tags = [labels[code] for code in codes]
            chosen = decision.tags[number] if decision.tags else None
            if chosen:
                places = places_of(prepared[names[member]], number)
                for place, tag in zip(places, chosen, strict=True):
                    if place is not None:
                        tags[place] = tag
            leaves = list(zip(tags, words, strict=True))
            made = assemble(leaves, _replaced(brackets, prepared[names[member]], number))
            # A tree of nothing but traces has no words to put brackets over.
            trees.append(_rooted(made) if words else tables[member].tree_as_read(number))
    return trees


def _are_alike(tables: Sequence[TreeTable], number: int) -> bool:
    """Tell whether all members that parsed a sentence have the same tree, to the letter."""
    parsed = [table for table in tables if not table.failed[number]]
    first, *others = [table.sentence_columns(number) for table in parsed]
    return all(
        np.array_equal(one, other)
        for each in others
        for one, other in zip(first, each, strict=True)
    )


def _rooted(tree: Tree) -> Tree:
    """Leave out the root that was added where the brackets have one of their own."""
    if len(tree.children) == 1 and isinstance(child := tree.children[0], Tree):
        return child if child.label in ROOTS and not child.is_tag else tree
    return tree


def places_of(table: TreeTable, number: int) -> list[int | None]:
    """Tell where each word of a sentence was before any was dropped; None for traces."""
    of_sentence = slice(*table.first_word[number : number + 2].tolist())
    place = table.place[of_sentence].tolist()
    is_trace = table.tags_among([TRACE])[of_sentence].tolist()
    return [None if gone else at for at, gone in zip(place, is_trace, strict=True)]


def _replaced(brackets: Iterable[Bracket], table: TreeTable, number: int) -> list[Bracket]:
    """Lay brackets over the words as they were before any was dropped, but for traces."""
    places = places_of(table, number)
    found = []
    for start, end, label in brackets:
        held = [place for place in places[start:end] if place is not None]
        if held:
            found.append(Bracket(held[0], held[-1] + 1, label))
    return found
