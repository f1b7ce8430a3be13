"""How words are learned: two passes over texts, then vectors, classes and spellings.

Each pass is a stage, so that texts of any size are worked through in shards that are kept, on one
core or on many. The same texts give the same words.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np

from vermeil.errors import TooLittleError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import at_once
from vermeil.recognise.word_classes.clusters import classes_of
from vermeil.recognise.word_classes.company import (
    BothCompanies,
    Company,
    CompanyStage,
    Vocabularies,
)
from vermeil.recognise.word_classes.factors import vectors_of
from vermeil.recognise.word_classes.learned_words import (
    LearnedWords,
    WordTable,
    in_whole_numbers,
    short_hashes,
)
from vermeil.recognise.word_classes.spellings import spelling_vectors
from vermeil.recognise.word_classes.vocabulary import TextCounts, Vocabulary, VocabularyStage
from vermeil.runs.driver import Done, Engagement, Job
from vermeil.runs.results import taken_apart, write_result
from vermeil.runs.stages import Material

MIN_COUNT = 3
MOST_WORDS = 200_000
N_DIMENSIONS = 100
LEAST_WORDS = 10
"""Fewer words are not learned from."""

Work = Callable[[Job[Any, Any, Any]], Done[Any, Any]]
Say = Callable[[str], None]


def learn(
    sources: Sequence[Material],
    folder: Path,
    work: Work,
    *,
    ledger: Ledger,
    engagement: Engagement | None = None,
    tokeniser: str = "fine",
    min_count: int = MIN_COUNT,
    most_words: int = MOST_WORDS,
    seed: int = 0,
    watch: Say,
) -> LearnedWords:
    """Learn the words of texts; ``folder`` keeps what is done, for an interrupted run to go on.

    Sources are gone through one after the other, twice; ``work`` does a job. Without an engagement
    texts are streamed.
    """

    def seen_by(stage: Any, name: str, told: Ledger) -> Any:
        parts = []
        for number, source in enumerate(sources):
            how = Engagement()
            if engagement is not None:
                how = replace(engagement, resume=folder / f"{name}-{number}")
            parts.append(work(Job(stage, source, ledger=told, engagement=how)).known)
        return reduce(add, parts)

    folder.mkdir(parents=True, exist_ok=True)
    counted: TextCounts = seen_by(VocabularyStage(tokeniser), "count", ledger)
    chosen = Vocabularies(
        *(
            Vocabulary.of(each, min_count=min_count, most=most_words)
            for each in (counted.tokens, counted.runs)
        )
    )
    if min(len(each.words) for each in (chosen.tokens, chosen.runs)) < LEAST_WORDS:
        raise TooLittleError(
            f"there is too little to learn from: {counted.n_documents:,} documents with "
            f"{len(chosen.tokens.words):,} words that come {min_count} times or more"
        )
    path = folder / f"vocabularies-{min_count}-{most_words}.npz"
    if not path.exists():
        with at_once():
            write_result(taken_apart(chosen), path)
    # What was mended or skipped in the first pass is not told again.
    again = Ledger(skip_bad=ledger.skip_bad)
    met: BothCompanies = seen_by(CompanyStage(str(path), tokeniser), "company", again)
    tables = []
    for kind, vocabulary, company in (
        ("tokens", chosen.tokens, met.tokens),
        ("runs", chosen.runs, met.runs),
    ):
        watch(f"classes of {len(vocabulary.words):,} {kind}")
        tables.append(table_of(vocabulary, company, seed=seed))
    card = {
        "documents": counted.n_documents,
        "tokens read": counted.n_tokens,
        "tokens": len(tables[0]),
        "runs": len(tables[1]),
        "tokeniser": tokeniser,
    }
    return LearnedWords(tables[0], tables[1], card)


def table_of(vocabulary: Vocabulary, company: Company, *, seed: int = 0) -> WordTable:
    """Make vectors, classes and guesses by spelling of the words of one kind."""
    vectors = vectors_of(company.matrix, N_DIMENSIONS, seed=seed)
    # A word that no common word ever stood near has no company, and is as good as never seen.
    met = np.flatnonzero(vectors.any(axis=1))
    words = [vocabulary.words[row] for row in met.tolist()]
    hashes, first = np.unique(short_hashes(words), return_index=True)
    words, vectors = [words[place] for place in first.tolist()], vectors[met[first]]
    buckets, scale = in_whole_numbers(spelling_vectors(words, vectors))
    return WordTable(
        hashes,
        classes_of(vectors, seed=seed),
        buckets=buckets,
        scale=scale,
        vectors=in_whole_numbers(vectors)[0],
    )
