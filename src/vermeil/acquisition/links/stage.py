"""``acquire links`` as a stage: the links that references lack, as a table and as a layer.

What the references teach is learned once, from all documents, by the process that leads. Documents
then get the layer LINKS: the names that say what a document is about, with the ids of the records
to link. To judge itself, the stage hides a share of the links first, and counts how they come out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from vermeil.acquisition.databases.references import Links, open_links
from vermeil.acquisition.lexicon.compilation import Lexicon
from vermeil.acquisition.lexicon.files import load_lexicon
from vermeil.acquisition.lexicon.matching import BATCH
from vermeil.acquisition.links.hiding import LinkTrial, hide
from vermeil.acquisition.links.model import LinkModel, RankedPairs
from vermeil.arrays import Floats, Ints
from vermeil.document import Document, Span
from vermeil.errors import FormatError, UsageError
from vermeil.formats.files.states import State, state_of
from vermeil.models.model_files import read_model, write_model
from vermeil.models.schema import one_of, usable
from vermeil.runs.stages import Stage
from vermeil.text.tokens import TOKENISERS

if TYPE_CHECKING:
    from vermeil.acquisition.links.pairs import Uses

LINKS = "links"
MODEL, KIND = "links.zip", "links"
N_DIGITS = 4
"""Digits of a confidence."""


@dataclass(frozen=True, slots=True)
class ProposedLink:
    """A document that is about a record, how sure that is, and the names that say so.

    ``confidence`` is the probability that those who made the references would link the two.
    """

    document: str
    id: str
    label: str
    confidence: float
    names: tuple[str, ...]


@dataclass(slots=True)
class FoundLinks:
    """Links that were found, in the order of documents, and the trial. Add two to pool them."""

    n_documents: int = 0
    links: list[ProposedLink] = field(default_factory=list)
    trial: LinkTrial = field(default_factory=LinkTrial)

    def __add__(self, other: "FoundLinks") -> "FoundLinks":
        return FoundLinks(
            self.n_documents + other.n_documents,
            self.links + other.links,
            self.trial + other.trial,
        )

    @property
    def ranked(self) -> list[ProposedLink]:
        """The links from the surest down; of equals by document and id."""
        return sorted(self.links, key=lambda link: (-link.confidence, link.document, link.id))


@dataclass(frozen=True, slots=True, eq=False)
class LinkEquipment:
    """What links are found with, and those that were hidden before, if any."""

    model: LinkModel
    hidden: Links | None = None


class LinkStage(Stage[None, LinkEquipment, FoundLinks], frozen=True):
    """Paths of the lexicon, its references and of what was ``learned``, and from when on to link.

    ``judge`` is the share of the links to hide, chosen by ``seed``.
    """

    name: ClassVar[str] = "acquire links"
    prepares: ClassVar[bool] = True
    decides: ClassVar[bool] = True

    lexicon: str
    references: str
    learned: str | None
    threshold: float
    tokeniser: str
    judge: float | None
    seed: int

    def files(self) -> list[str]:
        """Name the files that are needed besides documents, as far as they are there."""
        named = [self.lexicon, self.references, self.learned]
        return [each for each in named if each is not None and Path(each).exists()]

    def prepare(self, documents: Iterator[Document], folder: Path | None) -> LinkEquipment:
        """Learn who is linked to whom, and keep it where the options say and in the folder."""
        lexicon, links, hidden = self._references()
        path = Path(self.learned) if self.learned else None
        if path is not None and path.exists():
            model = _read(path, lexicon, links)
        else:
            model = LinkModel.learn(lexicon, links, documents, tokeniser=self.tokeniser)
        for target in (path, folder / MODEL if folder else None):
            if target is not None and not target.exists():
                _write(model, target)
        return LinkEquipment(model, hidden)

    def is_prepared(self, folder: Path) -> bool:
        """Tell whether it was learned."""
        return (folder / MODEL).exists()

    def known(self, folder: Path | None) -> LinkEquipment:
        """Load what was prepared, once in a process as long as nothing of it changes."""
        assert folder is not None, "what was learned is in the folder of the run"
        paths = Path(self.lexicon), Path(self.references), folder / MODEL
        return _loaded(self, *(state_of(str(path.absolute())) for path in paths))

    def nothing(self) -> FoundLinks:
        """Count from the beginning."""
        return FoundLinks()

    def decide(
        self, documents: Iterator[Document], known: LinkEquipment, sums: FoundLinks
    ) -> Iterator[Document]:
        """Yield the documents to be linked, with the names that say so; the others are left out."""
        while batch := list(islice(documents, BATCH)):
            sums.n_documents += len(batch)
            ranked = known.model.rank(batch)
            if known.hidden is not None:
                sums.trial += _tried(ranked, batch, known)
            found = _found(ranked, batch, known.model.judgement.lexicon, self.threshold)
            for document, own in zip(batch, found, strict=True):
                sums.links += [link for link, _ in own]
                if own:
                    yield document.with_layer(LINKS, _layer(own))

    def _references(self) -> tuple[Lexicon, Links, Links | None]:
        """Open lexicon and references; where some are hidden, these apart."""
        lexicon = load_lexicon(Path(self.lexicon))
        links = open_links(lexicon, Path(self.references))
        if self.judge is None:
            return lexicon, links, None
        stay, hidden = (
            Links.of(lexicon, each) for each in hide(links.references, self.judge, seed=self.seed)
        )
        if not len(hidden.pairs):
            raise UsageError(f"{self.references}: of its links none is hidden; hide more of them")
        return lexicon, stay, hidden


def _found(
    ranked: RankedPairs, documents: Sequence[Document], lexicon: Lexicon, threshold: float
) -> list[list[tuple[ProposedLink, list[Span]]]]:
    """List for each document the links that it lacks, each with the first match of its names."""
    pairs, sure = ranked.pairs, _probabilities(ranked.odds)
    found: list[list[tuple[ProposedLink, list[Span]]]] = [[] for _ in documents]
    order = np.argsort(ranked.of, kind="stable")
    first = np.searchsorted(ranked.of[order], np.arange(len(pairs) + 1))
    for row in np.flatnonzero(~pairs.is_known & (sure >= threshold)).tolist():
        document, record = documents[pairs.document[row]], int(pairs.record[row])
        id, label = lexicon.ids[record], lexicon.labels[lexicon.label_of_record[record]]
        own = order[first[row] : first[row + 1]]
        places = _places(ranked.uses, own)
        spans = [
            Span(start, end, label, confidence=float(sure[row]), ids=(id,)) for start, end in places
        ]
        names = tuple(dict.fromkeys(span.marked(document.text) for span in spans))
        link = ProposedLink(document.id, id, label, float(sure[row]), names)
        found[pairs.document[row]].append((link, spans))
    return found


def _places(uses: "Uses", rows: Ints) -> list[tuple[int, int]]:
    """Say where the first match of each name stands, the surest name first."""
    surest = rows[np.lexsort((uses.start[rows], -uses.score[rows]))]
    return list(zip(uses.start[surest].tolist(), uses.end[surest].tolist(), strict=True))


def _layer(found: Sequence[tuple[ProposedLink, Sequence[Span]]]) -> list[Span]:
    """Put the names of all links together; what says several has all ids and is as sure as one."""
    merged: dict[tuple[int, int, str], Span] = {}
    for span in (span for _, spans in found for span in spans):
        place = span.start, span.end, span.label
        if (before := merged.get(place)) is not None:
            sure = max(before.confidence or 0.0, span.confidence or 0.0)
            ids = tuple(dict.fromkeys((*before.ids, *span.ids)))
            span = Span(*place, confidence=sure, ids=ids)
        merged[place] = span
    return [merged[place] for place in sorted(merged)]


def _tried(ranked: RankedPairs, documents: Sequence[Document], known: LinkEquipment) -> LinkTrial:
    """Count how hidden links came out, in the documents for which any link is known or hidden."""
    assert known.hidden is not None, "links were hidden"
    hidden, stay = known.hidden, known.model.judgement.links
    numbers = hidden.numbers_of(documents)
    looked = stay.are_referenced(documents) | (numbers >= 0)
    pairs = ranked.pairs
    is_right = hidden.have(numbers[pairs.document], pairs.record)
    rows = looked[pairs.document] & ~pairs.is_known
    n_hidden = int(hidden.n_records(numbers[numbers >= 0]).sum())
    return LinkTrial.of(int(looked.sum()), n_hidden, ranked.odds[rows], is_right[rows])


def _probabilities(odds: Floats) -> Floats:
    return np.round(1 / (1 + np.exp(-odds)), N_DIGITS)


def _write(model: LinkModel, path: Path) -> None:
    write_model(path, KIND, {"tokeniser": model.judgement.tokeniser}, model.arrays())


def _read(path: Path, lexicon: Lexicon, links: Links) -> LinkModel:
    kind, header, arrays = read_model(path)
    if kind != KIND:
        raise FormatError(path, None, f"holds a {kind}, not what was learned about links")
    n_names = len(arrays.get("counts/documents", ()))
    if n_names != len(lexicon):
        raise FormatError(
            path,
            None,
            f"was learned about a lexicon of {n_names:,} names, and this one has "
            f"{len(lexicon):,}; learn again",
        )
    with usable(path):
        tokeniser = one_of(header, "tokeniser", TOKENISERS)
        return LinkModel.from_arrays(lexicon, links, tokeniser, arrays)


@lru_cache(maxsize=1)
def _loaded(stage: LinkStage, *states: State) -> LinkEquipment:
    lexicon, links, hidden = stage._references()
    return LinkEquipment(_read(Path(states[-1][0]), lexicon, links), hidden)
