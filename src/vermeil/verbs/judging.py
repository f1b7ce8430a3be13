"""``agree`` and ``audit``: how alike annotators are, and how consistent a standard is."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from vermeil.errors import UnknownNameError
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.naming import believed_layer, layers_in, names_of
from vermeil.verbs.scoring import with_alternatives
from vermeil.verbs.tables.table import Block, Tabled
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.scoring.agreement import Agreement
    from vermeil.scoring.gold.auditing import Audit
    from vermeil.scoring.silver import Comparison

CORES = ("first", "modal")


class Agreed(Tabled):
    """How far annotators agree: ``agreement`` has all figures, ``comparison`` those with gold."""

    def __init__(
        self, agreement: "Agreement", comparison: "Comparison | None", n_worst: int
    ) -> None:
        self.agreement, self.comparison, self._n_worst = agreement, comparison, n_worst

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.agreement import agreement_blocks, comparison_blocks

        yield from agreement_blocks(self.agreement, n_worst=self._n_worst)
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

        told = agreement_data(self.agreement, n_worst=self._n_worst)
        compared = msgspec.to_builtins(self.comparison)
        return told | ({"silver_and_gold": compared} if compared else {})


@verb
def agree(
    documents: Any,
    *,
    layers: str | Iterable[str] | None = None,
    leave_one_out: bool = True,
    bootstrap: int = 0,
    seed: int = 0,
    gold: str | None = None,
    show: int = 0,
) -> Agreed:
    """Find how far annotators agree: F1, kappa, alpha, and each against the others' consensus.

    An annotator without a layer on a document did not look at it; two are compared over the
    documents both looked at. ``gold`` also ranks the others against that layer and against silver.
    ``show`` names so many documents with the least agreement.
    """
    from vermeil.scoring.agreement import agree as find_agreement
    from vermeil.scoring.silver import compare_standards

    held = some_documents(documents, verb="agree").listed()
    chosen = names_of(layers) or layers_in(held)
    names = [name for name in chosen if name != gold]
    agreement = find_agreement(
        held, annotators=names, leave_one_out=leave_one_out, n_resamples=bootstrap, seed=seed
    )
    comparison = compare_standards(held, gold=gold, systems=names) if gold else None
    return Agreed(agreement, comparison, show)


class Audited(Tabled):
    """What is not consistent in a standard: ``found`` has every finding."""

    def __init__(self, found: "Audit", n_shown: int) -> None:
        self.found, self._n_shown = found, n_shown

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each kind."""
        return self.found.counts

    def blocks(self) -> Iterator[Block]:
        """Yield the tables that the command prints."""
        from vermeil.verbs.tables.audit import audit_blocks

        return audit_blocks(self.found, n_shown=self._n_shown)

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
        return {"counts": self.counts, **msgspec.to_builtins(self.found)}


@verb
def audit(
    documents: Any,
    *,
    layer: str | None = None,
    alternatives: str | None = None,
    core: str = "first",
    show: int = 0,
) -> Audited:
    """Find what is not consistent in a gold standard with alternatives.

    ``layer`` is the standard: gold, or the only layer. Its other acceptable names are the layer
    ``<layer>.alternatives``, or the one that ``alternatives`` names. Where there are none,
    overlapping names are taken for alternatives of each other, and ``core`` says which of them is
    meant: the ``first`` or the ``modal`` one. ``show`` lists so many findings of each kind.
    """
    from vermeil.scoring.gold.auditing import audit as audit_documents

    if core not in CORES:
        raise UnknownNameError("choice of core names", core, CORES)
    corpus = some_documents(documents, verb="audit")
    name = believed_layer(corpus, layer)
    if alternatives is not None:
        corpus = with_alternatives(corpus, name, alternatives)
    return Audited(audit_documents(corpus, name, core=core), show)
