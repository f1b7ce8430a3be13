"""A spaCy pipeline component that finds names.

    nlp.add_pipe("vermeil", config={"model": "chem"})

spaCy finds it by its entry point (``spacy_factories``). It sets ``doc.ents``, or a span group where
``span_group`` names one, and leaves confidences in ``span._.confidence`` and in ``attrs["scores"]``
of the group. Tokens are split where a name begins or ends inside one, so no offset is moved.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise, tee
from pathlib import Path
from typing import Any

import msgspec
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup
from spacy.tokens import Span as SpacySpan

from vermeil.document import Document, Span
from vermeil.errors import UsageError
from vermeil.exchange.spacy_docs import CONFIDENCE
from vermeil.models import path_of
from vermeil.verbs.checking import probability
from vermeil.verbs.models import Model, load

DEFAULTS = {
    "model": "chem",
    "threshold": None,
    "overlaps": False,
    "span_group": None,
    "overwrite_ents": False,
    "split_tokens": True,
}
OWN_MODEL, SETTINGS = "model.zip", "settings.json"
FOLDER = path_of("chem").parent
"""Where the models are that come with the package, which need not be stored."""


class NameFinder:
    """Finds names in Docs by a model, given by its file or by name.

    A name needs the confidence ``threshold``, or that which the model asks; of names that overlap
    the surer is kept. Entities that other components have set stay, unless ``overwrite_ents``. With
    a ``span_group`` names go there, ``overlaps`` among them if wanted, and entities are left alone.
    Without ``split_tokens`` names that cut a token are left out.
    """

    def __init__(
        self,
        model: str,
        *,
        threshold: float | None = None,
        overlaps: bool = False,
        span_group: str | None = None,
        overwrite_ents: bool = False,
        split_tokens: bool = True,
    ) -> None:
        if threshold is not None:
            probability("threshold", threshold)
        if overlaps and span_group is None:
            raise UsageError("doc.ents cannot overlap; name a span_group for overlaps")
        path_of(model)  # a name that nobody gave is refused now; a file may come with from_disk
        self.model_name, self.threshold, self.overlaps = model, threshold, overlaps
        self.span_group, self.overwrite_ents = span_group, overwrite_ents
        self.split_tokens = split_tokens
        self._model: Model | None = None
        self._stored: bytes | None = None
        if not SpacySpan.has_extension(CONFIDENCE):
            SpacySpan.set_extension(CONFIDENCE, default=None)

    @property
    def finder(self) -> Model:
        """The model, loaded when it is first needed; spaCy keeps ``model`` for its own kind."""
        if self._model is None:
            self._model = load(self.model_name)
        return self._model

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the names it finds; none as long as its model is still to be read."""
        if self._model is None and not path_of(self.model_name).exists():
            return ()
        return self.finder.labels

    def __call__(self, doc: Doc) -> Doc:
        """Find the names of one Doc."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Find the names of many Docs, some at a time."""
        docs, texts = tee(stream)
        documents = (
            Document(id=str(number), text=doc.text) for number, doc in enumerate(texts, start=1)
        )
        found = self.finder.tag(
            documents, threshold=self.threshold, overlaps=self.overlaps, name="names"
        )
        for doc, document in zip(docs, found, strict=True):
            self._set(doc, document.layers["names"])
            yield doc

    def _set(self, doc: Doc, names: Iterable[Span]) -> None:
        wanted = list(names)
        if self.split_tokens:
            _split(doc, wanted)
        spans = []
        for name in wanted:
            span = doc.char_span(name.start, name.end, label=name.label)
            if span is not None:
                span._.set(CONFIDENCE, name.confidence)
                spans.append((span, name.confidence))
        if self.span_group is not None:
            doc.spans[self.span_group] = SpanGroup(
                doc,
                name=self.span_group,
                attrs={"scores": [sure for _, sure in spans]},
                spans=[span for span, _ in spans],
            )
            return
        doc.ents = _merged(list(doc.ents), [span for span, _ in spans], self.overwrite_ents)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Store the settings, and a model that does not come with the package."""
        return msgspec.msgpack.encode({"settings": self._settings(), "model": self._own_model()})

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "NameFinder":
        """Take up what ``to_bytes`` stored."""
        told = msgspec.msgpack.decode(data)
        return self._taken_up(told["settings"], told["model"])

    def to_disk(self, path: Path | str, *, exclude: Iterable[str] = ()) -> None:
        """Store the settings, and a model that does not come with the package, in a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SETTINGS).write_bytes(msgspec.json.encode(self._settings()))
        own = self._own_model()
        if own is not None:
            (folder / OWN_MODEL).write_bytes(own)

    def from_disk(self, path: Path | str, *, exclude: Iterable[str] = ()) -> "NameFinder":
        """Take up what ``to_disk`` stored."""
        folder = Path(path)
        own = folder / OWN_MODEL
        settings = msgspec.json.decode((folder / SETTINGS).read_bytes())
        return self._taken_up(settings, own.read_bytes() if own.exists() else None)

    def _settings(self) -> dict[str, Any]:
        return {
            "model": self.model_name,
            "threshold": self.threshold,
            "overlaps": self.overlaps,
            "span_group": self.span_group,
            "overwrite_ents": self.overwrite_ents,
            "split_tokens": self.split_tokens,
        }

    def _own_model(self) -> bytes | None:
        """Read the file of a model of the user's own; None for one of the package."""
        if self._stored is not None:
            return self._stored
        path = path_of(self.model_name)
        return None if path.parent == FOLDER else path.read_bytes()

    def _taken_up(self, settings: dict[str, Any], own: bytes | None) -> "NameFinder":
        fresh = NameFinder(**{"model": settings.pop("model"), **settings})
        self.__dict__.update(fresh.__dict__)
        if own is not None:
            self._stored, self._model = own, _model_in(own, self.model_name)
        return self


@Language.factory("vermeil", assigns=["doc.ents", "doc.spans"], default_config=DEFAULTS)
def make_name_finder(
    nlp: Language,
    name: str,
    model: str,
    threshold: float | None,
    overlaps: bool,
    span_group: str | None,
    overwrite_ents: bool,
    split_tokens: bool,
) -> NameFinder:
    """Make the component of a pipeline."""
    return NameFinder(
        model,
        threshold=threshold,
        overlaps=overlaps,
        span_group=span_group,
        overwrite_ents=overwrite_ents,
        split_tokens=split_tokens,
    )


def _model_in(stored: bytes, name: str) -> Model:
    """Load a model from its bytes, by way of a file that goes again."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{Path(name).stem or 'model'}.zip"
        path.write_bytes(stored)
        return load(path)


def _split(doc: Doc, names: Iterable[Span]) -> None:
    """Split the tokens that a name cuts, so that it begins and ends where tokens do."""
    edges = {edge for name in names for edge in (name.start, name.end)}
    known = {edge for token in doc for edge in (token.idx, token.idx + len(token))}
    inner = sorted(edges - known)
    if not inner:
        return
    with doc.retokenize() as retokenizer:
        for token in doc:
            first, last = token.idx, token.idx + len(token)
            cuts = [edge for edge in inner if first < edge < last]
            if not cuts:
                continue
            bounds = [first, *cuts, last]
            words = [doc.text[a:b] for a, b in pairwise(bounds)]
            # All parts hang on the last, which hangs where the token did.
            last_part = (token, len(words) - 1)
            head = last_part if token.head == token else token.head
            retokenizer.split(token, words, heads=[*[last_part] * (len(words) - 1), head])


def _merged(before: list[SpacySpan], found: list[SpacySpan], overwrite: bool) -> list[SpacySpan]:
    """Put entities together; where two overlap, those there before stay unless overwritten."""
    first, second = (found, before) if overwrite else (before, found)
    taken = {token for span in first for token in range(span.start, span.end)}
    rest = [span for span in second if taken.isdisjoint(range(span.start, span.end))]
    return [*first, *rest]
