"""Table 3 of the acquisition paper on anybody's data: what each step of it brings.

    dictionary            longest matches in the documents that are scored
    svm                   a linear tagger that learned from matches in abstracts of all kinds
    svm, same documents   the same, from the documents of the rows below
    + reference           from matches that a reference supports
    + coordination        and from what is coordinated with them
    words hidden          the same, by a tagger that does not see the word of the token itself
    + self-training       and from what that tagger found beside them, round by round

Each tagger learns from documents of so many tokens: the first from any, the others all from the
same ones, which have references, so that a row differs from the one that it is tested against in
its annotation alone, or in its tagger alone. The paper has no row *words hidden*: between its last
two rows both annotation and features change.

All learn from sentences with a name only: the 48 million tokens with 3 million names of section 2.2
are a name in 16 tokens, which is what such sentences have (in our abstracts 21) and whole abstracts
have not (53).

Each step writes a file, and a run that was ended goes on with the first that is missing:

    any.jsonl.gz, same.jsonl.gz     what is learned from, with its layers
    naive.zip, reference.zip, …     the taggers
    rounds/                         the rounds of self-training
    found.jsonl.gz                  the documents that are scored, with a layer for each row
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.labelling import (
    COORDINATION,
    DICTIONARY,
    EXACT,
    REFERENCE,
    Labelling,
    label,
)
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.rounds import Round
from vermeil.acquisition.self_training import SHY, SelfTrainingPlan, self_train
from vermeil.acquisition.strict_counts import strict_counts
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import read, write
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import load, save
from vermeil.recognise.tagging import tag
from vermeil.runs.folder import claimed
from vermeil.scoring.counts import Counts
from vermeil.scoring.significance import Interval, Significance, bootstrap, permutation
from vermeil.scoring.token_accuracy import TagCounts, count_tokens
from vermeil.text.tokens import tokenise

Say = Callable[[str], None]

STAGE = "acquire ladder"
SEED_SHARE = 683 / (683 + 17 * 227)
"""Share of the tokens that the first tagger of self-training learns from, as in the paper."""

COST = 0.02
"""What an error costs; the paper does not say. Chosen on GE abstracts."""

MENDED = "self-training"
NAIVE, SAME, SUPPORTED = "svm", "svm, same documents", "+ reference"
COORDINATED, HIDDEN, LAST = "+ coordination", "words hidden", "+ self-training"
AGAINST = {
    DICTIONARY: None,
    NAIVE: DICTIONARY,
    SAME: NAIVE,
    SUPPORTED: SAME,
    COORDINATED: SUPPORTED,
    HIDDEN: COORDINATED,
    LAST: COORDINATED,
}
"""The rows, and which each is tested against; the last one, if its words are hidden, against the
row before it.
"""


NAMED = LinearOptions(n_folds=0, named_sentences=True, cost=COST)
"""How taggers learn: from sentences with a name."""

UNTESTED = Significance(nan, nan, 0)
STEPS = Labelling(layers=(DICTIONARY, REFERENCE, COORDINATION))


@dataclass(frozen=True, slots=True)
class LadderPlan:
    """How the rows are made. With ``shy_last`` the last row is the last tagger of self-training.

    That tagger does not see the word of a token, as in the paper; otherwise one that does learns
    from the same data.
    """

    labelling: Labelling = STEPS
    tokeniser: str = "punctuation"
    n_tokens: int = 700_000
    n_rounds: int = 5
    threshold: float = 0.3
    shy_last: bool = False
    options: LinearOptions = NAMED
    seed: int = 0

    def told(self) -> dict[str, Any]:
        """Return what tells this plan from others, as JSON has it."""
        plain = replace(self, options=replace(self.options, classifier=None))
        return {**asdict(plain), "options": self.options.told()}

    @property
    def matches(self) -> str:
        """The layer of plain matches."""
        return EXACT if self.labelling.exactly else DICTIONARY


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A row of the table; ``gain`` and ``p_value`` are those of its F1 ``against`` another's."""

    name: str
    against: str | None
    counts: Counts
    tokens: TagCounts
    f1: Interval
    gain: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Ladder:
    """The table, and the rounds of its last row."""

    rows: tuple[LadderRow, ...]
    rounds: tuple[Round, ...]
    n_documents: int
    n_tokens: int


def climb(
    documents: Callable[[], Iterable[Document]],
    judges: Sequence[Document],
    lexicon: Lexicon,
    links: Links,
    plan: LadderPlan,
    *,
    folder: Path,
    gold: str = "gold",
    files: Sequence[Path | str] = (),
    reading: Mapping[str, Any] | None = None,
    say: Say = lambda _: None,
) -> Ladder:
    """Make the rows that are not made yet, and score them on the layer ``gold`` of the judges.

    ``files`` are those that documents, lexicon and references come from, ``reading`` how they are
    read. A folder of another plan or of other files is refused.
    """
    options = {**plan.told(), "gold": gold, "reading": reading}
    with claimed(folder, stage=STAGE, options=options, files=files, documents={"judges": judges}):
        labels = tuple(lexicon.labels)
        work = _Work(plan, folder, labels, say)
        work.draw(documents, lexicon, links)
        same = list(read(folder / "same.jsonl.gz"))
        taggers = work.taggers(same)
        mended, rounds = work.mended(same, judges, gold)
        taggers[LAST] = work.tagger(MENDED, mended, MENDED, is_shy=plan.shy_last)
        work.find(judges, lexicon, taggers)
    n_tokens = sum(len(tokenise(each.text, by=plan.tokeniser)) for each in same)
    found = list(read(folder / "found.jsonl.gz"))
    return Ladder(_rows(found, gold, plan), rounds, len(same), n_tokens)


@dataclass(frozen=True, slots=True)
class _Work:
    """The steps, each of which is not done again where its file is there."""

    plan: LadderPlan
    folder: Path
    labels: tuple[str, ...]
    say: Say

    def draw(
        self, documents: Callable[[], Iterable[Document]], lexicon: Lexicon, links: Links
    ) -> None:
        """Choose what is learned from, and label it."""
        if (self.folder / "same.jsonl.gz").exists():
            return
        self.say("labels")
        everything = list(documents())
        known = links.are_referenced(everything)
        referenced = [each for each, own in zip(everything, known, strict=True) if own]
        if not referenced:
            raise UsageError("no document has a reference; their ids are those of the references")
        # The one that is looked for comes last: it says that both are there.
        for name, given in (("any", everything), ("same", referenced)):
            labelled = label(
                self._drawn(given),
                lexicon,
                links,
                None,
                tokeniser=self.plan.tokeniser,
                how=self.plan.labelling,
            )
            write(labelled, self.folder / f"{name}.jsonl.gz")

    def _drawn(self, documents: Sequence[Document]) -> Iterator[Document]:
        """Deal documents in a random order until they have enough tokens."""
        n_tokens = 0
        for at in np.random.default_rng(self.plan.seed).permutation(len(documents)).tolist():
            if n_tokens >= self.plan.n_tokens:
                return
            bare = documents[at].replace(layers={}, standards={})
            n_tokens += len(tokenise(bare.text, by=self.plan.tokeniser))
            yield bare

    def taggers(self, same: Sequence[Document]) -> dict[str, LinearTagger]:
        """Train the rows between the first and the last."""
        matches = self.plan.matches
        anybody = list(read(self.folder / "any.jsonl.gz"))
        return {
            NAIVE: self.tagger("naive", anybody, matches),
            SAME: self.tagger("naive-same", same, matches),
            SUPPORTED: self.tagger(REFERENCE, same, REFERENCE),
            COORDINATED: self.tagger(COORDINATION, same, COORDINATION),
            HIDDEN: self.tagger("words-hidden", same, COORDINATION, is_shy=True),
        }

    def tagger(
        self, name: str, documents: Sequence[Document], layer: str, *, is_shy: bool = False
    ) -> LinearTagger:
        """Train a tagger on a layer."""
        path, plan = self.folder / f"{name}.zip", self.plan
        if not path.exists():
            self.say(name)
            recipe = Recipe(self.labels, layer, plan.tokeniser, seed=plan.seed)
            cost = SHY.cost if is_shy else plan.options.cost
            options = replace(plan.options, hide_words=is_shy, cost=cost)
            trained = LinearTagger.fit(documents, recipe, options=options)
            n_names = sum(len(each.layers[layer]) for each in documents)
            card = {"title": f"acquired: {name}", "documents": len(documents), "names": n_names}
            save(replace(trained, card=card), path)
        loaded = load(path)
        assert isinstance(loaded, LinearTagger)
        return loaded

    def mended(
        self, same: Sequence[Document], judges: Sequence[Document], gold: str
    ) -> tuple[Sequence[Document], tuple[Round, ...]]:
        """Train in rounds on the same documents."""
        plan = self.plan
        n_tokens = sum(len(tokenise(each.text, by=plan.tokeniser)) for each in same)
        n_seed = round(SEED_SHARE * n_tokens)
        rounds = SelfTrainingPlan(
            self.labels,
            COORDINATION,
            name=MENDED,
            tokeniser=plan.tokeniser,
            n_seed_tokens=n_seed,
            n_sample_tokens=-(-(n_tokens - n_seed) // plan.n_rounds),
            n_rounds=plan.n_rounds,
            threshold=plan.threshold,
            seed=plan.seed,
            options=replace(plan.options, hide_words=True, cost=SHY.cost),
        )
        self.say("self-training")
        done = self_train(
            same,
            rounds,
            folder=self.folder / "rounds",
            development=judges,
            gold=gold,
            watch=lambda each: self.say(f"round {each.number}"),
        )
        return done.documents, done.rounds

    def find(
        self, judges: Sequence[Document], lexicon: Lexicon, taggers: Mapping[str, LinearTagger]
    ) -> None:
        """Let every row find names in the documents that are scored."""
        path, plan = self.folder / "found.jsonl.gz", self.plan
        if path.exists():
            return
        self.say("names")
        how = replace(plan.labelling, layers=(plan.matches,))
        matched = label(judges, lexicon, None, None, tokeniser=plan.tokeniser, how=how)
        found = [_renamed(each, plan.matches, DICTIONARY) for each in matched]
        for name, tagger in taggers.items():
            found = list(tag(tagger, found, name=name, threshold=0.0))
        write(found, path)


def _renamed(document: Document, old: str, new: str) -> Document:
    layers = {new if name == old else name: spans for name, spans in document.layers.items()}
    return document.replace(layers=layers)


def _rows(found: Sequence[Document], gold: str, plan: LadderPlan) -> tuple[LadderRow, ...]:
    rows: list[LadderRow] = []
    tables: dict[str, list[tuple[float, ...]]] = {}
    for name, usual in AGAINST.items():
        against = HIDDEN if name == LAST and plan.shy_last else usual
        counts = [strict_counts(each, name, gold) for each in found]
        tables[name] = [(each.right, each.predicted, each.found, each.wanted) for each in counts]
        tokens = (
            count_tokens(each, name, gold, tokeniser=plan.tokeniser, same_label=False)
            for each in found
        )
        test = UNTESTED
        if against is not None:
            test = permutation(tables[name], tables[against], seed=plan.seed)
        rows.append(
            LadderRow(
                name=name,
                against=against,
                counts=sum(counts, Counts()),
                tokens=sum(tokens, TagCounts()),
                f1=bootstrap(tables[name], seed=plan.seed),
                gain=test.statistic,
                p_value=test.p_value,
            )
        )
    return tuple(rows)
