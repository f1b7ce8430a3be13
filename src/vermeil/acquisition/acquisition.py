"""From a lexicon, its references and plain text to a recogniser, without an annotated sentence.

    judgement.zip       what the references tell about the lexicon (``support.judgement``)
    labels.jsonl.gz     every document with its layers (``labelling``)
    words.zip           classes and vectors of the words of all documents, if there are enough
    tagger-1.zip, …     two taggers, each trained on the sure sentences of one half of a sample
    consensus.jsonl.gz  the sample, each half with what the tagger of the other half adds, and what
                        it half believes as the layer ``doubtful``
    member-1.zip, …     of a committee: two cascades over different tokens, one for each half
    model.zip           the recogniser, trained on that; one for unlisted names only on sentences
                        without doubt

Each step writes one file, which appears when it is complete, and is not done again where its file
is there: a run that was ended goes on with the same result. Manifest and lock are those of every
run (``runs.folder``). Chance comes from the seed alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.labelling import CONSENSUS, PLAIN, Labelling, label
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.support.judgement import Judgement, with_company
from vermeil.acquisition.support.rejudging import Rejudgement
from vermeil.acquisition.training_data import (
    BELIEF,
    NAMES,
    Belief,
    sure_sentences,
    with_consensus,
    without_doubt,
)
from vermeil.acquisition.words_of_texts import Reread, words_of
from vermeil.document import Document
from vermeil.formats import read, write
from vermeil.recognise.cascade import NO_RESCORER, Cascade
from vermeil.recognise.committee import Committee, other_tokens
from vermeil.recognise.recipe import EVEN, Recipe
from vermeil.recognise.recogniser import RECOGNISERS, Recogniser, load, save
from vermeil.recognise.rescoring.features import LONG_FORMS
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.knowledge import Resources
from vermeil.runs.folder import claimed

Say = Callable[[str], None]

STAGE = "acquire run"
COMMITTEE = "committee"
N_TAGGER_ROUNDS = 50
CASCADE = "cascade"
ENOUGH = 0.4
"""The confidence that a name of an acquired cascade needs.

Where confidences are right, most is found by F with half of the F that is found. GE abstracts do
not tell .4 from .5; it was taken after EPI had been seen to gain (decision 11).
"""

WITHHELD = 0.25
"""Share of the lexicon's names that a recogniser for unlisted ones does not see while it learns.

Chosen without gold: see ``benchmarks.hidden_names``.
"""


@dataclass(frozen=True, slots=True)
class AcquisitionPlan:
    """How a recogniser is acquired. ``by`` is a row of RECOGNISERS.

    At most ``n_documents`` are learned from: those with references first, in random order; the two
    members of a committee share them, so that each learns other errors of the annotation. To look
    harder for ``unlisted`` names, which no database has, finds more of them and is less precise.
    """

    by: str = COMMITTEE
    n_documents: int = 8000
    tokeniser: str = "punctuation"
    labelling: Labelling = field(default=PLAIN)
    belief: Belief = field(default=BELIEF)
    n_rounds: int | None = 50
    unlisted: bool = False
    seed: int = 0

    def with_threshold(self, threshold: float) -> "AcquisitionPlan":
        """Label from another score on; what a tagger learns from moves by as much.

        >>> AcquisitionPlan().with_threshold(-2.5) == AcquisitionPlan()
        True
        """
        by = threshold - self.labelling.threshold
        name, unknown = self.belief.name + by, self.belief.unknown + by
        return replace(
            self,
            labelling=replace(self.labelling, threshold=threshold),
            belief=replace(self.belief, name=name, unknown=unknown),
        )


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
    files: Sequence[Path | str] = (),
    reading: Mapping[str, Any] | None = None,
    say: Say = lambda _: None,
) -> Acquired:
    """Do all steps that are not done yet.

    ``files`` are those that documents, lexicon and references come from, ``reading`` how they are
    read. A folder of another plan, of other files or of another reading is refused, and so is one
    in which a run is at work.
    """
    options = {**asdict(plan), "reading": reading}
    with claimed(folder, stage=STAGE, options=options, files=files):
        say("references")
        judgement = _judgement(documents, lexicon, links, plan, folder)
        say("labels")
        _write_labels(documents, judgement, plan, folder)
        say("words")
        words = words_of(
            documents, folder / "words.zip", tokeniser=plan.tokeniser, seed=plan.seed, say=say
        )
        say("consensus")
        sample = _consensus(documents, judgement, words, plan, folder, say)
        path = folder / "model.zip"
        if not path.exists():
            say("recogniser")
            resources = _resources(lexicon, words if plan.by in (COMMITTEE, CASCADE) else None)
            model = (
                _committee(sample, resources, plan, folder, say)
                if plan.by == COMMITTEE
                else _fitted(sample, resources, plan, say)
            )
            save(_with_card(model, sample, resources), path)
    return Acquired(load(path), path, len(sample), _n_names(sample))


def _judgement(
    documents: Reread, lexicon: Lexicon, links: Links, plan: AcquisitionPlan, folder: Path
) -> Judgement:
    path = folder / "judgement.zip"
    if not path.exists():
        Judgement.learn(lexicon, links, documents(), tokeniser=plan.tokeniser).save(path)
    return Judgement.load(path, lexicon, links)


def _write_labels(
    documents: Reread, judgement: Judgement, plan: AcquisitionPlan, folder: Path
) -> None:
    path = folder / "labels.jsonl.gz"
    if not path.exists():
        labelled = label(
            documents(),
            judgement.lexicon,
            judgement.links,
            judgement,
            tokeniser=plan.tokeniser,
            how=plan.labelling,
        )
        write(labelled, path)


def _consensus(
    documents: Reread,
    judgement: Judgement,
    words: LearnedWords | None,
    plan: AcquisitionPlan,
    folder: Path,
    say: Say,
) -> list[Document]:
    path = folder / "consensus.jsonl.gz"
    if not path.exists():
        sample = _sample(documents, judgement.links, plan)
        if words is not None:
            judgement = with_company(judgement, sample, words, threshold=plan.belief.name)
        halves = sample[::2], sample[1::2]
        taggers = [
            _tagger(judgement, half, words, plan, folder / f"tagger-{number}.zip", say)
            for number, half in enumerate(halves, start=1)
        ]
        parts = list(zip(halves, reversed(taggers), strict=True))
        say("matches judged again")
        rejudgement = Rejudgement.learn(judgement, parts, words=words, threshold=plan.belief.name)
        write(with_consensus(rejudgement, parts, belief=plan.belief), path)
    return list(read(path))


def _tagger(
    judgement: Judgement,
    documents: Sequence[Document],
    words: LearnedWords | None,
    plan: AcquisitionPlan,
    path: Path,
    say: Say,
) -> Recogniser:
    if not path.exists():
        say(f"{path.stem}")
        learned = list(sure_sentences(judgement, documents, belief=plan.belief))
        # Without the lexicon: it has to find what the lexicon lacks.
        recipe = Recipe(
            judgement.lexicon.labels,
            annotator=NAMES,
            rescorer=NO_RESCORER,
            n_rounds=N_TAGGER_ROUNDS,
            seed=plan.seed,
        )
        save(Cascade.fit(learned, recipe, Resources({}, learned=words)), path)
    return load(path)


def _fitted(
    sample: Sequence[Document], resources: Resources, plan: AcquisitionPlan, say: Say
) -> Recogniser:
    recipe = Recipe(
        tuple(resources.names),
        annotator=CONSENSUS,
        tokeniser=plan.tokeniser,
        n_rounds=plan.n_rounds,
        seed=plan.seed,
        withheld=WITHHELD if plan.unlisted else 0.0,
        # How often what was labelled by a list was a name says what the list says once more.
        evidence=(LONG_FORMS,),
        # A second deal costs as much as the first, and there are many more documents.
        n_deals=1,
        threshold=ENOUGH if plan.by == CASCADE else EVEN,
    )
    learned = list(without_doubt(sample)) if plan.unlisted else sample
    return RECOGNISERS[plan.by].fit(learned, recipe, resources, watch=say)


def _committee(
    sample: Sequence[Document], resources: Resources, plan: AcquisitionPlan, folder: Path, say: Say
) -> Committee:
    """Train a cascade on each half of the sample; different taggers have read them."""
    tokens = plan.tokeniser, other_tokens(plan.tokeniser)
    middle = (len(sample) + 1) // 2
    members = []
    for number, own in enumerate((sample[:middle], sample[middle:])):
        path = folder / f"member-{number + 1}.zip"
        if not path.exists():
            say(path.stem)
            as_one = replace(plan, by=CASCADE, tokeniser=tokens[number])
            model = _fitted(own, resources, as_one, say)
            save(_with_card(model, own, resources), path)
        member = load(path)
        assert isinstance(member, Cascade)
        members.append(member)
    return Committee(tuple(members))


def _with_card(model: Recogniser, sample: Sequence[Document], resources: Resources) -> Recogniser:
    learned = resources.learned
    card = {
        "title": "acquired without hand annotation",
        "documents": len(sample),
        "names": _n_names(sample),
        **({"words": dict(learned.card)} if learned is not None else {}),
    }
    carded: Recogniser = replace(model, card=card)  # type: ignore[type-var]
    return carded


def _n_names(sample: Sequence[Document]) -> int:
    return sum(len(document.layers[CONSENSUS]) for document in sample)


def _sample(documents: Reread, links: Links, plan: AcquisitionPlan) -> list[Document]:
    """Choose the documents to learn from, in random order."""
    kept = [(links.references.number_of(each.id) < 0, each) for each in documents()]
    order = np.random.default_rng(plan.seed).permutation(len(kept)).tolist()
    order.sort(key=lambda number: kept[number][0])
    return [kept[number][1] for number in order[: plan.n_documents]]


def _resources(lexicon: Lexicon, words: LearnedWords | None = None) -> Resources:
    names: dict[str, list[str]] = {name: [] for name in lexicon.labels}
    for row, key in enumerate(lexicon.key_of_name.tolist()):
        for name in lexicon.labels_of(key):
            names[name].append(lexicon.names.name(row))
    return Resources(names, learned=words)
