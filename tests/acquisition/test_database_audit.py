from collections.abc import Iterable

import pytest

from tests.acquisition.bed import GENES, UNLISTED, WORDS, abstracts, lexicon, links
from vermeil import Document
from vermeil.acquisition.database_audit import AuditPlan, DatabaseAudit, NameFinding, audit_database
from vermeil.acquisition.databases.references import Links, References
from vermeil.acquisition.lexicon.compilation import Entry, compile_lexicon
from vermeil.document import Span

GOLD = AuditPlan(layer="gold")


def audited(plan: AuditPlan = GOLD, documents: Iterable[Document] = abstracts()) -> DatabaseAudit:
    return audit_database(lexicon(), links(), documents, plan)


def by_kind(audit: DatabaseAudit) -> dict[str, list[NameFinding]]:
    found: dict[str, list[NameFinding]] = {"unsupported": [], "unlisted": []}
    for each in audit.findings:
        found[each.kind].append(each)
    return found


def test_words_are_never_supported_and_genes_are() -> None:
    [*unsupported] = by_kind(audited())["unsupported"]
    assert {name for each in unsupported for name in each.names} == set(WORDS)
    for each in unsupported:
        holding = [
            document
            for document in abstracts()
            if each.names[0] in document.text and links().references.number_of(document.id) >= 0
        ]
        assert each.n_documents == len(holding)
        assert each.confidence == pytest.approx(1 - 0.3 / (len(holding) + 1), abs=1e-6)
        assert each.examples == tuple(document.id for document in holding[:3])
    counts = [each.n_documents for each in unsupported]
    assert counts == sorted(counts, reverse=True)


def test_names_that_no_record_has_are_those_of_no_database() -> None:
    unlisted = by_kind(audited())["unlisted"]
    assert {name for each in unlisted for name in each.names} == set(UNLISTED)
    for each in unlisted:
        assert each.n_documents == sum(
            any(span.marked(document.text) == each.names[0] for span in document.layers["gold"])
            for document in abstracts()
        )
        assert (each.ids, each.confidence) == ((), 1.0)


def test_what_is_rare_or_unsure_is_not_reported() -> None:
    assert not audited(AuditPlan(layer="gold", least=1000)).findings
    doubtful = [
        each.replace(
            layers={
                "gold": tuple(
                    Span(span.start, span.end, span.label, confidence=0.5)
                    for span in each.layers["gold"]
                )
            }
        )
        for each in abstracts()
    ]
    assert not by_kind(audited(GOLD, doubtful))["unlisted"]
    half = by_kind(audited(AuditPlan(layer="gold", sure=0.5), doubtful))["unlisted"]
    assert {each.confidence for each in half} == {0.5}
    assert not by_kind(audited(AuditPlan()))["unlisted"]


def test_examples_are_marked_and_nothing_else() -> None:
    audit = audited(AuditPlan(layer="gold", n_examples=2))
    marked = list(audit.marked(abstracts()))
    for each in audit.findings:
        own = [
            document
            for document in marked
            if any(span.marked(document.text) in each.names for span in document.layers[each.kind])
        ]
        assert tuple(document.id for document in own) == tuple(sorted(each.examples))
        assert len(own) == 2
    spans = [span for each in marked for span in each.layers["unsupported"]]
    assert all(span.confidence is not None and span.confidence < 0.1 for span in spans)
    assert not any(
        span.marked(each.text) in GENES for each in marked for span in each.layers["unlisted"]
    )


@pytest.mark.parametrize(
    ("text", "name", "ids"),
    [
        ("We saw alpha binding kinase (ABK) here.", "ABK", ("1",)),
        ("We saw alpha binding kinase (XYZ) here.", "XYZ", ()),
        ("We saw kinase of rats (KOR) here.", "kinase of rats", ("2",)),
        ("We saw kinase of rats here.", "kinase of rats", ()),
    ],
)
def test_a_name_beside_its_other_form_gets_the_records_of_that(
    text: str, name: str, ids: tuple[str, ...]
) -> None:
    known = compile_lexicon([Entry("alpha binding kinase", "1", "Gene"), Entry("KOR", "2", "Gene")])
    start = text.index(name)
    document = Document(
        id="7", text=text, layers={"tagger": (Span(start, start + len(name), "Gene"),)}
    )
    references = Links.of(known, References.of([("1", "9")]))
    audit = audit_database(known, references, [document], AuditPlan(layer="tagger", least=1))
    [finding] = audit.findings
    assert (finding.kind, finding.names, finding.ids) == ("unlisted", (name,), ids)


def test_however_many_documents_come_at_a_time_findings_are_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = audited().findings
    monkeypatch.setattr("vermeil.acquisition.database_audit.BATCH", 7)
    assert audited().findings == whole
