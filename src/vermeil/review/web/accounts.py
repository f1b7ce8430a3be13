"""Who may work on a review: names, passwords and how often one may guess.

Passwords are kept as scrypt hashes (memory-hard: 32 MB a guess) with a salt each. Without any
account a curator only gives a name, which is allowed on this machine's own address alone.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from vermeil.document import ALTERNATIVES
from vermeil.errors import UsageError
from vermeil.review.history import ADJUDICATED
from vermeil.review.store import Store

LONGEST_NAME = 60
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 1000

COST, BLOCK, LANES = 1 << 15, 8, 1
MEMORY = 64 * 1024 * 1024

FREE_GUESSES = 5
LONGEST_WAIT = 15 * 60.0


def check_name(name: str) -> str:
    """Strip a curator's name of outer white space, or refuse it."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"a curator's name has 1 to {LONGEST_NAME} printable characters")
    if name == ADJUDICATED or name.endswith(ALTERNATIVES):
        raise UsageError(f"{name!r} is the name of a layer that vermeil makes; choose another")
    return name


def set_password(store: Store, name: str, password: str) -> None:
    """Make an account, or give it another password."""
    name = check_name(name)
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise UsageError(f"a password has at least {SHORTEST_PASSWORD} characters")
    with store.writing() as connection:
        connection.execute(
            "INSERT INTO accounts (name, password) VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET password = excluded.password",
            (name, hashed(password)),
        )


def has_accounts(store: Store) -> bool:
    """Tell whether passwords are asked for."""
    with store.reading() as connection:
        return connection.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is not None


def stored_hash(store: Store, name: str) -> str:
    """Read what is kept of a password; empty where there is no such account."""
    with store.reading() as connection:
        row = connection.execute("SELECT password FROM accounts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def hashed(password: str, *, salt: bytes | None = None) -> str:
    """Hash a password with a fresh salt."""
    salt = salt or secrets.token_bytes(16)
    digest = hashlib.scrypt(
        password.encode(), salt=salt, n=COST, r=BLOCK, p=LANES, maxmem=MEMORY, dklen=32
    )
    return f"scrypt${COST}${BLOCK}${LANES}${salt.hex()}${digest.hex()}"


def is_right(password: str, stored: str) -> bool:
    """Compare a password with what is kept of it; takes as long where there is no account."""
    parts = (stored or _NOBODY).split("$")
    cost, block, lanes = map(int, parts[1:4])
    digest = hashlib.scrypt(
        password[:LONGEST_PASSWORD].encode(errors="replace"),
        salt=bytes.fromhex(parts[4]),
        n=cost,
        r=block,
        p=lanes,
        maxmem=MEMORY,
        dklen=32,
    )
    return hmac.compare_digest(digest.hex(), parts[5]) and bool(stored)


_NOBODY = f"scrypt${COST}${BLOCK}${LANES}${'00' * 16}${'00' * 32}"


@dataclass(slots=True)
class Throttle:
    """How long to wait before the next guess, by name and by address.

    FREE_GUESSES are free; each further one doubles the wait, up to LONGEST_WAIT.
    """

    clock: Callable[[], float] = monotonic
    _failures: dict[str, tuple[int, float]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def wait(self, *who: str) -> float:
        """Count the seconds until any of these may guess again, 0 where they may now."""
        now = self.clock()
        with self._lock:
            return max(0.0, *(self._until(each) - now for each in who))

    def failed(self, *who: str) -> None:
        """Count a wrong guess."""
        now = self.clock()
        with self._lock:
            self._failures = {
                each: (n, at) for each, (n, at) in self._failures.items() if now - at < LONGEST_WAIT
            }
            for each in who:
                self._failures[each] = self._failures.get(each, (0, now))[0] + 1, now

    def succeeded(self, *who: str) -> None:
        """Forget the wrong guesses."""
        with self._lock:
            for each in who:
                self._failures.pop(each, None)

    def _until(self, who: str) -> float:
        n, at = self._failures.get(who, (0, 0.0))
        return (
            at + min(LONGEST_WAIT, 2.0 ** min(n - FREE_GUESSES, 20)) if n >= FREE_GUESSES else 0.0
        )
