"""The tree that is expected to score best, by brackets and by lineages at once.

Neither a vote nor the choice of a member wins on both measures of Clegg and Shepherd: votes lose
the words' ways up the tree, and a member keeps its own wrong brackets. Here the members stand in
for the unknown true tree (minimum Bayes risk): bracket b is right with probability q(b), its
``worth``, and the true lineage of a word is that of member p with probability w(p). Wanted is the
tree of pooled brackets with the greatest

    J(T) = sum over p of w(p) LA(T, p)  +  2 sum over b in T of q(b) / (|T| + sum of all q)

the expected leaf-ancestor score plus, nearly, the expected F.

The search begins from the best of the members, the likely brackets and the heaviest non-crossing
set of q(b) - LEAST_WORTH, and takes the step that raises J most until none does: add a bracket and
drop what crosses it, remove one, or take over a member's inside of a bracket. J is exact, the
search ends in a local maximum; it is deterministic, and what it gives is always a tree.
"""

from collections.abc import Iterator

from vermeil.consensus.trees.candidates import BracketSets, bits
from vermeil.consensus.trees.noncrossing import heaviest

LEAST_WORTH = 0.25

_BEGINS, _ENDS, _FIRST_LABEL = "[", "]", 256
_LEAST_RISE = 1e-9


def best_tree(candidates: BracketSets) -> tuple[int, float]:
    """Return the set of brackets that a climb of J ends with, and J there (2 is the most)."""
    objective = _Objective(candidates)
    guess = heaviest(candidates.brackets, [worth - LEAST_WORTH for worth in candidates.worth])
    sure = heaviest(candidates.brackets, [worth - 0.5 for worth in candidates.worth])
    tree = max(dict.fromkeys((*candidates.members, guess, sure)), key=objective.rank)
    value = objective.value(tree)
    while True:
        rival = max(dict.fromkeys(steps(candidates, tree)), key=objective.rank, default=tree)
        rival_value = objective.value(rival)
        if rival_value < value + _LEAST_RISE:
            return tree, value
        tree, value = rival, rival_value


def steps(candidates: BracketSets, tree: int) -> Iterator[int]:
    """Yield the trees that one step of the search leads to."""
    for number in range(len(candidates.brackets)):
        bit = 1 << number
        yield tree ^ bit if tree & bit else (tree | bit) & ~candidates.crossing[number]
    for number in bits(tree):
        below = candidates.below[number]
        for member in candidates.members:
            if member >> number & 1:
                yield tree & ~below | member & below


class _Objective:
    """J for the trees of one sentence. What was found out about a word once is remembered."""

    def __init__(self, candidates: BracketSets) -> None:
        from rapidfuzz.distance import Levenshtein  # it takes its time to load

        self._distance = Levenshtein.distance
        self._candidates = candidates
        self._all_worth = sum(candidates.worth)
        total = sum(candidates.weights)
        self._weights = [weight / total for weight in candidates.weights]
        codes: dict[str, str] = {}
        for bracket in candidates.brackets:
            codes.setdefault(bracket.label, chr(_FIRST_LABEL + len(codes)))
        self._symbols = [codes[bracket.label] for bracket in candidates.brackets]
        self._lineages = [
            [self._lineage(word, member & over) for member in candidates.members]
            for word, over in enumerate(candidates.over)
        ]
        self._words: list[dict[int, float]] = [{} for _ in candidates.over]
        self._values: dict[int, float] = {}

    def value(self, tree: int) -> float:
        """Compute J."""
        value = self._values.get(tree)
        if value is None:
            self._values[tree] = value = self._expected_la(tree) + self._expected_f(tree)
        return value

    def rank(self, tree: int) -> tuple[float, int]:
        """Order trees by J, and those as good in a way that no order of members changes."""
        return round(self.value(tree), 9), tree

    def _expected_f(self, tree: int) -> float:
        right = sum(self._candidates.worth[number] for number in bits(tree))
        both = tree.bit_count() + self._all_worth
        return 2 * right / both if both else 1.0

    def _expected_la(self, tree: int) -> float:
        total = 0.0
        for word, over in enumerate(self._candidates.over):
            above = tree & over
            score = self._words[word].get(above)
            if score is None:
                self._words[word][above] = score = self._word(word, above)
            total += score
        return total / len(self._words) if self._words else 1.0

    def _word(self, word: int, above: int) -> float:
        """Return the expected score of one word under these brackets."""
        mine = self._lineage(word, above)
        total = 0.0
        for weight, theirs in zip(self._weights, self._lineages[word], strict=True):
            length = len(mine) + len(theirs)
            total += weight * (1 - self._distance(mine, theirs) / length if length else 1.0)
        return total

    def _lineage(self, word: int, above: int) -> str:
        """Spell the labels above a word from the lowest up, with the marks of its boundaries."""
        symbols: list[str] = []
        begun = ended = 0
        while above:
            number = above.bit_length() - 1
            above ^= 1 << number
            symbols.append(self._symbols[number])
            start, end, _ = self._candidates.brackets[number]
            if start == word:
                begun = len(symbols)
            if end == word + 1:
                ended = len(symbols)
        # The higher mark first, so that the place of the other stays what it is.
        if begun > ended:
            symbols.insert(begun - 1, _BEGINS)
        if ended:
            symbols.insert(ended, _ENDS)
        if 0 < begun <= ended:
            symbols.insert(begun - 1, _BEGINS)
        return "".join(symbols)
