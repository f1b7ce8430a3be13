"""External parsers over many sentences: one process at a time, time-outs, restarts.

A parser is any command that reads one sentence a line (words separated by single spaces, brackets
in words spelt ``-LRB-`` and so on) and writes one tree a line. The process stays alive from one
sentence to the next; with ``at_once`` a fresh one is started for every so many sentences, its
input is closed, and its output is read to the end, for parsers that hold their output back.

A sentence is blamed only for what a fresh process does with it: where a process that has answered
before dies, the sentence is given to a new one. Fresh processes that fail one after the other are
put to a test with PROBE; a parser that gives no tree even for that ends the run.
"""

import shlex
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from os import name as system
from pathlib import Path

import msgspec

from vermeil.errors import UsageError
from vermeil.parsers.answers import Failure, judge
from vermeil.parsers.process import Ending, ParserProcess
from vermeil.parsers.tagged import Token, line_of, words_of

Sentence = Sequence[Token]
PROBE = (("It", "PRP"), ("works", "VBZ"), (".", "."))
TRIALS = 3
"""Fresh processes in a row that may fail before the parser is put to the test; 1 at first."""

OUT_OF_STEP = ("not a tree", "other words")
"""Failures after which a process may be answering another sentence, and is started anew."""

HOLDING_BACK = "; a parser that holds its output back until its input ends needs --one-shot N"


class Parser(msgspec.Struct, frozen=True):
    """How to run a parser.

    A sentence may take ``timeout`` seconds, a process ``startup`` more for its first answer
    (models take long to load) and ``memory`` MB of address space. ``at_once`` sentences are given
    to a fresh process each time; 0 keeps processes alive. ``form`` is how a sentence is written,
    one of ``tagged.FORMS``.
    """

    command: tuple[str, ...]
    timeout: float = 60.0
    startup: float = 60.0
    memory: int | None = None
    at_once: int = 0
    form: str = "words"


class StoppedError(Exception):
    """Nobody waits for this answer any more."""


def parse_sentences(
    sentences: Iterable[Sentence], parser: Parser
) -> Generator[str | Failure, None, None]:
    """Yield the brackets of each sentence, as the parser spelt them, or why there are none.

    Close the iterator to stop early: it kills the process. Raise UsageError where there is no such
    command or it never gives a tree.
    """
    kept = KeptParser(parser)
    rest = iter(sentences)
    try:
        while chunk := list(islice(rest, max(1, parser.at_once))):
            yield from kept.parse(chunk)
    finally:
        kept.close()


def check_parser(parser: Parser) -> None:
    """Refuse a command that cannot be run."""
    if system != "posix":
        raise UsageError("parsers can be run on POSIX systems only (Linux, macOS)")
    if not parser.command:
        raise UsageError("the parser's command is empty")
    if shutil.which(parser.command[0]) is None:
        command = parser.command[0]
        if Path(command).is_file():
            raise UsageError(f"{command}: is no program; make it executable (chmod +x)")
        raise UsageError(f"there is no command {command!r}; give its path")


class KeptParser:
    """A parser at work: its process, started anew where it must be, and how it has fared."""

    def __init__(self, parser: Parser) -> None:
        check_parser(parser)
        self.parser = parser
        self.is_busy = self.is_stopped = False
        self._process: ParserProcess | None = None
        self._n_failed = 0
        self._last = Failure("no words")
        self._has_answered = False

    def parse(self, sentences: Sequence[Sentence]) -> list[str | Failure]:
        """Answer each sentence."""
        self.is_busy = True
        try:
            return list(self._answers(sentences))
        finally:
            self.is_busy = False

    def settle(self) -> None:
        """Make sure that the last failures are those of the sentences, not of a broken parser."""
        if self._n_failed:
            self._test(self._last)

    def stop(self) -> None:
        """Kill the process and start no more, from any thread; who waits for an answer is woken."""
        self.is_stopped = True
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process. Only for the thread that parses."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _answers(self, sentences: Sequence[Sentence]) -> Iterator[str | Failure]:
        size = self.parser.at_once
        if not size:
            yield from map(self._parse_live, sentences)
            return
        for first in range(0, len(sentences), size):
            yield from self._parse_at_once(sentences[first : first + size])

    def _parse_live(self, sentence: Sentence) -> str | Failure:
        if not sentence:
            return Failure("no words")
        while True:
            process = self._ready_process()
            is_fresh = not process.n_answers
            seconds = self.parser.timeout + self.parser.startup * is_fresh
            ending, line = process.ask(self._line(sentence), seconds=seconds)
            if ending is Ending.ANSWERED:
                answer = judge(_decoded(line), words_of(sentence))
                if isinstance(answer, Failure) and answer.reason in OUT_OF_STEP:
                    return self._failed(answer, is_fresh=is_fresh)
                self._answered()
                return answer
            if is_fresh or ending is Ending.TIMED_OUT:
                failure = self._why(process, ending, seconds, is_fresh=is_fresh)
                return self._failed(failure, is_fresh=is_fresh)
            self.close()

    def _parse_at_once(self, sentences: Sequence[Sentence]) -> list[str | Failure]:
        """Hand all to one process; what it leaves unanswered is tried again in smaller parts."""
        spoken = [sentence for sentence in sentences if sentence]
        answers: list[str | Failure] = []
        parts = [spoken] if spoken else []
        while parts:
            part = parts.pop()
            found = self._ask_all(part)
            answers += found
            left = part[len(found) :]
            middle = (len(left) + 1) // 2 if len(left) == len(part) else len(left)
            parts += [each for each in (left[middle:], left[:middle]) if each]
        found_in_order = iter(answers)
        return [next(found_in_order) if sentence else Failure("no words") for sentence in sentences]

    def _ask_all(self, sentences: Sequence[Sentence]) -> list[str | Failure]:
        """Return the answers that are surely those of the first sentences; of one, always one."""
        process = self._started()
        seconds = self.parser.startup + self.parser.timeout * len(sentences)
        ending, lines = process.ask_all([self._line(each) for each in sentences], seconds=seconds)
        if len(lines) > len(sentences):
            lines = [line for line in lines if line.strip()]
        answers = [judge(_decoded(a), words_of(b)) for a, b in zip(lines, sentences, strict=False)]
        if len(lines) == len(sentences) or len(sentences) > 1:
            self.close()
            if lines:
                self._answered()
            is_sure = len(lines) == len(sentences)
            return answers if is_sure else list(takewhile(_is_tree, answers))
        if lines:
            failure = Failure("not a tree", f"{len(lines)} lines for one sentence")
        else:
            failure = self._why(process, ending, seconds, is_fresh=True)
        return [self._failed(failure, is_fresh=True)]

    def _why(
        self, process: ParserProcess, ending: Ending, seconds: float, *, is_fresh: bool
    ) -> Failure:
        """Say why there is no answer."""
        if ending is Ending.TIMED_OUT:
            hint = HOLDING_BACK if is_fresh and not self.parser.at_once else ""
            return Failure("timed out", f"no answer in {seconds:g} s{hint}")
        ended = process.how_it_ended()
        if self.parser.at_once and ended == "exit status 0":
            return Failure("empty answer")
        return Failure("crashed", f"{ended}: {process.complaint}".removesuffix(": "))

    def _failed(self, failure: Failure, *, is_fresh: bool) -> Failure:
        """End the process; end the run where those that have just begun never give a tree."""
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
        """See whether a fresh process makes a tree of PROBE; ``failure`` is what led here."""
        process = self._started()
        seconds = self.parser.startup + self.parser.timeout
        if self.parser.at_once:
            lines = process.ask_all([self._line(PROBE)], seconds=seconds)[1]
        else:
            ending, line = process.ask(self._line(PROBE), seconds=seconds)
            lines = [line] * (ending is Ending.ANSWERED)
        self.close()
        answers = [judge(_decoded(line), words_of(PROBE)) for line in lines]
        reasons = {answer.reason for answer in answers if isinstance(answer, Failure)}
        if not answers or "not a tree" in reasons:
            probe = line_of(PROBE, self.parser.form)
            raise UsageError(
                f"the parser gives no tree, not even for {probe!r} ({failure.reason}: "
                f"{failure.detail}); try by hand: echo {shlex.quote(probe)} | "
                f"{shlex.join(self.parser.command)}"
            )
        self._answered()

    def _ready_process(self) -> ParserProcess:
        if self._process is not None and self._process.is_ready():
            return self._process
        self.close()
        return self._started()

    def _started(self) -> ParserProcess:
        self._refuse_if_stopped()
        self._process = ParserProcess(self.parser.command, memory=self.parser.memory)
        return self._process

    def _line(self, sentence: Sentence) -> bytes:
        return line_of(sentence, self.parser.form).encode()

    def _refuse_if_stopped(self) -> None:
        if self.is_stopped:
            raise StoppedError


def _is_tree(answer: str | Failure) -> bool:
    return isinstance(answer, str)


def _decoded(line: bytes) -> str:
    return line.decode(errors="replace")
