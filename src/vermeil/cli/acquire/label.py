"""``vermeil acquire label``: text with layers of acquired annotation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vermeil.cli.acquire.resources import LexiconPath, ReferencesPath, open_links
from vermeil.cli.reading import Align, From, Inputs, Options, TextPath, reading
from vermeil.cli.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json, print_table
from vermeil.cli.writing import check_target, refuse_two_on_stdout
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import guess_format, write
from vermeil.scoring.counts import Counts

if TYPE_CHECKING:
    from vermeil.acquire.survey import Judgement

KEYS = ("precision", "recall", "f1")


def label(
    inputs: Inputs,
    lexicon: LexiconPath,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; - for stdout.")
    ],
    references: ReferencesPath = None,
    learned: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Use what was learned before; made where it is missing."),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(help="Score a name of the layer consensus needs.  [default: -2.5]"),
    ] = None,
    by_discourse: Annotated[
        bool, typer.Option("--discourse", help="Coordination: a name once is a name everywhere.")
    ] = False,
    tokeniser: Annotated[
        str, typer.Option(metavar="NAME", help="Names start and end where its tokens do.")
    ] = "punctuation",
    gold: Annotated[
        str | None, typer.Option(metavar="LAYER", help="Score the layers against this one.")
    ] = None,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the output.")
    ] = None,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Annotate texts with the names of a lexicon, in one layer for each way to believe it.

    dictionary: every match. With references also reference, coordination, and consensus: matches
    that look like those which references support, learned from these texts without gold.
    """
    from vermeil.acquire.labelling import THRESHOLD, Labelling
    from vermeil.acquire.labelling import label as label_documents
    from vermeil.acquire.lexicon_files import load_lexicon
    from vermeil.text.tokens import tokenise

    refuse_two_on_stdout(output, as_json=as_json)
    check_target(output)
    tokenise("", by=tokeniser)
    if learned is not None and references is None:
        raise UsageError("--learned is of a lexicon and its references; give --references, too")
    source = reading(inputs, source_format=source_format, text=text, align=align, options=options)
    if references is not None and any(str(each.path) == "-" for each in source.sources):
        raise UsageError("with --references the texts are read twice, so they cannot come from -")
    names = load_lexicon(lexicon)
    links = open_links(names, references)
    target = Path(output)
    how = Labelling(
        by_discourse=by_discourse, threshold=THRESHOLD if threshold is None else threshold
    )
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl")
    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        judgement: Judgement | None = None
        if links is not None:
            from vermeil.acquire.survey import Judgement as Learned

            if learned is not None and learned.exists():
                judgement = Learned.load(learned, names, links)
            else:
                documents = source.documents(ledger)
                judgement = Learned.learn(names, links, documents, tokeniser=tokeniser)
                if learned is not None:
                    judgement.save(learned)
        tally = _Tally(gold)
        labelled = label_documents(
            source.documents(ledger), names, links, judgement, tokeniser=tokeniser, how=how
        )
        to = target_format or guess_format(target, exists=False)
        write(tally.counting(labelled), target, format=to, ledger=ledger)
    if output != "-":
        tally.show(as_json)


@dataclass(slots=True)
class _Tally:
    """What each layer holds, and how right it is where there is gold."""

    gold: str | None
    n_documents: int = 0
    n_names: dict[str, int] = field(default_factory=dict)
    counts: dict[str, Counts] = field(default_factory=dict)

    def counting(self, documents: Iterator[Document]) -> Iterator[Document]:
        from vermeil.acquire.labelling import LAYERS

        for document in documents:
            self.n_documents += 1
            for name in LAYERS:
                if name in document.layers:
                    layer = document.layers[name]
                    self.n_names[name] = self.n_names.get(name, 0) + len(layer)
                    self._score(name, document)
            yield document

    def _score(self, name: str, document: Document) -> None:
        if self.gold is None or self.gold not in document.layers:
            return
        found = {(span.start, span.end) for span in document.layers[name]}
        wanted = {(span.start, span.end) for span in document.layers[self.gold]}
        right = len(found & wanted)
        counts = Counts(right, len(found), right, len(wanted))
        self.counts[name] = self.counts.get(name, Counts()) + counts

    def show(self, as_json: bool) -> None:
        figures = {name: {"names": n, **self._figures(name)} for name, n in self.n_names.items()}
        if as_json:
            print_json({"documents": self.n_documents, "layers": figures})
            return
        columns: Sequence[str] = ("layer", "names")
        rows: list[list[object]] = [[name, own["names"]] for name, own in figures.items()]
        if self.counts:
            columns = (*columns, "P", "R", "F1")
            rows = [
                [name, own["names"], *(f"{own.get(key, nan):.3f}" for key in KEYS)]
                for name, own in figures.items()
            ]
        print_table(f"{self.n_documents:,} documents", columns, rows)

    def _figures(self, name: str) -> dict[str, float]:
        if name not in self.counts:
            return {}
        counts = self.counts[name]
        return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
