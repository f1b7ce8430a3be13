"""``agree`` and ``audit``: how alike annotators are, and how consistent a standard is."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from vermeil.document import Document
from vermeil.errors import UnknownNameError
from vermeil.scope import checked_scope
from vermeil.verbs.corpus import LOG, some_documents
from vermeil.verbs.naming import believed_layer, names_of
from vermeil.verbs.scoring import with_alternatives
from vermeil.verbs.tables.table import Block, Tabled, json_data
from vermeil.verbs.wording import respelt, verb

if TYPE_CHECKING:
    from vermeil.scoring.agreement import Agreement
    from vermeil.scoring.gold.auditing import Audit
    from vermeil.scoring.silver import Comparison

CORES = ("first", "modal")


class Agreed(Tabled):
    """How far annotators agree: ``agreement`` has all figures, ``comparison`` those with gold."""

    def __init__(
        self, agreement: "Agreement", comparison: "Comparison | None", *, full: bool
    ) -> None:
        self.agreement, self.comparison, self._is_full = agreement, comparison, full

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.agreement import agreement_blocks, comparison_blocks

        yield from agreement_blocks(self.agreement, full=self._is_full)
        if self.comparison:
            yield from comparison_blocks(self.comparison)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a pair."""
        for pair in self.agreement.pairs:
            yield {
                "first": pair.first,
                "second": pair.second,
                "documents": pair.n_documents,
                "exact": pair.exact.f1,
                "overlap": pair.overlap.f1,
                "hearts": pair.hearts.f1,
                "kappa": pair.kappa,
            }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it; undefined is None."""
        from vermeil.verbs.tables.agreement import agreement_data

        compared = {"silver_and_gold": self.comparison} if self.comparison else {}
        return json_data(agreement_data(self.agreement) | compared)


@verb
def agree(
    documents: Any,
    *,
    layers: str | Iterable[str] | None = None,
    scope: Mapping[str, Iterable[str]] | None = None,
    leave_one_out: bool = True,
    bootstrap: int = 0,
    seed: int = 0,
    gold: str | None = None,
    show: int = 0,
    full: bool = False,
) -> Agreed:
    """Find how far annotators agree: F1, kappa, alpha, and each against the others' consensus.

    An annotator without a layer on a document did not look at it; two are compared over the
    documents both looked at and the labels both look for: those they use, unless ``scope`` says
    otherwise (``{"anna": ["Gene"]}``). ``gold`` also ranks the others against that layer and
    against silver. ``show`` names so many documents with the least agreement. Of a crowd the most
    telling rows are printed, with ``full`` all. A former consensus is compared where ``layers``
    names it.
    """
    from vermeil.scoring.agreement import AgreeStage, VotersStage, agreement_of
    from vermeil.scoring.silver import compare_standards

    corpus = some_documents(documents, verb="agree")
    excluded = () if gold is None else (gold,)
    first = VotersStage(_chosen(names_of(layers), excluded), excluded, leave_one_out)
    voters = first.finish(first.observe(iter(corpus)))
    for deed, what, where in first.notes(voters):
        LOG.warning("%s %s (%s)", deed, what, respelt(where))
    stage = AgreeStage.of(
        voters,
        checked_scope(scope or {}),
        leave_one_out=leave_one_out,
        n_resamples=bootstrap,
        seed=seed,
        n_worst=show,
    )
    agreement = agreement_of(stage, stage.observe(iter(corpus)))
    comparison = None
    if gold is not None:
        comparison = compare_standards(corpus.listed(), gold=gold, systems=list(voters.used))
    return Agreed(agreement, comparison, full=full)


def _chosen(names: tuple[str, ...], excluded: tuple[str, ...]) -> tuple[str, ...] | None:
    """Leave gold out of what was named; None is everybody."""
    return tuple(name for name in names if name not in excluded) or None


class Audited(Tabled):
    """What is not consistent in a standard: ``found`` has every finding.

    ``documents`` have core names and alternatives as layers, also where the standard was flat.
    """

    def __init__(self, found: "Audit", n_shown: int, documents: list[Document]) -> None:
        self.found, self._n_shown, self.documents = found, n_shown, documents

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each kind."""
        return self.found.counts

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.audit import audit_blocks

        for block in audit_blocks(self.found, n_shown=self._n_shown):
            yield respelt(block) if isinstance(block, str) else block

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a finding."""
        for each in self.found.findings:
            yield {
                "kind": each.kind,
                "document": each.document,
                "start": each.spans[0].start,
                "end": each.spans[0].end,
                "text": each.text,
                "detail": each.detail,
            }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return json_data({"counts": self.counts, **msgspec.to_builtins(self.found)})


@verb
def audit(
    documents: Any,
    *,
    layer: str | None = None,
    alternatives: str | None = None,
    overlaps: str = "alternatives",
    core: str = "first",
    like_paper: bool = False,
    show: int = 0,
) -> Audited:
    """Find what is not consistent in a gold standard with alternatives.

    ``layer`` is the standard: gold, or the only layer. Its other acceptable names are the layer
    ``<layer>.alternatives``, or the one that ``alternatives`` names. Where there are none,
    overlapping names are taken for ``alternatives`` of each other (``overlaps="names"`` keeps
    each), and ``core`` says which is meant: the ``first`` or the ``modal`` one. The hearts of all
    names are scored against the standard, found as ``combine(like_paper=True)`` does if asked.
    ``show`` lists so many findings of each kind.
    """
    from vermeil.consensus.asking import paper_settings
    from vermeil.consensus.centroids import DEFAULTS
    from vermeil.scoring.gold.auditing import audit as audit_documents
    from vermeil.scoring.gold.cores import parted

    if core not in CORES:
        raise UnknownNameError("choice of core names", core, CORES)
    corpus = some_documents(documents, verb="audit")
    name = believed_layer(corpus, layer)
    if alternatives is not None:
        corpus = with_alternatives(corpus, name, alternatives)
    held = corpus.listed()
    settings = paper_settings() if like_paper else DEFAULTS
    found = audit_documents(held, name, core=core, overlaps=overlaps, settings=settings)
    return Audited(found, show, parted(held, name, core=core, overlaps=overlaps)[0])
