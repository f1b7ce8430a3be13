"""Small batches of potentials, and their naive twin: all tag sequences, written out one by one."""

from itertools import pairwise, product
from math import exp, fsum, log
from typing import NamedTuple

import hypothesis.strategies as st
import numpy as np

from vermeil.sequences.chains.potentials import ChainPotentials, LocalPotentials, Potentials
from vermeil.sequences.tokens.tag_set import TagSet
from vermeil.text.tags import Name, decode, find_repairs

LABELS = ("Gene", "Cell", "Drug", "Site")
KINDS = ("chain", "local")


class Sequence(NamedTuple):
    """A tag sequence of one sentence; names count tokens from the start of the sentence."""

    codes: tuple[int, ...]
    names: list[Name]
    score: float
    probability: float


def make(
    kind: str, lengths: list[int], *, n_labels: int = 2, scale: float = 2.0, seed: int = 0
) -> Potentials:
    """Make random potentials for sentences of these lengths."""
    random = np.random.default_rng(seed)
    tags = TagSet(LABELS[:n_labels])
    first_token = np.concatenate(([0], np.cumsum(np.array(lengths, dtype=np.int64))))
    n = int(first_token[-1])
    if kind == "chain":
        unary = random.normal(0, scale, (n, len(tags)))
        transition = random.normal(0, scale, (len(tags), len(tags)))
        return ChainPotentials(tags, first_token, unary, transition)
    weights = random.normal(0, scale, (n, len(tags) + 1, len(tags)))
    weights -= weights.max(axis=-1, keepdims=True)
    weights -= np.log(np.exp(weights).sum(axis=-1, keepdims=True))
    return LocalPotentials(tags, first_token, weights)


@st.composite
def potentials(draw: st.DrawFn) -> Potentials:
    """Up to three sentences of up to five tokens (four with two labels)."""
    n_labels = draw(st.integers(1, 2))
    longest = 5 if n_labels == 1 else 4
    return make(
        draw(st.sampled_from(KINDS)),
        draw(st.lists(st.integers(0, longest), max_size=3)),
        n_labels=n_labels,
        scale=draw(st.sampled_from([0.1, 2.0, 20.0])),
        seed=draw(st.integers(0, 1 << 30)),
    )


def sequences(potentials: Potentials, sentence: int) -> list[Sequence]:
    """List every well-formed tag sequence of a sentence with its probability, the best first."""
    names = potentials.tags.names
    first, end = potentials.first_token[sentence : sentence + 2].tolist()
    found = []
    for codes in product(range(len(names)), repeat=end - first):
        tags = [names[code] for code in codes]
        if not find_repairs(tags, "iob2"):
            score = _score(potentials, first, codes)
            found.append(Sequence(codes, decode(tags, "iob2"), score, 0.0))
    best = max(sequence.score for sequence in found)
    total = fsum(exp(sequence.score - best) for sequence in found)
    found = [each._replace(probability=exp(each.score - best) / total) for each in found]
    return sorted(found, key=lambda each: (-each.score, each.codes[::-1]))


def _score(potentials: Potentials, first: int, codes: tuple[int, ...]) -> float:
    if isinstance(potentials, ChainPotentials):
        tokens = [float(potentials.unary[first + at, code]) for at, code in enumerate(codes)]
        steps = pairwise(codes)
        return fsum(tokens) + fsum(float(potentials.transition[step]) for step in steps)
    terms = []
    before: tuple[int, ...] = ()
    for at, code in enumerate(codes):
        row = potentials.log_probability[first + at, before[-1] if before else -1].tolist()
        best = max(row[each] for each in _allowed(potentials.tags, before))
        total = fsum(exp(row[each] - best) for each in _allowed(potentials.tags, before))
        terms.append(row[code] - best - log(total))
        before = (code,)
    return fsum(terms)


def _allowed(tags: TagSet, before: tuple[int, ...]) -> list[int]:
    seen = [tags.names[code] for code in before]
    label = seen[0].partition("-")[2] if seen else ""
    return [
        code
        for code, tag in enumerate(tags.names)
        if not tag.startswith("I-") or tag == f"I-{label}"
    ]
