"""How fast recognisers tag, from text to names, and how much memory that takes.

The cascade against python-crfsuite with the usual features, computed once for each distinct word of
a batch, and against the floor: cutting the text into sentences and tokens. The weights of crfsuite
come from a short training; they do not change its speed. Tokens a CPU second, over the abstracts of
BC5CDR; a second round shows what a warm cache of words is worth. Reads VERMEIL_CORPORA.

    python -m benchmarks.tagging [MODEL]
"""

import resource
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from benchmarks.perturbed import CORPORA
from vermeil import Document, models
from vermeil.formats import read
from vermeil.recognise.found import BATCH, tag
from vermeil.recognise.name_list import NameList
from vermeil.recognise.plain_crf import sentences_of, train_crfsuite
from vermeil.recognise.plain_features import encode_plain
from vermeil.recognise.table import load
from vermeil.recognise.tag_set import TagSet
from vermeil.recognise.token_axis import TokenAxis

N_TRAINED_ON = 100
N_ROUNDS = 20
TAGS = TagSet(("CM",))


def main(path: Path) -> None:
    """Print tokens a second."""
    source = CORPORA / "chem" / "bc5cdr_traindev.jsonl"
    if not source.exists():
        print(f"no chemicals at {source.parent}; set VERMEIL_CORPORA")
        return
    documents = list(read(source, annotator="gold"))
    n_tokens = len(TokenAxis.of(documents).words)
    print(f"{len(documents):,} abstracts, {n_tokens:,} tokens")
    model = load(path)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for title in ("cascade, cold", "cascade, warm"):
        report(title, n_tokens, lambda: [*tag(model, documents, name="model")])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"{'memory':24}{grown / 1024:>12,.0f} MB, {(grown - memory) / 1024:,.0f} MB of it tagging"
    )
    report("tokens and sentences only", n_tokens, lambda: TokenAxis.of(documents))
    against_crfsuite(documents, n_tokens)


def against_crfsuite(documents: Sequence[Document], n_tokens: int) -> None:
    """Time python-crfsuite."""
    try:
        from pycrfsuite import Tagger
    except ImportError:
        print("python-crfsuite: not installed")
        return
    lexicon, english = NameList.of([]), np.zeros(0, dtype=np.uint64)
    some = documents[:N_TRAINED_ON]
    axis = TokenAxis.of(some)
    encoded = encode_plain(axis, lexicon, english)
    wanted = axis.tags_of(some, TAGS, annotator="gold")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        train_crfsuite(encoded, wanted, axis.first_token, TAGS, path, n_rounds=N_ROUNDS)
        tagger = Tagger()
        tagger.open(str(path))

        def work() -> None:
            rest = iter(documents)
            while batch := list(islice(rest, BATCH)):
                axis = TokenAxis.of(batch)
                described = encode_plain(axis, lexicon, english)
                for sentence in sentences_of(described, axis.first_token):
                    tagger.tag(sentence)

        report("python-crfsuite", n_tokens, work)


def report(what: str, n_tokens: int, work: Callable[[], object]) -> None:
    """Time some work and print a line."""
    begun = process_time()
    work()
    print(f"{what:24}{n_tokens / (process_time() - begun):>12,.0f} tokens a CPU second")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else models.path_of("chem"))
