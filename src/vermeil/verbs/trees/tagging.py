"""``trees.tagger``: a light tagger for parts of speech and chunks, learned from a treebank."""

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.errors import UsageError
from vermeil.tree import Tree
from vermeil.verbs.checking import path_given
from vermeil.verbs.tables.table import Block, Table, Tabled, counted, defined, figure
from vermeil.verbs.trees.reading import Trees, read
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.recognise.linear.syntax.tagger import SyntaxTagger, TaggingScores


@verb
def tagger(
    trees: Trees,
    output: str | PathLike[str],
    *,
    tokeniser: str = "punctuation",
    rounds: int = 8,
    folds: int = 0,
    seed: int = 0,
    format: str | None = None,
) -> "LearnedTags":
    """Learn parts of speech and chunks from a treebank, for ``train(by="linear", tags=…)``.

    ``output`` is the file for the tagger, which holds weights and hashes and no words. Its tokens
    are those of ``tokeniser``, which the recogniser should use, too. Treebanks are gone through
    ``rounds`` times. ``folds`` cross-validates as well.
    """
    found = [tree for tree in read(trees, format=format) if tree is not None]
    made = learned_tags(found, tokeniser=tokeniser, rounds=rounds, folds=folds, seed=seed)
    path = path_given(output)
    made.tagger.save(path)
    return made.kept_in(path)


class LearnedTags(Tabled):
    """A tagger that was learned: ``tagger``, and ``scores`` of the folds if there were any."""

    def __init__(
        self,
        tagger: "SyntaxTagger",
        n_trees: int,
        scores: "TaggingScores | None",
        path: Path | None = None,
    ) -> None:
        self.tagger, self.n_trees, self.scores, self.path = tagger, n_trees, scores, path

    def kept_in(self, path: Path) -> "LearnedTags":
        """Say where the tagger is kept; the path can be given wherever one is wanted."""
        return LearnedTags(self.tagger, self.n_trees, self.scores, path)

    def __fspath__(self) -> str:
        assert self.path is not None, "the tagger was stored"
        return str(self.path)

    def blocks(self) -> Iterator[Block]:
        """Yield what was learned, and how right it was in the folds."""
        data = self.to_dict()
        rows: list[list[object]] = [
            ["trees", self.n_trees],
            ["parts of speech", data["parts_of_speech"]],
            ["chunk tags", data["chunk_tags"]],
        ]
        if self.scores is not None:
            rows += [
                [title, figure(_number(data[key]))]
                for title, key in (
                    ("right parts of speech", "accuracy"),
                    ("  of new words", "accuracy_of_new"),
                    ("right chunk tags", "chunk_accuracy"),
                    ("F1 of chunks", "chunk_f1"),
                )
            ]
        yield Table(str(self.path or ""), ["", "n"], rows)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield everything in one row."""
        yield self.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        data: dict[str, Any] = {
            "output": str(self.path or ""),
            "trees": self.n_trees,
            "parts_of_speech": len(self.tagger.speech.tags),
            "chunk_tags": len(self.tagger.chunk.tags),
        }
        return data if self.scores is None else {**data, **scores_data(self.scores)}

    def __repr__(self) -> str:
        return f"<LearnedTags: from {counted(self.n_trees, 'tree')}>"


def learned_tags(
    trees: Sequence[Tree],
    *,
    tokeniser: str,
    rounds: int,
    folds: int,
    seed: int,
    watch: Callable[[str], None] = lambda _: None,
) -> LearnedTags:
    """Learn from trees, and cross-validate if asked to."""
    from vermeil.recognise.folds import folds_of
    from vermeil.recognise.linear.syntax.tagger import SyntaxTagger, TaggingScores, judge
    from vermeil.text.tokens import tokenise

    tokenise("", by=tokeniser)
    if folds == 1 or folds < 0:
        raise UsageError("to cross-validate, give --folds 2 or more")
    if folds > len(trees):
        raise UsageError(f"{len(trees)} trees cannot be dealt into {folds} folds")
    if rounds < 1:
        raise UsageError(f"--rounds is at least 1, got {rounds}")
    scores = TaggingScores() if folds else None
    fold = folds_of(len(trees), max(1, folds), seed=seed)
    for number in range(folds):
        watch(f"fold {number + 1} of {folds}")
        rest = [tree for tree, own in zip(trees, fold.tolist(), strict=True) if own != number]
        unseen = [tree for tree, own in zip(trees, fold.tolist(), strict=True) if own == number]
        made = SyntaxTagger.fit(rest, tokeniser=tokeniser, n_epochs=rounds, seed=seed)
        assert scores is not None, "there are folds"
        scores += judge(made, unseen, rest)
    watch("all trees")
    whole = SyntaxTagger.fit(trees, tokeniser=tokeniser, n_epochs=rounds, seed=seed)
    return LearnedTags(whole, len(trees), scores)


def scores_data(scores: "TaggingScores") -> dict[str, Any]:
    """Return how right a tagger was as JSON has it."""

    def ratio(part: int, whole: int) -> float | None:
        return defined(part / whole if whole else float("nan"))

    return {
        "accuracy": ratio(scores.n_speech, scores.n_tokens),
        "accuracy_of_new": ratio(scores.n_speech_of_new, scores.n_new),
        "chunk_accuracy": ratio(scores.n_chunk, scores.n_tokens),
        "chunk_f1": ratio(2 * scores.n_exact, scores.n_chunks + scores.n_found),
    }


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
