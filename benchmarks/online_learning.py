"""The online learner: as good as the batch one, and in memory that does not grow with the data.

Proteins of GE abstracts: 400 are learned, 300 others read. Then abstracts of ``acquire`` are tagged
by the tagger so made, written to disk, and learned from in a process of its own, which reads them
anew each time it goes through them: so many, and twenty times as many. The batch learner does the
smaller job for comparison. Peak memory is that of the whole process, seconds are of its CPU; the
time to read documents and to make examples of them is not the learner's. Reads VERMEIL_CORPORA.

    python -m benchmarks.online_learning [--times N]
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.perturbed import CORPORA
from benchmarks.timing import peak_megabytes
from vermeil import Document
from vermeil.formats import read, write
from vermeil.recognise.linear.examples import Examples, examples_of
from vermeil.recognise.linear.options import LinearOptions
from vermeil.recognise.linear.tagger import LinearTagger
from vermeil.recognise.recipe import Recipe
from vermeil.recognise.tagging import tag
from vermeil.scoring.scores import score

FOLDER = CORPORA / "acquire"
RECIPE = Recipe(("Protein",), tokeniser="separators")
SVM = LinearOptions(n_folds=0)
ONLINE = LinearOptions(learner="online", n_folds=0)
SILVER = "tagger"
N_ABSTRACTS = 1100
N_EPOCHS = 2
N_PART = 200
"""Documents whose examples are in memory at a time."""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=20, help="how many times the data to learn")
    parser.add_argument("--learn", nargs=2, metavar=("LEARNER", "FILE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if not FOLDER.is_dir():
        print(f"no abstracts at {FOLDER}; set VERMEIL_CORPORA")
    elif asked.learn:
        learn(asked.learn[0], Path(asked.learn[1]))
    else:
        tagger = compare()
        with TemporaryDirectory() as folder:
            scale(tagger, Path(folder), asked.times)


def compare() -> LinearTagger:
    """Learn from gold with both learners; give the online tagger."""
    documents = sorted(read(FOLDER / "ge-train", annotator="gold"), key=lambda each: each.id)
    train, test = documents[:400], documents[400:700]
    n_train, n_test = (len(examples_of(each, RECIPE, SVM)) for each in (train, test))
    print(f"learned from {n_train:,} tokens of gold, read {n_test:,}")
    print(f"{'':<10}{'P':>8}{'R':>8}{'F':>8}{'learned/s':>12}{'read/s':>12}")
    for title, options in (("svm", SVM), ("online", ONLINE)):
        begun = process_time()
        tagger = LinearTagger.fit(train, RECIPE, options=options)
        learned = process_time()
        tagged = list(tag(tagger, test, name=title, threshold=0.0))
        speeds = n_train / (learned - begun), n_test / (process_time() - learned)
        counts = score(tagged, standard="gold", systems=[title])[title].counts("exact")
        figures = f"{counts.precision:8.3f}{counts.recall:8.3f}{counts.f1:8.4f}"
        print(f"{title:<10}{figures}{speeds[0]:12,.0f}{speeds[1]:12,.0f}", flush=True)
    return tagger


def scale(tagger: LinearTagger, folder: Path, times: int) -> None:
    """Write tagged abstracts to disk, and learn from them in processes of their own."""
    print(f"\n{'':<16}{'MB on disk':>12}{'tokens':>12}{'peak MB':>10}{'learned/s':>12}")
    for title, learner, n in (
        ("svm", "svm", 1),
        ("online", "online", 1),
        (f"online, {times}x", "online", times),
    ):
        path = folder / "abstracts.jsonl"
        begun = process_time()
        write(abstracts(tagger, n * N_ABSTRACTS), path)
        seconds = process_time() - begun
        size = path.stat().st_size / 1e6
        print(f"{title:<16}{size:12,.0f}", end="", flush=True)
        subprocess.run(
            [sys.executable, "-m", "benchmarks.online_learning", "--learn", learner, str(path)],
            check=True,
        )
    print(f"\ntagged and written to disk: {size / seconds:,.1f} MB/s")


def abstracts(tagger: LinearTagger, n: int) -> Iterator[Document]:
    """Yield abstracts with the names that the tagger finds."""
    return tag(tagger, islice(read(FOLDER / "abstracts.jsonl.gz"), n), name=SILVER, threshold=0.0)


@dataclass
class Lessons:
    """The examples of documents on disk, a part at a time, as often as they are asked for.

    ``n_examples`` counts those of one time, ``seconds`` what making them has cost so far.
    """

    path: Path
    options: LinearOptions
    n_examples: int = 0
    seconds: float = 0.0

    def __iter__(self) -> Iterator[Examples]:
        recipe = Recipe(RECIPE.labels, SILVER, RECIPE.tokeniser)
        self.n_examples, begun = 0, process_time()
        documents = read(self.path)
        while part := list(islice(documents, N_PART)):
            examples = examples_of(part, recipe, self.options)
            self.n_examples += len(examples)
            self.seconds += process_time() - begun
            yield examples
            begun = process_time()


def learn(learner: str, path: Path) -> None:
    """Learn from documents; print the tokens, the peak memory of this process and its speed."""
    options = SVM if learner == "svm" else ONLINE
    lessons = Lessons(path, options)
    begun = process_time()
    LinearTagger.of_examples(lessons, Recipe(RECIPE.labels, n_rounds=N_EPOCHS), options=options)
    seconds = process_time() - begun - lessons.seconds
    speed = lessons.n_examples / seconds
    print(f"{lessons.n_examples:12,}{peak_megabytes():10,.0f}{speed:12,.0f}", flush=True)


if __name__ == "__main__":
    main()
