"""A small cascade, trained once for all tests that need some cascade and not a good one."""

from functools import cache
from pathlib import Path

import pytest

from tests.recognise.word_classes.made_up import learned
from vermeil import Document
from vermeil.formats import read
from vermeil.recognise.cascade import NO_RESCORER, Cascade
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.recogniser import save
from vermeil.recognise.rescoring.features import FAMILIES, RATES
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.words.knowledge import Resources
from vermeil.samples import GOLD
from vermeil.verbs.corpus import Corpus

LABELS = ("Chemical", "Gene")
N_TRAINED = 32


@cache
def samples() -> tuple[Document, ...]:
    return tuple(read(GOLD.path))


def unseen() -> list[Document]:
    return list(samples()[N_TRAINED : N_TRAINED + 20])


@cache
def tiny_cascade() -> Cascade:
    pytest.importorskip("sklearn")
    recipe = Recipe(LABELS, n_rounds=15, n_deals=1)
    lexicon = Resources({"Chemical": ["acetic acid", "cisplatin", "olaparib"]})
    return Cascade.fit(samples()[:N_TRAINED], recipe, lexicon)


@cache
def wide_cascade() -> Cascade:
    """Train one that asks other documents, which so few would not teach one that knows rates."""
    pytest.importorskip("sklearn")
    evidence = tuple(each for each in FAMILIES if each != RATES)
    recipe = Recipe(LABELS, n_rounds=15, n_deals=1, evidence=evidence)
    return Cascade.fit(samples()[:N_TRAINED], recipe, Resources({}))


@cache
def coarse_cascade() -> Cascade:
    """Train one over words, without a rescorer."""
    recipe = Recipe(LABELS, n_rounds=5, tokeniser="words", rescorer=NO_RESCORER)
    return Cascade.fit(samples()[:N_TRAINED], recipe, Resources({}))


@cache
def sample_words() -> LearnedWords:
    """Learn the words of the samples themselves."""
    return learned(Corpus.of(samples()))


@cache
def worded_cascade() -> Cascade:
    """Train one that knows words."""
    pytest.importorskip("sklearn")
    recipe = Recipe(LABELS, n_rounds=15, n_deals=1)
    lexicon = Resources({"Chemical": ["acetic acid", "cisplatin"]}, learned=sample_words())
    return Cascade.fit(samples()[:N_TRAINED], recipe, lexicon)


def save_tiny(path: Path) -> Path:
    save(tiny_cascade(), path)
    return path
