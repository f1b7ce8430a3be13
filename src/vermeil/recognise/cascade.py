"""The cascade: spelling, sequence, document. Every candidate name gets a confidence.

Corbett and Copestake, "Cascaded Classifiers for Confidence-Based Chemical Named Entity
Recognition". A preclassifier judges words by their spelling; a sequence model judges sentences and
gives a lattice of candidate names; a rescorer judges each candidate again by what its document says
elsewhere.

No stage learns from what an earlier stage says about its own training documents (section 3.3). The
documents are dealt into thirds: two train a sequence model that finds candidates in the last, and
from these the rescorer learns. Within each training of a sequence model, what the preclassifier and
the lists say of a document comes from other documents (``cross_fitted``). The models used in the
end are trained on all documents.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vermeil.arrays import Ints
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.recognise.features.rows import FAMILIES, encode, gaps, view_tokens
from vermeil.recognise.model_files import part
from vermeil.recognise.placed_names import PlacedNames, are_right
from vermeil.recognise.rescoring.boosted_trees import BoostedTrees, require_trainer
from vermeil.recognise.rescoring.features import DescribedCandidates, describe
from vermeil.recognise.rescoring.stepped_logistic import SteppedLogistic
from vermeil.recognise.sequence.candidates import THRESHOLD, Candidates, find_candidates
from vermeil.recognise.sequence.crf import Crf, fit_crf
from vermeil.recognise.sequence.lattice import Lattice, lattice_of
from vermeil.recognise.sequence.memm import Memm, fit_memm
from vermeil.recognise.tokens.axis import TokenAxis
from vermeil.recognise.tokens.tag_set import TagSet
from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources, cross_fitted, folds_of

N_THIRDS = 3
N_KNOWLEDGE_FOLDS = 4

SEQUENCES: Mapping[str, tuple[type[Crf] | type[Memm], Callable[..., Crf | Memm]]] = {
    "crf": (Crf, fit_crf),
    "memm": (Memm, fit_memm),
}
"""Sequence models: a conditional random field, or the paper's maximum-entropy Markov model."""

RESCORERS: Mapping[str, type[BoostedTrees] | type[SteppedLogistic]] = {
    "trees": BoostedTrees,
    "logistic": SteppedLogistic,
}
"""Rescorers: gradient-boosted trees, or the paper's logistic regression."""

NO_RESCORER = "none"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a recogniser is made.

    ``sequence`` names the model in the middle, one of SEQUENCES; ``rescorer`` the last, one of
    RESCORERS or NO_RESCORER. ``families`` of features can be left out, to see what they are worth.

    A share of the names that are given may be ``withheld`` from training, though the model has them
    in the end. Where the annotation was made with the list, every name stands in it, and without
    gaps a recogniser would learn to find nothing else.
    """

    labels: tuple[str, ...]
    annotator: str = "gold"
    tokeniser: str = "fine"
    sequence: str = "crf"
    rescorer: str = "trees"
    families: frozenset[str] = FAMILIES
    n_rounds: int | None = None
    seed: int = 0
    withheld: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Cascade:
    """A trained cascade. Without ``rescorers`` the confidences are those of the lattice."""

    recipe: Recipe
    knowledge: Knowledge
    sequence: Crf | Memm
    rescorers: Mapping[str, BoostedTrees | SteppedLogistic]
    card: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def fit(
        cls,
        documents: Sequence[Document],
        recipe: Recipe,
        resources: Resources,
        *,
        watch: Callable[[str], None] | None = None,
    ) -> "Cascade":
        """Train all stages on the documents that the annotator of the recipe looked at."""
        if recipe.rescorer == "trees":
            require_trainer()
        say = watch or (lambda _: None)
        looked = [each for each in documents if recipe.annotator in each.layers]
        _refuse_little(looked, recipe)
        lists = Lists.of(resources, recipe.tokeniser, withheld=recipe.withheld)
        rescorers = (
            {} if recipe.rescorer == NO_RESCORER else _fit_rescorers(looked, recipe, lists, say)
        )
        say("sequence model of all documents")
        knowledge, sequence = _fit_sequence(looked, recipe, lists)
        return cls(recipe, replace(knowledge, lexicon=lists.every), sequence, rescorers)

    def find(self, documents: Sequence[Document], *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        axis, lattice, candidates = self.lattice_candidates(documents)
        if self.rescorers and len(candidates):
            described = self.rescoring_features(documents, axis, lattice, candidates)
            candidates = self._rescored(candidates, described)
        return PlacedNames(axis, candidates.keep(candidates.confidence >= threshold))

    def lattice_candidates(
        self, documents: Sequence[Document]
    ) -> tuple[TokenAxis, Lattice, Candidates]:
        """Give tokens, lattice and candidates of a batch, before the rescorer judges them."""
        axis = TokenAxis.of(documents, tokeniser=self.recipe.tokeniser)
        views = view_tokens(axis, gaps(axis), [self.knowledge], families=self.recipe.families)
        lattice = lattice_of(self.sequence.potentials(views, axis.first_token))
        return axis, lattice, find_candidates(lattice)

    def rescoring_features(
        self,
        documents: Sequence[Document],
        axis: TokenAxis,
        lattice: Lattice,
        candidates: Candidates,
    ) -> DescribedCandidates:
        """Describe the candidates of a batch as the rescorer sees them."""
        texts = [document.text for document in documents]
        return describe(candidates, lattice, axis, texts, self.knowledge)

    def _rescored(self, candidates: Candidates, described: DescribedCandidates) -> Candidates:
        confidence = candidates.confidence.copy()
        for label, rescorer in self.rescorers.items():
            rows = candidates.label == candidates.labels.index(label)
            odds = rescorer.log_odds(described.values[rows])
            confidence[rows] = 1 / (1 + np.exp(-odds))
        return replace(candidates, confidence=confidence)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give all there is to save."""
        parts = {"knowledge": self.knowledge.arrays(), "sequence": self.sequence.arrays()}
        parts |= {
            f"rescorer-{number}": self.rescorers[label].arrays()
            for number, label in enumerate(self.recipe.labels)
            if label in self.rescorers
        }
        return {f"{part}/{name}": a for part, own in parts.items() for name, a in own.items()}

    def header(self) -> dict[str, Any]:
        """Give what goes with the arrays, as JSON can hold it."""
        return {
            "labels": list(self.recipe.labels),
            "tokeniser": self.recipe.tokeniser,
            "sequence": self.recipe.sequence,
            "rescorer": self.recipe.rescorer,
            "families": sorted(self.recipe.families),
            "knowledge": self.knowledge.header(),
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "Cascade":
        """Make the cascade again that gave these."""
        labels = tuple(header["labels"])
        kind = header.get("rescorer", "trees")
        rescorers = {
            label: RESCORERS[kind].from_arrays(part(arrays, f"rescorer-{number}"))
            for number, label in enumerate(labels)
            if part(arrays, f"rescorer-{number}")
        }
        recipe = Recipe(
            labels,
            tokeniser=header["tokeniser"],
            sequence=header["sequence"],
            rescorer=kind,
            families=frozenset(header["families"]),
        )
        return cls(
            recipe,
            Knowledge.from_arrays(header["knowledge"], part(arrays, "knowledge")),
            SEQUENCES[recipe.sequence][0].from_arrays(TagSet(labels), part(arrays, "sequence")),
            rescorers,
            header.get("card", {}),
        )


def unreachable(documents: Sequence[Document], recipe: Recipe) -> tuple[int, int]:
    """Count the names whose boundaries no token boundary reaches, and all names."""
    axis = TokenAxis.of(documents, tokeniser=recipe.tokeniser)
    n_lost = n = 0
    for number, document in enumerate(documents):
        first, last = axis.first_of_document[number : number + 2]
        starts, ends = set(axis.start[first:last].tolist()), set(axis.end[first:last].tolist())
        for span in document.layers.get(recipe.annotator, ()):
            if span.label in recipe.labels:
                n += 1
                n_lost += span.start not in starts or span.end not in ends
    return n_lost, n


def _fit_sequence(
    documents: Sequence[Document], recipe: Recipe, lists: Lists
) -> tuple[Knowledge, Crf | Memm]:
    fold, known, knowledge = cross_fitted(
        documents,
        recipe.labels,
        lists,
        annotator=recipe.annotator,
        n_folds=min(N_KNOWLEDGE_FOLDS, len(documents)),
        seed=recipe.seed,
    )
    tags = TagSet(recipe.labels)
    axis = TokenAxis.of(documents, tokeniser=recipe.tokeniser)
    tag = axis.tags_of(documents, tags, annotator=recipe.annotator)
    encoded = encode(axis, gaps(axis), known, fold, families=recipe.families)
    _, fit = SEQUENCES[recipe.sequence]
    rounds = {} if recipe.n_rounds is None else {"n_rounds": recipe.n_rounds}
    model = fit(encoded, tag, axis.first_token, tags, **rounds)
    return knowledge, model


def _fit_rescorers(
    documents: Sequence[Document],
    recipe: Recipe,
    lists: Lists,
    say: Callable[[str], None],
) -> dict[str, BoostedTrees | SteppedLogistic]:
    third = folds_of(len(documents), N_THIRDS, seed=recipe.seed + 1)
    values, right, label = [], [], []
    for number in range(N_THIRDS):
        say(f"sequence model {number + 1} of {N_THIRDS} for the rescorer")
        rest, held_out = _parted(documents, third, number)
        first_stages = Cascade(recipe, *_fit_sequence(rest, recipe, lists), {})
        axis, lattice, candidates = first_stages.lattice_candidates(held_out)
        described = first_stages.rescoring_features(held_out, axis, lattice, candidates)
        values.append(described.values)
        found = PlacedNames(axis, candidates)
        right.append(are_right(found, held_out, recipe.annotator, alternatives=True))
        label.append(candidates.label)
    say("rescorer")
    all_values, all_right = np.concatenate(values), np.concatenate(right)
    all_labels = np.concatenate(label)
    rescorers: dict[str, BoostedTrees | SteppedLogistic] = {}
    fit = RESCORERS[recipe.rescorer].fit
    for code, name in enumerate(recipe.labels):
        rows = all_labels == code
        if 0 < all_right[rows].sum() < rows.sum():
            rescorers[name] = fit(all_values[rows], all_right[rows], seed=recipe.seed)
    return rescorers


def _parted(
    documents: Sequence[Document], fold: Ints, number: int
) -> tuple[list[Document], list[Document]]:
    """Give the documents of the other folds, and those of this one."""
    pairs = list(zip(documents, fold.tolist(), strict=True))
    return [each for each, own in pairs if own != number], [
        each for each, own in pairs if own == number
    ]


def _refuse_little(documents: Sequence[Document], recipe: Recipe) -> None:
    n_names = sum(
        span.label in recipe.labels
        for document in documents
        for span in document.layers[recipe.annotator]
    )
    if len(documents) < 2 * N_THIRDS or not n_names:
        raise UsageError(
            f"there is too little to learn from: {len(documents)} documents with {n_names} names "
            f"of {', '.join(recipe.labels) or 'no label'}; {2 * N_THIRDS} documents are the least"
        )
