"""``acquire.links``: links between documents and records that a database's references lack."""

from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.verbs.checking import path_given, probability
from vermeil.verbs.corpus import Corpus, some_documents
from vermeil.verbs.proposals.table_files import write_rows
from vermeil.verbs.tables.table import Block, Table, Tabled, counted, defined, figure
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.acquisition.links.hiding import LinkTrial
    from vermeil.acquisition.links.stage import (
        FoundLinks,
        LinkEquipment,
        LinkStage,
        ProposedLink,
    )
    from vermeil.runs.streaming import Streaming

COLUMNS = ("document", "id", "label", "confidence", "names")
N_SHOWN = 20
"""Links that a result shows of itself."""

PRECISIONS = (0.5, 0.9)
"""Precisions at which recall is told."""


@verb
def links(
    documents: Any,
    lexicon: str | PathLike[str],
    references: str | PathLike[str],
    *,
    learned: str | PathLike[str] | None = None,
    threshold: float = 0.5,
    tokeniser: str = "punctuation",
    judge: float | None = None,
    seed: int = 0,
) -> "LinkProposals":
    """Find records that documents are about without a reference saying so.

    Learned from the references that there are. ``threshold`` is the probability, from which on a
    link is proposed, that those who made the references would have made it. What was learned is
    kept in the file ``learned``, and read where it is there. ``judge`` hides this share of the
    links, chosen by ``seed``, and tells how well they are found again.
    """
    stage = link_stage(
        path_given(lexicon),
        path_given(references),
        learned=None if learned is None else path_given(learned),
        threshold=threshold,
        tokeniser=tokeniser,
        judge=judge,
        seed=seed,
    )
    from vermeil.runs.streaming import Held, Streaming

    corpus = some_documents(documents, verb="links")
    work = Streaming(stage, Held(corpus))
    _ = work.known  # what cannot be read or learned is said now
    return LinkProposals(corpus, work, stage.threshold)


class LinkProposals(Tabled):
    """Links that references lack: ``links``, from the surest down.

    ``documents`` are those with any, in the layer ``links`` the names that say so; ``trial`` tells
    how hidden links came out.
    """

    def __init__(
        self,
        source: Corpus,
        work: "Streaming[None, LinkEquipment, FoundLinks]",
        threshold: float,
    ) -> None:
        self._work, self.threshold = work, threshold
        self._found: FoundLinks | None = None
        self.documents = Corpus(self._marked, "documents to be linked")
        if source.is_held:
            self.documents.hold()

    @property
    def found(self) -> "FoundLinks":
        """All that was found, and in how many documents."""
        if self._found is None:
            for _ in self.documents:
                pass
        assert self._found is not None
        return self._found

    @property
    def links(self) -> "list[ProposedLink]":
        """The links, from the surest down."""
        return self.found.ranked

    @property
    def trial(self) -> "LinkTrial | None":
        """How hidden links came out, if any were hidden."""
        return None if self._work.known.hidden is None else self.found.trial

    def __len__(self) -> int:
        return len(self.found.links)

    def blocks(self) -> Iterator[Block]:
        """Yield the surest links, or how the hidden ones came out."""
        if self.trial is not None:
            yield from trial_blocks(self.trial, self.threshold)
            return
        shown = [
            [link.document, link.id, link.label, figure(link.confidence), ", ".join(link.names)]
            for link in self.links[:N_SHOWN]
        ]
        title = f"{counted(len(self), 'link')} in {counted(self.found.n_documents, 'document')}"
        yield Table(title, COLUMNS, shown, wide="names", n_keys=2)
        if len(self) > N_SHOWN:
            yield f"and {len(self) - N_SHOWN:,} more"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a link."""
        return map(link_data, self.links)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return found_data(self.found, self.trial, self.threshold)

    def to_tsv(self, path: str | PathLike[str]) -> None:
        """Write the links to a file, separated by tabs; as JSON if it is named ``.json``."""
        write_rows(path_given(path), COLUMNS, self.rows())

    def _marked(self, ledger: Ledger) -> Iterator[Document]:
        stream = self._work.documents()
        found = self._work.sums
        yield from stream
        self._found = found


def link_stage(
    lexicon: Path,
    references: Path,
    *,
    learned: Path | None,
    threshold: float,
    tokeniser: str,
    judge: float | None,
    seed: int,
) -> "LinkStage":
    """Make the stage, refusing what cannot be done before anything is."""
    from vermeil.acquisition.links.stage import LinkStage
    from vermeil.text.tokens import tokenise

    tokenise("", by=tokeniser)
    for path in (lexicon, references):
        if not path.exists():
            raise UsageError(f"{path}: no such file")
    if judge is not None:
        if not 0 < judge < 1:
            raise UsageError(f"--judge hides a share of the links between 0 and 1, got {judge}")
        if learned is not None:
            raise UsageError(
                "what was learned has seen the links that --judge would hide; drop one"
            )
    return LinkStage(
        lexicon=fspath(lexicon),
        references=fspath(references),
        learned=None if learned is None else fspath(learned),
        threshold=probability("threshold", threshold),
        tokeniser=tokeniser,
        judge=judge,
        seed=seed,
    )


def link_data(link: "ProposedLink") -> dict[str, Any]:
    """Return a link as JSON has it."""
    return {name: getattr(link, name) for name in COLUMNS}


def found_data(found: "FoundLinks", trial: "LinkTrial | None", threshold: float) -> dict[str, Any]:
    """Return all that was found as JSON has it."""
    data: dict[str, Any] = {"documents": found.n_documents}
    if trial is not None:
        return {**data, "trial": trial_data(trial, threshold)}
    return {**data, "links": [link_data(link) for link in found.ranked]}


def trial_data(trial: "LinkTrial", threshold: float) -> dict[str, Any]:
    """Return how hidden links came out as JSON has it."""
    ranking = trial.ranking
    at = ranking.at(threshold)
    best_threshold, best = ranking.best
    recalls = {f"recall_at_{each:g}": defined(ranking.recall_at(each)) for each in PRECISIONS}
    return {
        "documents": trial.n_documents,
        "hidden": trial.n_hidden,
        "findable": trial.n_findable,
        "proposed": int(at.predicted),
        "right": int(at.right),
        "precision": defined(at.precision),
        "recall": defined(at.recall),
        "average_precision": defined(ranking.average_precision),
        **recalls,
        "best_threshold": defined(best_threshold),
        "best_f1": defined(best.f1),
    }


def trial_blocks(trial: "LinkTrial", threshold: float) -> Iterator[Block]:
    """Yield how hidden links came out, and what the figures leave out."""
    ranking = trial.ranking
    at = ranking.at(threshold)
    best_threshold, best = ranking.best
    rows: list[list[object]] = [
        ["hidden links", trial.n_hidden],
        ["  a likely name stands in the text", trial.n_findable],
        [f"proposed from {threshold:g} on", int(at.predicted)],
        ["  of them hidden links", int(at.right)],
        ["precision", figure(at.precision)],
        ["recall", figure(at.recall)],
        ["average precision", figure(ranking.average_precision)],
        [f"best F1, from {figure(best_threshold, 2)} on", figure(best.f1)],
    ]
    rows[-1:-1] = [
        [f"recall at precision {each:g}", figure(ranking.recall_at(each))] for each in PRECISIONS
    ]
    title = f"Hidden links found again in {counted(trial.n_documents, 'document')}"
    yield Table(title, ["", "n"], rows)
    yield (
        "links that the references lack and that were not hidden count as wrong, so precision "
        "is at least this"
    )
