"""``train``: a recogniser from annotated documents."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from time import monotonic
from typing import TYPE_CHECKING, Any

from vermeil import __version__
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.verbs.checking import probability
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.models import Model
from vermeil.verbs.naming import believed_layer, count_labels, names_of
from vermeil.verbs.recognisers.learning import WordsLike
from vermeil.verbs.recognisers.resources import LabelNames, Names, by_label, resources_of
from vermeil.verbs.recognisers.validation import (
    FULL,
    SHARES,
    cross_validated,
    figures_of,
    learned_from_less,
    learning_figures,
    learning_lines,
    rankings_of,
    shares_of,
)
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.recognise.judging.cross_validation import Validation
    from vermeil.recognise.recipe import Recipe
    from vermeil.recognise.words.knowledge import Resources


@dataclass(frozen=True, slots=True)
class Training:
    """How a recogniser is trained, beside its recipe.

    ``files`` are those that lexicons came from. Cross-validation is in so many
    folds, balanced by a field of the metadata, and with ``shares`` of the documents to learn from
    it makes a learning curve. ``watch`` is told what is done.
    """

    by: str
    recipe: "Recipe"
    resources: "Resources"
    files: tuple[str, ...]
    n_folds: int = 0
    balance: str = ""
    ablate: bool = True
    shares: tuple[float, ...] = ()
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
    like_paper: bool = False,
    sequence: str | None = None,
    rescorer: str | None = None,
    features: str | None = None,
    keep_features: float | None = None,
    parts: int | None = None,
    deals: int | None = None,
    filters: bool | None = None,
    resolve: str | None = None,
    threshold: float | None = None,
    corpus_wide: bool = False,
    lexicon: "Names | Mapping[str, Names] | None" = None,
    words: "WordsLike | None" = None,
    english: Names = "",
    inside: Names = (),
    outside: Names = (),
    tags: str | PathLike[str] | None = None,
    tokeniser: str | None = None,
    seed: int = 0,
    folds: int = 0,
    balance: str = "",
    ablate: bool = True,
    curves: str | PathLike[str] | None = None,
    learning_curve: str | PathLike[str] | None = None,
    shares: str | Iterable[float] = SHARES,
    name: str = "",
    licence: str = "",
    watch: Callable[[str], None] | None = None,
) -> Model:
    """Train a recogniser on the documents that an annotator looked at.

    ``layer`` is the annotator to believe: gold, or the only one. ``label`` chooses labels, all
    without it. ``like_paper`` trains the cascade as Corbett and Copestake do; it sets ``sequence``
    to ``resolve``, ``threshold`` and ``tokeniser``, each of which may be told apart. ``threshold``
    is what the model asks of a name unless ``tag`` is told. With ``corpus_wide`` the rescorer
    learns to ask the other documents, as ``tag`` then can. ``lexicon`` has known names, by label
    where there are several: files with one a line, or lists. ``words`` are those that
    ``learn_words`` has learned from texts without annotation, or their file. ``english`` are
    English words, those of the system without it, ``"none"`` for none; ``inside`` and ``outside``
    are words spelled like parts of names and like others. ``tags`` gives the linear tagger parts of
    speech and chunks: a file of ``trees.tagger``, or ``"spacy:PIPELINE"``. ``folds``
    cross-validates, too, in folds that hold as many documents of each value of the field
    ``balance`` of the metadata; the figures are on the card. ``curves`` are drawn to that file, and
    to ``learning_curve`` what is learned from ``shares`` of the documents. ``watch`` is called with
    what is being done. The model holds weights and hashes, and no text of the documents.
    """
    way = settled_way(
        by,
        like_paper=like_paper,
        corpus_wide=corpus_wide,
        sequence=sequence,
        rescorer=rescorer,
        features=features,
        keep_features=keep_features,
        parts=parts,
        deals=deals,
        filters=filters,
        resolve=resolve,
        threshold=threshold,
        tokeniser=tokeniser,
    )
    check_tags(by, tags)
    check_words(by, words, like_paper=features == "paper" or like_paper)
    if (curves is not None or learning_curve is not None or balance) and not folds:
        raise UsageError("to cross-validate, and to draw curves, give --folds 2 or more")
    corpus = some_documents(documents, verb="train")
    held = corpus.listed()
    believed = believed_layer(held, layer)
    recipe = recipe_for(held, believed, names_of(label), **way, seed=seed)
    given = lexicon if isinstance(lexicon, Mapping) else {"": lexicon} if lexicon else {}
    lexicons = [LabelNames.read(own, names) for own, names in given.items()]
    plan = Training(
        by,
        recipe,
        resources_of(
            by_label(lexicons, recipe.labels), english, inside, outside, tags=tags, words=words
        ),
        files=tuple(sorted(each.file for each in lexicons if each.file)),
        n_folds=folds,
        balance=balance,
        ablate=ablate,
        shares=shares_of(shares) if learning_curve is not None else (),
        watch=watch,
    )
    done = trained(held, plan, name=name, licence=licence, trained_on=corpus.files)
    draw_validations(done, curves, learning_curve)
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

    recipe, resources = plan.recipe, plan.resources
    looked = [each for each in documents if recipe.annotator in each.layers]
    check_folds(plan.n_folds, len(looked))
    there = count_labels(looked, recipe.annotator)
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
            balance=plan.balance,
            ablate=plan.ablate,
            watch=plan.watch,
        )
    learning = learned_from_less(
        plan.by,
        looked,
        recipe,
        resources,
        shares=plan.shares,
        n_folds=plan.n_folds,
        balance=plan.balance,
        watch=plan.watch,
    )
    if plan.shares:
        learning[1.0] = validations.get(FULL) or validations[plan.by]
    card = {
        "name": name,
        "licence": licence,
        "trained_by": f"vermeil {__version__}",
        "trained_on": sorted(trained_on),
        "lexicons": list(plan.files),
        **({"words": dict(resources.learned.card)} if resources.learned else {}),
        "documents": len(looked),
        "names": {label: there[label] for label in recipe.labels},
        "folds": plan.n_folds,
        "figures": figures_of(validations),
    }
    if plan.balance:
        card["balanced_by"] = plan.balance
    if learning:
        card["learning"] = learning_figures(learning)
    n_unreachable, n_names = unreachable(looked, recipe)
    model = Model(replace(recogniser, card=card))
    return Trained(model, plan.by, n_names, n_unreachable, seconds, validations)


def draw_validations(
    done: Trained,
    curves: str | PathLike[str] | None,
    learning_curve: str | PathLike[str] | None,
) -> None:
    """Draw the curves that are wanted: precision over recall, and figures over documents."""
    from vermeil.reports.drawing.reliability import draw_curves, draw_learning

    if curves is not None:
        write_picture(curves, draw_curves(rankings_of(done.validations)))
    if learning_curve is not None:
        write_picture(learning_curve, draw_learning(learning_lines(done.model.card["learning"])))


def settled_way(
    by: str, *, like_paper: bool, corpus_wide: bool = False, **asked: Any
) -> dict[str, Any]:
    """Fill in what was not asked for, check it, and make of it what a recipe takes."""
    from vermeil.recognise.asking import choices, settled

    way = settled(asked, by=by, like_paper=like_paper)
    check_kinds(by, way["sequence"], way["rescorer"], way["tokeniser"])
    for share in ("keep_features", "threshold"):
        probability(share, way[share])
    for option, least in (("parts", 2), ("deals", 1)):
        if way[option] < least:
            raise UsageError(f"--{option} takes {least} or more, not {way[option]}")
    if not way["keep_features"]:
        raise UsageError("--keep-features takes a share above 0")
    return {**choices(way), "evidence": _evidence(by, way, corpus_wide=corpus_wide)}


def check_kinds(by: str, sequence: str, rescorer: str, tokeniser: str) -> None:
    """Refuse names of kinds, models and tokenisers that there are not."""
    from vermeil.recognise.cascade import NO_RESCORER, SEQUENCES
    from vermeil.recognise.recogniser import RECOGNISERS
    from vermeil.recognise.rescoring.judges import RESCORERS
    from vermeil.text.tokens import TOKENISERS

    for kind, chosen, known in (
        ("recogniser", by, RECOGNISERS),
        ("sequence model", sequence, SEQUENCES),
        ("rescorer", rescorer, (*RESCORERS, NO_RESCORER)),
        ("tokeniser", tokeniser, TOKENISERS),
    ):
        if chosen not in known:
            raise UnknownNameError(kind, chosen, known)


def _evidence(by: str, way: Mapping[str, Any], *, corpus_wide: bool) -> tuple[str, ...]:
    """Choose what the rescorer asks for; refuse to ask a corpus where our own does not rescore."""
    from vermeil.recognise.cascade import NO_RESCORER
    from vermeil.recognise.rescoring.features import CORPUS, USUAL

    able = by == "cascade" and way["rescorer"] != NO_RESCORER and way["features"] == "usual"
    if corpus_wide and not able:
        raise UsageError(
            "--corpus-wide is for a cascade with a rescorer and the usual features; leave it out"
        )
    return (*USUAL, CORPUS) if corpus_wide else USUAL


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


def check_words(by: str, words: "WordsLike | None", *, like_paper: bool) -> None:
    """Refuse learned words where nobody looks at them."""
    if words is not None and (by not in ("cascade", "committee") or like_paper):
        raise UsageError(
            f"--words are for cascades with the usual features; {'the paper' if like_paper else by}"
            " does not look at them"
        )


def check_tags(by: str, tags: str | PathLike[str] | None) -> None:
    """Refuse parts of speech where nobody looks at them."""
    if tags is not None and by != "linear":
        raise UsageError(f"--tags are for --by linear; {by} does not look at them")
