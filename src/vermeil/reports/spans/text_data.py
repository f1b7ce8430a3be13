"""The texts of a page as compact data for its script: the vote view of each and how all fared.

The most contested texts come first and those that would make the page too large are left out and
counted. What the arrays hold:

    text      i: id, t: text, c: expected errors, n: annotators who looked, w: wave, v: hearts,
              a: lanes, g: names of the standard, h: its hearts, s: the systems that these tell
              of, where not of all
    wave      place, votes, place, votes …: from the pair at each place on, so many votes
    heart     start, end, label, votes, chance, left boundaries, right boundaries, voters,
              contested, and its level and fragments where it is nested or has a gap
    boundary  offset, votes, offset, votes …, the innermost first
    voters    a hexadecimal number whose bit k stands for annotator k
    lane      annotator, span, span …
    span      start, end, label, fate, confidence or null, and its pieces where it has several
    fate      exact outcome + 4 × centroid outcome + 16 × (1 + which of g it is matched with)
              -1 where it is not compared with anything
    g, h      start, end, label, a digit a system: its outcome in the exact (g) or centroid (h)
              view, - where it does not look for that label

Labels and annotators are numbers; outcomes are numbered as in ``scoring.views``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec
import numpy as np

from vermeil.arrays import Floats, Ints
from vermeil.document import Document, Standard
from vermeil.reports.spans.findings import SpanFindings
from vermeil.scope import Scope
from vermeil.scoring.pairing.lens import Lens
from vermeil.scoring.pairing.names import Names
from vermeil.scoring.scores import Scores
from vermeil.shown import Brief
from vermeil.vote_view.lanes import Heart, VoteView, vote_view

Row = list[object]

NO_MATCH = NO_FATE = -1
NOT_COMPARED = "-"
"""Stands for the outcome of a name whose label a system does not look for."""

DOUBT_DIGITS = 3
"""Decimals of expected errors."""


@dataclass(frozen=True, slots=True, repr=False)
class TextData(Brief):
    """What a page's script needs; ``n_left_out`` texts had no room."""

    annotators: Sequence[str]
    labels: Sequence[str]
    standard: str | None
    texts: Sequence[dict[str, object]]
    n_left_out: int


def text_data(
    findings: SpanFindings, *, max_bytes: int, max_documents: int | None = None
) -> TextData:
    """Lay out as many texts as there is room for, the most contested first.

    Of texts that are equally contested, those with more that is wrong come first.
    """
    labels = _labels(findings)
    code = {label: number for number, label in enumerate(labels)}
    lanes = list(findings.scores)
    lane_of = {name: number for number, name in enumerate(lanes)}
    places, is_dense = _places(findings.whole), findings.is_dense
    fates = {name: _Fates.of(each) for name, each in findings.scores.items()}
    names, hearts = (_Wanted.of(findings, view, code) for view in ("exact", "centroid"))
    texts: list[dict[str, object]] = []
    room = max_bytes
    for number in _ranked(findings, places)[:max_documents]:
        document = findings.documents[number]
        place = places.get(document.id)
        view = vote_view(document, findings.annotators, hearts=findings.hearts[number])
        said = _text(document, view, findings.contested[number], code, lane_of, findings.scope)
        here = [name for name in lanes if name in document.layers]
        said["a"] = [
            [lane_of[name], *_spans(document, name, fates[name].of_document(document, name), code)]
            for name in here
        ]
        if place is not None:
            told = lanes if is_dense else here
            said["g"], said["h"] = (each.of_document(document.id, told) for each in (names, hearts))
            if not is_dense:
                said["s"] = [lane_of[name] for name in here]
        size = len(msgspec.json.encode(said)) + 1
        if size <= room:  # one that is too long for the page does not keep shorter ones from it
            room -= size
            texts.append(said)
    n_left_out = len(findings.documents) - len(texts)
    return TextData(lanes, labels, findings.standard, texts, n_left_out)


def no_texts(findings: SpanFindings) -> TextData:
    """Say what a page says without any text."""
    n_left_out = len(findings.documents)
    return TextData(list(findings.scores), _labels(findings), findings.standard, [], n_left_out)


def document_data(
    document: Document, annotators: Sequence[str] | None, standard: Standard | None
) -> TextData:
    """Lay out one document by itself, with nothing it is compared with."""
    view = vote_view(document, annotators, standard)
    lanes = [lane.annotator for lane in view.lanes]
    spans = (label for lane in view.lanes for _, _, label, *_ in lane.spans)
    labels = sorted({*spans, *(heart.label for heart in view.hearts)})
    code = {label: number for number, label in enumerate(labels)}
    lane_of = {name: number for number, name in enumerate(lanes)}
    said = _text(document, view, 0.0, code, lane_of, Scope())
    said["a"] = [[lane, *_spans(document, name, (), code)] for lane, name in enumerate(lanes)]
    return TextData(lanes, labels, None, [said], 0)


def is_contested(heart: Heart, n_looked: int) -> bool:
    """Tell whether somebody who looked said otherwise: no name here, or one cut elsewhere."""
    return len(heart.annotators) < n_looked or len(heart.left) > 1 or len(heart.right) > 1


def _places(scores: Scores) -> dict[str, int]:
    """Number the documents that were scored."""
    return {each.id: number for number, each in enumerate(scores.documents)}


def _labels(findings: SpanFindings) -> tuple[str, ...]:
    """List the labels of everything; those of the documents scored may be fewer."""
    found: set[str] = set()
    for document in findings.documents:
        for layer in document.layers.values():
            found.update(span.label for span in layer)
        for standard in document.standards.values():
            found.update(centroid.label for centroid in standard)
    return tuple(sorted(found))


def _ranked(findings: SpanFindings, places: dict[str, int]) -> list[int]:
    total = np.zeros(len(places))
    for each in findings.scores.values():
        own = np.array([places[document.id] for document in each.documents], dtype=np.int64)
        total[own] += _n_wrong(each)
    wrong = total.tolist()

    def key(number: int) -> tuple[float, float, str]:
        id = findings.documents[number].id
        return -findings.contested[number], -wrong[places[id]] if id in places else 0.0, id

    return sorted(range(len(findings.documents)), key=key)


def _n_wrong(scores: Scores) -> Floats:
    right, predicted, found, wanted = scores.per_document("centroid").T
    wrong: Floats = predicted - right + wanted - found
    return wrong


def _text(
    document: Document,
    view: VoteView,
    contested: float,
    code: dict[str, int],
    lane_of: dict[str, int],
    scope: Scope,
) -> dict[str, object]:
    n_looked = len(view.lanes)

    def n_looking_for(label: str) -> int:
        return sum(scope.looks_for(lane.annotator, label, document) for lane in view.lanes)

    return {
        "i": document.id,
        "t": document.text,
        "c": round(contested, DOUBT_DIGITS),
        "n": n_looked,
        "w": _runs(view.wave, n_looked),
        "v": [_heart(heart, n_looking_for(heart.label), code, lane_of) for heart in view.hearts],
    }


def _runs(wave: Sequence[float], n_looked: int) -> list[int]:
    votes = np.rint(np.array(wave) * n_looked).astype(np.int64)
    changed = np.flatnonzero(np.diff(votes, prepend=0))
    return np.stack((changed, votes[changed]), axis=1).ravel().tolist() if len(changed) else []


def _heart(heart: Heart, n_looked: int, code: dict[str, int], lane_of: dict[str, int]) -> Row:
    voters = sum(1 << lane_of[name] for name in heart.annotators)
    return [
        heart.start,
        heart.end,
        code[heart.label],
        _short(heart.votes),
        _short(heart.confidence),
        [_short(each) for each in chain(*heart.left)],
        [_short(each) for each in chain(*heart.right)],
        f"{voters:x}",
        int(is_contested(heart, n_looked)),
        *((heart.level, heart.fragments) if heart.level or heart.fragments else ()),
    ]


def _spans(
    document: Document, annotator: str, fates: Sequence[int], code: dict[str, int]
) -> list[Row]:
    rows: list[Row] = []
    for number, span in enumerate(document.layers[annotator]):
        fate = fates[number] if number < len(fates) else NO_FATE
        row: Row = [span.start, span.end, code[span.label], fate]
        if span.confidence is not None or span.fragments:
            row.append(_short(span.confidence))
        if span.fragments:
            row.append(span.fragments)
        rows.append(row)
    return rows


def _short(value: float | None) -> float | int | None:
    if value is None:
        return None
    return int(value) if value == int(value) else round(value, 3)


@dataclass(frozen=True, slots=True, eq=False)
class _Fates:
    """How the predictions of one system fared, in order of document and reading.

    Those that ``lens`` hides have no fate.
    """

    fate: list[int]
    bounds: list[int]
    lens: Lens
    places: dict[str, int]

    @staticmethod
    def of(scores: Scores) -> "_Fates":
        exact, centroid = scores.views["exact"], scores.views["centroid"]
        pairs = scores.matching
        matched = np.full(len(exact.predicted), NO_MATCH)
        whole, _ = scores.whole
        kept = scores.lens.keeps(whole.document, whole.label, exact.labels)
        place = _place_in_document(whole, exact.n_documents)[kept]
        matched[pairs.predicted] = place[pairs.wanted]
        fate = exact.predicted_outcome + 4 * centroid.predicted_outcome + 16 * (1 + matched)
        bounds = _bounds(exact.predicted, exact.n_documents)
        return _Fates(fate.tolist(), bounds, scores.lens, _places(scores))

    def of_document(self, document: Document, system: str) -> list[int]:
        place = self.places.get(document.id)
        if place is None:
            return []
        fates = iter(self.fate[self.bounds[place] : self.bounds[place + 1]])
        labels = self.lens.labels_in(place)
        return [
            next(fates) if labels is None or span.label in labels else NO_FATE
            for span in document.layers[system]
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Wanted:
    """Names of the standard, as a view has them, with how each system fared on them."""

    rows: dict[str, list[Row]]
    fared: dict[str, dict[str, str]]

    @staticmethod
    def of(findings: SpanFindings, view: str, code: dict[str, int]) -> "_Wanted":
        whole = findings.whole
        names, labels = whole.whole[view == "centroid"], whole.views[view].labels
        order = _document_order(names)
        origin = whole.batch.table.origin[names.document]
        places = (names.start - origin, names.end - origin, names.label)
        columns = (column[order].tolist() for column in places)
        rows: list[Row] = [
            [start, end, code[labels[label]]] for start, end, label in zip(*columns, strict=True)
        ]
        bounds = _bounds(names, len(whole.documents))
        by_document = {
            id: rows[bounds[place] : bounds[place + 1]] for id, place in _places(whole).items()
        }
        fared = {name: _fared(each, view) for name, each in findings.scores.items()}
        return _Wanted(by_document, fared)

    def of_document(self, id: str, systems: Sequence[str]) -> list[Row]:
        """List the names of a document, with a digit for each of some systems."""
        rows = self.rows[id]
        nothing = NOT_COMPARED * len(rows)
        digits = zip(*(self.fared[name].get(id, nothing) for name in systems), strict=True)
        return [[*row, "".join(each)] for row, each in zip(rows, digits, strict=True)]


def _fared(scores: Scores, view: str) -> dict[str, str]:
    """Tell by document how a system fared: a digit for each name of the standard."""
    seen, names = scores.views[view], scores.whole[view == "centroid"]
    kept = scores.lens.keeps(names.document, names.label, seen.labels)
    digits = np.full(len(names), NOT_COMPARED)
    digits[kept] = seen.wanted_outcome.astype("U1")
    said = "".join(digits[_document_order(names)].tolist())
    bounds = _bounds(names, seen.n_documents)
    return {id: said[bounds[place] : bounds[place + 1]] for id, place in _places(scores).items()}


def _place_in_document(names: Names, n_documents: int) -> Ints:
    """Find the place of each name among those of its document, as ``_Wanted`` lists them."""
    order = _document_order(names)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = (
        np.arange(len(order)) - np.array(_bounds(names, n_documents))[names.document[order]]
    )
    return place


def _document_order(names: Names) -> Ints:
    return np.argsort(names.document, kind="stable")


def _bounds(names: Names, n_documents: int) -> list[int]:
    n_before = np.cumsum(np.bincount(names.document, minlength=n_documents)).tolist()
    return [0, *n_before]
