"""What texts say about a database: names that no reference supports, and sure names that it lacks.

A name that stands in many documents to which references are known, none of them of its records, is
hardly ever used for these records: ``was`` is a gene of the fly. A name that a recogniser is sure
of in several documents, and that no record has, is a synonym that is missing, or a record: where it
stands beside a name of the database as its short form or its long form, it is taken for a name of
the same records. Both are proposals, for a curator to settle: a table, and layers of some documents
for the review.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from vermeil.acquisition.databases.references import Links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.matching import BATCH, Matches, match
from vermeil.acquisition.lexicon.normal_form import normal_form
from vermeil.acquisition.support.counts import SupportRates
from vermeil.arrays import Ints
from vermeil.document import Document, Span
from vermeil.recognise.rescoring.abbreviations import is_short_for

UNSUPPORTED, UNLISTED = "unsupported", "unlisted"
"""Kinds of findings, and the layers with their examples."""


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What is reported.

    Names in at least ``least`` documents; of the layer ``layer`` those with a confidence of at
    least ``sure``, and none without a layer. ``n_examples`` documents are shown for each.
    """

    layer: str | None = None
    least: int = 10
    sure: float = 0.9
    n_examples: int = 3


@dataclass(frozen=True, slots=True)
class NameFinding:
    """A name to look at. ``names`` are its spellings, ``ids`` the records that it has or should.

    Of an unsupported name ``confidence`` is one less its support rate, of an unlisted one the mean
    confidence of the recogniser. ``examples`` are documents.
    """

    kind: str
    names: tuple[str, ...]
    label: str
    ids: tuple[str, ...]
    n_documents: int
    confidence: float
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DatabaseAudit:
    """All findings, unsupported names first, in each kind those in most documents first.

    ``keys`` and ``forms`` are the findings by key of the lexicon and by normal form.
    """

    lexicon: Lexicon
    tokeniser: str
    plan: AuditPlan
    keys: Mapping[int, NameFinding]
    forms: Mapping[str, NameFinding]

    @property
    def findings(self) -> tuple[NameFinding, ...]:
        """All findings."""
        return (*_most_first(self.keys.values()), *_most_first(self.forms.values()))

    def marked(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents that are examples, with a layer for each kind of finding. Streams.

        The confidence of a span is that of being a name, in both layers.
        """
        wanted = {each for finding in self.findings for each in finding.examples}
        examples = (each for each in documents if each.id in wanted)
        while batch := list(islice(examples, BATCH)):
            unsupported = self._unsupported(batch)
            for document, spans in zip(batch, unsupported, strict=True):
                marked = document.with_layer(UNSUPPORTED, spans)
                if self.plan.layer is not None:
                    marked = marked.with_layer(UNLISTED, list(self._unlisted(document)))
                yield marked

    def _unsupported(self, documents: Sequence[Document]) -> list[list[Span]]:
        found: list[list[Span]] = [[] for _ in documents]
        matches = match(self.lexicon, documents, tokeniser=self.tokeniser)
        for number, start, end, key in _rows(matches):
            finding = self.keys.get(key)
            if finding is not None and documents[number].id in finding.examples:
                sure = round(1 - finding.confidence, 6)
                span = Span(start, end, finding.label, confidence=sure, ids=finding.ids)
                found[number].append(span)
        return found

    def _unlisted(self, document: Document) -> Iterator[Span]:
        for span in _sure(document, self.plan):
            finding = self.forms.get(normal_form(span.marked(document.text)))
            if finding is not None and document.id in finding.examples:
                yield Span(
                    span.start, span.end, span.label, confidence=span.confidence, ids=finding.ids
                )


def audit_database(
    lexicon: Lexicon,
    links: Links,
    documents: Iterable[Document],
    plan: AuditPlan,
    *,
    tokeniser: str = "punctuation",
) -> DatabaseAudit:
    """Go through documents once and find what the database should not have, and what it lacks."""
    rates = SupportRates(*(np.zeros(len(lexicon), dtype=np.int64) for _ in range(2)))
    examples: dict[int, list[str]] = {}
    unknown: dict[str, _Unknown] = {}
    rest = iter(documents)
    while batch := list(islice(rest, BATCH)):
        matches = match(lexicon, batch, tokeniser=tokeniser)
        is_known = links.are_referenced(batch)[matches.document]
        own = SupportRates.of(len(lexicon), matches, is_known, links.support(matches, batch))
        rates = SupportRates(
            rates.n_documents + own.n_documents, rates.n_supported + own.n_supported
        )
        _keep_examples(examples, matches.keep(is_known), rates, batch, plan.n_examples)
        if plan.layer is not None:
            _listen(unknown, batch, matches, plan)
    return DatabaseAudit(
        lexicon,
        tokeniser,
        plan,
        dict(_never_supported(lexicon, rates, examples, plan)),
        dict(_in_no_record(lexicon, unknown, plan, tokeniser)),
    )


@dataclass(slots=True)
class _Unknown:
    """What was seen of a name that a recogniser is sure of."""

    spellings: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    beside: Counter[int] = field(default_factory=Counter)
    documents: list[str] = field(default_factory=list)
    n_documents: int = 0
    n: int = 0
    total: float = 0.0


def _keep_examples(
    examples: dict[int, list[str]],
    matches: Matches,
    rates: SupportRates,
    documents: Sequence[Document],
    n: int,
) -> None:
    """Keep the first documents that hold each name which nothing has supported so far."""
    open_still = matches.keep(rates.n_supported[matches.key] == 0)
    for number, _, _, key in _rows(open_still):
        kept = examples.setdefault(key, [])
        if len(kept) < n and documents[number].id not in kept:
            kept.append(documents[number].id)


def _listen(
    unknown: dict[str, _Unknown], documents: Sequence[Document], matches: Matches, plan: AuditPlan
) -> None:
    """Take down the names that the recogniser is sure of."""
    first = np.searchsorted(matches.document, np.arange(len(documents) + 1))
    for number, document in enumerate(documents):
        rows = list(_rows(matches.keep(np.arange(first[number], first[number + 1]))))
        ending = {end: (start, key) for _, start, end, key in rows}
        starting = {start: (end, key) for _, start, end, key in rows}
        for span in _sure(document, plan):
            name = span.marked(document.text)
            own = unknown.setdefault(normal_form(name), _Unknown())
            own.spellings[name] += 1
            own.labels[span.label] += 1
            own.n += 1
            own.total += 1.0 if span.confidence is None else span.confidence
            if not own.documents or own.documents[-1] != document.id:
                own.n_documents += 1
                own.documents = [*own.documents[: plan.n_examples - 1], document.id]
            if (key := _beside(document.text, span, ending, starting)) is not None:
                own.beside[key] += 1


def _beside(
    text: str,
    span: Span,
    ending: Mapping[int, tuple[int, int]],
    starting: Mapping[int, tuple[int, int]],
) -> int | None:
    """Find the key of the match whose short form a name is, or that is its short form."""
    name = span.marked(text)
    before, after = text[: span.start], text[span.end : span.end + 2]
    if before.endswith(" (") and after[:1] == ")":
        start, key = ending.get(span.start - 2, (-1, -1))
        return (
            key if start >= 0 and is_short_for(name, text[start : span.start - 2].split()) else None
        )
    if after == " (":
        end, key = starting.get(span.end + 2, (-1, -1))
        short = text[span.end + 2 : end]
        return key if text[end : end + 1] == ")" and is_short_for(short, name.split()) else None
    return None


def _never_supported(
    lexicon: Lexicon, rates: SupportRates, examples: Mapping[int, list[str]], plan: AuditPlan
) -> Iterator[tuple[int, NameFinding]]:
    keys: Ints = np.flatnonzero((rates.n_documents >= plan.least) & (rates.n_supported == 0))
    rate = rates.of_matches(keys).rate
    for key, own in zip(keys.tolist(), rate.tolist(), strict=True):
        labels = lexicon.labels_of(key)
        yield (
            key,
            NameFinding(
                UNSUPPORTED,
                lexicon.names_of(key),
                label=next(iter(labels)),
                ids=tuple(dict.fromkeys(id for ids in labels.values() for id in ids)),
                n_documents=int(rates.n_documents[key]),
                confidence=round(1 - own, 6),
                examples=tuple(examples.get(key, ())),
            ),
        )


def _in_no_record(
    lexicon: Lexicon, unknown: Mapping[str, _Unknown], plan: AuditPlan, tokeniser: str
) -> Iterator[tuple[str, NameFinding]]:
    forms = [form for form, own in unknown.items() if form and own.n_documents >= plan.least]
    for form in _unmatched(lexicon, forms, unknown, tokeniser):
        own = unknown[form]
        ids: tuple[str, ...] = ()
        if own.beside:
            [(key, _)] = own.beside.most_common(1)
            ids = tuple(dict.fromkeys(id for ids in lexicon.labels_of(key).values() for id in ids))
        yield (
            form,
            NameFinding(
                UNLISTED,
                tuple(name for name, _ in own.spellings.most_common()),
                label=own.labels.most_common(1)[0][0],
                ids=ids,
                n_documents=own.n_documents,
                confidence=round(own.total / own.n, 6),
                examples=tuple(own.documents),
            ),
        )


def _unmatched(
    lexicon: Lexicon, forms: Sequence[str], unknown: Mapping[str, _Unknown], tokeniser: str
) -> Iterator[str]:
    """Yield the forms none of whose spellings the lexicon has."""
    spelt = [(form, name) for form in forms for name in unknown[form].spellings]
    texts = [Document(id=str(number), text=name) for number, (_, name) in enumerate(spelt)]
    matches = match(lexicon, texts, tokeniser=tokeniser, overlapping=True)
    listed = {
        spelt[number][0]
        for number, start, end, _ in _rows(matches)
        if start == 0 and end == len(spelt[number][1])
    }
    yield from (form for form in forms if form not in listed)


def _sure(document: Document, plan: AuditPlan) -> Iterator[Span]:
    """Yield the names of the layer that are sure enough; one without a confidence is sure."""
    for span in document.layers.get(plan.layer or "", ()):
        if span.confidence is None or span.confidence >= plan.sure:
            yield span


def _rows(matches: Matches) -> Iterator[tuple[int, int, int, int]]:
    columns = matches.document, matches.start, matches.end, matches.key
    yield from zip(*(column.tolist() for column in columns), strict=True)


def _most_first(findings: Iterable[NameFinding]) -> list[NameFinding]:
    return sorted(findings, key=lambda each: (-each.n_documents, each.names))
