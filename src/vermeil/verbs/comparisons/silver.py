"""``silver``: systems, and the silver standards made of them at every threshold, against gold."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.naming import GOLD, layers_in, names_of
from vermeil.verbs.tables.table import Block, Table, Tabled, defined, figure, named
from vermeil.verbs.trials import write_picture
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.silver import Correlation
    from vermeil.scoring.sweep import SilverRow, Sweep

MOST = 1000
"""The highest threshold that can be asked for."""

_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


class SilverSweep(Tabled):
    """How good systems and silver are: ``found`` has all figures, ``picture`` draws them."""

    def __init__(self, found: "Sweep") -> None:
        self.found = found

    @property
    def picture(self) -> str:
        """Precision over recall of all of them, as SVG."""
        from vermeil.reports.drawing.thresholds import draw_thresholds

        return draw_thresholds(self.found)

    def blocks(self) -> Iterator[Block]:
        """Yield the systems, then silver with the rank correlation of each."""
        found = self.found
        yield f"{found.gold} is gold; {found.n_documents:,} documents; scored by {found.view}"
        if found.unjudged:
            unjudged = named(found.unjudged)
            yield f"left out, for they looked at no document of {found.gold}: {unjudged}"
        yield ""
        rows = [[name, *_ratios(counts)] for name, counts in found.systems.items()]
        yield Table("Systems", ["system", "P", "R", "F"], rows)
        yield ""
        title = "Silver made of them at t votes; rho: ranks of systems by it and by gold"
        columns = ["silver", "t", "P", "R", "F", "beats", "rho", "p"]
        if any(each.others_ranks is not None for each in found.silver):
            yield "others: rho with each system left out of the silver that judges it"
            columns += ["others", "p"]
        yield Table(title, columns, [_row(each) for each in found.silver], n_keys=2)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a system and silver standard."""
        for name, counts in self.found.systems.items():
            yield {"kind": "system", "name": name, "votes": None, **_figures(counts)}
        for each in self.found.silver:
            yield {"kind": "silver", "name": each.name, **_silver_data(each)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        found = self.found
        return {
            "gold": found.gold,
            "view": found.view,
            "silver_view": found.silver_view,
            "documents": found.n_documents,
            "systems": [{"system": name, **_figures(c)} for name, c in found.systems.items()],
            "unjudged": list(found.unjudged),
            "silver": [
                {"method": each.method, "emit": each.emit, **_silver_data(each)}
                for each in found.silver
            ],
        }

    def __repr__(self) -> str:
        return f"<SilverSweep: {self.found._told()}>"


@verb
def silver(
    documents: Any,
    *,
    gold: str = GOLD,
    layers: str | Iterable[str] | None = None,
    by: str | Iterable[str] = "centroids",
    like_paper: bool = False,
    emit: str | Iterable[str] | None = None,
    thresholds: str | Iterable[float] = "1-6",
    tolerance: float | str = 0,
    view: str = "biocreative",
    silver_view: str = "centroid",
    leave_one_out: bool = False,
    svg: str | PathLike[str] | None = None,
) -> SilverSweep:
    """Score systems, and silver made of them at every threshold, against gold: Figures 7 and 8.

    ``by`` names methods of consensus and ``emit`` what stands for a name: the ``heart`` and the
    ``modal`` span unless told, with ``like_paper`` the heart alone, found as the paper does.
    ``thresholds`` are numbers of votes, such as ``"1-6"``. ``view`` says when a name counts as
    right against gold. Beside each silver is Spearman's rho: how far F of the systems against it,
    in the ``silver_view``, ranks them as gold does; ``leave_one_out`` adds that of a silver in
    which the system that is judged has no part. ``svg`` draws all into a file.

    >>> from vermeil import samples
    >>> from vermeil.verbs.files import read
    >>> passages = read([samples.GOLD, *samples.ANNOTATORS])
    >>> [row.votes for row in silver(passages, emit="modal", thresholds="2,3").found.silver]
    [2.0, 3.0]
    """
    held = some_documents(documents, verb="silver").listed()
    found = swept(
        held,
        gold=gold,
        layers=names_of(layers),
        by=names_of(by),
        like_paper=like_paper,
        emit=names_of(emit),
        thresholds=thresholds,
        tolerance=tolerance,
        views=(view, silver_view),
        leave_one_out=leave_one_out,
    )
    if svg is not None:
        write_picture(svg, found.picture)
    return found


def swept(
    documents: Sequence[Document],
    *,
    gold: str,
    layers: Sequence[str],
    by: Sequence[str],
    like_paper: bool,
    emit: Sequence[str],
    thresholds: str | Iterable[float],
    tolerance: float | str,
    views: tuple[str, str],
    leave_one_out: bool,
    watch: "Callable[[SilverRow], None] | None" = None,
) -> SilverSweep:
    """Do what was asked for, of a command or of the verb."""
    from vermeil.consensus.asking import amount, paper_settings
    from vermeil.consensus.centroids import DEFAULTS
    from vermeil.scoring.silver import SILVER
    from vermeil.scoring.sweep import sweep_thresholds

    settings = paper_settings() if like_paper else DEFAULTS
    slack = amount("tolerance", tolerance, "--tolerance")
    settings = replace(
        settings,
        tolerance=slack.get("tolerance", 0.0),
        tolerance_share=slack.get("tolerance_share", 0.0),
    )
    systems = layers or [name for name in layers_in(documents) if name not in (gold, SILVER)]
    return SilverSweep(
        sweep_thresholds(
            documents,
            gold=gold,
            systems=systems,
            methods=by or ("centroids",),
            emits=emit or (("heart",) if like_paper else ("heart", "modal")),
            thresholds=votes_in(thresholds),
            view=views[0],
            silver_view=views[1],
            settings=settings,
            leave_one_out=leave_one_out,
            watch=watch,
        )
    )


def votes_in(given: str | Iterable[float]) -> list[float]:
    """Read numbers of votes: a list, or ranges of whole ones as a string.

    >>> votes_in("1-3,5"), votes_in([2, 4])
    ([1.0, 2.0, 3.0, 5.0], [2.0, 4.0])
    """
    wanted = "thresholds are numbers of votes, such as 1-6 or 2,4"
    if not isinstance(given, str):
        return [float(each) for each in given]
    found: list[float] = []
    for part in given.split(","):
        match = _RANGE.fullmatch(part.strip())
        low = int(match[1]) if match else 0
        high = int(match[2] or low) if match else 0
        if not 0 < low <= high <= MOST:
            raise UsageError(f"{wanted}; got {given[:40]!r}")
        found += map(float, range(low, high + 1))
    return found


def _ratios(counts: "Counts") -> list[str]:
    return [figure(each) for each in (counts.precision, counts.recall, counts.f1)]


def _row(each: "SilverRow") -> list[object]:
    votes = "" if each.votes is None else f"{each.votes:g}"
    ranks = [_ranks(found) for found in (each.ranks, each.others_ranks) if found is not None]
    return [each.name, votes, *_ratios(each.counts), each.n_beaten, *chain.from_iterable(ranks)]


def _ranks(found: "Correlation") -> list[str]:
    p_value = found.p_value
    return [figure(found.rho), "<.0001" if p_value < 1e-4 else figure(p_value, 4)]


def _figures(counts: "Counts") -> dict[str, float | None]:
    return {key: defined(getattr(counts, key)) for key in ("precision", "recall", "f1")}


def _silver_data(each: "SilverRow") -> dict[str, Any]:
    ranks = {"rho": defined(each.ranks.rho), "p_value": defined(each.ranks.p_value)}
    if each.others_ranks is not None:
        ranks["others_rho"] = defined(each.others_ranks.rho)
        ranks["others_p_value"] = defined(each.others_ranks.p_value)
    return {"votes": each.votes, **_figures(each.counts), "beats": each.n_beaten, **ranks}
