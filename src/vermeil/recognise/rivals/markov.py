"""A hidden Markov model that spells its tokens: what the cascade is compared with.

Section 4 of "Cascaded Classifiers" sets the cascade against the HMM of LingPipe, in which each tag
follows the one before it with some probability and spells its token with a character model of its
own. This is such a model with the tags of ``TagSet`` and the models of ``CharacterModel``, not a
copy of LingPipe. Tag bigrams are counted with one added to each.

With a list of names (the paper's "customised" HMM, with ChEBI and chemistry tokens), a tag spells a
token by a mixture of two models: that of the tokens seen, and that of the tokens of listed names
never seen, each once. Adding listed tokens to those seen instead is worse than no list.

It has the potentials of a chain, so ``lattice_of`` has its marginals, ``find_candidates`` its names
with confidences and ``best_paths`` its first-best reading. Exact match on every third
document of BC5CDR, trained on the others: F .797, average precision .821; with ChEBI .816 and
.851. The order and the share of the list were chosen there. On ChemProt: .602 and .628; .621 and
.655. That is over fine tokens; over chemistry tokens, as in the paper, it is better (see
docs/methods.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vermeil.arrays import AnyArray, Floats, Ints, numbered
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import ArraySpec, checked, told
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.words.kneser_ney import CharacterModel
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.candidates import THRESHOLD, find_candidates
from vermeil.sequences.chains.lattice import lattice_of
from vermeil.sequences.chains.potentials import ChainPotentials
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.tokens import tokenise

ORDER = 5
"""Characters the models look at; six are as good, four or eight cost .02 of F."""

LISTED_SHARE = 0.2
"""How likely a token of a name is thought to come from a list; anything from .03 to .3 will do."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkovTagger:
    """Log-probabilities of tags, and how each tag spells its tokens.

    ``start[tag]`` begins a sentence, ``transition[tag before, tag]`` goes on and ``end[tag]``
    ends it. ``seen`` has a model for each tag, ``listed`` one for tags that have a list of names.
    """

    recipe: Recipe
    start: Floats
    transition: Floats
    end: Floats
    seen: tuple[CharacterModel, ...]
    listed: Mapping[int, CharacterModel]
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls, documents: Documents, recipe: Recipe, resources: Resources, *, watch: Say = silent
    ) -> "MarkovTagger":
        """Learn from the names of the recipe's annotator, and from names listed by label."""
        watch("hidden Markov model")
        axis, tag = recipe.tagged_tokens(recipe.annotated(documents))
        known = frozenset(axis.words)
        start, transition, end = _bigrams(axis.first_token, tag, len(recipe.tags))
        seen = [
            [axis.words[at] for at in np.flatnonzero(tag == code)]
            for code in range(len(recipe.tags))
        ]
        names = resources.names if "lists" in recipe.families else {}
        listed = _listed_tokens(recipe.tags, names, recipe.tokeniser)
        return cls(
            recipe,
            start,
            transition,
            end,
            seen=tuple(CharacterModel.fit(tokens, order=ORDER) for tokens in seen),
            listed={
                code: CharacterModel.fit(sorted(tokens - known), order=ORDER)
                for code, tokens in listed.items()
            },
        )

    def find(self, documents: Documents, *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        axis, potentials = self.potentials(documents)
        return PlacedNames(axis, find_candidates(lattice_of(potentials), threshold=threshold))

    def potentials(self, documents: Documents) -> tuple[TokenAxis, ChainPotentials]:
        """Lay out documents, with the log-probabilities of their tags and tokens."""
        axis = self.recipe.tokens(documents)
        chain = ChainPotentials(
            self.recipe.tags, axis.first_token, self.emission(axis.words), self.transition
        )
        return axis, chain.with_ends(self.start, self.end)

    def emission(self, tokens: Sequence[str]) -> Floats:
        """Return the log-probability with which each tag (column) spells each token (row)."""
        distinct, number = numbered(tokens)
        emission = np.stack([model.log_probability(distinct) for model in self.seen], axis=1)
        for code, model in self.listed.items():
            emission[:, code] = np.logaddexp(
                np.log(1 - LISTED_SHARE) + emission[:, code],
                np.log(LISTED_SHARE) + model.log_probability(distinct),
            )
        rows: Floats = emission[number]
        return rows

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        models = {f"seen-{code}": model for code, model in enumerate(self.seen)}
        models |= {f"listed-{code}": model for code, model in self.listed.items()}
        spelling = {name: model.arrays() for name, model in models.items()}
        arrays = {"start": self.start, "transition": self.transition, "end": self.end}
        return arrays | in_sections(spelling, mark="-")

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {
            **self.recipe.header(),
            "listed": sorted(self.listed),
            "characters": self.seen[0].header(),
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(cls, header: Header, arrays: Arrays) -> "MarkovTagger":
        """Make the tagger again that gave these."""

        def model(name: str) -> CharacterModel:
            own = section_of(arrays, name, mark="-")
            return CharacterModel.from_arrays(told(header, "characters", dict[str, Any]), own)

        recipe = Recipe.from_header(header)
        listed = told(header, "listed", list[int])
        if not all(0 <= code < len(recipe.tags) for code in listed):
            raise ValueError(f"listed: there are {len(recipe.tags)} tags, got {listed}")
        # Logarithms of probabilities: what cannot be is minus infinity.
        schema = {
            name: ArraySpec("number", ("tags",) * n_axes, most=1e-6)
            for name, n_axes in (("start", 1), ("transition", 2), ("end", 1))
        }
        fitting = checked(arrays, schema, tags=len(recipe.tags))
        return cls(
            recipe,
            fitting["start"],
            fitting["transition"],
            fitting["end"],
            seen=tuple(model(f"seen-{code}") for code in range(len(recipe.tags))),
            listed={code: model(f"listed-{code}") for code in listed},
            card=header.get("card", {}),
        )


def _listed_tokens(
    tags: TagSet, lexicon: Mapping[str, Iterable[str]], tokeniser: str
) -> dict[int, set[str]]:
    """Collect the tokens that begin and that continue listed names, by tag."""
    listed: dict[int, set[str]] = {}
    for label, begin, inner in zip(tags.labels, tags.begin, tags.inner, strict=True):
        if label in lexicon:
            listed[int(begin)], listed[int(inner)] = set(), set()
            for name in lexicon[label]:
                tokens = [name[start:end] for start, end in tokenise(name, by=tokeniser)]
                listed[int(begin)].update(tokens[:1])
                listed[int(inner)].update(tokens[1:])
    return listed


def _bigrams(first_token: Ints, tag: Ints, n_tags: int) -> tuple[Floats, Floats, Floats]:
    """Count how sentences start, go on and end, as log-probabilities.

    Sequences that cannot be are left to the potentials, which give them no weight.
    """
    starts, ends = first_token[:-1], first_token[1:] - 1
    start = 1.0 + np.bincount(tag[starts], minlength=n_tags)
    end = 1.0 + np.bincount(tag[ends], minlength=n_tags)
    goes_on = np.ones(len(tag), dtype=np.bool_)
    goes_on[ends] = False
    before = np.flatnonzero(goes_on)
    pairs = np.bincount(tag[before] * n_tags + tag[before + 1], minlength=n_tags * n_tags)
    transition = 1.0 + pairs.reshape(n_tags, n_tags)
    leaving = transition.sum(axis=1) + end
    return np.log(start / start.sum()), np.log(transition / leaving[:, None]), np.log(end / leaving)
