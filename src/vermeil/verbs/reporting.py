"""``report``: one page with all there is to see about annotators, parsers, or both."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.errors import UsageError
from vermeil.formats.files.replacement import replacing
from vermeil.scope import checked_scope
from vermeil.verbs.checking import path_given
from vermeil.verbs.corpus import some_documents
from vermeil.verbs.naming import names_of
from vermeil.verbs.tables.table import Block, Tabled, counted, json_data
from vermeil.verbs.trees.reading import Parsers, ParserSource, parser_source, steps_of
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.formats.forests import Forests
    from vermeil.reports.spans.findings import SpanFindings
    from vermeil.reports.trees.findings import TreeFindings
    from vermeil.scoring.trees.porting import Ported
    from vermeil.scoring.trees.usage import Usage
    from vermeil.verbs.tables.scores import Doubts

SUFFIXES = (".html", ".htm")


class ReportPage(Tabled):
    """A page that needs no network and no other file: ``page`` is its HTML, ``path`` where it is.

    ``spans`` and ``trees`` have what was found about annotators and about parsers.
    """

    def __init__(
        self,
        title: str,
        page: str,
        path: Path | None,
        spans: "SpanFindings | None",
        trees: "TreeFindings | None",
        doubts: "Doubts",
    ) -> None:
        self.title, self.page, self.path = title, page, path
        self.spans, self.trees, self._doubts = spans, trees, doubts

    def blocks(self) -> Iterator[Block]:
        """Yield what it is about, and where it is."""
        yield self.title
        yield f"{self.path or 'a page'}: {len(self.page.encode()):,} bytes"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row an annotator: its scores in the views of the page."""
        for name, each in (self.spans.scores if self.spans is not None else {}).items():
            figures = {view: each.counts(view).f1 for view in each.views}
            yield {"system": name, **figures}

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of the page as the commands that make them do."""
        return json_data(report_data(self.spans, self.trees, self._doubts))


@verb
def report(
    documents: Any = None,
    output: str | PathLike[str] | None = "report.html",
    *,
    gold: str | None = None,
    layers: str | Iterable[str] | None = None,
    scope: Mapping[str, Iterable[str]] | None = None,
    trees: Parsers | None = None,
    treebank: Parsers | None = None,
    versus: Parsers | None = None,
    prepare: str | Iterable[str] = "clegg",
    title: str = "",
    max_documents: int | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
    progress: Callable[[str], object] = str,
) -> ReportPage:
    """Write one self-contained page: scores, agreement, pictures, votes, trees.

    It opens from disk and needs no network. Annotators are scored against ``gold``: the layer of
    that name if there is one, else the consensus; each on the labels that it looks for, which are
    those it uses unless ``scope`` says otherwise (``{"anna": ["Gene"]}``). ``trees`` are parsers,
    the first of which is the treebank that the others are scored against; ``treebank`` are others,
    to be compared with it. ``versus`` has the same parsers on the treebank they are at home in, as
    ``trees.portability`` takes it.
    Without ``output`` the page is made and not written. ``progress`` is told what is being done.
    """
    from vermeil.reports.page import make_page
    from vermeil.reports.spans.findings import find_spans
    from vermeil.verbs.tables.scores import Doubts

    path = None if output is None else path_given(output)
    if path is not None and path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"{path}: the report is a page; call it {path}.html")
    if documents is None and trees is None:
        raise UsageError("there is nothing to report on; give documents, or trees, or both")
    if treebank is not None and trees is None:
        raise UsageError("a treebank is compared with that of trees; give both")
    if versus is not None and trees is None:
        raise UsageError("--versus is compared with --trees; give both")
    spans = parsers = None
    if documents is not None:
        spans = find_spans(
            some_documents(documents, verb="report"),
            gold=gold,
            annotators=list(names_of(layers)) or None,
            told=checked_scope(scope or {}),
            n_resamples=bootstrap,
            seed=seed,
            progress=progress,
        )
    if trees is not None:
        others = parser_source(treebank).apart if treebank is not None else []
        source = parser_source(trees)
        ported = _ported(source, versus, prepare, bootstrap, seed) if versus is not None else None
        parsers = _parsers(source, others, prepare, ported, bootstrap)
    said = title or title_of(spans, parsers)
    inputs = [str(documents)] if isinstance(documents, str | PathLike) else []
    page = make_page(said, spans=spans, trees=parsers, max_documents=max_documents, inputs=inputs)
    if path is not None:
        with replacing(path) as stream:
            stream.write(page.encode())
    return ReportPage(said, page, path, spans, parsers, Doubts(bootstrap, None, seed))


def report_data(
    spans: "SpanFindings | None", trees: "TreeFindings | None", doubts: "Doubts"
) -> dict[str, Any]:
    """Return the numbers of the page as the commands that make them do."""
    from vermeil.verbs.tables.agreement import agreement_data
    from vermeil.verbs.tables.diagnosis import diagnosis_data
    from vermeil.verbs.tables.portability import portability_data
    from vermeil.verbs.tables.score_data import as_data as score_data
    from vermeil.verbs.tables.treebanks import treebank_data

    said: dict[str, Any] = {}
    if spans is not None:
        said["annotators"] = spans.annotators
        said["gold"] = spans.gold
        said["score"] = score_data(spans.scores, "", doubts)
        said["agree"] = agreement_data(spans.agreement) if spans.agreement is not None else None
        said["silver_and_gold"] = spans.comparison
        said["contested"] = {
            document.id: doubt
            for document, doubt in zip(spans.documents, spans.contested, strict=True)
        }
    if trees is not None:
        said["trees"] = {
            "gold": trees.gold,
            "parsers": {
                name: {
                    "sentences": len(each.all),
                    "failed": each.n_failed,
                    "la": each.all.leaf_ancestor,
                    "f1": each.all.counts.f1,
                    "parsed": {"la": each.parsed.leaf_ancestor, "f1": each.parsed.counts.f1},
                }
                for name, each in trees.scores.items()
            },
            "trust": trees.trust.correlation if trees.trust is not None else None,
            **treebank_data(trees.usages, trees.failures),
            "diagnosis": diagnosis_data(trees.diagnoses, trees.gold),
        }
        if trees.ported is not None:
            said["trees"]["portability"] = portability_data(trees.ported)
    return said


def title_of(spans: "SpanFindings | None", trees: "TreeFindings | None") -> str:
    """Say in a few words what a page is about."""
    said = []
    if spans is not None:
        annotators = counted(len(spans.annotators), "annotator")
        said.append(f"{annotators} of {counted(len(spans.documents), 'text')}")
    if trees is not None:
        said.append(counted(len(trees.scores), "parser"))
    return " and ".join(said)


def usage_of(batches: "Iterable[Forests]", name: str, steps: Iterable[str]) -> "Usage":
    """Add up what a treebank is made of."""
    from vermeil.scoring.trees.usage import Usage, describe

    prepared = list(steps)
    parts = (describe(batch.prepared(prepared, standard=name)[name]) for batch in batches)
    return sum(parts, start=Usage())


def _ported(
    source: ParserSource,
    versus: Parsers,
    prepare: str | Iterable[str],
    n_resamples: int,
    seed: int,
) -> "Ported":
    from vermeil.scoring.trees.porting import ported
    from vermeil.verbs.trees.porting import versus_source

    there = versus_source(source, versus)
    return ported(source, there, steps_of(prepare), n_resamples=n_resamples, seed=seed)


def _parsers(
    source: ParserSource,
    others: list[ParserSource],
    prepare: str | Iterable[str],
    ported: "Ported | None",
    n_resamples: int,
) -> "TreeFindings":
    from vermeil.reports.trees.findings import find_trees
    from vermeil.scoring.trees.usage import Usage

    if len(source.names) < 2:
        raise UsageError("trees needs a treebank and a parser: trees={'gold': …, 'a': …}")
    steps, found = steps_of(prepare), dict[str, Usage]()
    for other in others:
        [name] = other.names
        if name in (*source.names, *found):
            raise UsageError(f"two treebanks are called {name!r}; name them: {{'a': …, 'b': …}}")
        found[name] = usage_of(other.batches(), name, steps)
    return find_trees(
        source.batches(),
        gold=source.names[0],
        steps=steps,
        others=found,
        ported=ported,
        n_resamples=n_resamples,
    )
