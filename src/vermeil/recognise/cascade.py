"""The cascade: spelling, sequence, document. Every candidate name gets a confidence.

Corbett and Copestake, "Cascaded Classifiers for Confidence-Based Chemical Named Entity
Recognition". A preclassifier judges words by their spelling; a sequence model judges sentences and
gives a lattice of candidate names; a rescorer judges each candidate again by what its document says
elsewhere.

No stage learns from what an earlier stage says about its own training documents (section 3.3). The
documents are dealt into thirds, more than once: two train a sequence model that finds candidates in
the last, and from these the rescorer learns. Within each training of a sequence model, what the
preclassifier and the lists say of a document comes from other documents (``cross_fitted``). The
models used in the end are trained on all documents.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from vermeil.arrays import AnyArray
from vermeil.errors import UsageError
from vermeil.models.model_files import Arrays, Header, in_sections, section_of
from vermeil.models.schema import one_of, told
from vermeil.recognise.absurdities import are_absurd
from vermeil.recognise.features.views import view_tokens
from vermeil.recognise.folds import folds_of, held_out
from vermeil.recognise.placed_names import PlacedNames, are_right
from vermeil.recognise.recipe import Documents, Recipe, Say, silent
from vermeil.recognise.rescoring.boosted_trees import require_trainer
from vermeil.recognise.rescoring.corpus_evidence import CorpusEvidence
from vermeil.recognise.rescoring.features import (
    CORPUS,
    POOLED,
    RATES,
    WORDS,
    DescribedCandidates,
    corpus_evidence,
    describe,
)
from vermeil.recognise.rescoring.judges import (
    LEAST_SURE,
    MOST_SURE,
    RESCORERS,
    Case,
    Deal,
    Judges,
    fitted,
    fitted_poolers,
    joined,
    judged_twice,
)
from vermeil.recognise.rescoring.paper_features import describe_like_paper
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources, cross_fitted
from vermeil.recognise.words.name_rates import NameRates
from vermeil.sequences.chains.candidates import (
    THRESHOLD,
    Candidates,
    blocked_by,
    find_candidates,
    uncrowded,
)
from vermeil.sequences.chains.crf import Crf
from vermeil.sequences.chains.lattice import Lattice, lattice_of
from vermeil.sequences.chains.learning import TaggedTokens
from vermeil.sequences.chains.memm import Memm, SeparateMemm
from vermeil.sequences.chains.potentials import Potentials
from vermeil.sequences.features.rows import encode
from vermeil.sequences.tokens.axis import TokenAxis

N_THIRDS = 3

DEALT_APART = 100
"""Seeds of deals are so far apart that those of recipes, which count from 0, do not meet."""

SEQUENCES: Mapping[str, type[Crf] | type[Memm]] = {"crf": Crf, "memm": Memm, "memms": SeparateMemm}
"""Sequence models: a conditional random field; a maximum-entropy Markov model, one for all tags or,
as in the paper, one for each tag before."""

NO_RESCORER = "none"


@dataclass(frozen=True, slots=True, eq=False)
class Cascade:
    """A trained cascade. Without ``rescorers`` the confidences are those of the lattice.

    ``poolers`` judge what rescorers have judged once more, by what these decided on other uses;
    ``sureness`` is the factor by which the log odds of both count.

    ``corpus`` is what the documents to be read say together, where the rescorer asks for it; it is
    not saved.
    """

    recipe: Recipe
    knowledge: Knowledge
    sequence: Crf | Memm
    rescorers: Judges
    poolers: Judges = field(default_factory=dict)
    sureness: float = 1.0
    card: Mapping[str, Any] = field(default_factory=dict)
    corpus: CorpusEvidence | None = None

    @classmethod
    def fit(
        cls, documents: Documents, recipe: Recipe, resources: Resources, *, watch: Say = silent
    ) -> "Cascade":
        """Train all stages on the documents that the annotator of the recipe has seen."""
        if recipe.rescorer == "trees":
            require_trainer()
        if resources.learned is not None and WORDS not in recipe.evidence:
            recipe = replace(recipe, evidence=(*recipe.evidence, WORDS, POOLED))
        annotated = recipe.annotated(documents)
        _refuse_little(annotated, recipe)
        lists = Lists.of(
            resources,
            recipe.tokeniser,
            withheld=recipe.withheld,
            like_paper=recipe.like_paper,
        )
        rescorers: Judges = {}
        poolers: Judges = {}
        sureness = 1.0
        if recipe.rescorer != NO_RESCORER:
            rescorers, poolers, sureness = _fit_rescorers(annotated, recipe, lists, watch)
        watch("sequence model of all documents")
        knowledge, sequence = _fit_sequence(annotated, recipe, lists)
        knowledge = replace(knowledge, lexicon=lists.every)
        return cls(recipe, knowledge, sequence, rescorers, poolers, sureness)

    def find(self, documents: Documents, *, threshold: float = THRESHOLD) -> PlacedNames:
        """Find every candidate of a batch of documents, overlapping ones too."""
        axis, lattice, candidates = self.lattice_candidates(documents)
        first = blocked_by(candidates) >= 0 if self.recipe.blocked_first else None
        if self.rescorers and len(candidates):
            case = self.case(documents, axis, lattice, candidates)
            candidates = judged_twice(self.rescorers, self.poolers, case, sureness=self.sureness)
        sure = candidates.confidence >= threshold
        return PlacedNames(axis, candidates.keep(sure), None if first is None else first[sure])

    def lattice_candidates(self, documents: Documents) -> tuple[TokenAxis, Lattice, Candidates]:
        """Return tokens, lattice and candidates of a batch, before the rescorer judges them."""
        axis, potentials = self.potentials(documents)
        lattice = lattice_of(potentials)
        candidates = uncrowded(find_candidates(lattice), axis.first_token)
        if self.recipe.filtered:
            candidates = candidates.keep(~are_absurd(candidates, axis))
        return axis, lattice, candidates

    def potentials(self, documents: Documents) -> tuple[TokenAxis, Potentials]:
        """Lay documents out as tokens, with what the sequence model says of their tags."""
        axis = self.recipe.tokens(documents)
        views = view_tokens(axis, [self.knowledge], families=self.recipe.families)
        return axis, self.sequence.potentials(views, axis.first_token)

    def rescoring_features(
        self,
        documents: Documents,
        axis: TokenAxis,
        lattice: Lattice,
        candidates: Candidates,
    ) -> DescribedCandidates:
        """Describe the candidates of a batch as the rescorer sees them."""
        texts = [document.text for document in documents]
        if self.recipe.like_paper:
            return describe_like_paper(candidates, axis, texts)
        return describe(
            candidates,
            lattice,
            axis,
            texts,
            self.knowledge,
            families=self.recipe.evidence,
            corpus=self.corpus,
        )

    def case(
        self, documents: Documents, axis: TokenAxis, lattice: Lattice, candidates: Candidates
    ) -> Case:
        """Put together what rescorers judge by."""
        described = self.rescoring_features(documents, axis, lattice, candidates)
        return Case(documents, axis, candidates, described)

    def evidence_in(self, documents: Documents) -> CorpusEvidence:
        """Tell what documents say of the strings in them, for those of the same corpus."""
        axis, _, candidates = self.lattice_candidates(documents)
        return corpus_evidence(candidates, axis, [document.text for document in documents])

    def arrays(self) -> dict[str, AnyArray]:
        """Return all there is to save."""
        sections: dict[str, Arrays] = {
            "knowledge": self.knowledge.arrays(),
            "sequence": self.sequence.arrays(),
        }
        sections |= {
            f"rescorer-{number}": self.rescorers[label].arrays()
            for number, label in enumerate(self.recipe.labels)
            if label in self.rescorers
        }
        sections |= {
            f"pooler-{number}": self.poolers[label].arrays()
            for number, label in enumerate(self.recipe.labels)
            if label in self.poolers
        }
        return in_sections(sections)

    def header(self) -> dict[str, Any]:
        """Return what goes with the arrays, as JSON can hold it."""
        return {
            **self.recipe.header(),
            "sequence": self.recipe.sequence,
            "rescorer": self.recipe.rescorer,
            "families": sorted(self.recipe.families),
            "filtered": self.recipe.filtered,
            "blocked_first": self.recipe.blocked_first,
            "evidence": list(self.recipe.evidence),
            **({"sureness": self.sureness} if self.poolers else {}),
            "knowledge": self.knowledge.header(),
            "card": dict(self.card),
        }

    @classmethod
    def from_arrays(
        cls, header: Header, arrays: Arrays, shared: LearnedWords | None = None
    ) -> "Cascade":
        """Make the cascade again that gave these; ``shared`` words are stored with another."""
        recipe = replace(
            Recipe.from_header(header),
            sequence=one_of(header, "sequence", SEQUENCES),
            rescorer=one_of(header, "rescorer", {**RESCORERS, "none": None}, "trees"),
            families=told(header, "families", frozenset[str]),
            filtered=told(header, "filtered", bool, False),
            blocked_first=told(header, "blocked_first", bool, False),
            evidence=told(header, "evidence", tuple[str, ...], ()),
        )
        rescorers, poolers = (
            {
                label: RESCORERS[recipe.rescorer].from_arrays(own)
                for number, label in enumerate(recipe.labels)
                if (own := section_of(arrays, f"{kind}-{number}"))
            }
            for kind in ("rescorer", "pooler")
        )
        knowledge = Knowledge.from_arrays(
            told(header, "knowledge", dict[str, Any]), section_of(arrays, "knowledge"), shared
        )
        if rescorers and RATES in recipe.evidence and not recipe.like_paper and not knowledge.rates:
            raise ValueError("its rescorer asks for rates, and there are none")
        sureness = told(header, "sureness", float, 1.0)
        if not LEAST_SURE <= sureness <= MOST_SURE:
            raise ValueError(f"a model is not {sureness} times as sure as it says")
        return cls(
            recipe,
            knowledge,
            SEQUENCES[recipe.sequence].from_arrays(recipe.tags, section_of(arrays, "sequence")),
            rescorers,
            poolers,
            sureness,
            card=header.get("card", {}),
        )


def unreachable(documents: Documents, recipe: Recipe) -> tuple[int, int]:
    """Count the names whose boundaries no token boundary reaches, and all names."""
    axis = recipe.tokens(documents)
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
    documents: Documents, recipe: Recipe, lists: Lists
) -> tuple[Knowledge, Crf | Memm]:
    fold, known, knowledge = cross_fitted(
        documents,
        recipe.labels,
        lists,
        annotator=recipe.annotator,
        n_folds=min(recipe.n_parts, len(documents)),
        seed=recipe.seed,
    )
    axis, tag = recipe.tagged_tokens(documents)
    if RATES in recipe.evidence and recipe.rescorer != NO_RESCORER and not recipe.like_paper:
        sets, seen = knowledge.preclassifier.tokens, knowledge.seen
        rates = NameRates.of(axis, tag, recipe.tags, sets, seen)
        knowledge = replace(knowledge, rates=rates)
    encoded = encode(view_tokens(axis, known, fold, families=recipe.families))
    tokens = TaggedTokens(encoded, tag, axis.first_token, recipe.tags)
    model = SEQUENCES[recipe.sequence]
    how = replace(model.usual, kept=recipe.kept)
    if recipe.n_rounds is not None:
        how = replace(how, n_rounds=recipe.n_rounds)
    return knowledge, model.fit(tokens, how)


def _fit_rescorers(
    documents: Documents, recipe: Recipe, lists: Lists, watch: Say
) -> tuple[Judges, Judges, float]:
    deals = [_dealt(documents, recipe, lists, deal, watch) for deal in range(recipe.n_deals)]
    watch("rescorer")
    rescorers = fitted(recipe.rescorer, joined(deals), recipe.labels, seed=recipe.seed)
    if POOLED not in recipe.evidence:
        return rescorers, {}, 1.0
    watch("pooled decisions")
    poolers, sureness = fitted_poolers(recipe.rescorer, deals, recipe.labels, seed=recipe.seed)
    return rescorers, poolers, sureness


def _dealt(documents: Documents, recipe: Recipe, lists: Lists, deal: int, watch: Say) -> Deal:
    """Describe each third of the documents by a sequence model of the rest."""
    third = folds_of(len(documents), N_THIRDS, seed=recipe.seed + 1 + DEALT_APART * deal)
    cases, right = [], []
    for number in range(N_THIRDS):
        step = deal * N_THIRDS + number + 1
        watch(f"sequence model {step} of {recipe.n_deals * N_THIRDS} for the rescorer")
        rest, unseen = held_out(documents, third, number)
        first_stages = Cascade(recipe, *_fit_sequence(rest, recipe, lists), {})
        if CORPUS in recipe.evidence:
            first_stages = replace(first_stages, corpus=first_stages.evidence_in(unseen))
        axis, lattice, candidates = first_stages.lattice_candidates(unseen)
        cases.append(first_stages.case(unseen, axis, lattice, candidates))
        names = PlacedNames(axis, candidates)
        right.append(are_right(names, unseen, recipe.annotator, alternatives=True))
    return Deal(cases, right)


def _refuse_little(documents: Documents, recipe: Recipe) -> None:
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
