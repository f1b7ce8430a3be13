"""``score``: how good annotators are against a standard, and what they got wrong."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.scope import Scope, checked_scope
from vermeil.verbs.corpus import Corpus, some_documents
from vermeil.verbs.naming import GOLD, believed_layer, names_of
from vermeil.verbs.tables.table import Block, Tabled, counted, json_data, shortened
from vermeil.verbs.wording import respelt, verb

if TYPE_CHECKING:
    from vermeil.scoring.readings import ScoreSums
    from vermeil.scoring.score_sums import SystemSums
    from vermeil.scoring.stage import ScoreStage
    from vermeil.scoring.views.instances import Offender
    from vermeil.verbs.tables.scores import Doubts

WAYS = ("exact", "biocreative", "partial", "centroid", "ranked")
LABELS = {"": None, "same": True, "any": False}
N_LISTED = 8
"""Layers that an error names; hundreds would hide what it says."""
COUNTS = ("precision", "recall", "f1", "right", "predicted", "found", "wanted")


class MistakeList(Tabled):
    """Strings that a system got wrong, the most frequent first."""

    def __init__(self, system: str, view: str, worst: "list[Offender]") -> None:
        self.system, self.view, self._worst = system, view, worst

    def __iter__(self) -> "Iterator[Offender]":
        return iter(self._worst)

    def __len__(self) -> int:
        return len(self._worst)

    def __getitem__(self, place: int) -> "Offender":
        return self._worst[place]

    def blocks(self) -> Iterator[Block]:
        """Yield the strings, and where each went wrong first."""
        from vermeil.verbs.tables.scores import mistakes_table

        yield mistakes_table(f"Mistakes of {self.system}, {self.view}", self._worst)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a string."""
        from vermeil.verbs.tables.scores import deed

        for each in self._worst:
            first = each.first
            yield {
                "n": each.n,
                "what": deed(first),
                "text": first.text,
                "label": first.span.label,
                "document": first.document,
                "start": first.span.start,
                "end": first.span.end,
                "compared": first.compared_text,
            }

    def __repr__(self) -> str:
        return shortened(f"<MistakeList: {len(self):,} of {self.system}, {self.view}>")


class Scoreboard(Tabled):
    """The scores of systems against a standard; one system's by its name: ``scores["ben"]``.

    ``print`` shows the tables of the command, and so does a notebook.
    """

    def __init__(
        self, corpus: Corpus, options: "ScoreStage", by: str, shown: "_Wanted", sums: "ScoreSums"
    ) -> None:
        self._corpus, self._options, self._by, self._shown = corpus, options, by, shown
        self._known: dict[ScoreStage, ScoreSums] = {options: sums}
        self.standard = options.standard

    @cached_property
    def systems(self) -> "dict[str, SystemSums]":
        """The scores of every system, by its name."""
        return self._of(self._options)

    @property
    def n_documents(self) -> int:
        """Documents that were scored: those the standard has looked at."""
        return next(iter(self.systems.values())).n_documents

    def __getitem__(self, system: str) -> "SystemSums":
        if system not in self.systems:
            raise UnknownNameError("system", str(system), self.systems)
        return self.systems[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def mistakes(self, system: str, n: int | None = None, *, by: str = "exact") -> MistakeList:
        """List the ``n`` strings that a system got wrong most often in a view, all without ``n``.

        The documents are gone through again.
        """
        from vermeil.scoring.scores import VIEWS

        if by not in VIEWS:
            raise UnknownNameError("view", by, VIEWS)
        self[system]
        found = self._of(msgspec.structs.replace(self._options, mistakes=by))[system]
        return MistakeList(system, by, found.worst(len(found.mistakes) if n is None else n))

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.scores import score_blocks

        blocks = score_blocks(
            self.standard,
            self.systems,
            self._by,
            self._doubts,
            per_label=self._shown.per_label,
            full=self._shown.full,
            n_worst=self._shown.n_worst,
            n_alternatives=self._sums(self._options).n_alternatives(self.standard),
            looked=self._options.looked,
        )
        for block in blocks:
            yield respelt(block) if isinstance(block, str) else block

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a system and view."""
        for name, each in self.systems.items():
            for view in each.views:
                counts = each.counts(view)
                figures = {key: getattr(counts, key) for key in COUNTS}
                yield {"system": name, "view": view, **figures}

    def to_dict(self, *, documents: bool = True) -> dict[str, Any]:
        """Return everything as JSON has it; unless told not to, with every document and annotation.

        The documents are gone through again.
        """
        from vermeil.verbs.tables.score_data import sums_data

        ranked = self._by in ("", "ranked")
        annotated = documents and self._by in ("", "centroid")
        options = msgspec.structs.replace(
            self._options, ranked=ranked, listed=documents, annotated=annotated
        )
        sums, n_worst = self._sums(options), self._shown.n_worst
        return json_data(
            sums_data(
                self.standard,
                sums.ids,
                self._of(options),
                self._by,
                self._doubts,
                n_worst,
                n_alternatives=sums.n_alternatives(self.standard),
                looked=self._options.looked,
            )
        )

    def __repr__(self) -> str:
        systems = counted(len(self.systems), "system")
        documents = counted(self.n_documents, "document")
        return shortened(f"<Scoreboard: {systems} against {self.standard}, {documents}>")

    @property
    def _doubts(self) -> "Doubts":
        from vermeil.verbs.tables.scores import Doubts

        return Doubts(self._shown.n_resamples, self._options.against, self._shown.seed)

    def _of(self, options: "ScoreStage") -> "dict[str, SystemSums]":
        systems = self._sums(options).of_systems(self.standard)
        chosen = self._shown.systems
        return {name: each for name, each in systems.items() if not chosen or name in chosen}

    def _sums(self, options: "ScoreStage") -> "ScoreSums":
        if options not in self._known:
            self._known[options] = options.observe(iter(self._corpus))
        return self._known[options]


class _Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be shown of scores."""

    systems: tuple[str, ...]
    per_label: bool
    full: bool
    n_worst: int
    n_resamples: int
    seed: int


@verb
def score(
    documents: Any,
    *,
    standard: str | None = None,
    systems: str | Iterable[str] | None = None,
    by: str = "",
    alternatives: str | None = None,
    labels: str = "",
    referents: bool = False,
    overlaps: str = "alternatives",
    scope: Mapping[str, Iterable[str]] | None = None,
    looked: bool = False,
    per_label: bool = False,
    full: bool = False,
    show: int = 0,
    bootstrap: int = 0,
    against: str | None = None,
    accuracy: str | None = None,
    seed: int = 0,
) -> Scoreboard:
    """Score the layers of documents against one of them, the standard: ``gold`` unless named.

    ``by`` chooses a view to show: exact, biocreative, partial, centroid or ranked; all are counted.
    ``labels`` says whether they are compared (``"same"``) or not (``"any"``). ``bootstrap`` gives
    95% intervals of F from so many resamples; ``against`` tests the others against one system.
    ``accuracy`` names a tokeniser: which share of its tokens has the right tag is told, too.
    Each system is scored on the labels that it looks for: those it uses, unless ``scope`` says
    otherwise (``{"ben": ["Gene", "Disease"]}``). Documents that it did not look at count as empty;
    with ``looked`` they do not count for it. Of a crowd the systems that looked at the most
    documents are printed, with ``full`` all.
    Other spans that the standard accepts are the layer ``<standard>.alternatives``, or the one that
    ``alternatives`` names. Where there are none, names of the standard that overlap are taken for
    ``alternatives`` of each other in the views that know these; ``overlaps="names"`` keeps each a
    name of its own. With ``referents``, names that share a database id in a document are one
    entity, found if any of them is.

    >>> from vermeil import samples
    >>> from vermeil.verbs.files import read
    >>> scores = score(read([samples.GOLD, *samples.ANNOTATORS]))
    >>> scores
    <Scoreboard: 5 systems against gold, 81 documents>
    >>> round(scores["ben"].counts("exact").f1, 3)
    0.737
    """
    from vermeil.scoring.gold.cores import OVERLAPS
    from vermeil.scoring.stage import ScoreStage
    from vermeil.text.tokens import tokenise
    from vermeil.verbs.tables.scores import detailed_view

    if by and by not in WAYS:
        raise UnknownNameError("view", by, WAYS)
    if labels not in LABELS:
        raise UsageError(f'labels takes "same" or "any", not {labels!r}')
    if overlaps not in OVERLAPS:
        raise UnknownNameError("way to take overlapping names", overlaps, OVERLAPS)
    if accuracy is not None:
        tokenise("", by=accuracy)
    corpus = some_documents(documents, verb="score")
    name = standard if standard is not None else GOLD
    if alternatives is not None:
        corpus = with_alternatives(corpus, name, alternatives)
    mistakes = detailed_view(by) if show else None
    asked = ScoreStage(
        name,
        same_label=LABELS[labels],
        against=against,
        mistakes=mistakes,
        ranked=by == "ranked",
        n_least=show if by == "centroid" else 0,
        referents=referents,
        overlaps=overlaps,
        tokeniser=accuracy,
        scope=Scope(told=checked_scope(scope or {})),
        looked=looked,
        twice=True,
    )
    sums = asked.observe(iter(corpus))
    again = asked.in_scope(sums)
    if again is not None:
        asked, sums = again, again.observe(iter(corpus))
    _refuse_unknown(standard, sums.names)
    there = sums.of_systems(name)
    if not there:
        raise UsageError(f"there is no layer but {name!r} to score")
    chosen = names_of(systems)
    for each in (*chosen, *([against] if against is not None else ())):
        if each not in there:
            raise UnknownNameError("system", each, there)
    shown = _Wanted(
        systems=chosen,
        per_label=per_label,
        full=full or bool(chosen),
        n_worst=show,
        n_resamples=bootstrap,
        seed=seed,
    )
    return Scoreboard(corpus, asked, by, shown, sums)


def _refuse_unknown(standard: str | None, names: frozenset[str]) -> None:
    known = sorted(name for name in names if not name.endswith(ALTERNATIVES))
    if standard is None and GOLD not in names:
        listed = ", ".join(known[:N_LISTED]) or "none"
        listed += ", …" if len(known) > N_LISTED else ""
        raise UsageError(f"which layer is the standard? There are {listed}; say standard=NAME")
    if standard is not None and standard not in names:
        raise UnknownNameError("layer", str(standard), known)


def with_alternatives(corpus: Corpus, layer: str, others: str) -> Corpus:
    """Let a layer hold the other spans that another one accepts."""
    believed_layer(corpus, others)
    changed = Corpus(
        lambda ledger: (_joined(document, layer, others) for document in corpus),
        f"with {others} as alternatives",
        as_long_as=corpus,
    )
    return changed.hold() if corpus.is_held else changed


def _joined(document: Document, layer: str, others: str) -> Document:
    """Put alternatives from a layer of their own beside the layer they belong to."""
    layers = dict(document.layers)
    own = (*layers.get(layer + ALTERNATIVES, ()), *layers.pop(others, ()))
    return document.replace(layers={**layers, layer + ALTERNATIVES: own})
