"""Scope: who looks for what, for each annotator, document and label.

An annotator that never uses a label does not look for it: a tagger of chemicals is no witness
against a disease. One that used no label at all looks for everything that anybody uses. Unknown is
never zero: what somebody did not look for counts neither for nor against anything.

Whoever knows better can say so, for a corpus (``--scope anna=Gene,Disease``) or for one document
(``meta["scope"] = {"anna": ["Gene", "Disease"]}``); the document wins. ``*`` stands for everything.
Alternatives (``gold.alternatives``) are part of the layer that they belong to.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.shown import Brief

META = "scope"
"""The field of a document's metadata that says who looked for what in it."""

EVERYTHING = "*"
"""As a label: whatever anybody looks for."""


CONSENSUS_NAME = "consensus"
"""What a consensus is called, unless it is given another name."""


def is_annotator(layer: str) -> bool:
    """Tell whether a layer is somebody's own: not alternatives, nor a consensus made before.

    Whoever means such a layer all the same names it.

    >>> is_annotator("anna"), is_annotator("gold.alternatives"), is_annotator("consensus")
    (True, False, False)
    """
    return layer != CONSENSUS_NAME and not layer.endswith(ALTERNATIVES)


@dataclass(frozen=True, slots=True, repr=False)
class Scope(Brief):
    """What each annotator looks for. Add two to pool what was seen.

    ``used`` are the labels in an annotator's layers, none for one that found nothing. ``told`` is
    what the user said, and holds whatever was used.

    >>> from vermeil.document import Span
    >>> layers = {"chem": (Span(0, 3, "Chemical"),), "anna": ()}
    >>> scope = Scope.of([Document(id="1", text="CO2", layers=layers)])
    >>> scope.looks_for("chem", "Disease"), scope.looks_for("anna", "Disease")
    (False, True)
    """

    used: Mapping[str, frozenset[str]] = field(default_factory=dict)
    told: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def of(
        documents: Iterable[Document], told: Mapping[str, frozenset[str]] | None = None
    ) -> "Scope":
        """Gather the labels that annotators use, in layers and standards."""
        used: dict[str, set[str]] = {}
        for document in documents:
            for held in (document.layers, document.standards):
                for annotator, said in held.items():
                    labels = used.get(annotator)
                    if labels is None:
                        labels = used[annotator] = set()
                    for each in said:
                        labels.add(each.label)
        return Scope.by_use(used.items(), told)

    @staticmethod
    def by_use(
        labels: Iterable[tuple[str, Iterable[str]]],
        told: Mapping[str, frozenset[str]] | None = None,
    ) -> "Scope":
        """Gather pairs of an annotator and labels it used somewhere."""
        used: dict[str, set[str]] = {}
        for annotator, some in labels:
            used.setdefault(_owner(annotator), set()).update(some)
        return Scope({name: frozenset(used[name]) for name in sorted(used)}, told or {})

    def __add__(self, other: "Scope") -> "Scope":
        used = {
            name: self.used.get(name, frozenset()) | other.used.get(name, frozenset())
            for name in {**self.used, **other.used}
        }
        return Scope(used, {**self.told, **other.told})

    def __hash__(self) -> int:
        return hash((frozenset(self.used.items()), frozenset(self.told.items())))

    @property
    def labels(self) -> frozenset[str]:
        """All labels that anybody uses."""
        return frozenset().union(*self.used.values())

    def labels_of(self, annotator: str, document: Document | None = None) -> frozenset[str] | None:
        """Return the labels that somebody looks for, in a document or in general.

        None is everything. What the document says wins over what was told, and that over use.
        """
        if document is not None:
            return self.within(scope_in(document)).labels_of(annotator)
        annotator = _owner(annotator)
        labels = self.told.get(annotator)
        if labels is None:
            labels = self.used.get(annotator) or None
        return None if labels is None or EVERYTHING in labels else labels

    def within(self, said: Mapping[str, frozenset[str]]) -> "Scope":
        """Return what holds where something else is said of some annotators."""
        return Scope(self.used, {**self.told, **said}) if said else self

    def looks_for(self, annotator: str, label: str, document: Document | None = None) -> bool:
        """Tell whether somebody looks for a label."""
        labels = self.labels_of(annotator, document)
        return labels is None or label in labels

    def checked(self) -> "Scope":
        """Refuse what was told of somebody or something nowhere; to be asked when all is seen."""
        refuse_unknown(self.told, self.used, self.labels)
        return self


def refuse_unknown(
    told: Mapping[str, frozenset[str]], annotators: Iterable[str], labels: Iterable[str]
) -> None:
    """Refuse a scope of annotators that are not there, or for labels that nobody uses.

    Where nobody uses any label there is nothing that a label could be mistaken for.
    """
    for error in unknown_in(told, annotators, labels):
        raise error


def unknown_in(
    told: Mapping[str, frozenset[str]], annotators: Iterable[str], labels: Iterable[str]
) -> Iterator[UnknownNameError]:
    """Yield what is wrong with a scope, where it can only be noted."""
    there, used = frozenset(annotators), frozenset(labels)
    for name, some in told.items():
        if name not in there:
            yield UnknownNameError("annotator", name, there)
        for label in sorted(some - used - {EVERYTHING}) if used else ():
            yield UnknownNameError("label", label, used)


def scope_in(document: Document) -> Mapping[str, frozenset[str]]:
    """Return what a document itself says of who looked for what in it.

    >>> scope_in(Document(id="1", text="CO2", meta={"scope": {"anna": ["Gene"]}}))
    {'anna': frozenset({'Gene'})}
    """
    said = document.meta.get(META)
    return {} if said is None else checked_scope(said, f'document {document.id!r}: meta["scope"]')


def with_scope(document: Document, told: Mapping[str, frozenset[str]]) -> Document:
    """Write into a document who looked for what in it, beside what it says of others.

    Only annotators with a layer are named: who did not look has nothing to look for.

    >>> document = Document(id="1", text="CO2", layers={"anna": ()})
    >>> with_scope(document, {"anna": frozenset({"Gene"}), "ben": frozenset({"Gene"})}).meta
    {'scope': {'anna': ['Gene']}}
    """
    said = {**scope_in(document), **{n: told[n] for n in told if n in document.layers}}
    listed = {name: sorted(labels) for name, labels in said.items()}
    return document.replace(meta={**document.meta, META: listed}) if listed else document


def checked_scope(given: Any, where: str = "scope") -> dict[str, frozenset[str]]:
    """See that something is a mapping of annotators to lists of labels; ``where`` is for errors."""
    if not isinstance(given, Mapping):
        raise UsageError(
            f'{where} maps annotators to labels, as in {{"anna": ["Gene"]}}; got {given!r:.60}'
        )
    return {_name(name, where): _labels(labels, name, where) for name, labels in given.items()}


def parse_scopes(given: Iterable[str]) -> dict[str, frozenset[str]]:
    """Take ``anna=Gene,Disease`` apart, for any number of annotators.

    >>> parse_scopes(("anna=Gene", "ben=*"))
    {'anna': frozenset({'Gene'}), 'ben': frozenset({'*'})}
    """
    told: dict[str, frozenset[str]] = {}
    for each in given:
        name, equals, labels = each.partition("=")
        found = frozenset(label.strip() for label in labels.split(",") if label.strip())
        if not (name.strip() and equals and found):
            raise UsageError(f"--scope takes NAME=LABEL,LABEL, got {each!r}")
        if name.strip() in told:
            raise UsageError(f"--scope is given twice for {name.strip()!r}; list all its labels")
        told[name.strip()] = found
    return told


def _name(name: Any, where: str) -> str:
    if not isinstance(name, str) or not name:
        raise UsageError(f"{where} names annotators by strings, not by {name!r:.40}")
    return name


def _labels(labels: Any, name: str, where: str) -> frozenset[str]:
    is_list = isinstance(labels, Iterable) and not isinstance(labels, str | bytes | Mapping)
    found = tuple(labels) if is_list else ()
    if not is_list or not all(isinstance(label, str) and label for label in found):
        raise UsageError(f"{where}: {name!r} needs a list of labels, got {labels!r:.60}")
    return frozenset(found)


def _owner(annotator: str) -> str:
    return annotator.removesuffix(ALTERNATIVES)
