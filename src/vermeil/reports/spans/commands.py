"""The commands that give the figures of a page again: same layers, same scope, same resamples."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vermeil.reports.spans.findings import CONSENSUS, SpanFindings
from vermeil.scope import is_annotator

OTHERS = "others"
"""The consensus that is made without somebody, beside that of all."""


@dataclass(frozen=True, slots=True)
class PageCommands:
    """Commands about the annotators of ``findings``, which came from ``files``."""

    findings: SpanFindings
    files: str

    @staticmethod
    def about(findings: SpanFindings, inputs: Sequence[str]) -> "PageCommands":
        """Name the inputs as they were given; where they are unknown, something to fill in."""
        return PageCommands(findings, shlex.join(inputs) if inputs else "IN…")

    def score(self) -> str:
        """Score everybody, and the consensus beside gold."""
        return f"{self._consensus()} | {self._score(self.findings.standard)}"

    def score_without(self, annotator: str) -> str:
        """Score the consensus of the others: against gold, or against that of all; unread."""
        if self.findings.gold is not None:
            made = self._consensus(annotator, "--no-read")
            return f"{made} | {self._score(self.findings.gold)}"
        among = [name for name in self.findings.annotators if name != annotator]
        others = (
            f"--layers {_listed(among)}"
            if self._is_choice
            else f"--without {_listed([annotator, CONSENSUS])}"
        )
        again = f"vermeil consensus - {others} --name {OTHERS} --no-read -o -"
        return f"{self._consensus('', '--no-read')} | {again} | {self._score(CONSENSUS)}"

    def agree(self, more: str) -> str:
        """Compare annotators, beside gold where it is known."""
        gold, findings = self.findings.gold, self.findings
        words = [f"vermeil agree {self.files}"]
        words += [f"--gold {shlex.quote(gold)}"] if gold else []
        words += [f"--layers {_listed(findings.annotators)}"] if self._is_choice else []
        return " ".join([*words, *self._scopes(), more])

    def review(self) -> str:
        """Begin a review; gold, which the files hold, is not to be one more annotator of it."""
        aside = [self.findings.gold] if self.findings.gold else []
        aside += sorted(self._there() - {*self.findings.annotators, *aside})
        words = [f"vermeil review review.db {self.files}"]
        words += [f"--without {_listed(aside)}"] if aside else []
        return " ".join([*words, *self._scopes()])

    def _consensus(self, without: str = "", *more: str) -> str:
        findings = self.findings
        if self._is_choice:
            names = [name for name in findings.annotators if name != without]
            who = f" --layers {_listed(names)}"
        else:
            aside = [name for name in (without, findings.gold) if name]
            who = f" --without {_listed(aside)}" if aside else ""
        return " ".join([f"vermeil consensus {self.files}{who}", *more, "-o -"])

    def _score(self, standard: str) -> str:
        findings = self.findings
        words = [f"vermeil score - --standard {shlex.quote(standard)}"]
        words += [] if findings.is_dense else ["--looked", "--full"]
        words += self._scopes()
        words += [f"--bootstrap {findings.n_resamples}"] if findings.n_resamples else []
        words += [f"--seed {findings.seed}"] if findings.n_resamples and findings.seed else []
        return " ".join(words)

    def _scopes(self) -> Iterator[str]:
        for name, labels in self.findings.scope.told.items():
            told = f"{name}={','.join(sorted(labels))}"
            yield f"--scope {shlex.quote(told)}"

    @property
    def _is_choice(self) -> bool:
        """Whether there are annotators that are not on the page."""
        return bool(self._there() - {*self.findings.annotators, self.findings.gold})

    def _there(self) -> set[str]:
        names = {name for document in self.findings.documents for name in document.layers}
        return {name for name in names if is_annotator(name)}


def _listed(names: Sequence[str]) -> str:
    return shlex.quote(",".join(names))
