"""``train``: a recogniser from annotated documents."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from vermeil import __version__
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.source import Source
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.models import Model
from vermeil.verbs.naming import believed_layer, count_labels, names_of
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.recognise.judging.cross_validation import Validation
    from vermeil.recognise.recipe import Recipe

NO_WORDS = "none"

Names: TypeAlias = str | PathLike[str] | Iterable[str]
"""Names of a label: a file with one a line, or the names themselves."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a recogniser is trained, beside its recipe.

    Lexicons are names by label, with the files they came from. ``watch`` is told what is done.
    """

    by: str
    recipe: "Recipe"
    names: Mapping[str, list[str]]
    files: tuple[str, ...]
    english: Collection[str]
    n_folds: int = 0
    ablate: bool = True
    watch: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training: the model, and how it went.

    ``n_unreachable`` of the ``n_names`` begin or end where no token does.
    """

    model: Model
    by: str
    n_names: int
    n_unreachable: int
    seconds: float
    validations: "Mapping[str, Validation]"


@verb
def train(
    documents: Any,
    *,
    label: str | Iterable[str] | None = None,
    layer: str | None = None,
    by: str = "cascade",
    sequence: str = "crf",
    rescorer: str = "trees",
    lexicon: "Names | Mapping[str, Names] | None" = None,
    words: Names = "",
    tokeniser: str = "fine",
    seed: int = 0,
    folds: int = 0,
    ablate: bool = True,
    curves: str | PathLike[str] | None = None,
    name: str = "",
    licence: str = "",
    watch: Callable[[str], None] | None = None,
) -> Model:
    """Train a recogniser on the documents that an annotator looked at.

    ``layer`` is the annotator to believe: gold, or the only one. ``label`` chooses labels, all
    without it. ``lexicon`` has known names, by label where there are several: files with one a
    line, or lists. ``words`` are English words, those of the system without it, ``"none"`` for
    none. ``folds`` cross-validates, too; the figures are on the card, and ``curves`` are drawn to
    that file. ``watch`` is called with what is being done. The model holds weights and hashes, and
    no text of the documents.
    """
    check_kinds(by, sequence, rescorer, tokeniser)
    if curves is not None and not folds:
        raise UsageError("to draw curves, give --folds 2 or more")
    corpus = some_documents(documents, verb="train")
    held = corpus.listed()
    believed = believed_layer(held, layer)
    recipe = recipe_for(
        held,
        believed,
        names_of(label),
        sequence=sequence,
        rescorer=rescorer,
        tokeniser=tokeniser,
        seed=seed,
    )
    given = lexicon if isinstance(lexicon, Mapping) else {"": lexicon} if lexicon else {}
    lexicons = [LabelNames.read(own, names) for own, names in given.items()]
    plan = Training(
        by,
        recipe,
        names=by_label(lexicons, recipe.labels),
        files=tuple(sorted(each.file for each in lexicons if each.file)),
        english=english(words),
        n_folds=folds,
        ablate=ablate,
        watch=watch,
    )
    done = trained(held, plan, name=name, licence=licence, trained_on=corpus.files)
    if curves is not None:
        from vermeil.reports.drawing.reliability import draw_curves
        from vermeil.verbs.validation import rankings_of

        write_picture(curves, draw_curves(rankings_of(done.validations)))
    return done.model


def trained(
    documents: Sequence[Document],
    plan: Training,
    *,
    name: str = "",
    licence: str = "",
    trained_on: Sequence[str] = (),
) -> Trained:
    """Train a recogniser, cross-validate it if asked to, and write on its card what came of it."""
    from vermeil.recognise.cascade import unreachable
    from vermeil.recognise.judging.cross_validation import trainer
    from vermeil.recognise.words.knowledge import Resources
    from vermeil.verbs.validation import cross_validated, figures_of

    recipe = plan.recipe
    looked = [each for each in documents if recipe.annotator in each.layers]
    check_folds(plan.n_folds, len(looked))
    there = count_labels(looked, recipe.annotator)
    resources = Resources(plan.names, plan.english)
    begun = monotonic()
    recogniser: Any = trainer(plan.by, recipe, resources, watch=plan.watch)(looked)
    seconds = monotonic() - begun
    validations: dict[str, Validation] = {}
    if plan.n_folds:
        validations = cross_validated(
            plan.by,
            looked,
            recipe,
            resources,
            n_folds=plan.n_folds,
            ablate=plan.ablate,
            watch=plan.watch,
        )
    card = {
        "name": name,
        "licence": licence,
        "trained_by": f"vermeil {__version__}",
        "trained_on": sorted(trained_on),
        "lexicons": list(plan.files),
        "documents": len(looked),
        "names": {label: there[label] for label in recipe.labels},
        "folds": plan.n_folds,
        "figures": figures_of(validations),
    }
    n_unreachable, n_names = unreachable(looked, recipe)
    model = Model(replace(recogniser, card=card))
    return Trained(model, plan.by, n_names, n_unreachable, seconds, validations)


def check_kinds(by: str, sequence: str, rescorer: str, tokeniser: str) -> None:
    """Refuse names of kinds, models and tokenisers that there are not."""
    from vermeil.recognise.cascade import NO_RESCORER, RESCORERS, SEQUENCES
    from vermeil.recognise.recogniser import RECOGNISERS
    from vermeil.text.tokens import TOKENISERS

    for kind, chosen, known in (
        ("recogniser", by, RECOGNISERS),
        ("sequence model", sequence, SEQUENCES),
        ("rescorer", rescorer, (*RESCORERS, NO_RESCORER)),
        ("tokeniser", tokeniser, TOKENISERS),
    ):
        if chosen not in known:
            raise UnknownNameError(kind, chosen, known)


def check_folds(n_folds: int, n_documents: int) -> None:
    """Refuse folds that documents cannot be dealt into."""
    if n_folds == 1 or n_folds < 0:
        raise UsageError("to cross-validate, give --folds 2 or more")
    if n_folds > n_documents:
        raise UsageError(f"{n_documents} documents cannot be dealt into {n_folds} folds")


def recipe_for(
    documents: Sequence[Document], layer: str, labels: Sequence[str], **choices: Any
) -> "Recipe":
    """Make the recipe for the labels that are wanted, all that the layer has without any."""
    from vermeil.recognise.recipe import Recipe

    there = count_labels(documents, layer)
    for label in labels:
        if label not in there:
            raise UnknownNameError("label", label, there)
    return Recipe(tuple(dict.fromkeys(labels)) or tuple(sorted(there)), annotator=layer, **choices)


@dataclass(frozen=True, slots=True)
class LabelNames:
    """Names of a label, from a file or given; without a label they are of the only one there is."""

    label: str
    file: str
    names: list[str]

    @staticmethod
    def read(label: str, given: Names) -> "LabelNames":
        """Take a file with a name a line, or the names themselves."""
        if isinstance(given, str | PathLike):
            path = Path(fspath(given))
            return LabelNames(label, path.name, _lines(path))
        return LabelNames(label, "", [str(each) for each in given])

    def label_among(self, labels: Sequence[str]) -> str:
        """Tell of which label the names are."""
        if self.label and self.label not in labels:
            raise UnknownNameError("label", self.label, labels)
        if not self.label and len(labels) != 1:
            raise UsageError(
                f"{self.file or 'the lexicon'}: of which label are these names? There are "
                f"{', '.join(labels)}; give --lexicon LABEL={self.file or '…'}"
            )
        return self.label or labels[0]


def by_label(lexicons: Sequence[LabelNames], labels: Sequence[str]) -> dict[str, list[str]]:
    """Put the names of each label together."""
    names: dict[str, list[str]] = {}
    for each in lexicons:
        names.setdefault(each.label_among(labels), []).extend(each.names)
    return names


def english(words: Names) -> Collection[str]:
    """Take English words: a file, a list, those of the system, or none."""
    from vermeil.recognise.words.preclassifier import english_words
    from vermeil.recognise.words.token_sets import words_of

    if words == NO_WORDS:
        return ()
    if isinstance(words, str | PathLike):
        given = fspath(words)
        return words_of(_lines(Path(given)), tokeniser="words") if given else english_words()
    return words_of(list(words), tokeniser="words")


def _lines(path: Path) -> list[str]:
    lines = (line.strip() for _, line in Source(path, "").lines())
    return [line for line in lines if line and not line.startswith("#")]
