"""Why a span got its confidence, as tables."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp

from vermeil.recognise.judging.explanation import Explanation, Opinions
from vermeil.verbs.tables.table import Block, Table, figure


def opinion_blocks(opinions: Opinions, *, n_shown: int) -> Iterator[Block]:
    """Tell what each member of a committee says."""
    mean = figure(opinions.confidence, 4)
    yield f"mean opinion of {len(opinions.members)} cascades: {mean}"
    for tokens, explanation in opinions.members:
        yield ""
        yield f"Over the tokens {tokens!r}:"
        if explanation is None:
            yield "the span does not begin and end where these tokens do"
        else:
            yield from explanation_blocks(explanation, n_shown=n_shown)


def explanation_blocks(explanation: Explanation, *, n_shown: int = 6) -> Iterator[Block]:
    """Tell what each stage says."""
    span = explanation.span
    yield (
        f"{explanation.text!r} ({span.start}-{span.end}) as {span.label}: "
        f"confidence {figure(span.confidence or 0.0, 4)}"
    )
    yield ""
    yield Table(
        "Spelling and sequence",
        ["token", "spelling", "outside", "begins", "goes on", "tag in the span"],
        [
            [
                each.word,
                figure(each.spelling, 1),
                *map(figure, (each.outside, each.begins, each.inside)),
                each.tag,
            ]
            for each in explanation.tokens
        ],
    )
    yield from _words(explanation)
    yield from _features(explanation, n_shown)
    yield ""
    yield _lattice(explanation)
    yield from _rescorer(explanation, n_shown)
    if explanation.rivals:
        yield ""
        rows = [
            [text, f"{each.start}-{each.end}", each.label, figure(each.confidence or 0.0)]
            for text, each in explanation.rivals
        ]
        columns = ["name", "span", "label", "confidence"]
        yield Table("What else it could be", columns, rows, wide="name")


def _words(explanation: Explanation) -> Iterator[Block]:
    """Tell what is known of words from texts without annotation."""
    if not explanation.words:
        return
    yield ""
    yield Table(
        "Words learned from texts (company: log odds to be part of a name)",
        ["word", "met there", "company", "words of this text that keep the same company"],
        [
            [
                each.word,
                "yes" if each.is_met else "no, by spelling",
                f"{each.company:+.1f}",
                f"{', '.join(each.alike)} (1 of {each.n_classes:,} classes)"
                if each.alike
                else "none",
            ]
            for each in explanation.words
        ],
        wide="words of this text that keep the same company",
    )


def _features(explanation: Explanation, n_shown: int) -> Iterator[Block]:
    rows: list[Sequence[object]] = []
    for token in explanation.tokens:
        shown = [each for each in token.features if each.towards][:n_shown]
        rows += [
            [
                token.word if not place else "",
                each.view,
                each.name,
                *(
                    figure(weight, 2)
                    for weight in (each.towards, each.outside, each.begins, each.inside)
                ),
            ]
            for place, each in enumerate(shown)
        ]
    if not rows:
        return
    yield ""
    yield Table(
        "What speaks for the tag, by where it is seen from",
        ["token", "views"],
        [[token.word, _views(token.views)] for token in explanation.tokens],
        wide="views",
    )
    yield ""
    head = ["token", "seen from", "feature", "for the tag", "outside", "begins", "goes on"]
    yield Table("Strongest features", head, rows, wide="feature")


def _views(totals: Mapping[str, float]) -> str:
    return ", ".join(f"{view} {total:+.2f}" for view, total in totals.items())


def _lattice(explanation: Explanation) -> str:
    begins, *further, ends = explanation.steps
    parts = [f"begins {begins:.4f}", *(f"goes on {each:.4f}" for each in further)]
    product = " × ".join([*parts, f"ends {ends:.4f}"])
    return f"lattice: {product} = {explanation.lattice_confidence:.4f}"


def _rescorer(explanation: Explanation, n_shown: int) -> Iterator[Block]:
    if not explanation.evidence:
        why = "the model has none" if explanation.is_candidate else "the span is no candidate"
        yield f"rescorer: {why}, so this is the confidence"
        return
    yield f"rescorer: log odds {explanation.log_odds:+.3f}"
    yield from _pooled({each.name: each.value for each in explanation.evidence})
    yield ""
    yield Table(
        "What the document says (worth: log odds lost if the feature were missing)",
        ["feature", "value", "worth"],
        [
            [each.name, figure(each.value), figure(each.worth)]
            for each in explanation.evidence[:n_shown]
        ],
    )


def _pooled(values: Mapping[str, float]) -> Iterator[str]:
    """Say what was first decided on this use, on the others, and on long and short forms."""
    if "first" not in values:
        return
    n_others = int(values["first, folded: how often"])
    told = [f"decided first on this use {_probability(values['first'])}"]
    if n_others:
        mean, best = values["first, folded: mean"], values["first, folded: best"]
        told.append(
            f"on {n_others} other{'s' if n_others > 1 else ''} in this document "
            f"{_probability(mean)} (at best {_probability(best)})"
        )
    for form in ("long form", "short form"):
        if values[f"first, {form}"] == values[f"first, {form}"]:
            told.append(f"on its {form} {_probability(values[f'first, {form}'])}")
    yield "pooled: " + ", ".join(told)


def _probability(odds: float) -> str:
    return figure(1 / (1 + exp(-odds)))
