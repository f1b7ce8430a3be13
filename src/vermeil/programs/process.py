"""One external program as a child process: lines in, lines out, before a deadline.

A selector drives the three pipes of the child from one thread, so neither a long line nor a
talkative stderr can block it. The child leads a process group of its own and is killed with
everything it started. POSIX only: pipes cannot be selected elsewhere.
"""

import os
import selectors
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from time import monotonic

from vermeil.errors import UsageError
from vermeil.programs.threads import users_environment

CHUNK = 1 << 16
COMPLAINT = 4096
"""Bytes kept of the end of stderr."""

COMPLAINTS = 16
"""Reads of stderr after the end; more is left where something still talks there."""

GRACE = 2.0
"""Seconds a child may take to end after it has closed its output."""

# The shell sets the limit and becomes the program. Doing it between fork and exec in Python
# (preexec_fn) is not safe where there are threads.
_LIMITED = 'ulimit -v "$0" && exec "$@"'


class Ending(Enum):
    """How an exchange with a child ended."""

    ANSWERED = "answered"
    ENDED = "ended"
    TIMED_OUT = "timed out"


class LineProcess:
    """A running program. ``n_answers`` counts the lines it has given so far.

    ``memory`` limits its address space, in MB.
    """

    def __init__(self, command: Sequence[str], *, memory: int | None = None) -> None:
        self.n_answers = 0
        self._unread = bytearray()
        self._complaint = b""
        self._selector = selectors.DefaultSelector()
        try:
            self._process = subprocess.Popen(
                _limited(command, memory),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=users_environment(),
            )
        except OSError as error:
            self._selector.close()
            raise UsageError(f"{command[0]}: cannot be run: {error.strerror}") from error
        self._stdin, self._stdout, self._stderr = _descriptors(self._process)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._is_open = True

    def is_ready(self) -> bool:
        """Tell whether the child waits for a line: it lives and has not said more than asked.

        Blank lines after an answer are forgiven.
        """
        if self._is_open:
            for key, _ in self._selector.select(0):
                self._read(key.fd)
        in_step = self._is_open and not self._unread.strip()
        self._unread.clear()
        return in_step

    def ask(self, line: bytes, *, seconds: float) -> tuple[Ending, bytes]:
        """Send a line and wait for one."""
        ending = self._pump(line + b"\n", seconds=seconds, n_lines=1)
        if ending is not Ending.ANSWERED:
            return ending, b""
        answer, _, rest = self._unread.partition(b"\n")
        self._unread = rest
        self.n_answers += 1
        return ending, bytes(answer)

    def ask_all(self, lines: Sequence[bytes], *, seconds: float) -> tuple[Ending, list[bytes]]:
        """Send lines, close the input, and give the whole lines that come until the end."""
        ending = self._pump(b"".join(line + b"\n" for line in lines), seconds=seconds, n_lines=None)
        # The last line may lack its end where the child ended of itself; cut off, it is no answer.
        *whole, last = bytes(self._unread).split(b"\n")
        if last and ending is Ending.ENDED and self.how_it_ended() == _exit_status(0):
            whole.append(last)
        self.n_answers += len(whole)
        return ending, whole

    def how_it_ended(self) -> str:
        """Wait for the child that closed its output, and say how it ended."""
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        self._read_the_rest_of_stderr()
        status = self._process.returncode
        return f"killed by {_signal_name(-status)}" if status < 0 else _exit_status(status)

    @property
    def complaint(self) -> str:
        """The last line of its stderr that says something."""
        lines = self._complaint.decode(errors="replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def kill(self) -> None:
        """Kill the child with its group; safe from any thread and more than once."""
        # Until it is waited for, a dead leader keeps its number, so this cannot hit another group.
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def close(self) -> None:
        """Kill the child and give its pipes back. Only for the thread that talks to it."""
        self.kill()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _pump(self, text: bytes, *, seconds: float, n_lines: int | None) -> Ending:
        """Send and receive until there are so many lines, the output ends, or it is too late.

        None lines are as many as come after the input is closed.
        """
        deadline = monotonic() + seconds
        unsent, n_found = memoryview(text), 0
        if self._is_open:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        while self._is_open and (n_lines is None or n_found < n_lines):
            left = deadline - monotonic()
            if left <= 0:
                break
            for key, _ in self._selector.select(left):
                if key.fd == self._stdin:
                    unsent = self._send(unsent, close=n_lines is None)
                else:
                    n_found += self._read(key.fd)
        self._stop_sending()
        if n_lines is not None and n_found >= n_lines:
            return Ending.ANSWERED
        return Ending.TIMED_OUT if self._is_open else Ending.ENDED

    def _send(self, unsent: memoryview, *, close: bool) -> memoryview:
        try:
            unsent = unsent[os.write(self._stdin, unsent[:CHUNK]) :] if unsent else unsent
        except BrokenPipeError:
            unsent = unsent[:0]
        if not unsent:
            self._stop_sending()
            if close and self._process.stdin is not None:
                self._process.stdin.close()
        return unsent

    def _stop_sending(self) -> None:
        if self._stdin in self._selector.get_map():
            self._selector.unregister(self._stdin)

    def _read(self, descriptor: int) -> int:
        """Read some of what the child says; give the number of lines of output that ended in it."""
        piece = os.read(descriptor, CHUNK)
        if not piece:
            self._selector.unregister(descriptor)
        if descriptor == self._stderr:
            self._complaint = (self._complaint + piece)[-COMPLAINT:]
            return 0
        self._is_open = bool(piece)
        self._unread += piece
        return piece.count(b"\n")

    def _read_the_rest_of_stderr(self) -> None:
        for _ in range(COMPLAINTS):
            ready = [key.fd for key, _ in self._selector.select(0)]
            if self._stderr not in ready:
                break
            self._read(self._stderr)


def _limited(command: Sequence[str], memory: int | None) -> list[str]:
    if memory is None:
        return list(command)
    return ["/bin/sh", "-c", _LIMITED, str(memory * 1024), *command]


def _descriptors(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin.fileno(), process.stdout.fileno(), process.stderr.fileno()


def _exit_status(status: int) -> str:
    return f"exit status {status}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
