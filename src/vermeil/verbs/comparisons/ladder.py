"""``acquire.ladder``: Table 3 of the acquisition paper on one's own data."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from math import isnan
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.verbs.acquired import round_data, rounds_blocks
from vermeil.verbs.checking import file_given, path_given
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.naming import names_of
from vermeil.verbs.tables.table import UNDEFINED, Block, Table, Tabled
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.acquisition.ladder import Ladder, LadderPlan, LadderRow

PathLikeText = str | PathLike[str]
RATIOS = ("precision", "recall", "f1")


class ClimbedLadder(Tabled):
    """What each step of the acquisition paper brings, and the rounds of the last one."""

    def __init__(self, ladder: "Ladder", folder: Path) -> None:
        self.ladder, self.folder = ladder, folder

    def blocks(self) -> Iterator[Block]:
        """Yield Table 3, the rounds of self-training and the lengths of names."""
        made = self.ladder
        learned = f"{made.n_documents:,} documents, {made.n_tokens:,} tokens learned from"
        yield Table(learned, COLUMNS, [_cells(row) for row in made.rows])
        yield ""
        yield from rounds_blocks("Rounds of self-training (Figure 7)", made.rounds)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a step."""
        return map(_row_data, self.ladder.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        made = self.ladder
        return {
            "documents": made.n_documents,
            "tokens": made.n_tokens,
            "rows": list(self.rows()),
            "rounds": [round_data(each) for each in made.rounds],
        }

    def __repr__(self) -> str:
        last = self.ladder.rows[-1]
        return f"<ClimbedLadder: {len(self.ladder.rows)} steps, F1 {last.counts.f1:.3f}>"


COLUMNS = ["step", "A", "P", "R", "F1", "95%", "gain", "p", "against"]


@verb
def ladder(
    documents: Any,
    lexicon: PathLikeText,
    references: PathLikeText,
    development: Any,
    output: PathLikeText,
    *,
    like_paper: bool = False,
    tokens: int | None = None,
    rounds: int | None = None,
    threshold: float = 0.3,
    cost: float = 0.02,
    all_sentences: bool = False,
    tags: PathLikeText | None = None,
    coordinate: str | None = None,
    conjunction: str | Iterable[str] | None = None,
    tokeniser: str | None = None,
    gold: str = "gold",
    label: str | Iterable[str] | None = None,
    page: PathLikeText | None = None,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> ClimbedLadder:
    """Make Table 3 of the acquisition paper: what each of its steps brings.

    Matching, a tagger trained on matches in any documents, and, all on the same documents of so
    many ``tokens``, taggers trained on matches, on those with a reference, with what is coordinated
    with them, and mended in ``rounds``. Each finds names in the ``development`` documents and is
    scored on their layer ``gold``: start and end of the names of a ``label``, of all without it.
    ``output`` is the folder for all of it; a run that was ended goes on when the same is asked for
    again. An error costs taggers ``cost`` (C of LIBLINEAR); they learn from sentences with a name,
    or from ``all_sentences``. ``tags`` gives them parts of speech and chunks: a file of
    ``trees.tagger``, or ``"spacy:NAME"``. ``page`` is where the figures are drawn.
    """
    from vermeil.acquisition.databases.references import open_links
    from vermeil.acquisition.ladder import climb
    from vermeil.acquisition.lexicon.files import load_lexicon
    from vermeil.runs.fingerprints import fingerprint_of

    asked = {
        "n_tokens": tokens,
        "n_rounds": rounds,
        "tokeniser": tokeniser,
        "conjunctions": names_of(conjunction),
        "coordinate": coordinate,
    }
    plan = ladder_plan(
        asked,
        like_paper=like_paper,
        threshold=threshold,
        cost=cost,
        all_sentences=all_sentences,
        tags=tags,
        seed=seed,
    )
    corpus = some_documents(documents, verb="ladder")
    judges = judges_of(some_documents(development, verb="ladder"), gold, names_of(label))
    paths = [file_given(lexicon), file_given(references)]
    names = load_lexicon(paths[0])
    folder = path_given(output)
    made = climb(
        lambda: iter(corpus),
        judges,
        names,
        open_links(names, paths[1]),
        plan,
        folder=folder,
        gold=gold,
        files=paths,
        reading={"documents": fingerprint_of("documents", corpus).digest},
        say=say,
    )
    draw(made, page)
    return ClimbedLadder(made, folder)


def ladder_plan(
    asked: Mapping[str, Any],
    *,
    like_paper: bool,
    threshold: float,
    cost: float,
    all_sentences: bool,
    tags: PathLikeText | None,
    seed: int,
) -> "LadderPlan":
    """Settle how the rows are made."""
    from vermeil.acquisition.asking import labelling, settled
    from vermeil.acquisition.ladder import NAMED, LadderPlan
    from vermeil.recognise.linear.syntax.sources import open_classifier

    way = settled({**asked, "steps": None, "shy_last": None}, like_paper=like_paper)
    if way["n_tokens"] < 1 or way["n_rounds"] < 1:
        raise UsageError("--tokens and --rounds take numbers above 0")
    if cost <= 0:
        raise UsageError("--cost takes a number above 0")
    return LadderPlan(
        labelling=labelling({**way, "layers": way["steps"]}),
        tokeniser=way["tokeniser"],
        n_tokens=way["n_tokens"],
        n_rounds=way["n_rounds"],
        threshold=threshold,
        shy_last=way["shy_last"],
        options=replace(
            NAMED,
            cost=cost,
            named_sentences=not all_sentences,
            classifier=None if tags is None else open_classifier(fspath(tags)),
        ),
        seed=seed,
    )


def judges_of(
    documents: Iterable[Document], gold: str, labels: Collection[str] = ()
) -> list[Document]:
    """Keep the documents that are annotated, with the names of some labels of their gold alone."""

    def wanted(document: Document) -> tuple[Span, ...]:
        return tuple(span for span in document.layers[gold] if not labels or span.label in labels)

    judges = [
        each.replace(layers={gold: wanted(each)}, standards={})
        for each in documents
        if gold in each.layers
    ]
    if not judges:
        raise UsageError(f"no document to score on has a layer {gold!r}; choose one with --gold")
    return judges


def draw(made: "Ladder", page: PathLikeText | None) -> None:
    """Draw the figures of a ladder, if asked to."""
    if page is not None:
        from vermeil.reports.acquired import rounds_page

        write_picture(page, rounds_page(made.rounds))


def _cells(row: "LadderRow") -> list[object]:
    counts = row.counts
    figures = row.tokens.accuracy, counts.precision, counts.recall, counts.f1
    is_first = isnan(row.gain)
    return [
        row.name,
        *(f"{100 * figure:.1f}" for figure in figures),
        f"{100 * row.f1.low:.1f} to {100 * row.f1.high:.1f}",
        UNDEFINED if is_first else f"{100 * row.gain:+.1f}",
        UNDEFINED if is_first else f"{row.p_value:.4f}",
        row.against or UNDEFINED,
    ]


def _row_data(row: "LadderRow") -> dict[str, Any]:
    return {
        "step": row.name,
        "accuracy": row.tokens.accuracy,
        **{key: getattr(row.counts, key) for key in RATIOS},
        "low": row.f1.low,
        "high": row.f1.high,
        "gain": row.gain,
        "p": row.p_value,
        "against": row.against,
    }
