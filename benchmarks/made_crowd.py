"""A crowd that is made up: many people who each see a little of texts with gold of four kinds.

Stands in for crowds of workers on names of several labels, of which none may be kept here. Texts
and names are those of BC5CDR and GE abstracts; chemicals and proteins are each told apart in two
kinds by how they are spelt. The people err as people do, each in their own ways and all in some:
names differ in how hard they are to see and in which wrong cut and which wrong label is tempting,
words that look like names tempt everybody, and every worker has a recall, an eagerness, a
carelessness with edges and a favourite label of their own. Reads VERMEIL_CORPORA.
"""

import json
import re
from collections.abc import Iterator

import numpy as np

from benchmarks.perturbed import CORPORA
from vermeil import Document, Span
from vermeil.formats import read
from vermeil.text.tokens import words

LABELS = ("Compound", "Drug", "Factor", "Protein")
NEAR = {"Compound": "Drug", "Drug": "Compound", "Factor": "Protein", "Protein": "Factor"}
"""The label that one is mistaken for first of all."""

DRUG = re.compile(r"(ine|in|ol|ide|one|ate|pam|mab)s?$")
Name = tuple[int, int, str]


def made_crowd(
    *, n_documents: int = 400, n_people: int = 47, n_looks: int = 5, seed: int = 0
) -> list[Document]:
    """Let some of many people mark each of some abstracts, and keep the gold."""
    rng = np.random.default_rng(seed)
    texts = _chosen(list(_chemicals()), n_documents // 2, rng)
    texts += _chosen(list(_proteins()), n_documents - n_documents // 2, rng)
    people = [_Person(rng) for _ in range(n_people)]
    batch = []
    for document in texts:
        names = sorted({(span.start, span.end, span.label) for span in document.layers["gold"]})
        page = _Page(document.text, names, rng)
        looks = rng.choice(n_people, n_looks, replace=False).tolist()
        layers = {f"w{who:02}": tuple(people[who].marks(page, rng)) for who in looks}
        gold = tuple(Span(*name) for name in names)
        batch.append(document.replace(layers={**layers, "gold": gold}))
    return batch


class _Page:
    """What tempts everybody on a page: hard names, wrong cuts and labels, words like names."""

    def __init__(self, text: str, names: list[Name], rng: np.random.Generator) -> None:
        self.names = names
        self.hard = rng.normal(0, 1.2, len(names))
        self.unclear = rng.beta(0.5, 3, len(names))
        self.mistakable = rng.beta(0.4, 4, len(names))
        tokens = words(text)
        self.cuts = [_other_cut(name, tokens, rng) for name in names]
        taken = {at for start, end, _ in names for at in range(start, end)}
        self.lures: list[tuple[Name, float]] = []
        for start, end in tokens:
            word = text[start:end]
            if start in taken or len(word) < 2:
                continue
            likeness = 2.0 * (not word.islower()) + 1.0 * any(c.isdigit() for c in word)
            if likeness and word[0].isalpha() and rng.random() < 0.25:
                label = LABELS[rng.integers(len(LABELS))]
                self.lures.append(((start, end, label), likeness + rng.normal(0, 1)))
        plain = [(a, b) for a, b in tokens if a not in taken and text[a:b].isalpha()]
        self.plain = [plain[n] for n in rng.choice(len(plain), min(len(plain), 30), replace=False)]


class _Person:
    """A worker: how much is seen, how eager and careless, and which labels are mixed up."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.sees = rng.normal(1.0, 1.1)
        self.eager = rng.normal(-4.2, 1.0)
        self.careless = rng.beta(1.5, 5)
        self.mixes = rng.beta(1.2, 9)
        self.favourite = LABELS[rng.integers(len(LABELS))]
        self.idle = 0.02 * rng.beta(1, 4)

    def marks(self, page: _Page, rng: np.random.Generator) -> Iterator[Span]:
        """Mark a page; on some a person makes less of an effort than on others."""
        effort = rng.normal(0, 0.6)
        taken: list[Name] = []
        for place, (start, end, label) in enumerate(page.names):
            if rng.random() > _chance(self.sees + effort - page.hard[place]):
                continue
            if rng.random() < self.careless * 3 * page.unclear[place] + self.careless * 0.2:
                start, end = page.cuts[place]
            taken.append((start, end, self._called(label, page.mistakable[place], rng)))
        for (start, end, label), likeness in page.lures:
            if rng.random() < _chance(self.eager + likeness):
                taken.append((start, end, label if rng.random() < 0.7 else self.favourite))
        for start, end in page.plain:
            if rng.random() < self.idle:
                taken.append((start, end, self.favourite))
        last = 0
        for start, end, label in sorted(taken):
            if start >= last:
                yield Span(start, end, label)
                last = end

    def _called(self, label: str, mistakable: float, rng: np.random.Generator) -> str:
        if rng.random() < mistakable:
            return NEAR[label]
        if rng.random() < self.mixes:
            return self.favourite if rng.random() < 0.5 else NEAR[label]
        return label


def _other_cut(
    name: Name, tokens: list[tuple[int, int]], rng: np.random.Generator
) -> tuple[int, int]:
    """Draw the wrong cut of a name that is tempting: a word more or less on one side."""
    start, end, _ = name
    own = [k for k, (first, last) in enumerate(tokens) if first < end and start < last]
    if not own:
        return start, end
    choices = []
    if len(own) > 1:
        choices += [(tokens[own[1]][0], end), (start, tokens[own[-2]][1])]
    if own[-1] + 1 < len(tokens):
        choices.append((start, tokens[own[-1] + 1][1]))
    if own[0] > 0:
        choices.append((tokens[own[0] - 1][0], end))
    return choices[rng.integers(len(choices))] if choices else (start, end)


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _chosen(documents: list[Document], n_wanted: int, rng: np.random.Generator) -> list[Document]:
    some = rng.choice(len(documents), min(n_wanted, len(documents)), replace=False)
    return [documents[place] for place in sorted(some.tolist())]


def _chemicals() -> Iterator[Document]:
    path = CORPORA / "chem" / "bc5cdr_traindev.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        facts = json.loads(line)
        text, spans = facts["text"], []
        for start, end, _ in facts["ents"]:
            label = "Drug" if DRUG.search(text[start:end].lower()) else "Compound"
            spans.append(Span(start, end, label))
        yield Document(id=facts["id"], text=text, layers={"gold": _flat(spans)})


def _proteins() -> Iterator[Document]:
    for document in read(CORPORA / "acquire" / "ge-train", annotator="gold"):
        spans = []
        for span in document.layers["gold"]:
            spelt = document.text[span.start : span.end]
            is_factor = any(c.isdigit() for c in spelt) or spelt.isupper()
            spans.append(Span(span.start, span.end, "Factor" if is_factor else "Protein"))
        yield Document(id=document.id, text=document.text, layers={"gold": _flat(spans)})


def _flat(spans: list[Span]) -> tuple[Span, ...]:
    """Keep of names that overlap the first and longest."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)
