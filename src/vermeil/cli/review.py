"""``vermeil review``: curators settle what annotators dispute, on a page of their own."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer

from vermeil.cli.options.completion import EXPORTS, ROLES, target_formats
from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.options.ledger import LedgerOptions
from vermeil.cli.options.reading import ReadingOptions, listed
from vermeil.cli.options.scope import Scopes
from vermeil.cli.options.writing import AsJson
from vermeil.cli.showing.terminal import print_json, say
from vermeil.document import ALTERNATIVES, Document
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.scope import parse_scopes

FEW = 1000
"""Documents that are read before any is imported, where annotators are to be left out."""

UNITS = ("name", "document")
"""What can be decided at a time (``review/learning/worth.py``)."""


def review(
    file: Annotated[Path, argument("FILE", "File of the review; it is made if there is none.")],
    *,
    inputs: Annotated[
        list[str] | None, argument("IN…", "Documents to add; name=PATH names the annotator.")
    ] = None,
    without: Annotated[str, option("A,B,…", "Leave these annotators of the inputs out.")] = "",
    host: Annotated[str, option("ADDRESS", "Address to serve the page at.")] = "127.0.0.1",
    port: Annotated[
        int, option("N", "Port to serve at; 0 takes a free one.", min=0, max=65535)
    ] = 8765,
    account: Annotated[
        str | None, option("NAME", "Ask for the password of this curator, keep it and stop.")
    ] = None,
    role: Annotated[
        str | None,
        option("ROLE", f"What that account may do: {', '.join(ROLES)}.", offered=ROLES),
    ] = None,
    serve: Annotated[bool, flag("Serve the page, or only add the inputs.")] = True,
    export: Annotated[
        Path | None, option("OUT", "Write what was decided to a file, and stop.")
    ] = None,
    what: Annotated[
        str, option("KIND", f"What to export: {', '.join(EXPORTS)}.", offered=EXPORTS)
    ] = "gold",
    target_format: Annotated[
        str | None,
        option(
            "FORMAT",
            "Format of the export, if not told by its name.",
            "--to",
            offered=target_formats,
        ),
    ] = None,
    certificate: Annotated[
        Path | None, option("PEM", "Certificate with which the page is encrypted.")
    ] = None,
    key: Annotated[Path | None, option("PEM", "Private key of the certificate.")] = None,
    unit: Annotated[
        str | None, option("UNIT", "What to decide next by: name, document.", offered=UNITS)
    ] = None,
    learn_every: Annotated[
        int | None,
        option("N", "Train a recogniser after every N settled documents; 0 does not.", min=0),
    ] = None,
    proxy: Annotated[
        str | None,
        option("ADDRESS", "Believe a proxy at this address about whom it speaks for."),
    ] = None,
    labels: Annotated[
        str | None,
        option("NAME[:COLOUR[:KEY]],…", "Let only these labels be given; - lets any."),
    ] = None,
    guidelines: Annotated[
        Path | None, option("FILE", "Show these guidelines, in Markdown, beside the texts.")
    ] = None,
    overlap: Annotated[
        int | None, option("N", "Give the documents out; the shared ones to N curators.", min=1)
    ] = None,
    share: Annotated[
        float, option("SHARE", "Share of the documents that several curators get.", min=0, max=1)
    ] = 0.2,
    scope: Scopes = None,
    reading: ReadingOptions,
    keeping: LedgerOptions,
    as_json: AsJson = False,
) -> None:
    """Serve a page on which curators settle what is disputed.

    What would mend most errors comes first, and each decision teaches what comes next. Inputs are
    added to FILE; what was decided stays. The page is for this machine alone; any other --host
    demands accounts. Export works at any time.
    """
    if account is not None:
        _set_password(file, account, role)
        return
    if role is not None:
        raise UsageError("--role says what an account may do; name it with --account")
    if inputs:
        source = reading.of(inputs)
        with keeping.ledger(beside=file) as ledger:
            documents: Iterable[Document] = source.documents(ledger)
            if without:
                documents = _without(documents, listed(without))
            _import(file, documents, parse_scopes(scope or ()), as_json=as_json)
    elif scope:
        _import(file, (), parse_scopes(scope), as_json=as_json)
    if labels is not None or guidelines is not None or overlap is not None:
        _agree(file, labels, guidelines, overlap, share)
    if export is not None:
        with LedgerOptions(log=keeping.log).ledger() as ledger:
            _export(file, export, what, target_format, ledger, as_json=as_json)
    elif serve:
        if unit is not None and unit not in UNITS:
            raise UnknownNameError("unit", unit, UNITS)
        _serve(file, host, port, certificate, key, proxy, unit=unit, learn_every=learn_every)
    else:
        _check_there(file)


def _without(documents: Iterable[Document], names: Sequence[str]) -> Iterator[Document]:
    """Leave out what some annotators say, and what is as good by them.

    A name that nobody has is refused: of few documents before anything is imported.
    """
    left_out = {*names, *(name + ALTERNATIVES for name in names)}
    stream = iter(documents)
    held = list(islice(stream, FEW))
    known = {layer for document in held for layer in document.layers}
    if len(held) < FEW:
        _check_known(names, known)
    for document in chain(held, stream):
        known |= document.layers.keys()
        yield document.replace(
            layers={k: v for k, v in document.layers.items() if k not in left_out},
            standards={k: v for k, v in document.standards.items() if k not in left_out},
        )
    _check_known(names, known)


def _check_known(names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError("annotator", name, sorted(known))


def _check_there(file: Path) -> None:
    if not file.exists():
        raise UsageError(f"{file}: there is no such review; give it inputs to make one")


def _import(
    file: Path,
    documents: Iterable[Document],
    told: Mapping[str, frozenset[str]],
    *,
    as_json: bool,
) -> None:
    from vermeil.review.importing import import_documents
    from vermeil.review.lock import sole_writer
    from vermeil.review.store import Store, made_or_gone

    with sole_writer(file) as tell, made_or_gone(file), Store(file) as store:
        tell("importing")
        done = import_documents(store, documents, told)
        n_documents = store.n_documents()
    for line in done.refused:
        say(f"vermeil: {line}")
    if as_json:
        print_json({"documents": n_documents, **{k: getattr(done, k) for k in done.__slots__}})
        return
    say(
        f"{file}: {n_documents:,} documents; {done.n_new:,} new, {done.n_changed:,} with new "
        f"annotation, {done.n_same:,} as before, {done.n_refused:,} refused",
    )


def _agree(
    file: Path, labels: str | None, guidelines: Path | None, overlap: int | None, share: float
) -> None:
    """Keep what a team agrees on."""
    from vermeil.review.lock import sole_writer
    from vermeil.review.store import Store
    from vermeil.review.team.assignment import give_out
    from vermeil.review.team.guidance import parse_labels, set_guidelines, set_labels

    _check_there(file)
    with sole_writer(file), Store(file) as store:
        if labels is not None:
            agreed = [] if labels == "-" else parse_labels(labels)
            set_labels(store, agreed)
            names = ", ".join(each.label for each in agreed) or "any"
            say(f"{file}: labels that may be given: {names}")
        if guidelines is not None:
            try:
                set_guidelines(store, guidelines.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"{guidelines}: cannot be read: {error}") from None
        if overlap is not None:
            loads = give_out(store, overlap=overlap, share=share)
            given = ", ".join(f"{name} {n:,}" for name, n in loads.items())
            say(f"{file}: documents given out: {given}")


def _export(
    file: Path, out: Path, what: str, to: str | None, ledger: Ledger, *, as_json: bool
) -> None:
    from vermeil.review.exporting import export as export_review
    from vermeil.review.queue import settled
    from vermeil.review.store import Store

    with Store(file, read_only=True) as store:
        made = export_review(store, out, what=what, format=to, ledger=ledger)
        n_settled = settled(store).n_settled
    if as_json:
        print_json({"files": [str(path) for path in made], "settled": n_settled})
    else:
        say(f"{out}: written; {n_settled:,} documents are settled")


def _serve(
    file: Path,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    proxy: str | None,
    *,
    unit: str | None,
    learn_every: int | None,
) -> None:
    from vermeil.review.web.server import serve as serve_review

    _check_there(file)

    def announce(address: str) -> None:
        typer.echo(f"review of {file} at {address} (Ctrl-C stops it)")
        sys.stdout.flush()

    serve_review(
        file,
        host=host,
        port=port,
        announce=announce,
        certificate=certificate,
        key=key,
        unit=unit,
        learn_every=learn_every,
        proxy=proxy,
    )


def _set_password(file: Path, name: str, role: str | None) -> None:
    from vermeil.review.store import Store
    from vermeil.review.web.accounts import check_name, set_password

    check_name(name)
    if sys.stdin.isatty():
        password = typer.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True)
    else:
        password = sys.stdin.readline().rstrip("\n")
    with Store(file) as store:
        role = set_password(store, name, password, role)
    say(f"{file}: {name} has a password now, as {role}")
