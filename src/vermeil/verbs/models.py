"""``load``, ``tag``, ``tune`` and ``explain``: models that find names, and what they are worth."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict, Unpack, overload

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.seen_ids import refusing_twins
from vermeil.formats.files.source import stem
from vermeil.models import path_of
from vermeil.verbs.checking import path_given, probability, whole_number
from vermeil.verbs.corpus import LOG, Corpus, documents_of, some_documents
from vermeil.verbs.naming import believed_layer, count_labels
from vermeil.verbs.tables.table import Tabled, shortened
from vermeil.verbs.trials import Explained, Tuned, bounds_of, place_of, write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.recognise.recogniser import Recogniser
    from vermeil.recognise.stage import TagStage

UNNAMED = "model"


class Column(Protocol):
    """Strings in an array or a series."""

    def tolist(self) -> Any:
        """Return them as a list."""


class TagChoices(TypedDict, total=False):
    """What ``tag`` can be told."""

    threshold: float | None
    overlaps: bool
    standard: bool
    n_best: int
    corpus_wide: bool
    name: str


class Model:
    """A trained recogniser: it tags texts, can be tuned and explained, and saves itself.

    ``recogniser`` is what does the work, ``card`` says what it was trained on, with figures.
    """

    def __init__(self, recogniser: "Recogniser", name: str = "") -> None:
        self.recogniser = recogniser
        self.name = name or str(recogniser.card.get("name") or UNNAMED)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the names it finds."""
        return tuple(self.recogniser.recipe.labels)

    @property
    def card(self) -> dict[str, Any]:
        """What is worth knowing of it: what it was trained on, figures, licence."""
        return dict(self.recogniser.card)

    @overload
    def tag(self, texts: str | Document, **options: Unpack[TagChoices]) -> Document: ...
    @overload
    def tag(self, texts: Iterator[Any], **options: Unpack[TagChoices]) -> Iterator[Document]: ...
    @overload
    def tag(
        self, texts: Sequence[Any] | Column | Tabled, **options: Unpack[TagChoices]
    ) -> Corpus: ...
    @verb
    def tag(
        self,
        texts: Any,
        *,
        threshold: float | None = None,
        overlaps: bool = False,
        standard: bool = False,
        n_best: int = 0,
        corpus_wide: bool = False,
        name: str = "",
    ) -> Document | Corpus | Iterator[Document]:
        """Find names: one more layer, in which every name has a confidence.

        A string or a document gives one document; several give a corpus; a generator gives a
        stream. Strings are numbered from 1. The layer is called like the model unless ``name``
        says. A name needs the confidence ``threshold``, or that which the model asks. Of names
        that overlap the surer is kept, unless ``overlaps``; ``standard`` adds distributions of
        their boundaries. With ``n_best``, take the best readings of each sentence as a whole
        instead, a layer each; their probabilities are in ``meta["sequences"]``. With
        ``corpus_wide`` texts are gone through twice, and names are judged by the other texts, too;
        the model must have been trained so.

        >>> document = load("chem").tag("We gave aspirin.")
        >>> [(document.text[name.start : name.end], name.label) for name in document.layers["chem"]]
        [('aspirin', 'Chemical')]
        """
        from vermeil.recognise.stage import TagStage, check_n_best

        n_best = whole_number("n_best", n_best)
        check_n_best(n_best, overlaps=overlaps, standard=standard, corpus_wide=corpus_wide)
        stage = TagStage(
            self.name,
            layer=name or self.name,
            threshold=None if threshold is None else probability("threshold", threshold),
            overlaps=overlaps,
            standard=standard,
            n_best=n_best,
        )

        def tagged(documents: Iterator[Document]) -> Iterator[Document]:
            return stage.decide(documents, self.recogniser, stage.nothing())

        if corpus_wide:
            return self._corpus_wide(texts, stage)
        if isinstance(texts, str | Document):
            return next(tagged(_as_documents([texts])))
        if isinstance(texts, Iterator):
            return _in_python_words(tagged(refusing_twins(_as_documents(texts), "tag")))
        source = source_of(texts)
        found = Corpus(
            lambda ledger: tagged(iter(source)), f"tagged by {self.name}", as_long_as=source
        )
        return found.hold() if source.is_held else found

    def _corpus_wide(self, texts: Any, stage: "TagStage") -> Corpus:
        """Tag texts that can be gone through twice, knowing what all of them say."""
        from vermeil.recognise.corpus_wide import corpus_wide, informed

        if isinstance(texts, str | Document | Iterator):
            raise UsageError("corpus_wide goes through the texts twice; give a list or files")
        cascade, source = corpus_wide(self.recogniser), source_of(texts)
        found = Corpus(
            lambda ledger: stage.decide(
                iter(source), informed(cascade, iter(source)), stage.nothing()
            ),
            f"tagged by {self.name}",
            as_long_as=source,
        )
        return found.hold() if source.is_held else found

    @verb
    def tune(
        self,
        documents: Any,
        *,
        precision: float | None = None,
        recall: float | None = None,
        f: bool = False,
        layer: str | None = None,
        overlaps: bool = False,
        svg: str | PathLike[str] | None = None,
    ) -> Tuned:
        """Choose the threshold on annotated documents that the model was not trained on.

        That with the best recall at a precision, with the best precision at a recall, or with the
        best F1. Names are right if they are exact. Reliability and curve are drawn to ``svg``.
        """
        from vermeil.recognise.corpus_wide import informed
        from vermeil.recognise.judging.tuning import choose, try_out

        if (precision is not None) + (recall is not None) + f > 1:
            raise UsageError("give one target: precision, recall or f")
        held = some_documents(documents, verb="tune").listed()
        believed, there = believed_layer(held, layer), set[str]()
        there.update(count_labels(held, believed))
        if not there.intersection(self.labels):
            raise UsageError(
                f"layer {believed!r} has no names of {', '.join(self.labels)}, which the model "
                f"finds; it has {', '.join(sorted(there)) or 'none'}"
            )
        trial = try_out(
            informed(self.recogniser, held), held, self.labels, layer=believed, overlaps=overlaps
        )
        tuned = Tuned(trial, choose(trial.ranking, precision=precision, recall=recall))
        if svg is not None:
            write_picture(svg, tuned.draw())
        return tuned

    @verb
    def explain(
        self,
        text: str | Document,
        span: "str | tuple[int, int] | None" = None,
        *,
        name: str | None = None,
        occurrence: int | None = None,
        label: str | None = None,
        show: int = 6,
    ) -> Explained:
        """Say why a span got its confidence: spelling, sequence and document.

        The span is a pair of offsets, or the ``name`` as it stands in the text (the first, unless
        ``occurrence`` says). Without a label, as the label it is surest to have.
        """
        from vermeil.recognise.cascade import Cascade
        from vermeil.recognise.committee import Committee
        from vermeil.recognise.judging.explanation import explain, explain_members

        [document] = _as_documents([text])
        if (span is None) == (name is None):
            raise UsageError('give the span as span=(START, END) or as name="…"')
        if occurrence is not None and name is None:
            raise UsageError("occurrence goes with name; a span is one already")
        if not isinstance(self.recogniser, Cascade | Committee):
            raise UsageError("only cascades can be explained; train one with by='cascade'")
        if span is None:
            tokeniser = self.recogniser.recipe.tokeniser
            start, end, n = place_of(document, name or "", occurrence, tokeniser=tokeniser)
            if n > 1 and occurrence is None:
                LOG.warning("%r occurs %d times; this is the first, %d-%d", name, n, start, end)
        else:
            start, end = bounds_of(span)
        work: Any = explain if isinstance(self.recogniser, Cascade) else explain_members
        return Explained(work(self.recogniser, document, start, end, label=label), show)

    @verb
    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file; a model without a name is called like the file."""
        from vermeil.recognise.recogniser import save

        target = path_given(path)
        if not self.card.get("name"):
            named: Any = self.recogniser
            self.recogniser = replace(named, card={**self.card, "name": target.stem})
            self.name = self.name if self.name != UNNAMED else target.stem
        save(self.recogniser, target)

    def __repr__(self) -> str:
        from vermeil.recognise.recogniser import RECOGNISERS

        made_by = type(self.recogniser)
        kinds = [name for name, each in RECOGNISERS.items() if each.made_by is made_by]
        kind = kinds[0] if kinds else made_by.__name__
        return shortened(f"<Model {self.name}: {kind} for {', '.join(self.labels)}>")


ModelLike: TypeAlias = "str | PathLike[str] | Model"


@verb
def load(model: str | PathLike[str]) -> Model:
    """Load a model: by its file, or by name one of those that come with the package.

    >>> load("chem")
    <Model chem: cascade for Chemical>
    """
    from vermeil.recognise.recogniser import load as load_recogniser

    if not isinstance(model, str | PathLike):
        raise UsageError(f"load takes the path or the name of a model, not {model!r:.40}")
    given = fspath(model)
    return Model(load_recogniser(path_of(given)), stem(Path(given)))


@overload
def tag(texts: str | Document, model: ModelLike, **options: Unpack[TagChoices]) -> Document: ...
@overload
def tag(
    texts: Iterator[Any], model: ModelLike, **options: Unpack[TagChoices]
) -> Iterator[Document]: ...
@overload
def tag(
    texts: Sequence[Any] | Column | Tabled, model: ModelLike, **options: Unpack[TagChoices]
) -> Corpus: ...
def tag(
    texts: Any,
    model: ModelLike,
    *,
    threshold: float | None = None,
    overlaps: bool = False,
    standard: bool = False,
    n_best: int = 0,
    corpus_wide: bool = False,
    name: str = "",
) -> Document | Corpus | Iterator[Document]:
    """Find names in texts with a model, given by its file or name; see ``Model.tag``."""
    found: Document | Corpus | Iterator[Document] = model_of(model).tag(
        texts,
        threshold=threshold,
        overlaps=overlaps,
        standard=standard,
        n_best=n_best,
        corpus_wide=corpus_wide,
        name=name,
    )
    return found


def tune(
    documents: Any,
    model: ModelLike,
    *,
    precision: float | None = None,
    recall: float | None = None,
    f: bool = False,
    layer: str | None = None,
    overlaps: bool = False,
    svg: str | PathLike[str] | None = None,
) -> Tuned:
    """Choose the threshold of a model on annotated documents; see ``Model.tune``."""
    return model_of(model).tune(
        documents,
        precision=precision,
        recall=recall,
        f=f,
        layer=layer,
        overlaps=overlaps,
        svg=svg,
    )


def explain(
    text: str | Document,
    model: ModelLike,
    span: str | tuple[int, int] | None = None,
    *,
    name: str | None = None,
    occurrence: int | None = None,
    label: str | None = None,
    show: int = 6,
) -> Explained:
    """Say why a model gave a span its confidence; see ``Model.explain``."""
    return model_of(model).explain(
        text, span, name=name, occurrence=occurrence, label=label, show=show
    )


def model_of(given: ModelLike) -> Model:
    """Load a model, unless it is one."""
    return given if isinstance(given, Model) else load(given)


def source_of(texts: Any, *, verb: str = "tag") -> Corpus:
    """Take documents, or strings, which become documents."""
    if isinstance(texts, bytes):
        raise UsageError(f"{verb} takes texts, and this is bytes; decode it first")
    column = texts.tolist() if hasattr(texts, "tolist") else texts
    if isinstance(texts, Corpus | dict) or not isinstance(column, Iterable):
        return documents_of(texts, verb=verb)
    if hasattr(texts, "documents") or (hasattr(texts, "columns") and hasattr(texts, "index")):
        return documents_of(texts, verb=verb)
    return Corpus.of(_as_documents(column, verb=verb), verb=verb)


def _as_documents(texts: Iterable[Any], *, verb: str = "tag") -> Iterator[Document]:
    """Make documents of strings, numbered from 1; documents pass as they are."""
    for number, text in enumerate(texts, start=1):
        if isinstance(text, str):
            yield Document(id=str(number), text=str(text))
        elif isinstance(text, Document):
            yield text
        else:
            raise UsageError(
                f"{verb} takes texts and documents, and item {number} is {text!r:.40} "
                f"({type(text).__name__})"
            )


def _in_python_words(documents: Iterator[Document]) -> Iterator[Document]:
    from vermeil.verbs.wording import in_python

    with in_python():
        yield from documents
