"""How every command reads: its inputs, the options for them, and the corpus they describe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from vermeil.cli.options.completion import source_formats
from vermeil.cli.options.declaring import argument, flag, option
from vermeil.cli.showing.terminal import watched
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats.arranging import arranged
from vermeil.formats.corpus import CorpusFiles
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.inputs import Input, refuse_missing, told_beside
from vermeil.formats.labels import Labels

Inputs = Annotated[list[str], argument("IN…", "Files or folders; name=PATH names the annotator.")]
SourceFormat = Annotated[
    str | None,
    option("FORMAT", "Format to read, if content does not tell.", "--from", offered=source_formats),
]
Alternatives = Annotated[
    str | None, option("PATH", "Other acceptable names, if they have their own file.")
]
FormatOptions = Annotated[
    list[str] | None,
    option("NAME=VALUE", "Set an option of formats; INPUT:NAME=VALUE of one input.", "-O"),
]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How documents are read."""

    source_format: SourceFormat = None
    text: Annotated[str | None, option("PATH", "Texts of inputs that hold only offsets.")] = None
    align: Annotated[
        str,
        option("exact|fuzzy", "Let texts of a document differ in white space only, or in more."),
    ] = "exact"
    options: FormatOptions = None
    map: Annotated[list[str] | None, option("OLD=NEW", "Read the label OLD as NEW.", "--map")] = (
        None
    )
    map_file: Annotated[
        Path | None, option("FILE", "Read labels as FILE says, OLD=NEW a line.")
    ] = None
    fold_labels: Annotated[
        bool,
        flag("Read labels without case and punctuation.", "--fold-labels"),
    ] = False

    def of(
        self, inputs: Sequence[str], *, written: Sequence[Path | str | None] = ()
    ) -> "WatchedCorpus":
        """Make a corpus of the arguments of a command: files, folders of files, or patterns.

        What is ``written`` into a folder by the command does not count when its format is told.
        """
        if self.align not in ("exact", "fuzzy"):
            raise UsageError(f"--align takes exact or fuzzy, not {self.align!r}")
        sources = [Input.parse(each, format=self.source_format) for each in inputs]
        texts = [Input.parse(self.text)] if self.text else []
        check_sources([*sources, *texts])
        options, beside = parsed_options(self.options), next(iter(texts), None)
        told = [told_beside(each, written) for each in sources]
        files = arranged(told, beside, options)
        labels = Labels.given(self.map, self.map_file, self.fold_labels)
        return WatchedCorpus(files, beside, self.align == "fuzzy", options, labels)

    def words(self) -> list[str]:
        """Return what was given, for another command that is to read the same."""
        given = {"--from": self.source_format, "--text": self.text, "--map-file": self.map_file}
        told = [word for name, value in given.items() if value for word in (name, str(value))]
        told += ["--align", self.align] if self.align != "exact" else []
        told += [word for each in self.options or () for word in ("-O", each)]
        told += [word for each in self.map or () for word in ("--map", each)]
        return [*told, "--fold-labels"] if self.fold_labels else told


@dataclass(frozen=True, slots=True)
class WatchedCorpus(CorpusFiles):
    """A corpus that shows on the terminal how far it has been read."""

    def documents(self, ledger: Ledger) -> Iterator[Document]:
        """Read the documents, showing progress."""
        return watched(self.read(ledger), noun="documents")


def check_sources(sources: Sequence[Input]) -> None:
    """Refuse what cannot be read before anything is: files that are missing, and a second -."""
    paths = [each.path for each in sources]
    if paths.count(Path("-")) > 1:
        raise UsageError("standard input (-) can be read once; give files for the other inputs")
    for each in sources:
        refuse_missing(each)


def parsed_options(pairs: Sequence[str] | None) -> dict[str, str]:
    """Take NAME=VALUE options apart."""
    parsed = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"-O takes NAME=VALUE, got {pair!r}")
        parsed[name] = value
    return parsed


def parsed_weights(pairs: Sequence[str] | None) -> dict[str, float]:
    """Take NAME=NUMBER weights apart."""
    weights = {}
    for name, value in parsed_options(pairs).items():
        try:
            weights[name] = float(value)
        except ValueError:
            raise UsageError(f"--weight takes NAME=NUMBER, got {name}={value}") from None
        if not 0 <= weights[name] < 1e6:
            raise UsageError(f"a weight lies between 0 and a million, got {name}={value}")
    return weights


def listed(names: str) -> tuple[str, ...]:
    """Take A,B,… apart.

    >>> listed("anna, ben,")
    ('anna', 'ben')
    """
    return tuple(name.strip() for name in names.split(",") if name.strip())
