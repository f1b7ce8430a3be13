"""``vermeil consensus``: many annotators to one layer and one standard."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from vermeil.cli.reading import Align, From, Inputs, Options, TextPath, parsed_weights, reading
from vermeil.cli.terminal import AsJson, Log, SkipBad, keeping_ledger, print_json, print_table
from vermeil.cli.writing import check_target, refuse_two_on_stdout
from vermeil.consensus import (
    BATCH,
    CONSENSUS,
    decide,
    get_method,
    observe,
    unused,
    voting,
    with_outcome,
)
from vermeil.consensus import Options as Choices
from vermeil.consensus.centroids import GENERAL_TERMS, Settings
from vermeil.consensus.decision import Decision
from vermeil.consensus.reliability import Reliability
from vermeil.document import Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats import get_format, guess_format, write
from vermeil.formats.ledger import Ledger
from vermeil.formats.source import Source

DEFAULT_NAME, GOLD = "consensus", "gold"
N_DOUBTFUL = 100
"""Contested names that are kept to be shown."""


def consensus(
    inputs: Inputs,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="Where to write; - for stdout.")
    ],
    by: Annotated[
        str, typer.Option(metavar="METHOD", help=f"One of: {', '.join(CONSENSUS)}.")
    ] = "hearts",
    layers: Annotated[
        str, typer.Option(metavar="A,B,…", help="The annotators that vote; all without this.")
    ] = "",
    without: Annotated[
        str, typer.Option(metavar="A,B,…", help="Annotators that do not vote.")
    ] = "",
    min_votes: Annotated[
        str, typer.Option(metavar="N|N%", help="Votes a name needs (not for hearts).")
    ] = "0",
    tolerance: Annotated[
        str, typer.Option(metavar="N|N%", help="Votes below the peak that still join the heart.")
    ] = "0",
    ignore: Annotated[str, typer.Option(metavar="CHARS", help="Characters left out.")] = "",
    singles: Annotated[bool, typer.Option(help="Keep names of one character.")] = True,
    together: Annotated[bool, typer.Option(help="Let all labels vote together.")] = False,
    general_terms: Annotated[
        str, typer.Option(metavar="default|FILE", help="Leave hearts out that are only a term.")
    ] = "",
    weight: Annotated[
        list[str] | None, typer.Option(metavar="NAME=N", help="What an annotator's vote counts.")
    ] = None,
    by_confidence: Annotated[
        bool, typer.Option("--by-confidence", help="Weigh votes by their confidence.")
    ] = False,
    emit: Annotated[
        str, typer.Option(metavar="KIND", help="The span to write: modal, heart or extent.")
    ] = "modal",
    name: Annotated[str, typer.Option(metavar="NAME", help="What to call it.")] = DEFAULT_NAME,
    show: Annotated[
        int, typer.Option(metavar="N", min=0, help="Show the most contested texts.")
    ] = 0,
    target_format: Annotated[str | None, typer.Option("--to", metavar="FORMAT")] = None,
    source_format: From = None,
    text: TextPath = None,
    align: Align = "exact",
    options: Options = None,
    skip_bad: SkipBad = False,
    log: Log = None,
    as_json: AsJson = False,
) -> None:
    """Make one standard of what several annotators said.

    The default learns from their agreement how far to trust each and needs no threshold.
    """
    refuse_two_on_stdout(output, as_json=as_json)
    check_target(output)
    get_method(by)
    settings = Settings(
        **_amount("min", min_votes, "votes"),
        **_amount("tolerance", tolerance, ""),
        ignored=ignore,
        singles=singles,
        together=together,
        general_terms=_terms(general_terms),
    )
    choices = Choices(settings, emit, parsed_weights(weight), by_confidence)
    useless = unused(by, choices)
    if useless:
        named = ", ".join(f"--{option.replace('_', '-')}" for option in useless)
        able = [each for each, row in CONSENSUS.items() if row.takes.issuperset(useless)]
        raise UsageError(f"{by} has no use for {named}; try --by {' or '.join(able)}")
    source = reading(inputs, source_format=source_format, text=text, align=align, options=options)
    if any(str(each.path) == "-" for each in source.sources):
        raise UsageError("consensus reads its inputs twice; give files instead of -")
    if "{layer}" in output:
        raise UsageError("a consensus is one layer; leave {layer} out of the name of the output")
    target = Path(output)
    to = target_format or guess_format(target, exists=False)
    side_file = Path(f"{output if output != '-' else 'vermeil'}.bad.jsonl")
    electorate = _Electorate(_names(layers), _names(without) or [], name)

    with keeping_ledger(skip_bad=skip_bad, log=log, side_file=side_file) as ledger:
        first_pass = electorate.voters(source.documents(Ledger(skip_bad=skip_bad)))
        learned = observe(first_pass, by=by, options=choices)
        for _ in first_pass:  # what a method that learns nothing has left
            pass
        electorate.check(choices.weights, ledger)
        tally = _Tally()
        stream = tally.passing(
            source.documents(ledger), electorate.voters, by, choices, learned, name
        )
        only = None if "layers" in get_format(to).carries else name
        write(stream, target, format=to, layer=only, ledger=ledger)
    if as_json:
        print_json(tally.report(learned, output, by))
    elif output != "-":
        _show(tally, learned, show)


class _Electorate:
    """Who votes: the chosen annotators, or all but the excluded ones."""

    def __init__(self, chosen: Sequence[str] | None, excluded: Sequence[str], name: str) -> None:
        self._chosen, self._excluded, self._name = chosen, excluded, name
        self._seen: set[str] = set()
        self._voting: set[str] = set()

    def voters(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Keep of each document the layers that vote."""
        for document in documents:
            here = voting(document, self._chosen, self._name)
            kept = {key: each for key, each in here.layers.items() if key not in self._excluded}
            self._seen.update(document.layers)
            self._voting.update(kept)
            yield here.replace(layers=kept)

    def check(self, weights: Mapping[str, float], ledger: Ledger) -> None:
        """Refuse names that are nobody's, once all documents have been seen."""
        for named in (*(self._chosen or ()), *self._excluded, *weights):
            if named not in self._seen:
                raise UnknownNameError("annotator", named, self._seen)
        if not self._voting:
            raise UsageError("nobody is left to vote; see vermeil info for who is there")
        if self._name in self._seen:
            if self._name != DEFAULT_NAME:
                raise UsageError(
                    f"there is an annotator {self._name!r} already; choose another --name"
                )
            ledger.note("replaced", "former consensus", "the inputs")
        if GOLD in self._voting:
            ledger.note("counted", "gold standard as an annotator", "use --without gold to judge")


class _Tally:
    """What has been decided so far."""

    def __init__(self) -> None:
        self.n_documents = self.n_spans = self.n_centroids = 0
        self.contested: list[tuple[float, str]] = []
        self.doubtful: list[tuple[float, str, str]] = []

    def passing(
        self,
        documents: Iterator[Document],
        voters: Any,
        by: str,
        choices: Choices,
        learned: Any,
        name: str,
    ) -> Iterator[Document]:
        while batch := list(islice(documents, BATCH)):
            [outcome] = decide(voters(iter(batch)), by=by, options=choices, learned=learned)
            self.n_documents += len(batch)
            self.n_spans += len(outcome.decision)
            self.n_centroids += sum(map(len, outcome.standards or ()))
            doubts = zip(outcome.contested.tolist(), batch, strict=True)
            self.contested += [(doubt, document.id) for doubt, document in doubts]
            self._note_doubtful(outcome.proposed, batch)
            yield from with_outcome(batch, outcome, name)

    def _note_doubtful(self, proposed: Decision, batch: Sequence[Document]) -> None:
        """Keep the names that could best be decided the other way."""
        doubt = np.minimum(proposed.confidence, 1 - proposed.confidence)
        for row in np.argsort(-doubt, kind="stable")[:N_DOUBTFUL].tolist():
            document = batch[proposed.document[row]]
            name = document.text[proposed.start[row] : proposed.end[row]]
            self.doubtful.append((float(doubt[row]), name, document.id))
        self.doubtful = sorted(self.doubtful, key=lambda each: (-each[0], *each[1:]))[:N_DOUBTFUL]

    def most_contested(self, n: int) -> list[tuple[float, str]]:
        return sorted(self.contested, key=lambda pair: (-pair[0], pair[1]))[:n]

    def report(self, learned: Any, output: str, by: str) -> dict[str, Any]:
        return {
            "output": output,
            "method": by,
            "documents": self.n_documents,
            "spans": self.n_spans,
            "centroids": self.n_centroids,
            "annotators": _reliabilities(learned) if _is_learned(learned) else None,
            "contested_names": [
                {"document": id, "text": name, "doubt": doubt} for doubt, name, id in self.doubtful
            ],
            "contested": [
                {"document": id, "expected_errors": doubt}
                for doubt, id in self.most_contested(len(self.contested))
            ],
        }


def _is_learned(learned: Any) -> bool:
    return isinstance(learned, Reliability) and len(learned.annotators) > 2


def _reliabilities(learned: Reliability) -> list[dict[str, Any]]:
    coins = learned.existence
    return [
        {
            "annotator": name,
            "finds": float(coins.hit[place]),
            "invents": float(coins.alarm[place]),
            "left": dict(zip(_CUTS, learned.left.share[:, place].tolist(), strict=True)),
            "right": dict(zip(_CUTS, learned.right.share[:, place].tolist(), strict=True)),
        }
        for place, name in enumerate(learned.annotators)
    ]


_CUTS = ("exact", "wider", "narrower")


def _show(tally: _Tally, learned: Any, n_shown: int) -> None:
    typer.echo(
        f"{tally.n_documents:,} documents, {tally.n_spans:,} names, "
        f"{tally.n_centroids:,} centroids\n"
    )
    if isinstance(learned, Reliability):
        show_reliability(learned)
    if n_shown:
        typer.echo()
        print_table(
            "Most contested documents",
            ["document", "expected errors"],
            [[id, f"{doubt:.2f}"] for doubt, id in tally.most_contested(n_shown)],
        )
        typer.echo()
        print_table(
            "Most contested names",
            ["name", "document", "doubt"],
            [[name, id, f"{doubt:.2f}"] for doubt, name, id in tally.doubtful[:n_shown]],
            wide="name",
        )


def show_reliability(learned: Reliability) -> None:
    """Print what was learned about the annotators."""
    if len(learned.annotators) < 3:
        typer.echo("With fewer than three annotators nothing can be learned: votes count the same.")
        return
    print_table(
        "Annotators, as their agreement shows them",
        ["annotator", "finds", "invents", "left exact", *_CUTS[1:], "right exact", *_CUTS[1:]],
        [
            [
                row["annotator"],
                f"{row['finds']:.3f}",
                f"{row['invents']:.3f}",
                *(f"{row[side][cut]:.2f}" for side in ("left", "right") for cut in _CUTS),
            ]
            for row in _reliabilities(learned)
        ],
    )


def _names(listed: str) -> Sequence[str] | None:
    return [name for name in listed.split(",") if name] or None


def _amount(option: str, given: str, noun: str) -> dict[str, float]:
    """Read a number of votes, or a share of them where there is a percent sign."""
    try:
        value = float(given.removesuffix("%"))
    except ValueError:
        raise UsageError(
            f"--{option}-{noun} takes a number or a percentage, not {given!r}"
        ) from None
    key = f"{option}_{noun}".rstrip("_")
    return {f"{option}_share": value / 100} if given.endswith("%") else {key: value}


def _terms(given: str) -> frozenset[str]:
    """Read general terms, one a line; ours where the user asks for the default."""
    if given in ("", "default"):
        return GENERAL_TERMS if given else frozenset()
    lines = Source(Path(given), "").lines()
    return frozenset(line.strip() for _, line in lines if line.strip())
