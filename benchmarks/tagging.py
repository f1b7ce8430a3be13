"""How fast recognisers tag, from text to names, and how much memory that takes.

The cascade against python-crfsuite with the usual features, computed once for each distinct word of
a batch, and against the floor: cutting the text into sentences and tokens. The weights of crfsuite
come from a short training; they do not change its speed. Tokens a CPU second, over the abstracts of
BC5CDR: a first round, and the best of three more.

Then the peak of resident memory while tagging, in fresh processes: these abstracts, as many as make
50,000, one long document, and one in which every token may be a name and no sentence ends. Reads
VERMEIL_CORPORA.

    python -m benchmarks.tagging [MODEL]
"""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.perturbed import CORPORA
from benchmarks.timing import best
from vermeil import Document, models
from vermeil.formats import read, write
from vermeil.recognise.found import BATCH, tag
from vermeil.recognise.name_list import NameList
from vermeil.recognise.plain_crf import sentences_of, train_crfsuite
from vermeil.recognise.plain_features import encode_plain
from vermeil.recognise.table import load
from vermeil.recognise.tag_set import TagSet
from vermeil.recognise.token_axis import TokenAxis

N_TRAINED_ON = 100
N_ROUNDS = 20
N_SHORT = 50_000
LONG = 5_000_000
TAGS = TagSet(("CM",))


def main(path: Path) -> None:
    """Print tokens a second, and memory."""
    source = CORPORA / "chem" / "bc5cdr_traindev.jsonl"
    if not source.exists():
        print(f"no chemicals at {source.parent}; set VERMEIL_CORPORA")
        return
    documents = list(read(source, annotator="gold"))
    n_tokens = len(TokenAxis.of(documents).words)
    print(f"{len(documents):,} abstracts, {n_tokens:,} tokens")
    model = load(path)

    def work() -> None:
        for _ in tag(model, documents, name="model"):
            pass

    cold = report("cascade, cold", n_tokens, best(work, 1))
    warm = report("cascade, warm", n_tokens, best(work))
    report("tokens and sentences only", n_tokens, best(lambda: TokenAxis.of(documents)))
    rival = against_crfsuite(documents, n_tokens)
    print(f"{'times as fast':28}{cold / rival:>12.1f} cold, {warm / rival:.1f} warm")
    memory([document.text for document in documents], path)


def memory(texts: Sequence[str], model: Path) -> None:
    """Print the peak resident size of tagging texts of several kinds."""
    print("\npeak resident memory while tagging (MB)")
    whole = "\n\n".join(texts)
    short = (Document(id=str(n), text=texts[n % len(texts)]) for n in range(N_SHORT))
    dense = "NaCl-KOH, DEX (CaCl2) "
    kinds: dict[str, Iterable[Document]] = {
        f"{len(texts):,} abstracts": (Document(id=str(n), text=t) for n, t in enumerate(texts)),
        f"{N_SHORT:,} abstracts": short,
        "one document of 5 MB": [Document(id="long", text=(whole * 9)[:LONG])],
        "5 MB without a full stop": [Document(id="dense", text=(dense * LONG)[:LONG])],
    }
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        for title, documents in kinds.items():
            write(documents, source)
            print(f"{title:28}{peak_memory(source, target, model):>12,.0f}")


def peak_memory(source: Path, target: Path, model: Path) -> float:
    """Give the peak resident size in MB of tagging ``source``."""
    script = (
        "import re, sys; from pathlib import Path; from vermeil.formats import read, write; "
        "from vermeil.recognise.found import tag; from vermeil.recognise.table import load; "
        "write(tag(load(Path(sys.argv[3])), read(sys.argv[1]), name='model'), sys.argv[2]); "
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    command = [sys.executable, "-c", script, str(source), str(target), str(model)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def against_crfsuite(documents: Sequence[Document], n_tokens: int) -> float:
    """Time python-crfsuite; NaN where it is not installed."""
    try:
        from pycrfsuite import Tagger
    except ImportError:
        print("python-crfsuite: not installed")
        return nan
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

        return report("python-crfsuite", n_tokens, best(work))


def report(what: str, n_tokens: int, seconds: float) -> float:
    """Print a line, and give tokens a second."""
    print(f"{what:28}{n_tokens / seconds:>12,.0f} tokens a CPU second")
    return n_tokens / seconds


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else models.path_of("chem"))
