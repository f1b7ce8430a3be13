"""From a lexicon, its references and plain text to a recogniser, without an annotated sentence.

    judgement.zip       what the references tell about the lexicon (``survey``)
    labels.jsonl.gz     every document with its layers (``labelling``)
    tagger-1.zip, …     two taggers, each trained on the sure sentences of one half of a sample
    consensus.jsonl.gz  the sample, each half with what the tagger of the other half adds, and what
                        it half believes as the layer ``doubtful``
    model.zip           the recogniser, trained on that; one for unlisted names only on sentences
                        without doubt

The two members of a committee go this way apart, each over its own tokens, with a judgement, a
sample and taggers of its own in a folder named for the tokens: what one annotation has wrong, the
other may have right.

Each step writes one file, which appears when it is complete, and is not done again where its file
is there: a run that was ended goes on with the same result. Chance comes from the seed alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from vermeil import __version__
from vermeil.acquire.labelling import CONSENSUS, PLAIN, Labelling, label
from vermeil.acquire.lexicon import Lexicon
from vermeil.acquire.references import Links
from vermeil.acquire.run_folder import claim
from vermeil.acquire.second_look import SecondLook
from vermeil.acquire.survey import Judgement
from vermeil.acquire.training_data import (
    BELIEF,
    NAMES,
    Belief,
    sure_sentences,
    with_consensus,
    without_doubt,
)
from vermeil.document import Document
from vermeil.formats import read, write
from vermeil.recognise.cascade import NO_RESCORER, Cascade, Recipe
from vermeil.recognise.committee import Committee, other_tokens
from vermeil.recognise.knowledge import Resources
from vermeil.recognise.table import RECOGNISERS, Recogniser, load, save

Say = Callable[[str], None]
Reread = Callable[[], Iterable[Document]]
"""Gives the documents, from the first on, each time it is called."""

COMMITTEE, MEMBER = "committee", "cascade"
N_TAGGER_ROUNDS = 50
WITHHELD = 0.25
"""Share of the lexicon's names that a recogniser for unlisted ones does not see while it learns.

Chosen without gold: see ``benchmarks.hidden_names``.
"""
TITLE = "acquired without hand annotation"


@dataclass(frozen=True, slots=True)
class AcquisitionPlan:
    """How a recogniser is acquired. ``by`` is a row of RECOGNISERS.

    At most ``n_documents`` are learned from: those with references first, in random order; the
    members of a committee share them out. To look harder for ``unlisted`` names, which no database
    has, finds more of them and is less precise.
    """

    by: str = COMMITTEE
    n_documents: int = 8000
    tokeniser: str = "punctuation"
    labelling: Labelling = field(default=PLAIN)
    belief: Belief = field(default=BELIEF)
    n_rounds: int | None = 50
    unlisted: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Acquired:
    """What came of it."""

    model: Recogniser
    path: Path
    n_documents: int
    n_names: int


def acquire(
    documents: Reread,
    lexicon: Lexicon,
    links: Links,
    plan: AcquisitionPlan,
    *,
    folder: Path,
    made_from: str = "",
    say: Say = lambda _: None,
) -> Acquired:
    """Do all steps that are not done yet; ``made_from`` tells inputs from others."""
    claim(folder, {"plan": asdict(plan), "made_from": made_from, "version": __version__})
    whole = _Way(documents, lexicon, links, plan, folder, say)
    ways = whole.parted() if plan.by == COMMITTEE else [whole]
    ways[0].write_labels(folder / "labels.jsonl.gz")
    made = [way.follow() for way in ways]
    return _committee(made, folder) if plan.by == COMMITTEE else made[0]


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to a recogniser, and the folder in which it is gone.

    Of the documents to learn from, every ``of``-th is its own, from the one numbered ``first`` on.
    """

    documents: Reread
    lexicon: Lexicon
    links: Links
    plan: AcquisitionPlan
    folder: Path
    say: Say
    first: int = 0
    of: int = 1

    def parted(self) -> "list[_Way]":
        """Give the ways of the members of a committee."""
        tokens = (self.plan.tokeniser, other_tokens(self.plan.tokeniser))
        return [
            replace(
                self,
                plan=replace(self.plan, by=MEMBER, tokeniser=each),
                folder=self.folder / each,
                say=_speaking_of(each, self.say),
                first=number,
                of=len(tokens),
            )
            for number, each in enumerate(tokens)
        ]

    def follow(self) -> Acquired:
        """Do all steps to the recogniser."""
        judgement = self._judgement()
        sample = self._consensus(judgement)
        n_names = sum(len(document.layers[CONSENSUS]) for document in sample)
        path = self.folder / "model.zip"
        if not path.exists():
            self.say("recogniser")
            model = self._fitted(sample)
            card = {"title": TITLE, "documents": len(sample), "names": n_names}
            save(replace(model, card=card), path)  # type: ignore[type-var]
        return Acquired(load(path), path, len(sample), n_names)

    def write_labels(self, path: Path) -> None:
        """Write all documents with their layers."""
        judgement = self._judgement()
        if not path.exists():
            self.say("labels")
            labelled = label(
                self.documents(),
                self.lexicon,
                self.links,
                judgement,
                tokeniser=self.plan.tokeniser,
                how=self.plan.labelling,
            )
            write(labelled, path)

    def _judgement(self) -> Judgement:
        path = self.folder / "judgement.zip"
        if not path.exists():
            self.say("references")
            path.parent.mkdir(exist_ok=True)
            learned = Judgement.learn(
                self.lexicon, self.links, self.documents(), tokeniser=self.plan.tokeniser
            )
            learned.save(path)
        return Judgement.load(path, self.lexicon, self.links)

    def _consensus(self, judgement: Judgement) -> list[Document]:
        path = self.folder / "consensus.jsonl.gz"
        if not path.exists():
            sample = self._sample()
            halves = sample[::2], sample[1::2]
            taggers = [
                self._tagger(judgement, half, self.folder / f"tagger-{number}.zip")
                for number, half in enumerate(halves, start=1)
            ]
            parts = list(zip(halves, reversed(taggers), strict=True))
            self.say("second look")
            look = SecondLook.learn(judgement, parts)
            write(with_consensus(look, parts, belief=self.plan.belief), path)
        return list(read(path))

    def _sample(self) -> list[Document]:
        """Choose the documents to learn from, in random order."""
        kept = [(self.links.references.number_of(each.id) < 0, each) for each in self.documents()]
        order = np.random.default_rng(self.plan.seed).permutation(len(kept)).tolist()
        order.sort(key=lambda number: kept[number][0])
        own = order[self.first : self.plan.n_documents : self.of]
        return [kept[number][1] for number in own]

    def _tagger(
        self, judgement: Judgement, documents: Sequence[Document], path: Path
    ) -> Recogniser:
        if not path.exists():
            self.say(path.stem)
            learned = list(sure_sentences(judgement, documents, belief=self.plan.belief))
            # Without the lexicon: it has to find what the lexicon lacks.
            recipe = Recipe(
                self.lexicon.labels,
                annotator=NAMES,
                rescorer=NO_RESCORER,
                n_rounds=N_TAGGER_ROUNDS,
                seed=self.plan.seed,
            )
            save(Cascade.fit(learned, recipe, Resources({})), path)
        return load(path)

    def _fitted(self, sample: Sequence[Document]) -> Recogniser:
        plan = self.plan
        recipe = Recipe(
            self.lexicon.labels,
            annotator=CONSENSUS,
            tokeniser="separators" if plan.by == "linear" else plan.tokeniser,
            n_rounds=plan.n_rounds,
            seed=plan.seed,
            withheld=WITHHELD if plan.unlisted else 0.0,
        )
        learned = list(without_doubt(sample)) if plan.unlisted else sample
        return RECOGNISERS[plan.by].fit(learned, recipe, _resources(self.lexicon), watch=self.say)


def _committee(made: Sequence[Acquired], folder: Path) -> Acquired:
    path = folder / "model.zip"
    n_documents = sum(each.n_documents for each in made)
    n_names = sum(each.n_names for each in made)
    if not path.exists():
        card = {"title": TITLE, "documents": n_documents, "names": n_names}
        members = [each.model for each in made if isinstance(each.model, Cascade)]
        save(Committee(tuple(members), card), path)
    return Acquired(load(path), path, n_documents, n_names)


def _resources(lexicon: Lexicon) -> Resources:
    names: dict[str, list[str]] = {name: [] for name in lexicon.labels}
    for row, key in enumerate(lexicon.key_of_name.tolist()):
        for name in lexicon.labels_of(key):
            names[name].append(lexicon.names.name(row))
    return Resources(names)


def _speaking_of(tokens: str, say: Say) -> Say:
    return lambda step: say(f"{tokens}: {step}")
