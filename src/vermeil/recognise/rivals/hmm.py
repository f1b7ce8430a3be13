"""A hidden Markov model that spells its tokens: what the cascade is compared with.

Section 4 of "Cascaded Classifiers" sets the cascade against the HMM of LingPipe, in which each tag
follows the one before it with some probability and spells its token with a character model of its
own. This is such a model with the tags of ``TagSet`` and the models of ``CharacterModel``, not a
copy of LingPipe. Tag bigrams are counted with one added to each.

With a list of names (the paper's "customised" HMM, with ChEBI), a tag spells a token by a mixture
of two models: that of the tokens seen, and that of the tokens of listed names never seen, each
once. Adding listed tokens to those seen instead is worse than no list.

It gives the potentials of a chain, so ``lattice_of`` has its marginals, ``find_candidates`` its
names with confidences and ``best_paths`` its first-best reading. Exact match on every third
document of BC5CDR, trained on the others: F .797, mean average precision .821; with ChEBI .816 and
.851. The order and the share of the list were chosen there. On ChemProt: .602 and .628; .621 and
.655.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Floats, Ints
from vermeil.document import Document
from vermeil.recognise.sequence.potentials import ChainPotentials
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.tokens.tag_set import TagSet
from vermeil.recognise.words.kneser_ney import CharacterModel
from vermeil.text.tokens import tokenise

ORDER = 5
"""Characters the models look at; six are as good, four or eight cost .02 of F."""

LISTED_SHARE = 0.2
"""How likely a token of a name is thought to come from a list; anything from .03 to .3 will do."""


@dataclass(frozen=True, slots=True, eq=False)
class HiddenMarkov:
    """Log-probabilities of tags, and how each tag spells its tokens.

    ``start[tag]`` begins a sentence, ``transition[tag before, tag]`` goes on and ``end[tag]``
    ends it. ``seen`` has a model for each tag, ``listed`` one for tags that have a list of names.
    """

    tags: TagSet
    start: Floats
    transition: Floats
    end: Floats
    seen: tuple[CharacterModel, ...]
    listed: Mapping[int, CharacterModel]
    tokeniser: str

    @classmethod
    def fit(
        cls,
        documents: Iterable[Document],
        labels: Sequence[str],
        *,
        annotator: str = "gold",
        lexicon: Mapping[str, Iterable[str]] | None = None,
        tokeniser: str = "fine",
        order: int = ORDER,
    ) -> "HiddenMarkov":
        """Learn from the names of ``annotator``, and from names listed by label.

        Documents the annotator did not look at say nothing.
        """
        looked_at = [document for document in documents if annotator in document.layers]
        tags = TagSet(tuple(labels))
        axis = TokenAxis.of(looked_at, tokeniser=tokeniser)
        tag = axis.tags_of(looked_at, tags, annotator=annotator)
        listed = _listed_tokens(tags, lexicon or {}, tokeniser)
        known = frozenset(axis.words)
        return cls(
            tags,
            *_bigrams(axis.first_token, tag, len(tags)),
            tuple(
                CharacterModel.fit(
                    [axis.words[at] for at in np.flatnonzero(tag == code)], order=order
                )
                for code in range(len(tags))
            ),
            {
                code: CharacterModel.fit(sorted(tokens - known), order=order)
                for code, tokens in listed.items()
            },
            tokeniser,
        )

    def potentials(self, documents: Sequence[Document]) -> tuple[TokenAxis, ChainPotentials]:
        """Lay out documents and give the log-probabilities of their tags and tokens."""
        axis = TokenAxis.of(documents, tokeniser=self.tokeniser)
        chain = ChainPotentials(
            self.tags, axis.first_token, self.emission(axis.words), self.transition
        )
        return axis, chain.with_ends(self.start, self.end)

    def emission(self, tokens: Sequence[str]) -> Floats:
        """Give the log-probability with which each tag (column) spells each token (row)."""
        numbers: dict[str, int] = {}
        at = [numbers.setdefault(token, len(numbers)) for token in tokens]
        distinct = list(numbers)
        emission = np.stack([model.log_probability(distinct) for model in self.seen], axis=1)
        for code, model in self.listed.items():
            emission[:, code] = np.logaddexp(
                np.log(1 - LISTED_SHARE) + emission[:, code],
                np.log(LISTED_SHARE) + model.log_probability(distinct),
            )
        rows: Floats = emission[at]
        return rows

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        arrays = {"start": self.start, "transition": self.transition, "end": self.end}
        parts = {f"seen-{code}": model for code, model in enumerate(self.seen)}
        parts |= {f"listed-{code}": model for code, model in self.listed.items()}
        return arrays | {
            f"{part}-{name}": array
            for part, model in parts.items()
            for name, array in model.arrays().items()
        }

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {
            "labels": list(self.tags.labels),
            "listed": sorted(self.listed),
            "tokeniser": self.tokeniser,
            "characters": self.seen[0].header(),
        }

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "HiddenMarkov":
        """Make the model again that gave these."""

        def model(part: str) -> CharacterModel:
            own = {name: arrays[f"{part}-{name}"] for name in ("codes", "counts")}
            return CharacterModel.from_arrays(header["characters"], own)

        tags = TagSet(tuple(header["labels"]))
        return cls(
            tags,
            arrays["start"],
            arrays["transition"],
            arrays["end"],
            tuple(model(f"seen-{code}") for code in range(len(tags))),
            {code: model(f"listed-{code}") for code in header["listed"]},
            header["tokeniser"],
        )


def _listed_tokens(
    tags: TagSet, lexicon: Mapping[str, Iterable[str]], tokeniser: str
) -> dict[int, set[str]]:
    """Give the tokens that begin and that continue listed names, by tag."""
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
    """Count how sentences start, go on and end, and give log-probabilities.

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
