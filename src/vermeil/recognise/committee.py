"""Two cascades that cut the text into different tokens, and their mean opinion of every candidate.

A cascade over short tokens sees inside words and may part them wrongly; one over whole words sees
farther and misses what hangs together without a space. Their errors differ, so that what both
believe is right more often than what either does. Opinions are log odds, and a member that did not
find a name speaks against it as firmly as it ever does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Floats
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import told
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import THRESHOLD, Candidates
from vermeil.sequences.tokens.axis import TokenAxis, common_axis

OTHER_TOKENS = "fine", "punctuation"
"""What the second cascade works on: the first of these on which the first one does not."""

LEARNED = "knowledge/learned/"
"""Begins the names of the arrays of learned words, which members may have in common."""

LEAST = 0.003
"""The least confidence that counts: below it, and where a member found nothing, opinions differ
more in how they were reached than in what they say."""


@dataclass(frozen=True, slots=True, eq=False)
class Committee:
    """Trained cascades for the same labels. The recipe is that of the first."""

    members: tuple[Cascade, ...]
    card: Mapping[str, Any] = field(default_factory=dict)

    @property
    def recipe(self) -> Recipe:
        """How the first member was made."""
        return self.members[0].recipe

    @classmethod
    def fit(
        cls, documents: Documents, recipe: Recipe, resources: Resources, *, watch: Say = silent
    ) -> "Committee":
        """Train a cascade over the tokens of the recipe, and one over others."""
        members = []
        for tokeniser in (recipe.tokeniser, other_tokens(recipe.tokeniser)):
            say = _speaking_of(tokeniser, watch)
            own = replace(recipe, tokeniser=tokeniser)
            members.append(Cascade.fit(documents, own, resources, watch=say))
        return cls(tuple(members))

    def find(self, documents: Documents, *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        of_members = [member.find(documents) for member in self.members]
        axis = common_axis([names.axis for names in of_members], documents)
        candidates = mean_opinion([_moved(names, axis, documents) for names in of_members])
        return PlacedNames(axis, candidates.keep(candidates.confidence >= threshold))

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save; words that members learned from the same file once only."""
        of_members = [member.arrays() for member in self.members]
        words, *others = (_words_in(arrays) for arrays in of_members)
        for arrays, own in zip(of_members[1:], others, strict=True):
            if own.keys() == words.keys() and all(
                np.array_equal(own[name], words[name]) for name in own
            ):
                for name in own:
                    del arrays[name]
        return in_sections({f"member-{number}": arrays for number, arrays in enumerate(of_members)})

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {"members": [member.header() for member in self.members], "card": dict(self.card)}

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "Committee":
        """Make the committee again that gave these."""
        members: list[Cascade] = []
        for number, own in enumerate(told(header, "members", list[dict[str, Any]])):
            shared = members[0].knowledge.learned if members else None
            members.append(Cascade.from_arrays(own, section_of(arrays, f"member-{number}"), shared))
        if not members:
            raise KeyError("members")
        return cls(tuple(members), header.get("card", {}))


def other_tokens(tokeniser: str) -> str:
    """Choose the tokeniser of a second cascade.

    >>> other_tokens("fine")
    'punctuation'
    """
    return next(each for each in OTHER_TOKENS if each != tokeniser)


def mean_opinion(opinions: Sequence[Candidates]) -> Candidates:
    """Join candidates on one axis; each gets the mean of the log odds that members give it."""
    columns = ("sentence", "start", "end", "label", "confidence")
    sentence, start, end, label, confidence = (
        np.concatenate([getattr(each, name) for each in opinions]) for name in columns
    )
    member = np.repeat(np.arange(len(opinions)), [len(each) for each in opinions])
    # One number for each place, which rises in reading order: by start, the longer first.
    last = int(end.max(initial=0))
    place = (start * (last + 1) + last - end) * len(opinions[0].labels) + label
    distinct, first, which = np.unique(place, return_index=True, return_inverse=True)
    odds = np.full((len(distinct), len(opinions)), log_odds(np.zeros(1))[0])
    odds[which, member] = log_odds(confidence)
    mean = _probability(odds.mean(axis=1))
    return Candidates(
        opinions[0].labels,
        sentence=sentence[first],
        start=start[first],
        end=end[first],
        label=label[first],
        confidence=mean,
    )


def mean_confidence(confidences: Sequence[float]) -> float:
    """Return the mean opinion of one name.

    >>> round(mean_confidence([0.9, 0.5]), 3)
    0.75
    """
    return float(_probability(log_odds(np.array(confidences)).mean()))


def log_odds(confidence: Floats) -> Floats:
    """Turn confidences into log odds, none less than that of LEAST nor beyond its opposite."""
    sure = np.clip(confidence, LEAST, 1 - LEAST)
    odds: Floats = np.log(sure / (1 - sure))
    return odds


def _probability(odds: Floats) -> Floats:
    probability: Floats = 1 / (1 + np.exp(-odds))
    return probability


def _words_in(arrays: Arrays) -> dict[str, AnyArray]:
    return {name: array for name, array in arrays.items() if name.startswith(LEARNED)}


def _moved(names: PlacedNames, axis: TokenAxis, documents: Documents) -> Candidates:
    """Count the tokens of candidates on another axis, which has all their edges."""
    candidates = names.candidates
    own_start, own_end = names.axis.laid(documents)
    start, end = axis.laid(documents)
    first = np.searchsorted(start, own_start[candidates.start])
    return replace(
        candidates,
        sentence=np.searchsorted(axis.first_token, first, side="right") - 1,
        start=first,
        end=np.searchsorted(end, own_end[candidates.end - 1]) + 1,
    )


def _speaking_of(tokeniser: str, watch: Say) -> Say:
    return lambda step: watch(f"{tokeniser} tokens: {step}")
