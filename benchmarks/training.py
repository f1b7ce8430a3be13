"""How long recognisers take to learn: ours against python-crfsuite on the same documents.

The cascade's sequence model with all its features, and the linear tagger, which learns what a
support-vector machine would; crfsuite with the usual features, for as many rounds as the CRF. The
floor is describing the tokens by the usual features, which every learner needs. Documents are
generated, their names of one label; where there are corpora, abstracts of BC5CDR.

    python -m benchmarks.training [N_DOCUMENTS]
"""

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import islice
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measures import Measure, show
from benchmarks.tagging import SOURCE, TAGS, generated
from benchmarks.timing import best
from vermeil import Document
from vermeil.formats import read
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.rivals.plain_crf import train_crfsuite
from vermeil.recognise.rivals.plain_features import WordLists, encode_plain
from vermeil.recognise.words.knowledge import Resources
from vermeil.sequences.chains.learning import TaggedTokens
from vermeil.sequences.tokens.axis import TokenAxis

N_ROUNDS = 20
NO_LISTS = WordLists.of([], [], tokeniser="fine")
LINEAR = LinearOptions(learner="online", n_folds=0)
SHARE = 20
"""One document in so many of those asked for is learned from; learning costs that much more."""


def main(n: int) -> None:
    """Print the table."""
    show(speed(_documents(n)))


def rows(size: int) -> list[Measure]:
    """Measure on a share of ``size`` documents."""
    return speed(_documents(max(20, size // SHARE)))


def grow(size: int) -> Callable[[], object]:
    """Prepare the training of a linear tagger on a share of ``size`` generated documents."""
    documents = generated(max(20, size // SHARE))
    recipe = Recipe(TAGS.labels, n_rounds=1)
    return lambda: LinearTagger.fit(documents, recipe, options=LINEAR)


def speed(documents: Sequence[Document]) -> list[Measure]:
    """Time every learner once."""
    axis = TokenAxis.of(documents)
    floor = best(lambda: encode_plain(TokenAxis.of(documents), NO_LISTS))
    peer = against_crfsuite(documents)
    recipe = Recipe(TAGS.labels, n_rounds=N_ROUNDS, rescorer="none")
    works: dict[str, Callable[[], object]] = {
        f"cascade without rescorer, {N_ROUNDS} rounds": lambda: Cascade.fit(
            documents, recipe, Resources()
        ),
        "linear tagger, online": lambda: LinearTagger.fit(
            documents, Recipe(TAGS.labels, n_rounds=2), options=LINEAR
        ),
        "linear tagger, support-vector machine": lambda: LinearTagger.fit(
            documents, Recipe(TAGS.labels), options=LinearOptions(n_folds=0)
        ),
    }
    bed = f"{len(documents):,} documents, {len(axis.words):,} tokens"
    return [
        Measure(
            what,
            best(work, 1),
            peer=peer,
            peer_name=f"python-crfsuite, {N_ROUNDS} rounds",
            floor=floor,
            floor_name="the usual features of all tokens",
            note=bed,
        )
        for what, work in works.items()
    ]


def against_crfsuite(documents: Sequence[Document]) -> float:
    """Time python-crfsuite with its features; NaN where it is not installed."""
    if find_spec("pycrfsuite") is None:
        return nan

    def work() -> None:
        axis = TokenAxis.of(documents)
        encoded = encode_plain(axis, NO_LISTS)
        wanted = axis.tags_of(documents, TAGS, annotator="gold")
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            tokens = TaggedTokens(encoded, wanted, axis.first_token, TAGS)
            train_crfsuite(tokens, path, n_rounds=N_ROUNDS)

    return best(work, 1)


def _documents(n: int) -> list[Document]:
    if SOURCE.exists():
        return list(islice(read(SOURCE, annotator="gold"), n))
    return generated(n)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
