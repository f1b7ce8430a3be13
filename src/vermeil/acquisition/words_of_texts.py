"""Words learned from the very texts that a recogniser is acquired from."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from vermeil.document import Document
from vermeil.errors import TooLittleError
from vermeil.formats.files.ledger import Ledger
from vermeil.recognise.word_classes.clusters import SIZES
from vermeil.recognise.word_classes.learned_words import LearnedWords
from vermeil.recognise.word_classes.learning import learn
from vermeil.runs.driver import carry_out

Reread = Callable[[], Iterable[Document]]
"""Reads the documents, from the first on, each time it is called."""

LEAST_WORDS = 4 * SIZES[-1]
"""With fewer words than four in each of the finest classes, classes tell little."""


def words_of(
    documents: Reread, path: Path, *, tokeniser: str, seed: int = 0, say: Callable[[str], None]
) -> LearnedWords | None:
    """Learn the words of texts and keep them in a file, or read the file where it is there.

    Of texts with too few words nothing is kept, and ``say`` is told so.
    """
    if path.exists():
        return LearnedWords.load(path)
    try:
        with TemporaryDirectory() as folder:
            words = learn(
                [_Texts(documents)],
                Path(folder),
                carry_out,
                ledger=Ledger(),
                tokeniser=tokeniser,
                seed=seed,
                watch=say,
            )
    except TooLittleError:
        words = None
    n_words = 0 if words is None else len(words.tokens)
    if words is None or n_words < LEAST_WORDS:
        say(f"{n_words:,} words are too few to learn from, {LEAST_WORDS:,} the least: without them")
        return None
    words.save(path)
    return words


@dataclass(frozen=True, slots=True)
class _Texts:
    """Documents as material for a stage."""

    documents: Reread

    def read(self, ledger: Ledger) -> Iterator[Document]:
        """Read them from the first on."""
        return iter(self.documents())
