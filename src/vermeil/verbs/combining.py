"""``combine``: what several annotators said, as one layer and one standard."""

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vermeil.document import Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.scope import checked_scope
from vermeil.verbs.checking import weights_of
from vermeil.verbs.corpus import LOG, Corpus, some_documents
from vermeil.verbs.naming import names_of
from vermeil.verbs.tables.consensus import (
    CUTS,
    FIGURES,
    consensus_data,
    contested_blocks,
    is_learned,
    reading_of,
    reliabilities,
    reliability_blocks,
    total_blocks,
    why_blocks,
)
from vermeil.verbs.tables.table import Block, Tabled, counted, json_data
from vermeil.verbs.wording import respelt, verb

if TYPE_CHECKING:
    from vermeil.consensus import Options
    from vermeil.consensus.people.why import Reasons
    from vermeil.consensus.stage import Learned, Observed, Tally
    from vermeil.runs.streaming import Streaming


class Consensus(Tabled):
    """What annotators agree on: ``documents`` with one more layer, and what was learned of them.

    ``by`` is its method, ``name`` that of the new layer; ``voters`` took part. It can be given to
    every other verb in the place of its documents. Documents that stream are decided on each time
    they are gone through.
    """

    def __init__(
        self,
        source: Corpus,
        work: "Streaming[Observed, Learned, Tally]",
        *,
        by: str,
        name: str,
        n_shown: int = 0,
        why: str = "",
    ) -> None:
        self._source, self._asked = source, why
        self._work, self._learned = work, work.known.model
        self._tally: Tally | None = None
        self.by, self.name, self._n_shown = by, name, n_shown
        self.voters = tuple(sorted(work.known.electorate.voting))
        said = f"consensus of {', '.join(self.voters)}"
        self.documents = Corpus(self._decided, said, as_long_as=source)
        if source.is_held:
            self.documents.hold()

    @property
    def annotators(self) -> dict[str, dict[str, Any]]:
        """What was learned of each annotator: agreement with the consensus, which is not truth.

        ``finds`` and ``invents`` are the share of names found and of other places marked, ``left``
        and ``right`` of edges cut exact, wider and narrower; ``…_within`` is half of the 95%
        interval. ``calls`` says what names of each label are called, ``effort`` how much is marked
        of what the crowd marks there, ``documents`` and ``names`` how much was seen.

        Empty where nothing was, or could be, learned: with methods that learn nothing of them, and
        with fewer than three annotators and nothing settled.
        """
        if not is_learned(self._learned):
            return {}
        return {row.pop("annotator"): row for row in reliabilities(self._learned)}

    @property
    def reading(self) -> str:
        """Whether the texts were read, and why; "" where the method does not ask."""
        return reading_of(self._learned)

    @property
    def contested(self) -> dict[str, float]:
        """How many decisions of each document are expected to be wrong, the most first."""
        tally = self._counted()
        return {id: doubt for doubt, id in tally.most_contested(len(tally.contested))}

    @property
    def contested_names(self) -> list[tuple[str, str, float]]:
        """The names that could best be decided the other way: name, document, doubt."""
        return [(name, id, doubt) for doubt, name, id in self._counted().doubtful]

    def why(self, document: Document | str, span: Span | tuple[int, int]) -> "Why":
        """Explain the confidence of a name: who said what, what it is worth, what it comes to.

        ``document`` is one of the documents or its id, ``span`` a name or where it is.
        """
        start, end = (span.start, span.end) if isinstance(span, Span) else span
        given = self._source[document] if isinstance(document, str) else document
        return Why(self._work.stage.why(given, start, end, self._work.known))  # type: ignore[attr-defined]

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def blocks(self) -> Iterator[Block]:
        """Yield how much was decided, what was learned, and what is most contested."""
        tally = self._counted()
        for block in total_blocks(tally, self.by):
            yield respelt(block) if isinstance(block, str) else block
        yield from reliability_blocks(self._learned)
        if self._n_shown:
            yield ""
            yield from contested_blocks(tally, self._n_shown)
        if self._asked:
            from vermeil.consensus.people.why import parsed_place

            id, start, end = parsed_place(self._asked)
            yield ""
            yield from self.why(id, (start, end)).blocks()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row an annotator."""
        for name, row in self.annotators.items():
            cuts = {f"{side}_{cut}": row[side][cut] for side in ("left", "right") for cut in CUTS}
            known = {key: row[key] for key in FIGURES if key in row}
            yield {"annotator": name, **known, **cuts}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return json_data(consensus_data(self._counted(), self._learned, self.by))

    def __repr__(self) -> str:
        n = len(self.voters)
        return f"<Consensus: {counted(n, 'annotator')} by {self.by}>"

    def _decided(self, ledger: Ledger) -> Iterator[Document]:
        stream = self._work.documents()
        tally = self._work.sums
        yield from stream
        self._tally = tally

    def _counted(self) -> "Tally":
        """Return what was counted while documents were decided on, after doing so if need be."""
        if self._tally is None:
            for _ in self.documents:
                pass
        assert self._tally is not None
        return self._tally


class Why(Tabled):
    """How the confidence of a name comes about; ``reasons`` has the figures."""

    def __init__(self, reasons: "Reasons") -> None:
        self.reasons = reasons

    def blocks(self) -> Iterator[Block]:
        """Yield who said what, and what it comes to."""
        return why_blocks(self.reasons)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row an annotator."""
        for each in self.reasons.voices:
            start, end, label = (
                (each.span.start, each.span.end, each.span.label) if each.span else (None,) * 3
            )
            yield {
                "annotator": each.annotator,
                "start": start,
                "end": end,
                "label": label,
                "left": each.left,
                "right": each.right,
                "worth": each.worth,
            }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return json_data(self.reasons)


@verb
def combine(
    documents: Any,
    *,
    by: str | None = None,
    like_paper: bool = False,
    layers: str | Iterable[str] | None = None,
    without: str | Iterable[str] = (),
    alternatives: bool | None = None,
    min_votes: float | str = 0,
    tolerance: float | str = 0,
    ignore: str | None = None,
    singles: bool | None = None,
    boundaries: str | None = None,
    levels: bool | None = None,
    extents: str = "",
    mass: float | str | None = None,
    together: bool = False,
    general_terms: str | PathLike[str] | Iterable[str] = (),
    weight: Mapping[str, float] | None = None,
    scope: Mapping[str, Iterable[str]] | None = None,
    settled: str = "",
    read: bool | None = None,
    by_confidence: bool = False,
    emit: str | None = None,
    name: str = "consensus",
    show: int = 0,
    why: str = "",
) -> Consensus:
    """Make one standard of what several annotators said.

    The default, ``people``, learns from their agreement how far to trust each, and for what, and
    needs no threshold; it emits the ``modal`` span of each name. ``like_paper`` does as Lewin et
    al. do wherever nothing else is asked: by ``centroids``, emitting the ``heart``, without
    ``singles`` (names of one character), ignoring the characters ``"'*+-]``, with ``boundaries``
    counted by ``changes`` of the votes instead of ``names``, ``alternatives`` voting, and without
    ``levels``, on which nested and discontinuous names are decided each, and whole.

    All layers vote; ``layers`` names those that do, ``without`` those that do not. That of
    alternatives, ``X.alternatives``, votes where X does if ``alternatives`` is true.
    ``min_votes`` and ``tolerance`` are numbers of votes, or shares such as ``"50%"``.
    Annotators look for the labels they use, unless ``scope`` says otherwise
    (``{"anna": ["Gene"]}``). The layer ``settled`` does not vote but is right: in the documents
    that have it, or in the stretches that their ``meta["settled"]`` lists for it, its names are the
    consensus, and teach how far to trust everybody elsewhere. ``read`` says whether the words of
    the texts count as well; unless told, they do where people marked who each saw a part, if
    annotators left out are then better predicted (``Consensus.reading`` tells). ``general_terms``
    are hearts to leave out: a list, a file with one a line, or ``"default"``.
    In the standard boundaries have ``votes``, or, where it was learned how annotators cut, their
    ``posterior`` chance; ``extents`` chooses. Of those on a side the fewest are kept that have
    ``mass`` of its support: 99% of chances, all votes, unless told. ``show`` prints so many of the
    most contested documents and names, too, and ``why="ID:START-END"`` how the confidence of the
    name at this place comes about.

    >>> from vermeil import samples
    >>> from vermeil.verbs.files import read
    >>> silver = combine(read([samples.GOLD, *samples.ANNOTATORS]), without="gold")
    >>> silver
    <Consensus: 5 annotators by people>
    >>> len(silver.documents[0].layers["consensus"])
    15
    """
    from vermeil.consensus.asking import amount, check_extents, filled_in, share_of
    from vermeil.consensus.stage import ConsensusStage
    from vermeil.runs.streaming import Held, Streaming

    corpus = some_documents(documents, verb="combine")
    asked = {"by": by, "emit": emit, "ignored": ignore, "singles": singles}
    asked |= {"boundaries": boundaries, "alternatives": alternatives, "levels": levels}
    way = filled_in(asked, like_paper=like_paper)
    weighed = bool(weight) or by_confidence
    by, with_alternatives = str(way.pop("by")), bool(way.pop("alternatives"))
    choices = _choices(
        by,
        way.pop("emit"),
        weights_of(weight),
        by_confidence,
        checked_scope(scope or {}),
        settled,
        read,
        {
            **amount("min_votes", min_votes, weighed=weighed),
            **amount("tolerance", tolerance, weighed=weighed),
            **way,
            "extents": check_extents(extents),
            "mass": share_of("mass", mass),
            "together": together,
            "general_terms": _terms(general_terms),
        },
    )
    stage = ConsensusStage(
        by=by,
        choices=choices,
        chosen=names_of(layers) if layers is not None else None,
        excluded=names_of(without),
        alternatives=with_alternatives,
        layer=name,
    )
    work = Streaming(stage, Held(corpus))
    for deed, what, where in stage.notes(work.known):
        LOG.warning("%s %s (%s)", deed, what, respelt(where))
    return Consensus(corpus, work, by=by, name=name, n_shown=show, why=why)


def _choices(
    by: str,
    emit: str,
    weights: Mapping[str, float],
    by_confidence: bool,
    scope: Mapping[str, frozenset[str]],
    settled: str,
    read: bool | None,
    settings: Mapping[str, Any],
) -> "Options":
    """Make the options of a method; refuse what it would ignore."""
    from vermeil.consensus.centroids import EMITTED, Settings
    from vermeil.consensus.methods import Options, get_method, takers, unused

    get_method(by)
    if emit not in EMITTED:
        raise UnknownNameError("span to write", emit, EMITTED)
    choices = Options(
        Settings(**settings), emit, dict(weights), by_confidence, scope, settled=settled, read=read
    )
    useless = unused(by, choices)
    if useless:
        able = " or ".join(map(repr, takers(useless)))
        raise UsageError(
            f"{by} has no use for {', '.join(useless)}{f'; try by={able}' if able else ''}"
        )
    return choices


def _terms(given: str | PathLike[str] | Iterable[str]) -> frozenset[str]:
    """Take general terms: ours where the user asks for the default, a file, or a list."""
    from vermeil.consensus.asking import terms_in
    from vermeil.consensus.centroids import GENERAL_TERMS

    if given == "default":
        return GENERAL_TERMS
    if isinstance(given, str | PathLike):
        return terms_in(Path(given)) if str(given) else frozenset()
    return frozenset(given)
