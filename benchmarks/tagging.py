"""How fast recognisers tag, from text to names, and how much memory that takes.

The cascade against python-crfsuite with the usual features, computed once for each distinct word of
a batch, and against the floor: cutting the text into sentences and tokens. The weights of crfsuite
come from a short training; they do not change its speed. Over the abstracts of BC5CDR, or generated
ones: a first round, and the best of three more. Texts without an end of a sentence are compared
with as many tokens of those.

Then the peak of resident memory while tagging, in fresh processes: these abstracts, as many as make
50,000, one long document, and one in which every token may be a name and no sentence ends. Reads
VERMEIL_CORPORA.

    python -m benchmarks.tagging [MODEL]
"""

import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from math import nan
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.generated import documents as made_up
from benchmarks.measures import Measure, show
from benchmarks.perturbed import CORPORA
from benchmarks.timing import best
from vermeil import Document, models
from vermeil.formats import read, write
from vermeil.recognise.placed_names import BATCH
from vermeil.recognise.recogniser import Recogniser, load
from vermeil.recognise.rivals.plain_crf import sentences_of, train_crfsuite
from vermeil.recognise.rivals.plain_features import WordLists, encode_plain
from vermeil.recognise.tagging import tag
from vermeil.sequences.chains.learning import TaggedTokens
from vermeil.sequences.tokens.axis import TokenAxis
from vermeil.sequences.tokens.tag_set import TagSet

N_TRAINED_ON = 100
N_ROUNDS = 20
N_SHORT = 50_000
LONG = 5_000_000
TAGS = TagSet(("CM",))
SOURCE = CORPORA / "chem" / "bc5cdr_traindev.jsonl"
N_GENERATED = 1_000
GROWN_SHARE = 4
"""Tagging costs more than the rest, so it is grown on a share of the documents."""


def main(path: Path) -> None:
    """Print tokens a second, and memory."""
    if not SOURCE.exists():
        print(f"no chemicals at {SOURCE.parent}; set VERMEIL_CORPORA; generated documents instead")
        show(speed(generated(N_GENERATED), path))
        return
    documents = list(read(SOURCE, annotator="gold"))
    show(speed(documents, path))
    memory([document.text for document in documents], path)


def rows(size: int) -> list[Measure]:
    """Measure on half the abstracts of the corpus where it is there, else on generated ones."""
    documents = (
        list(islice(read(SOURCE, annotator="gold"), 500)) if SOURCE.exists() else generated(size)
    )
    return speed(documents, models.path_of("chem"))


def grow(size: int) -> Callable[[], object]:
    """Prepare the tagging of ``size`` generated documents, which are made as they are read."""
    model = load(models.path_of("chem"))
    return lambda: sum(1 for _ in tag(model, made_up(size // GROWN_SHARE), name="model"))


def generated(n: int) -> list[Document]:
    """Give generated documents whose names are chemicals by gold."""
    return [
        each.replace(
            layers={
                "gold": tuple(
                    msgspec.structs.replace(span, label=TAGS.labels[0])
                    for span in each.layers["anna"]
                )
            }
        )
        for each in made_up(n)
    ]


def speed(documents: Sequence[Document], path: Path) -> list[Measure]:
    """Time the cascade, crfsuite, and the cutting into tokens that both begin with."""
    n_tokens = len(TokenAxis.of(documents).words)
    model = load(path)

    def work() -> None:
        for _ in tag(model, documents, name="model"):
            pass

    cold, warm = best(work, 1), best(work)
    plain = replace(
        Measure("", nan),
        peer=against_crfsuite(documents),
        peer_name="python-crfsuite, features cached by word",
        floor=best(lambda: TokenAxis.of(documents)),
        floor_name="tokens and sentences only",
    )
    bed = f"{len(documents):,} abstracts, {n_tokens:,} tokens; "
    return [
        *(
            replace(
                plain, what=what, ours=spent, note=f"{note}{n_tokens / spent:,.0f} tokens a CPU s"
            )
            for what, spent, note in (("cascade, cold", cold, bed), ("cascade, warm", warm, ""))
        ),
        *without_ends(model, warm / n_tokens),
    ]


def without_ends(model: Recogniser, of_prose: float) -> list[Measure]:
    """Time texts that are one sentence of thousands of tokens; prose takes ``of_prose`` a token."""
    random = Random(0)
    texts = {
        "10,000 times `alpha-`": "alpha-" * 10_000,
        "100,000 marks": "".join(random.choices(".,;:!?()[]-/'\"", k=100_000)),
        "20,000 times `NaCl `": "NaCl " * 20_000,
    }
    measures = []
    for what, text in texts.items():
        document = Document(id=what, text=text)
        n_tokens = len(TokenAxis.of([document]).words)
        spent = best(lambda own=document: list(tag(model, [own], name="model")))  # type: ignore[misc]
        measures.append(
            Measure(
                what,
                spent,
                floor=of_prose * n_tokens,
                floor_name="as many tokens of abstracts",
                note=f"one sentence, {n_tokens:,} tokens",
            )
        )
    return measures


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
        "from vermeil.recognise.tagging import tag; from vermeil.recognise.recogniser import load; "
        "write(tag(load(Path(sys.argv[3])), read(sys.argv[1]), name='model'), sys.argv[2]); "
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    command = [sys.executable, "-c", script, str(source), str(target), str(model)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def against_crfsuite(documents: Sequence[Document]) -> float:
    """Time python-crfsuite; NaN where it is not installed."""
    if find_spec("pycrfsuite") is None:
        return nan
    from pycrfsuite import Tagger

    lists = WordLists.of([], [], tokeniser="fine")
    some = documents[:N_TRAINED_ON]
    axis = TokenAxis.of(some)
    wanted = axis.tags_of(some, TAGS, annotator="gold")
    tokens = TaggedTokens(encode_plain(axis, lists), wanted, axis.first_token, TAGS)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        train_crfsuite(tokens, path, n_rounds=N_ROUNDS)
        tagger = Tagger()
        tagger.open(str(path))

        def work() -> None:
            rest = iter(documents)
            while batch := list(islice(rest, BATCH)):
                axis = TokenAxis.of(batch)
                described = encode_plain(axis, lists)
                for sentence in sentences_of(described, axis.first_token):
                    tagger.tag(sentence)

        return best(work)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else models.path_of("chem"))
