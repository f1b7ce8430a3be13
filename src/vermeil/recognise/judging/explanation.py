"""Why a span got its confidence, stage by stage.

* Spelling: the preclassifier's score of each token.
* Sequence: the features of each token and their weights for each tag, the probabilities of the
  tags, and the steps of the lattice whose product is the confidence of the span.
* Document: the features of the rescorer. What one is worth is the log odds as they are less the log
  odds with this feature missing and all else the same. Trees ask for several features at once, so
  what features are worth does not add up.

The numbers are those of ``Cascade.find`` on the same document.
"""

from dataclasses import dataclass, replace
from math import nan, prod

import numpy as np

from vermeil.arrays import Flags, Floats
from vermeil.document import Document, Span
from vermeil.errors import UnknownNameError, UsageError
from vermeil.recognise.cascade import Cascade
from vermeil.recognise.committee import Committee, mean_confidence
from vermeil.recognise.features.views import view_tokens
from vermeil.recognise.judging.feature_names import NamedFeature, named_features
from vermeil.recognise.judging.word_company import WordCompany, company_of_span
from vermeil.recognise.placed_names import PlacedNames
from vermeil.recognise.rescoring.features import DescribedCandidates
from vermeil.recognise.rescoring.judges import Case, Judge, judged, likely
from vermeil.sequences.chains.candidates import THRESHOLD, Candidates
from vermeil.sequences.chains.lattice import Lattice
from vermeil.sequences.features.rows import Encoded, encode
from vermeil.sequences.tokens.axis import TokenAxis

N_RIVALS = 5


@dataclass(frozen=True, slots=True)
class WeighedFeature:
    """A feature of a token and its weights: for no name, for beginning and for continuing one.

    ``towards`` is the weight for the tag the token has in the span, less that for no name.
    """

    view: str
    name: str
    outside: float
    begins: float
    inside: float
    towards: float


@dataclass(frozen=True, slots=True)
class TokenStory:
    """A token of the span, with the probabilities of tags and its features, the strongest first."""

    word: str
    spelling: float
    tag: str
    outside: float
    begins: float
    inside: float
    features: tuple[WeighedFeature, ...]

    @property
    def views(self) -> dict[str, float]:
        """What the features of each view add up to towards the tag, the strongest view first."""
        total: dict[str, float] = {}
        for each in self.features:
            total[each.view] = total.get(each.view, 0.0) + each.towards
        return dict(sorted(total.items(), key=lambda item: (-abs(item[1]), item[0])))


@dataclass(frozen=True, slots=True)
class RescorerFeature:
    """A feature of the rescorer: its value, NaN where there is none, and what it is worth."""

    name: str
    value: float
    worth: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """What each stage says of a span.

    ``steps`` are the probabilities that a name begins at the first token, that it goes on at each
    further one, and that it ends after the last; their product is ``lattice_confidence``. A span
    below the least confidence is no candidate and is not rescored: then ``log_odds`` is NaN. So it
    is where the model has no rescorer. ``words`` are empty where the model has learned none.
    """

    span: Span
    text: str
    tokens: tuple[TokenStory, ...]
    steps: tuple[float, ...]
    lattice_confidence: float
    evidence: tuple[RescorerFeature, ...]
    log_odds: float
    rivals: tuple[tuple[str, Span], ...]
    words: tuple[WordCompany, ...] = ()

    @property
    def is_candidate(self) -> bool:
        """Whether the span is sure enough to be judged by the rescorer."""
        return self.lattice_confidence >= THRESHOLD


@dataclass(frozen=True, slots=True)
class Opinions:
    """What each member of a committee says of a span, by the tokens it works on.

    Nothing is said by a member whose tokens do not begin and end where the span does.
    """

    confidence: float
    members: tuple[tuple[str, Explanation | None], ...]


def explain(
    cascade: Cascade, document: Document, start: int, end: int, *, label: str | None = None
) -> Explanation:
    """Explain the confidence of a span; without a label, as the label it is surest to have.

    The span must begin and end where tokens do.
    """
    axis, lattice, candidates = cascade.lattice_candidates([document])
    tokens = _tokens_of(axis, document.text, start, end)
    rescored = cascade.find([document])
    label = label or _surest_label(rescored, tokens, cascade)
    if label not in cascade.recipe.labels:
        raise UnknownNameError("label", label, cascade.recipe.labels)
    code = cascade.recipe.labels.index(label)
    steps = _steps(lattice, tokens, code)
    row = _row_of(candidates, tokens, code)
    odds = nan
    evidence: tuple[RescorerFeature, ...] = ()
    if row is not None and label in cascade.rescorers:
        case = cascade.case([document], axis, lattice, candidates)
        odds, columns = _judgement(cascade, label, case, row)
        evidence = tuple(sorted(columns, key=_by_worth))
    confidence = prod(steps) if np.isnan(odds) else float(1 / (1 + np.exp(-odds)))
    encoded = encode(view_tokens(axis, [cascade.knowledge], families=cascade.recipe.families))
    batch = _Batch(cascade, encoded, axis, lattice)
    return Explanation(
        span=Span(start, end, label, confidence=min(1.0, confidence)),
        text=document.text[start:end],
        tokens=tuple(_story(batch, at, tokens, code) for at in range(*tokens)),
        steps=steps,
        lattice_confidence=prod(steps),
        evidence=evidence,
        log_odds=float(odds),
        rivals=_rivals(rescored, document, tokens, Span(start, end, label)),
        words=company_of_span(cascade.knowledge, axis, tokens),
    )


def explain_members(
    committee: Committee, document: Document, start: int, end: int, *, label: str | None = None
) -> Opinions:
    """Explain the confidence of a span as each member of a committee sees it."""
    members: list[tuple[str, Explanation | None]] = []
    refused: UsageError | None = None
    for cascade in committee.members:
        said = None
        try:
            said = explain(cascade, document, start, end, label=label)
            label = said.span.label
        except UsageError as error:
            refused = error
        members.append((cascade.recipe.tokeniser, said))
    if refused and not any(said for _, said in members):
        raise refused
    sure = [(said.span.confidence or 0.0) if said else 0.0 for _, said in members]
    return Opinions(mean_confidence(sure), tuple(members))


def _tokens_of(axis: TokenAxis, text: str, start: int, end: int) -> tuple[int, int]:
    if not 0 <= start < end <= len(text):
        raise UsageError(f"the text has {len(text)} characters; {start}-{end} is no span of it")
    first = int(np.searchsorted(axis.end, start, side="right"))
    last = int(np.searchsorted(axis.start, end))
    if first >= last:
        raise UsageError(f"there is no token at {start}-{end}")
    reach = int(axis.start[first]), int(axis.end[last - 1])
    if reach != (start, end):
        raise UsageError(
            f"{start}-{end} ({text[start:end]!r}) does not begin and end where tokens do; "
            f"the tokens there reach over {reach[0]}-{reach[1]} ({text[slice(*reach)]!r})"
        )
    return first, last


def _surest_label(names: PlacedNames, tokens: tuple[int, int], cascade: Cascade) -> str:
    here = names.candidates.keep(_at(names.candidates, tokens))
    if not len(here):
        return cascade.recipe.labels[0]
    return here.labels[int(here.label[here.confidence.argmax()])]


def _at(candidates: Candidates, tokens: tuple[int, int]) -> Flags:
    here: Flags = (candidates.start == tokens[0]) & (candidates.end == tokens[1])
    return here


def _steps(lattice: Lattice, tokens: tuple[int, int], code: int) -> tuple[float, ...]:
    """Return the factors that ``find_candidates`` multiplies."""
    first, last = tokens
    further = [lattice.goes_on[at, int(at > first + 1), code] for at in range(first + 1, last)]
    stops = 1.0 - lattice.goes_on[last, int(last > first + 1), code]
    return tuple(float(each) for each in (lattice.starts[first, code], *further, stops))


def _row_of(candidates: Candidates, tokens: tuple[int, int], code: int) -> int | None:
    rows = np.flatnonzero(_at(candidates, tokens) & (candidates.label == code))
    return int(rows[0]) if len(rows) else None


def _judgement(
    cascade: Cascade, label: str, case: Case, row: int
) -> tuple[float, list[RescorerFeature]]:
    """Tell the log odds of a candidate, and by which features; of two judges the mean counts."""
    odds, columns = _evidence(cascade.rescorers[label], case.described, row)
    if not cascade.poolers:
        return odds, columns
    rows, again = likely(case, judged(cascade.rescorers, case))
    at = int(np.searchsorted(rows, row))
    if label in cascade.poolers and at < len(rows) and rows[at] == row:
        pooled_odds, pooled = _evidence(cascade.poolers[label], again.described, at)
        first = {each.name: each.worth for each in columns}
        odds = (odds + pooled_odds) / 2
        columns = [
            replace(each, worth=(each.worth + first.get(each.name, 0.0)) / 2) for each in pooled
        ]
    sure = cascade.sureness
    return odds * sure, [replace(each, worth=each.worth * sure) for each in columns]


def _evidence(
    judge: Judge, described: DescribedCandidates, row: int
) -> tuple[float, list[RescorerFeature]]:
    odds, worth = _worth(judge, described.values[row])
    columns = zip(described.names, described.values[row].tolist(), worth, strict=True)
    return odds, [RescorerFeature(*each) for each in columns]


def _worth(judge: Judge, values: Floats) -> tuple[float, list[float]]:
    """Return the log odds, and how far they fall when each feature is missing."""
    without = np.tile(values, (len(values) + 1, 1))
    without[np.arange(len(values)), np.arange(len(values))] = np.nan
    odds = judge.log_odds(without)
    return float(odds[-1]), (odds[-1] - odds[:-1]).tolist()


def _by_worth(evidence: RescorerFeature) -> tuple[float, str]:
    return -abs(evidence.worth), evidence.name


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """The tokens of a batch as the first stages of a cascade see them."""

    cascade: Cascade
    encoded: Encoded
    axis: TokenAxis
    lattice: Lattice


def _story(batch: _Batch, token: int, tokens: tuple[int, int], code: int) -> TokenStory:
    cascade, axis, lattice = batch.cascade, batch.axis, batch.lattice
    tags = lattice.tags
    wanted = int((tags.begin if token == tokens[0] else tags.inner)[code])
    shown = (0, int(tags.begin[code]), int(tags.inner[code]))
    families = cascade.recipe.families
    features = named_features(batch.encoded, axis, token, cascade.knowledge, families)
    weighed = [
        _weighed(each, weights, shown, wanted)
        for each, weights in zip(features, _weights(cascade, features), strict=True)
    ]
    outside, begins, inside = (float(lattice.marginal[token, tag]) for tag in shown)
    word = axis.words[token]
    return TokenStory(
        word,
        spelling=float(cascade.knowledge.preclassifier.label_scores([word])[0, code]),
        tag=tags.names[wanted],
        outside=outside,
        begins=begins,
        inside=inside,
        features=tuple(
            sorted(weighed, key=lambda each: (-abs(each.towards), each.view, each.name))
        ),
    )


def _weighed(
    feature: NamedFeature, weights: Floats, shown: tuple[int, ...], wanted: int
) -> WeighedFeature:
    outside, begins, inside = (float(weights[tag]) for tag in shown)
    towards = float(weights[wanted] - weights[0])
    return WeighedFeature(
        feature.view, feature.name, outside=outside, begins=begins, inside=inside, towards=towards
    )


def _weights(cascade: Cascade, features: list[NamedFeature]) -> Floats:
    """Return the weights of features, 0 if the model has none; the mean of a MEMM's blocks."""
    model = cascade.sequence
    weights = model.weights.mean(axis=0) if model.weights.ndim == 3 else model.weights
    codes = np.array([each.code for each in features], dtype=np.int64)
    at = np.minimum(np.searchsorted(model.features, codes), len(model.features) - 1)
    return np.where((model.features[at] == codes)[:, None], weights[at], 0.0)


def _rivals(
    names: PlacedNames, document: Document, tokens: tuple[int, int], span: Span
) -> tuple[tuple[str, Span], ...]:
    """Find the surest other candidates that share a token with the span."""
    candidates = names.candidates
    overlap = (candidates.start < tokens[1]) & (candidates.end > tokens[0])
    others = [
        each
        for each in names.spans(0, candidates.keep(overlap))
        if (each.start, each.end, each.label) != (span.start, span.end, span.label)
    ]
    surest = sorted(others, key=lambda each: -(each.confidence or 0.0))[:N_RIVALS]
    return tuple((each.marked(document.text), each) for each in surest)
