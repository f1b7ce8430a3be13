"""The ledger of a run: what was repaired, changed, dropped, skipped or not found, all counted.

Readers and writers note here whatever they do that the user would want to know of; commands show
``summary`` when they are done. The library itself never prints.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import IO

import msgspec

from vermeil.shown import Brief

N_EXAMPLES = 3
LOSSES = ("dropped", "left out", "missing", "passed over", "skipped")
"""The deeds by which something of the input is not in the output."""

_FIRST = b'{"deed":'
"""How every line of a log begins."""


@dataclass(slots=True, repr=False)
class Ledger(Brief):
    """Counts of what happened to records on their way.

    ``log`` receives every note as one JSON object a line. With ``skip_bad``, records that break
    their format go to ``bad_records`` with the reason instead of ending the run.

    >>> ledger = Ledger()
    >>> ledger.note("dropped", "confidences", "a.jsonl:3", n=2)
    >>> ledger.toward("out.conll").note("dropped", "database ids", "PMID-1")
    >>> ledger.summary()
    ['dropped 2 confidences (a.jsonl:3)', 'out.conll: dropped 1 database ids (PMID-1)']
    """

    skip_bad: bool = False
    bad_records: IO[bytes] | None = None
    log: IO[bytes] | None = None
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    outputs: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    annotators: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    output: str = ""

    def toward(self, output: Path | str) -> "Ledger":
        """Return this ledger for who writes ``output``, which is named with what it cannot take.

        Where the output of a whole command is named already, it stays.
        """
        return self if self.output else replace(self, output=_called(str(output)))

    def _told(self) -> str:
        return f"{self.counts.total():,} notes of {len(self.counts)} kinds"

    def note(
        self,
        deed: str,
        what: str,
        where: str,
        *,
        n: int = 1,
        detail: str = "",
        annotator: str = "",
    ) -> None:
        """Count ``n`` of ``what`` under ``deed`` (dropped, changed, repaired, …).

        What is noted of many annotators is one line, which says by whom.
        """
        key = deed, what
        self.counts[key] += n
        shown = self.examples.setdefault(key, [])
        if len(shown) < N_EXAMPLES:
            shown.append(f"{where}: {detail}" if detail else where)
        if self.output:
            self.outputs.setdefault(key, Counter())[self.output] += n
        if annotator:
            self.annotators.setdefault(key, Counter())[annotator] += n
        if self.log is not None:
            entry = {"deed": deed, "what": what, "n": n, "where": where, "detail": detail}
            if self.output:
                entry["output"] = self.output
            if annotator:
                entry["annotator"] = annotator
            self.log.write(msgspec.json.encode(entry) + b"\n")

    def skip(self, path: Path, line: int | None, reason: str, record: str) -> None:
        """Set a bad record aside with its reason."""
        where = f"{path}:{line}" if line else str(path)
        self.note("skipped", "bad records", where, detail=reason)
        if self.bad_records is not None:
            entry = {"file": str(path), "line": line, "reason": reason, "record": record}
            self.bad_records.write(msgspec.json.encode(entry) + b"\n")

    def set_aside(self, what: str, where: str, reason: str, record: str) -> None:
        """Keep something that was said but cannot be used, with its reason."""
        self.note("set aside", what, where, detail=reason)
        if self.bad_records is not None:
            entry = {"where": where, "reason": reason, "record": record}
            self.bad_records.write(msgspec.json.encode(entry) + b"\n")

    def lost(self) -> str:
        """Say in one line what was given and not used or not written; empty where all was.

        >>> ledger = Ledger()
        >>> ledger.note("dropped", "confidences", "a.jsonl:3", n=2)
        >>> ledger.lost()
        'not all of the input is in the output: dropped 2 confidences'
        """
        lost = [
            f"{deed} {n:,} {what}{self._by(deed, what)}"
            for (deed, what), n in sorted(self.counts.items())
            if n and deed.startswith(LOSSES)
        ]
        return f"not all of the input is in the output: {', '.join(lost)}" if lost else ""

    def summary(self) -> list[str]:
        """Write one line for each kind of deed, most frequent first."""
        ranked = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        return [
            f"{self._of_output(deed, what)}{deed} {n:,} {what}{self._by(deed, what)} "
            f"({'; '.join(self.examples[deed, what])}"
            + (", …)" if n > len(self.examples[deed, what]) > 1 else ")")
            for (deed, what), n in ranked
        ]

    def _by(self, deed: str, what: str) -> str:
        """Name the annotators of whom something was noted."""
        annotators = self.annotators.get((deed, what), Counter())
        return f" by {_few(annotators)}" if annotators else ""

    def _of_output(self, deed: str, what: str) -> str:
        """Name the outputs that could not take something, where all of it was to be written."""
        outputs = self.outputs.get((deed, what), Counter())
        if outputs.total() < self.counts[deed, what] or not outputs:
            return ""
        return f"{_few(sorted(outputs))}: "


def _few(names: Collection[str]) -> str:
    """Name some, and say how many more there are.

    >>> _few("abcde")
    'a, b, c and 2 more'
    """
    n_more = len(names) - N_EXAMPLES
    return ", ".join(islice(names, N_EXAMPLES)) + (f" and {n_more} more" if n_more > 0 else "")


def are_notes(path: Path) -> bool:
    """Tell whether a file is the ``log`` of a ledger, which may be empty."""
    with path.open("rb") as stream:
        return stream.read(len(_FIRST)) in (_FIRST, b"")


def _called(output: str) -> str:
    return "standard output" if output == "-" else output
