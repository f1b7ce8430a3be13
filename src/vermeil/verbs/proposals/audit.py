"""``acquire.audit``: names that a database should not have, and names that it lacks."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.verbs.checking import path_given, probability
from vermeil.verbs.corpus import Corpus, some_documents
from vermeil.verbs.proposals.table_files import write_rows
from vermeil.verbs.tables.table import Block, Table, Tabled, counted, figure
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.acquisition.database_audit import DatabaseAudit, NameFinding

COLUMNS = ("kind", "names", "label", "ids", "documents", "confidence", "examples")
N_SHOWN, N_SPELLINGS = 15, 3
"""Findings of each kind that a result shows of itself, and spellings of each."""

TITLES = {
    "unsupported": "{n} of the database that no reference supports",
    "unlisted": "{n} of the texts that the database lacks",
}


@verb
def audit(
    documents: Any,
    lexicon: str | PathLike[str],
    references: str | PathLike[str],
    *,
    layer: str | None = None,
    least: int = 10,
    sure: float = 0.9,
    examples: int = 3,
    tokeniser: str = "punctuation",
) -> "DatabaseProposals":
    """Find names that a database should not have, and names that it lacks.

    The first stand in ``least`` documents that references know, and never with one of theirs. The
    others are names of ``layer``, a recogniser's, with a confidence of at least ``sure``, in as
    many documents. ``examples`` documents of each are marked, for the review.
    """
    corpus = some_documents(documents, verb="audit")
    made = made_audit(
        corpus,
        path_given(lexicon),
        path_given(references),
        layer=layer,
        least=least,
        sure=sure,
        examples=examples,
        tokeniser=tokeniser,
    )
    return DatabaseProposals(corpus, made)


class DatabaseProposals(Tabled):
    """What to change in a database: ``findings``, and ``documents`` in which they are marked."""

    def __init__(self, source: Corpus, made: "DatabaseAudit") -> None:
        self._source, self._made = source, made
        self.findings = made.findings
        self.documents = Corpus(self._marked, "documents with findings")

    def __len__(self) -> int:
        return len(self.findings)

    def blocks(self) -> Iterator[Block]:
        """Yield the findings in most documents, of each kind."""
        return audit_blocks(self.findings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row a finding."""
        return map(finding_data, self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {"findings": list(self.rows())}

    def to_tsv(self, path: str | PathLike[str]) -> None:
        """Write the findings to a file, separated by tabs; as JSON if it is named ``.json``."""
        write_rows(path_given(path), COLUMNS, self.rows())

    def _marked(self, ledger: Ledger) -> Iterator[Document]:
        return self._made.marked(self._source)


def made_audit(
    documents: Iterable[Document],
    lexicon: Path,
    references: Path,
    *,
    layer: str | None,
    least: int,
    sure: float,
    examples: int,
    tokeniser: str,
) -> "DatabaseAudit":
    """Audit a database, refusing what cannot be done before anything is."""
    from vermeil.acquisition.database_audit import AuditPlan, audit_database
    from vermeil.acquisition.databases.references import open_links
    from vermeil.acquisition.lexicon.files import load_lexicon
    from vermeil.text.tokens import tokenise

    tokenise("", by=tokeniser)
    for number, name in ((least, "--least"), (examples, "--examples")):
        if number < 1:
            raise UsageError(f"{name} is at least 1, got {number}")
    plan = AuditPlan(layer, least, probability("confidence", sure), examples)
    for path in (lexicon, references):
        if not path.exists():
            raise UsageError(f"{path}: no such file")
    names = load_lexicon(lexicon)
    seen = _with_layer(documents, layer)
    return audit_database(names, open_links(names, references), seen, plan, tokeniser=tokeniser)


def finding_data(finding: "NameFinding") -> dict[str, Any]:
    """Return a finding as JSON has it."""
    return {
        "kind": finding.kind,
        "names": finding.names,
        "label": finding.label,
        "ids": finding.ids,
        "documents": finding.n_documents,
        "confidence": finding.confidence,
        "examples": finding.examples,
    }


def audit_blocks(findings: "Iterable[NameFinding]") -> Iterator[Block]:
    """Yield the findings in most documents, of each kind."""
    every = list(findings)
    for kind, title in TITLES.items():
        own = [each for each in every if each.kind == kind]
        rows = [
            [
                " | ".join(each.names[:N_SPELLINGS]),
                each.n_documents,
                figure(each.confidence),
                " ".join(each.ids[:N_SPELLINGS]) + (" …" if each.ids[N_SPELLINGS:] else ""),
                " ".join(each.examples),
            ]
            for each in own[:N_SHOWN]
        ]
        columns = ["names", "documents", "confidence", "ids", "examples"]
        yield Table(title.format(n=counted(len(own), "name")), columns, rows, wide="names")
        if len(own) > N_SHOWN:
            yield f"and {len(own) - N_SHOWN:,} more"
        yield ""


def _with_layer(documents: Iterable[Document], layer: str | None) -> Iterator[Document]:
    """Pass documents on, and complain at the end if none has the layer."""
    is_there = layer is None
    for document in documents:
        is_there = is_there or layer in document.layers
        yield document
    if not is_there:
        raise UsageError(f"no document has a layer {layer!r}; choose one with --layer")
