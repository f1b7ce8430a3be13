"""What becomes of bad records and of what is noted while documents are read and written."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from vermeil.cli.options.declaring import flag, option
from vermeil.cli.options.overwriting import bad_records_beside
from vermeil.cli.options.writing import check_target
from vermeil.cli.showing.terminal import say
from vermeil.errors import UsageError
from vermeil.formats.files.ledger import Ledger
from vermeil.formats.files.replacement import replacing, together


@dataclass(frozen=True, slots=True)
class LedgerOptions:
    """How a ledger is kept."""

    skip_bad: Annotated[bool, flag("Set bad records aside in a file, and go on.", "--skip-bad")] = (
        False
    )
    log: Annotated[Path | None, option("FILE", "Write repairs, changes and losses to FILE.")] = None

    strict: Annotated[bool, flag("Fail where something given was not used.", "--strict")] = False

    @contextmanager
    def ledger(self, *, beside: Path | str = "-") -> Iterator[Ledger]:
        """Open the files a ledger writes to, and say on stderr what it holds when all is done.

        Bad records go to a file ``beside`` the output of the command, if there are some. All files
        that are written in the block appear together. Where something was lost among several
        notes, the last line says so; with ``strict`` it is an error, and nothing appears.
        """
        check_target(self.log)
        side_file = bad_records_beside(beside)
        with together(), ExitStack() as stack:
            ledger = Ledger(skip_bad=self.skip_bad)
            if self.log is not None:
                ledger.log = stack.enter_context(replacing(self.log))
            if self.skip_bad:
                ledger.bad_records = stack.enter_context(replacing(side_file))
            yield ledger
            if self.strict and (lost := ledger.lost()):
                raise UsageError(f"{lost}; leave --strict out to go on without it")
        n_bad = ledger.counts["skipped", "bad records"]
        if self.skip_bad and not n_bad:
            side_file.unlink(missing_ok=True)
        for line in ledger.summary():
            say(f"vermeil: {line}")
        if self.skip_bad and n_bad:
            say(f"vermeil: the bad records are in {side_file}")
        if len(ledger.counts) > 1 and (lost := ledger.lost()):
            say(f"vermeil: {lost}")
