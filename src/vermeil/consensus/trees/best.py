"""The tree that is expected to score best, by brackets and by lineages at once.

Neither a vote nor the choice of a member wins on both measures of Clegg and Shepherd: votes lose
the words' ways up the tree, and a member keeps its own wrong brackets. Here the members stand in
for the unknown true tree (minimum Bayes risk): bracket b is right with probability q(b), its
``worth``, and the true lineage of a word is that of member p with probability w(p). Wanted is the
tree of pooled brackets with the greatest

    J(T) = sum over words of sum over p of w(p) LA(T, p)  +  sum over b in T of gain(b)
           -  what its constituents cost by the ``grammar`` of all members

where gain(b) is BALANCE · κ · (2 q(b) - EVEN). Figures of a corpus are over all its words and
brackets, so a sentence counts as it is long; κ, the words for two right brackets, puts both
measures on one scale, and EVEN is near the F that is reached: a bracket less likely than half of it
lowers the F of a corpus.

The search begins from the best of the members and the heaviest non-crossing set of gains, and takes
the step that raises J most until none does: add a bracket and drop what crosses it, remove one,
take over a member's inside of a bracket, or a member's bracket with its inside. Only what a step
changes is computed. J is exact, the search ends in a local maximum; it is deterministic, and what
it gives is always a tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from vermeil.consensus.trees.candidates import BracketSets, bits
from vermeil.consensus.trees.grammar import Tagging, Tags
from vermeil.consensus.trees.noncrossing import heaviest

BALANCE = 1.25
EVEN = 0.75
LEAST_WORTH = 0.2
"""Brackets less likely than this come into a tree with a member's whole or not at all."""

_BEGINS, _ENDS, _FIRST_LABEL = "[", "]", 256
_LEAST_RISE = 1e-9


@dataclass(frozen=True, slots=True)
class BestTree:
    """A set of brackets, the tags of its words, and the means of both measures it expects."""

    tree: int
    tags: tuple[str, ...]
    expected: float


def best_tree(candidates: BracketSets) -> BestTree:
    """Return the set of brackets that a climb of J ends with, and how its words are tagged."""
    return _Climb(candidates).result()


def steps(candidates: BracketSets, tree: int) -> Iterator[int]:
    """Yield the trees that one step of the search leads to; some more than once."""
    crossing, below = candidates.crossing, candidates.below
    for number, worth in enumerate(candidates.worth):
        bit = 1 << number
        if tree & bit:
            yield tree ^ bit
        elif worth >= LEAST_WORTH:
            yield (tree | bit) & ~crossing[number]
    for member in candidates.members:
        rest = member
        while rest:
            bit = rest & -rest
            number = bit.bit_length() - 1
            rest ^= bit
            inside = below[number]
            is_there = tree & bit or candidates.worth[number] >= LEAST_WORTH
            if is_there and (tree ^ member) & inside:
                kept = tree if tree & bit else (tree | bit) & ~crossing[number]
                yield kept & ~inside | member & inside


class _Climb:
    """J for the trees of one sentence. What was found out about a word once is remembered."""

    def __init__(self, candidates: BracketSets) -> None:
        from rapidfuzz.distance import Levenshtein  # it takes its time to load

        self._distance = Levenshtein.distance
        self._candidates = candidates
        self._start = [bracket.start for bracket in candidates.brackets]
        self._end = [bracket.end for bracket in candidates.brackets]
        total = sum(candidates.weights)
        weights = [weight / total for weight in candidates.weights]
        codes: dict[str, str] = {}
        for bracket in candidates.brackets:
            codes.setdefault(bracket.label, chr(_FIRST_LABEL + len(codes)))
        self._symbols = [codes[bracket.label] for bracket in candidates.brackets]
        self._begin, self._finish = [0] * candidates.n_words, [0] * candidates.n_words
        for number, (start, end, _) in enumerate(candidates.brackets):
            self._begin[start] |= 1 << number
            self._finish[end - 1] |= 1 << number
        # Lineages that several members share are spelt and compared once.
        self._lineages: list[list[tuple[str, float]]] = []
        self._spelt: list[dict[int, str]] = []
        for word, over in enumerate(candidates.over):
            said: dict[str, float] = {}
            spelt: dict[int, str] = {}
            for weight, member in zip(weights, candidates.members, strict=True):
                above = member & over
                lineage = spelt.get(above)
                if lineage is None:
                    lineage = spelt[above] = self._lineage(word, above)
                said[lineage] = said.get(lineage, 0.0) + weight
            self._lineages.append(list(said.items()))
            self._spelt.append(spelt)
        self._words: list[dict[int, float]] = [{} for _ in candidates.over]
        self._nodes: dict[tuple[int, int], Tagging] = {}

    def result(self) -> BestTree:
        """Climb, and say what came of it."""
        candidates = self._candidates
        guess = heaviest(candidates.brackets, candidates.gain)
        starts = dict.fromkeys((*candidates.members, guess))
        tree = max(starts, key=lambda start: (round(self.total(start), 9), start))
        while True:
            best, rise = tree, _LEAST_RISE
            for step in dict.fromkeys(steps(candidates, tree)):
                gained = self._rise(tree, step, rise)
                is_more = gained > rise + _LEAST_RISE
                if is_more or (best != tree and gained > rise - _LEAST_RISE and step > best):
                    best, rise = step, gained
            if best == tree:
                return BestTree(tree, self._tags(tree), self._expected(tree))
            tree = best

    def total(self, tree: int) -> float:
        """Compute J."""
        candidates = self._candidates
        total = sum(self._word(word, tree & over) for word, over in enumerate(candidates.over))
        total += sum(candidates.gain[number] for number in bits(tree))
        return total - sum(self._node(number, tree).cost for number in (-1, *bits(tree)))

    def _rise(self, tree: int, step: int, least: float) -> float:
        """Tell how much higher a step leads; something below ``least`` where it is surely less."""
        candidates = self._candidates
        gain, start, end = candidates.gain, self._start, self._end
        changed, rise = tree ^ step, 0.0
        first, last = candidates.n_words, 0
        rest = changed
        while rest:
            bit = rest & -rest
            number = bit.bit_length() - 1
            rest ^= bit
            rise += gain[number] if step & bit else -gain[number]
            first, last = min(first, start[number]), max(last, end[number])
        nodes = self._touched(tree, step, changed) if candidates.grammar is not None else ()
        rise += sum(self._node(each, tree).cost for each in nodes if each < 0 or tree >> each & 1)
        over, words = candidates.over, self._words
        touched = []
        hoped = rise
        for word in range(first, last):
            mine, other = tree & over[word], step & over[word]
            if mine != other:
                known = words[word]
                had = known.get(mine)
                had = self._word(word, mine) if had is None else had
                score = known.get(other)
                if score is None:
                    touched.append((word, other))
                    hoped += 1 - had
                else:
                    rise += score
                    hoped += score - had
                rise -= had
        if hoped <= least - _LEAST_RISE:  # no word can have more than 1
            return hoped
        for word, other in touched:
            score = self._word(word, other)
            rise += score
            hoped += score - 1
            if hoped <= least - _LEAST_RISE:
                return hoped
        if rise <= least - _LEAST_RISE:  # what the step costs can only lower it
            return rise
        return rise - sum(
            self._node(each, step).cost for each in nodes if each < 0 or step >> each & 1
        )

    def _touched(self, tree: int, step: int, changed: int) -> set[int]:
        """Find the constituents whose daughters a step changes; -1 is the sentence."""
        holding = self._candidates.holding
        nodes = set()
        for number in bits(changed):
            nodes.add(number)
            nodes.add((tree & holding[number]).bit_length() - 1)
            nodes.add((step & holding[number]).bit_length() - 1)
        return nodes

    def _node(self, number: int, tree: int) -> Tagging:
        """Judge a constituent by its daughters, and tag its own words."""
        candidates = self._candidates
        inside = tree & candidates.below[number] if number >= 0 else tree
        found = self._nodes.get((number, inside))
        if found is None:
            found = self._nodes[number, inside] = self._judged(number, inside)
        return found

    def _judged(self, number: int, inside: int) -> Tagging:
        candidates = self._candidates
        if candidates.grammar is None:
            return Tagging(0.0, ())
        word, last, label = 0, candidates.n_words, ""
        if number >= 0:
            word, last, label = candidates.brackets[number]
        daughters: list[str | Tags] = []
        while word < last:
            here = inside & candidates.over[word]
            if here:
                daughter = (here & -here).bit_length() - 1
                daughters.append(candidates.brackets[daughter].label)
                word = self._end[daughter]
            else:
                daughters.append(candidates.tags[word])
                word += 1
        return candidates.grammar.tagging(label, daughters)

    def _tags(self, tree: int) -> tuple[str, ...]:
        """Tag each word as the constituent over it has it."""
        candidates = self._candidates
        if candidates.grammar is None:
            return ()
        waiting = {number: iter(self._node(number, tree).tags) for number in (-1, *bits(tree))}
        return tuple(next(waiting[(tree & over).bit_length() - 1]) for over in candidates.over)

    def _expected(self, tree: int) -> float:
        """Return the mean of the leaf-ancestor score and the F that this tree expects."""
        candidates = self._candidates
        la = sum(self._word(word, tree & over) for word, over in enumerate(candidates.over))
        right = sum(candidates.worth[number] for number in bits(tree))
        both = tree.bit_count() + sum(candidates.worth)
        expected_la = la / candidates.n_words if candidates.n_words else 1.0
        return (expected_la + (2 * right / both if both else 1.0)) / 2

    def _word(self, word: int, above: int) -> float:
        """Return the expected score of one word under these brackets."""
        known = self._words[word]
        score = known.get(above)
        if score is None:
            mine = self._spelt[word].get(above) or self._lineage(word, above)
            score = 0.0
            for theirs, weight in self._lineages[word]:
                if mine == theirs:
                    score += weight
                else:
                    distance = self._distance(mine, theirs)
                    score += weight * (1 - distance / (len(mine) + len(theirs)))
            known[above] = score
        return score

    def _lineage(self, word: int, above: int) -> str:
        """Spell the labels above a word from the lowest up, with the marks of its boundaries."""
        begins, ends = above & self._begin[word], above & self._finish[word]
        begins, ends = begins & -begins, ends & -ends  # the highest of each
        symbols = ""
        of_number = self._symbols
        while above:
            number = above.bit_length() - 1
            bit = 1 << number
            above ^= bit
            if bit == begins:
                symbols += _BEGINS
            symbols += of_number[number]
            if bit == ends:
                symbols += _ENDS
        return symbols
