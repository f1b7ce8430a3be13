"""An OpenAI-compatible endpoint: one request, asked until it is answered or that is in vain.

Requests that time out, are refused for their rate (429) or fail on the other side (5xx) are
repeated after a while: as long as the server says (Retry-After), or twice as long each time, by
chance a little more or less, so that many do not come back at once. A server that asks to wait is
not asked anything by anybody until then. The key is taken from the environment when it is needed
and stands in no message, no file and no address.
"""

import os
import random
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import msgspec

from vermeil.annotators.asking import FailedError
from vermeil.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    import httpx2

PATH = "/chat/completions"
KEY = "VERMEIL_API_KEY"
"""The environment variable that holds the key, unless another is named."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
LONGEST_ASKED = 600.0
"""Seconds that a server may ask to wait; longer is a failure."""

AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
IN_VAIN = {
    401: "the key is not accepted",
    402: "the account has no credit",
    403: "the key may not do that",
    404: "there is no such address or model",
}
TRIALS = 3
"""Requests in a row that may be refused as wrong before any was answered."""

MOST_SAID = 200
MOST_BYTES = 32 << 20


class Clock(Protocol):
    """What tells the time and waits; tests have their own."""

    def now(self) -> float:
        """Return the time in seconds, from anywhere."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class WallClock:
    """The clock of this machine; ``stop`` wakes all who wait."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def now(self) -> float:
        """Return the seconds since some moment."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait, unless all is stopped."""
        if self._stopped.wait(seconds):
            raise FailedError("stopped")

    def stop(self) -> None:
        """Wake all who wait."""
        self._stopped.set()


class Endpoint:
    """Where to ask: ``url`` as in https://api.example.org/v1, several threads at once.

    ``retries`` are how often a request is repeated, ``per_minute`` how many are begun a minute.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float,
        retries: int,
        per_minute: float | None = None,
        key_from: str = KEY,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.url = checked_url(url)
        self._timeout, self._retries, self._key_from = timeout, retries, key_from
        self._clock = clock or WallClock()
        self._chance = chance
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._lock = threading.Lock()
        self._not_before = self._next = float("-inf")
        self._n_answered = self._n_refused = 0

    def client(self) -> "httpx2.Client":
        """Open connections for one thread."""
        try:
            import httpx2
        except ImportError:
            raise MissingExtraError("asking a language model", "httpx2") from None
        key = os.environ.get(self._key_from, "")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx2.Client(headers=headers, timeout=self._timeout)

    def post(self, client: "httpx2.Client", body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask, as often as it takes; FailedError where that was in vain, UsageError for all."""
        wait, reason = FIRST_WAIT, ""
        for trial in range(self._retries + 1):
            self._wait_for_turn()
            status, said, asked = self._tried(client, body)
            if status and status < 300:
                answer = _object(said)
                if answer is not None:
                    self._n_answered += 1
                    return answer
                reason = f"the answer is no JSON object: {_short(said)!r}"
            elif status in AGAIN or not status:
                reason = f"status {status}: {_complaint(said)}" if status else said
            else:
                self._refuse(status, _complaint(said))
            if asked > LONGEST_ASKED:
                raise FailedError(self._hidden(f"{reason}; it asks to wait {asked:,.0f} s"))
            if trial < self._retries:
                pause = asked or wait * (0.5 + self._chance())
                if status == 429 or asked:
                    self._hold_all(pause)
                else:
                    self._clock.sleep(pause)
                wait = min(2 * wait, LONGEST_WAIT)
        raise FailedError(self._hidden(f"{reason} (asked {self._retries + 1} times)"))

    def stop(self) -> None:
        """Wake those who wait, so that they give up."""
        if isinstance(self._clock, WallClock):
            self._clock.stop()

    def _tried(self, client: "httpx2.Client", body: Mapping[str, Any]) -> tuple[int, str, float]:
        """Ask once: the status, 0 where there is none; what was said; the seconds to wait."""
        import httpx2

        late = 0, f"no answer in {self._timeout:g} s", 0.0
        begun = time.monotonic()
        try:
            with client.stream(
                "POST",
                self.url + PATH,
                content=msgspec.json.encode(body),
                headers={"Content-Type": "application/json"},
            ) as response:
                said = bytearray()
                for piece in response.iter_bytes():
                    said += piece
                    if len(said) > MOST_BYTES:
                        return 0, f"the answer has more than {MOST_BYTES >> 20} MB", 0.0
                    if time.monotonic() - begun > self._timeout:  # it trickles
                        return late
                asked = _seconds(response.headers.get("Retry-After"))
                return response.status_code, said.decode(errors="replace"), asked
        except httpx2.TimeoutException:
            return late
        except httpx2.HTTPError as error:
            return 0, f"{self.url}: {error}", 0.0

    def _refuse(self, status: int, complaint: str) -> None:
        """End this request, or all of them where nothing was ever answered."""
        said = self._hidden(f"{self.url}: status {status}: {complaint}")
        if status in IN_VAIN:
            hint = f"; it is taken from the environment variable {self._key_from}"
            raise UsageError(f"{said} ({IN_VAIN[status]}{hint if status in (401, 403) else ''})")
        self._n_refused += 1
        if not self._n_answered and self._n_refused >= TRIALS:
            raise UsageError(f"{said} (no request was accepted; see --no-schema)")
        raise FailedError(said)

    def _wait_for_turn(self) -> None:
        while True:
            with self._lock:
                now = self._clock.now()
                due = max(self._not_before, self._next)
                if due <= now:
                    self._next = now + self._gap
                    return
            self._clock.sleep(due - now)

    def _hold_all(self, seconds: float) -> None:
        with self._lock:
            self._not_before = max(self._not_before, self._clock.now() + seconds)

    def _hidden(self, message: str) -> str:
        """Take the key out of what a server repeats."""
        key = os.environ.get(self._key_from, "")
        return message.replace(key, "…") if key else message


def checked_url(url: str) -> str:
    """Refuse what is no address, or has a key in it; leave the path of requests off."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"--api takes an address such as http://localhost:11434/v1, not {url!r}")
    if parts.username or parts.password or parts.query:
        raise UsageError(
            f"--api {parts.scheme}://{parts.hostname}…: leave keys out of the address; they are "
            f"taken from the environment ({KEY})"
        )
    return url.rstrip("/").removesuffix(PATH)


def _object(said: str) -> Mapping[str, Any] | None:
    try:
        return msgspec.json.decode(said, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _complaint(said: str) -> str:
    """Find what a server complains of, in one line."""
    answer = _object(said) or {}
    error = answer.get("error", answer)
    told = error.get("message") if isinstance(error, Mapping) else error
    return _short(told if isinstance(told, str) else said) or "nothing is said"


def _short(said: str) -> str:
    line = " ".join(said.split())
    return line if len(line) <= MOST_SAID else line[: MOST_SAID - 1] + "…"


def _seconds(given: str | None) -> float:
    """Read Retry-After: seconds, or a date; 0 where there is none."""
    if not given:
        return 0.0
    try:
        seconds = float(given)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return 0.0
    return seconds if 0 < seconds < float("inf") else 0.0
