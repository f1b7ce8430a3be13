"""Texts whose words fall into classes by construction: what drugs do, and to whom."""

from functools import cache

import numpy as np

from vermeil import Document
from vermeil.formats.files.ledger import Ledger
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.word_classes.learning import learn
from vermeil.runs.driver import carry_out
from vermeil.verbs.corpus import Corpus

DRUGS = ("aspirin", "taxol", "4-oxamide", "CPT-11", "heparin", "digoxin", "codeine", "atropine")
PEOPLE = ("patients", "women", "men", "children", "nurses", "adults", "infants", "smokers")
VERBS = ("received", "took", "were given", "got")


@cache
def texts() -> tuple[Document, ...]:
    chance = np.random.default_rng(1)
    made = []
    for number in range(60):
        picked = [
            [chance.choice(each) for each in (PEOPLE, VERBS, DRUGS, PEOPLE)] for _ in range(6)
        ]
        sentences = [f"The {who} {did} {drug} with {whom}." for who, did, drug, whom in picked]
        made.append(Document(id=str(number), text=" ".join(sentences)))
    return tuple(made)


@cache
def words() -> LearnedWords:
    return learned(Corpus.of(texts()))


def learned(source: Corpus, **options: int) -> LearnedWords:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return learn(
            [source],
            Path(folder),
            carry_out,
            ledger=Ledger(),
            watch=lambda step: None,
            **options,  # type: ignore[arg-type]
        )
