"""``learn_words``: classes of words from texts without annotation."""

from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.verbs.checking import path_given, whole_number
from vermeil.verbs.models import source_of
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.recognise.word_classes.learned_words import LearnedWords


class KnownWords:
    """Words learned from texts: classes by the company they keep, for ``train``.

    ``card`` says from how much they were learned. No word is kept, only hashes.
    """

    def __init__(self, learned: "LearnedWords") -> None:
        self.learned = learned

    @property
    def card(self) -> dict[str, Any]:
        """How much was read, and how much learned."""
        return dict(self.learned.card)

    @verb
    def save(self, path: str | PathLike[str]) -> None:
        """Write them to a file."""
        self.learned.save(path_given(path))

    def __repr__(self) -> str:
        card = self.learned.card
        return f"<KnownWords: {card['tokens']:,} tokens, {card['runs']:,} runs>"


WordsLike: TypeAlias = "str | PathLike[str] | KnownWords"


@verb
def learn_words(
    texts: Any,
    *,
    tokeniser: str = "fine",
    min_count: int = 3,
    most: int = 200_000,
    seed: int = 0,
    watch: Callable[[str], None] | None = None,
) -> KnownWords:
    """Learn classes of words from texts without annotation, for ``train(words=…)``.

    Texts are strings or documents; those of a corpus from files are streamed, twice. Words that
    come ``min_count`` times or more are learned, of more than ``most`` the commonest: tokens, and
    whole runs between white space. ``watch`` is called with what is being done.
    """
    from vermeil.recognise.word_classes.learning import learn
    from vermeil.runs.driver import carry_out

    if isinstance(texts, str):
        raise UsageError("learn_words takes many texts, and this is one string; read files first")
    check_tokeniser(tokeniser)
    with TemporaryDirectory() as folder:
        return KnownWords(
            learn(
                [source_of(texts, verb="learn_words")],
                Path(folder),
                carry_out,
                ledger=Ledger(),
                tokeniser=tokeniser,
                min_count=whole_number("min_count", min_count),
                most_words=whole_number("most", most),
                seed=seed,
                watch=watch or (lambda step: None),
            )
        )


def check_tokeniser(tokeniser: str) -> None:
    """Refuse a name that no tokeniser has."""
    from vermeil.text.tokens import TOKENISERS

    if tokeniser not in TOKENISERS:
        raise UnknownNameError("tokeniser", tokeniser, TOKENISERS)


def learned_words(given: WordsLike) -> "LearnedWords":
    """Take words that were learned, or read their file; say what to do with a list of words."""
    from vermeil.recognise.word_classes.learned_words import LearnedWords

    if isinstance(given, KnownWords):
        return given.learned
    if not isinstance(given, str | PathLike):
        raise UsageError(f"words takes what learn_words made, or its file, not {given!r:.40}")
    path = Path(fspath(given))
    if str(path) == "none" or (path.is_file() and not _is_zip(path)):
        raise UsageError(
            f"{path}: is no file of learned words, which vermeil learn-words makes; a list of "
            f"English words is given as --english {path}"
        )
    return LearnedWords.load(path)


def _is_zip(path: Path) -> bool:
    from zipfile import is_zipfile

    return is_zipfile(path)
