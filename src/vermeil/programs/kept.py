"""A program over many items: one process at a time, time-outs, restarts.

A program is any command that reads an item a line and writes an answer a line. The process stays
alive from one item to the next; with ``at_once`` a fresh one is started for every so many items,
its input is closed, and its output is read to the end, for programs that hold their output back.

An item is blamed only for what a fresh process does with it: where a process that has answered
before dies, the item is given to a new one. Fresh processes that fail one after the other are put
to a test with a probe; a program that does not even answer that ends the run.
"""

import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from os import name as system
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from vermeil.errors import UsageError
from vermeil.programs.process import Ending, LineProcess

Item = TypeVar("Item")
"""What a program is given: a sentence, a document."""

TRIALS = 3
"""Fresh processes in a row that may fail before the program is put to the test; 1 at first."""


class Program(msgspec.Struct, frozen=True):
    """How to run a program.

    An item may take ``timeout`` seconds, a process ``startup`` more for its first answer (models
    take long to load) and ``memory`` MB of address space. ``at_once`` items are given to a fresh
    process each time; 0 keeps processes alive.
    """

    command: tuple[str, ...]
    timeout: float = 60.0
    startup: float = 60.0
    memory: int | None = None
    at_once: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an item has no answer.

    ``reason`` is timed out, crashed, empty answer, or what a talk says is wrong with an answer;
    ``detail`` says more where there is more to say.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Talk(Generic[Item]):
    """How one talks with a kind of program.

    ``program`` and ``fruit`` name it and what it gives, for messages. ``line`` writes an item,
    ``judge`` takes an answer for good or says what is wrong with it. After a failure with one of
    the reasons ``out_of_step`` a process may be answering another item; one with the reason
    ``broken`` to the ``probe``, which is ``shown`` to the user, ends the run. An item that
    ``is_empty`` is not given to anybody. ``one_shot`` is the option that asks for fresh processes.
    """

    program: str
    fruit: str
    item: str
    one_shot: str
    probe: Item
    shown: str
    line: Callable[[Item], bytes]
    judge: Callable[[str, Item], str | Failure]
    is_empty: Callable[[Item], bool]
    empty: Failure
    broken: str
    out_of_step: frozenset[str]


class StoppedError(Exception):
    """Nobody waits for this answer any more."""


def check_program(program: Program, noun: str) -> None:
    """Refuse a command that cannot be run."""
    if system != "posix":
        raise UsageError(f"{noun}s can be run on POSIX systems only (Linux, macOS)")
    if not program.command:
        raise UsageError(f"the {noun}'s command is empty")
    if shutil.which(program.command[0]) is None:
        command = program.command[0]
        if Path(command).is_file():
            raise UsageError(f"{command}: is no program; make it executable (chmod +x)")
        raise UsageError(f"there is no command {command!r}; give its path")


def words_of_command(command: str, option: str = "--cmd") -> tuple[str, ...]:
    """Take a command apart as a shell does; ``option`` is where it was given."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"{option} {command!r}: {error}") from error


class KeptProgram(Generic[Item]):
    """A program at work: its process, started anew where it must be, and how it has fared."""

    def __init__(self, program: Program, talk: Talk[Item]) -> None:
        check_program(program, talk.program)
        self.program, self._talk = program, talk
        self.is_busy = self.is_stopped = False
        self._process: LineProcess | None = None
        self._n_failed = 0
        self._last = talk.empty
        self._has_answered = False

    def ask(self, items: Sequence[Item]) -> list[str | Failure]:
        """Answer each item."""
        self.is_busy = True
        try:
            return list(self._answers(items))
        finally:
            self.is_busy = False

    def settle(self) -> None:
        """Make sure that the last failures are those of the items, not of a broken program."""
        if self._n_failed:
            self._test(self._last)

    def stop(self) -> None:
        """Kill the process and start no more, from any thread; who waits for an answer is woken."""
        self.is_stopped = True
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process. Only for the thread that asks."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _answers(self, items: Sequence[Item]) -> Iterator[str | Failure]:
        size = self.program.at_once
        if not size:
            yield from map(self._ask_live, items)
            return
        for first in range(0, len(items), size):
            yield from self._ask_at_once(items[first : first + size])

    def _ask_live(self, item: Item) -> str | Failure:
        if self._talk.is_empty(item):
            return self._talk.empty
        while True:
            process = self._ready_process()
            is_fresh = not process.n_answers
            seconds = self.program.timeout + self.program.startup * is_fresh
            ending, line = process.ask(self._talk.line(item), seconds=seconds)
            if ending is Ending.ANSWERED:
                answer = self._talk.judge(_decoded(line), item)
                if isinstance(answer, Failure) and answer.reason in self._talk.out_of_step:
                    return self._failed(answer, is_fresh=is_fresh)
                self._answered()
                return answer
            if is_fresh or ending is Ending.TIMED_OUT:
                failure = self._why(process, ending, seconds, is_fresh=is_fresh)
                return self._failed(failure, is_fresh=is_fresh)
            self.close()

    def _ask_at_once(self, items: Sequence[Item]) -> list[str | Failure]:
        """Hand all to one process; what it leaves unanswered is tried again in smaller parts."""
        spoken = [item for item in items if not self._talk.is_empty(item)]
        answers: list[str | Failure] = []
        parts = [spoken] if spoken else []
        while parts:
            part = parts.pop()
            found = self._ask_all(part)
            answers += found
            left = part[len(found) :]
            middle = (len(left) + 1) // 2 if len(left) == len(part) else len(left)
            parts += [each for each in (left[middle:], left[:middle]) if each]
        in_order = iter(answers)
        return [self._talk.empty if self._talk.is_empty(item) else next(in_order) for item in items]

    def _ask_all(self, items: Sequence[Item]) -> list[str | Failure]:
        """Return the answers that are surely those of the first items; of one, always one."""
        process = self._started()
        seconds = self.program.startup + self.program.timeout * len(items)
        ending, lines = process.ask_all([self._talk.line(each) for each in items], seconds=seconds)
        if len(lines) > len(items):
            lines = [line for line in lines if line.strip()]
        answers = [self._talk.judge(_decoded(a), b) for a, b in zip(lines, items, strict=False)]
        if len(lines) == len(items) or len(items) > 1:
            self.close()
            if lines:
                self._answered()
            is_sure = len(lines) == len(items)
            return answers if is_sure else list(takewhile(_is_good, answers))
        if lines:
            failure = Failure(self._talk.broken, f"{len(lines)} lines for one {self._talk.item}")
        else:
            failure = self._why(process, ending, seconds, is_fresh=True)
        return [self._failed(failure, is_fresh=True)]

    def _why(
        self, process: LineProcess, ending: Ending, seconds: float, *, is_fresh: bool
    ) -> Failure:
        """Say why there is no answer."""
        if ending is Ending.TIMED_OUT:
            holds_back = (
                f"; a {self._talk.program} that holds its output back until its input ends needs "
                f"{self._talk.one_shot}"
            )
            hint = holds_back if is_fresh and not self.program.at_once else ""
            return Failure("timed out", f"no answer in {seconds:g} s{hint}")
        ended = process.how_it_ended()
        if self.program.at_once and ended == "exit status 0":
            return Failure("empty answer")
        return Failure("crashed", f"{ended}: {process.complaint}".removesuffix(": "))

    def _failed(self, failure: Failure, *, is_fresh: bool) -> Failure:
        """End the process; end the run where those that have just begun never give anything."""
        self.close()
        self._refuse_if_stopped()
        self._n_failed += is_fresh
        self._last = failure
        if self._n_failed >= (TRIALS if self._has_answered else 1):
            self._test(failure)
        return failure

    def _answered(self) -> None:
        self._n_failed, self._has_answered = 0, True

    def _test(self, failure: Failure) -> None:
        """See whether a fresh process answers the probe; ``failure`` is what led here."""
        talk, process = self._talk, self._started()
        seconds = self.program.startup + self.program.timeout
        if self.program.at_once:
            lines = process.ask_all([talk.line(talk.probe)], seconds=seconds)[1]
        else:
            ending, line = process.ask(talk.line(talk.probe), seconds=seconds)
            lines = [line] * (ending is Ending.ANSWERED)
        self.close()
        answers = [talk.judge(_decoded(line), talk.probe) for line in lines]
        reasons = {answer.reason for answer in answers if isinstance(answer, Failure)}
        if not answers or talk.broken in reasons:
            raise UsageError(
                f"the {talk.program} gives no {talk.fruit}, not even for {talk.shown!r} "
                f"({failure.reason}: {failure.detail}); try by hand: echo "
                f"{shlex.quote(talk.shown)} | {shlex.join(self.program.command)}"
            )
        self._answered()

    def _ready_process(self) -> LineProcess:
        if self._process is not None and self._process.is_ready():
            return self._process
        self.close()
        return self._started()

    def _started(self) -> LineProcess:
        self._refuse_if_stopped()
        self._process = LineProcess(self.program.command, memory=self.program.memory)
        return self._process

    def _refuse_if_stopped(self) -> None:
        if self.is_stopped:
            raise StoppedError


def _is_good(answer: str | Failure) -> bool:
    return isinstance(answer, str)


def _decoded(line: bytes) -> str:
    return line.decode(errors="replace")
