"""Is a gold standard with alternatives consistent with itself?

After section 5.1 of Lewin et al., "Centroids": "a Gold Standard in the BioCreative format requires
a certain degree of internal consistency checking". KINDS lists what is looked for. No order of
documents or names changes a finding.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vermeil.consensus import Options, combine
from vermeil.consensus.centroids import DEFAULTS, Settings
from vermeil.document import ALTERNATIVES, Document, Span, reading_order
from vermeil.scoring.gold.cores import parted
from vermeil.scoring.gold.findings import (
    KINDS,
    Columns,
    Finding,
    find_disjoint,
    find_heartless_names,
    find_lonely_alternatives,
    find_nameless_hearts,
    find_overlapping_cores,
)
from vermeil.scoring.gold.recombining import find_recombinations
from vermeil.scoring.gold.repeats import Repeat, find_repeats
from vermeil.scoring.scores import score
from vermeil.shown import Brief


@dataclass(frozen=True, slots=True, repr=False)
class InconsistentString(Brief):
    """A string, how often it is annotated, and how often it is not.

    ``n_inside`` further places overlap a longer or shorter name and are held for neither.
    """

    text: str
    n_annotated: int
    n_unannotated: int
    n_inside: int


@dataclass(frozen=True, slots=True)
class CentroidCheck:
    """The centroids of a standard, scored against it as BioCreative does: Figure 5 of the paper."""

    n_centroids: int
    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Brief):
    """What was found in a standard.

    ``partitioned`` says how core names were chosen where the standard marks none. Findings are in
    the order of KINDS and of document ids; strings, and the repeats of each, begin with those that
    need the most changes to be alike everywhere. ``centroids`` is None where there are none.
    """

    layer: str
    partitioned: str | None
    n_documents: int
    n_cores: int
    n_alternatives: int
    n_hearts: int
    centroids: CentroidCheck | None
    findings: tuple[Finding, ...]
    strings: tuple[InconsistentString, ...]

    def _told(self) -> str:
        return (
            f"{self.layer}, {self.n_documents:,} documents, {self.n_cores:,} core names, "
            f"{self.n_alternatives:,} alternatives, {len(self.findings):,} findings, "
            f"{len(self.strings):,} inconsistent strings"
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each kind."""
        counts = dict.fromkeys(KINDS, 0)
        for finding in self.findings:
            counts[finding.kind] += 1
        return counts

    def of_kind(self, kind: str) -> list[Finding]:
        """List the findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]


def audit(
    documents: Iterable[Document],
    layer: str,
    *,
    core: str = "first",
    overlaps: str = "alternatives",
    settings: Settings = DEFAULTS,
) -> Audit:
    """Audit the standard that ``layer`` and its alternatives are.

    Where no document has alternatives, names that overlap are taken for alternatives of each other
    and ``core`` says which are core, as in ``partition``; unless ``overlaps`` are ``names``.
    Documents without the layer are left out. All are kept in memory, since a string may be
    annotated for the first time in the last. ``settings`` say how centroids are found that are
    scored against the standard.

    >>> gold = {"gold": (Span(0, 3, "Gene"),), "gold.alternatives": (Span(7, 10, "Gene"),)}
    >>> [finding] = audit([Document(id="1", text="p53 or Rel", layers=gold)], "gold").findings
    >>> finding.kind, finding.text
    ('alternative without a core', 'Rel')
    """
    standard, is_parted = parted(documents, layer, core=core, overlaps=overlaps)
    findings = [finding for document in standard for finding in _doubles(document, layer)]
    distinct = [_distinct(document, layer) for document in standard]
    columns = Columns(distinct, layer)
    findings += find_lonely_alternatives(columns)
    findings += find_disjoint(columns)
    findings += find_overlapping_cores(columns)
    findings += find_nameless_hearts(columns)
    findings += find_heartless_names(columns)
    findings += find_recombinations(distinct, columns.table)
    findings.sort(key=_by_kind_and_place)
    repeats = find_repeats(distinct, layer)
    return Audit(
        layer=layer,
        partitioned=core if is_parted else None,
        n_documents=len(standard),
        n_cores=sum(len(document.layers[layer]) for document in standard),
        n_alternatives=sum(len(document.alternatives(layer)) for document in standard),
        n_hearts=len(columns.hearts),
        centroids=_checked(standard, layer, settings),
        findings=(*findings, *(finding for repeat in repeats for finding in _bare(repeat))),
        strings=tuple(
            InconsistentString(each.text, each.n_annotated, len(each.bare), each.n_inside)
            for each in repeats
        ),
    )


def _checked(documents: list[Document], layer: str, settings: Settings) -> CentroidCheck | None:
    """Score the hearts of all names, core and alternative, against the standard (Figure 5)."""
    voters = [layer, layer + ALTERNATIVES]
    bare = [
        Document(
            id=str(number),
            text=document.text,
            layers={name: document.layers.get(name, ()) for name in voters},
        )
        for number, document in enumerate(documents)
    ]
    if not any(document.layers[layer] for document in bare):
        return None
    options = Options(replace(settings, levels=False), "heart")
    found = combine(bare, by="centroids", name=_HEARTS, annotators=voters, options=options)
    scores = score(found, standard=layer, systems=[_HEARTS], views=["biocreative"])[_HEARTS]
    counts = scores.counts("biocreative")
    return CentroidCheck(
        n_centroids=sum(len(document.standards[_HEARTS]) for document in found),
        tp=int(counts.found),
        fp=int(counts.spurious),
        fn=int(counts.missed),
        precision=counts.precision,
        recall=counts.recall,
        f1=counts.f1,
    )


def _doubles(document: Document, layer: str) -> Iterator[Finding]:
    seen: dict[tuple[object, ...], str] = {}
    for noun, name in (("core name", layer), ("alternative", layer + ALTERNATIVES)):
        for span in document.layers.get(name, ()):
            place = (span.pieces, span.label)
            if place in seen:
                yield Finding.about("duplicate", document, [span], f"{noun}, and {seen[place]}")
            seen.setdefault(place, noun)


def _distinct(document: Document, layer: str) -> Document:
    """Keep the first of equal names, and nothing else of the document."""
    core = {(span.pieces, span.label): span for span in reversed(document.layers[layer])}
    other = {(span.pieces, span.label): span for span in reversed(document.alternatives(layer))}
    alternatives = tuple(span for place, span in other.items() if place not in core)
    layers = {layer: tuple(core.values()), layer + ALTERNATIVES: alternatives}
    return Document(id=document.id, text=document.text, layers=layers)


def _bare(repeat: Repeat) -> Iterator[Finding]:
    n_annotated, n_bare = repeat.n_annotated, len(repeat.bare)
    detail = f"{n_annotated} annotated, {n_bare} not"
    for document, start, end in repeat.bare:
        span = Span(start, end, repeat.label)
        yield Finding.about("unannotated repeat", document, [span], detail)


_HEARTS = "\0hearts"
_RANK = {kind: number for number, kind in enumerate(KINDS)}


def _by_kind_and_place(finding: Finding) -> tuple[object, ...]:
    places = [reading_order(span) for span in finding.spans]
    return _RANK[finding.kind], finding.document, places, finding.text, finding.detail
