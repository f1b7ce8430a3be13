"""Who may work on a review: names, passwords, roles and how often one may guess.

Passwords are kept as argon2 hashes (memory-hard: 64 MB a guess) with a salt each; those of earlier
versions, by scrypt, are still good and are kept anew when they are used. Without any account a
curator only gives a name, which is allowed on this machine's own address alone, and may do
everything.
"""

import hashlib
import hmac
import ipaddress
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Final

from vermeil.document import ALTERNATIVES
from vermeil.errors import MissingExtraError, UnknownNameError, UsageError
from vermeil.review.history import ADJUDICATED
from vermeil.review.store import Store

if TYPE_CHECKING:
    from argon2 import PasswordHasher

PACKAGES: Final = ("argon2-cffi", "itsdangerous", "starlette", "uvicorn")
"""What the page needs."""

CURATOR, ADJUDICATOR, OWNER = "curator", "adjudicator", "owner"
ROLES = {
    CURATOR: "decides, and sees and exports own decisions",
    ADJUDICATOR: "also settles what curators differ on, exports everything, and adds files",
    OWNER: "also says who works on what, and changes, removes and restores what is there",
}
"""Who may do what, the least first; each may do what those before may."""

LONGEST_NAME = 60
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 1000

MEMORY = 64 * 1024 * 1024
"""Bytes that a hash of an earlier version may take."""

FREE_GUESSES = 5
LONGEST_WAIT = 15 * 60.0
MOST_REMEMBERED = 100_000
"""Guessers that are remembered; of more, those are forgotten who guessed longest ago."""


def check_name(name: str) -> str:
    """Strip a curator's name of outer white space, or refuse it."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"a curator's name has 1 to {LONGEST_NAME} printable characters")
    if name == ADJUDICATED or name.endswith(ALTERNATIVES):
        raise UsageError(f"{name!r} is the name of a layer that vermeil makes; choose another")
    return name


def set_password(store: Store, name: str, password: str, role: str | None = None) -> str:
    """Make an account, or give it another password and, if told, another role; gives its role.

    The first account is the owner's, others are curators' unless told.
    """
    name = check_name(name)
    if role is not None and role not in ROLES:
        raise UnknownNameError("role", role, ROLES)
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise UsageError(f"a password has at least {SHORTEST_PASSWORD} characters")
    kept = hashed(password)
    with store.writing() as connection:
        found = connection.execute("SELECT role FROM accounts WHERE name = ?", (name,)).fetchone()
        others = connection.execute(
            "SELECT count(*) FROM accounts WHERE role = ? AND name <> ?", (OWNER, name)
        ).fetchone()
        role = role or (found[0] if found else CURATOR if others[0] else OWNER)
        if role != OWNER and not others[0]:
            raise UsageError(f"{name} is the only owner; make another one first")
        connection.execute(
            "INSERT OR REPLACE INTO accounts (name, password, role) VALUES (?, ?, ?)",
            (name, kept, role),
        )
    return str(role)


def accounts(store: Store) -> dict[str, str]:
    """Return the role of everybody who has an account, by name."""
    with store.reading() as connection:
        return dict(connection.execute("SELECT name, role FROM accounts ORDER BY name").fetchall())


def set_role(store: Store, name: str, role: str) -> None:
    """Change the role of an account; an owner must be left."""
    if role not in ROLES:
        raise UnknownNameError("role", role, ROLES)
    with store.writing() as connection:
        _check_account(connection, name, is_owner_after=role == OWNER)
        connection.execute("UPDATE accounts SET role = ? WHERE name = ?", (role, name))


def remove_account(store: Store, name: str) -> None:
    """Take an account away: its sessions end, its decisions stay; an owner must be left."""
    with store.writing() as connection:
        _check_account(connection, name, is_owner_after=False)
        connection.execute("DELETE FROM accounts WHERE name = ?", (name,))


def _check_account(connection: sqlite3.Connection, name: str, *, is_owner_after: bool) -> None:
    """Refuse to change an account that is not there, or the last owner's to something else."""
    known = dict(connection.execute("SELECT name, role FROM accounts").fetchall())
    if name not in known:
        raise UnknownNameError("account", name, sorted(known))
    if not is_owner_after and not any(
        role == OWNER for other, role in known.items() if other != name
    ):
        raise UsageError(f"{name} is the only owner; make another one first")


def has_accounts(store: Store) -> bool:
    """Tell whether passwords are asked for."""
    with store.reading() as connection:
        return connection.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is not None


def role_of(store: Store, name: str) -> str:
    """Find out what somebody may do; without accounts, everything."""
    with store.reading() as connection:
        row = connection.execute("SELECT role FROM accounts WHERE name = ?", (name,)).fetchone()
    if row is None:
        return CURATOR if has_accounts(store) else OWNER
    return str(row[0])


def may(role: str, needed: str) -> bool:
    """Tell whether a role may do what another one may.

    >>> may("owner", "adjudicator"), may("curator", "adjudicator")
    (True, False)
    """
    order = list(ROLES)
    return order.index(role) >= order.index(needed)


def others_may(store: Store, name: str, needed: str) -> bool:
    """Tell whether anybody else has an account with which one may do this."""
    with store.reading() as connection:
        rows = connection.execute("SELECT role FROM accounts WHERE name <> ?", (name,)).fetchall()
    return any(may(role, needed) for (role,) in rows)


def is_home(host: str) -> bool:
    """Tell whether only this machine can reach an address.

    >>> is_home("127.0.0.1"), is_home("::1"), is_home("localhost"), is_home("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def stored_hash(store: Store, name: str) -> str:
    """Read what is kept of a password; empty where there is no such account."""
    with store.reading() as connection:
        row = connection.execute("SELECT password FROM accounts WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def hashed(password: str) -> str:
    """Hash a password with a fresh salt."""
    return _hasher().hash(password)


def is_right(password: str, stored: str) -> bool:
    """Compare a password with what is kept of it; takes as long where there is no account."""
    password = password[:LONGEST_PASSWORD].encode(errors="replace").decode()
    if stored.startswith("scrypt$"):
        return _is_right_by_scrypt(password, stored)
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return _hasher().verify(stored or _nobody(), password) and bool(stored)
    except (Argon2Error, InvalidHashError):
        return False


def renew(store: Store, name: str, password: str) -> None:
    """Keep a password that was right anew where it is kept in an earlier way."""
    stored = stored_hash(store, name)
    if stored.startswith("scrypt$") or _hasher().check_needs_rehash(stored):
        with store.writing() as connection:
            connection.execute(
                "UPDATE accounts SET password = ? WHERE name = ? AND password = ?",
                (hashed(password), name, stored),
            )


def address_of(host: str) -> str:
    """Name the address whose guesses count together: of IPv6, all that one line has.

    >>> address_of("10.0.0.7"), address_of("2001:db8::1:2:3")
    ('10.0.0.7', '2001:db8::/64')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(ipaddress.ip_network((address, 64), strict=False))


def _is_right_by_scrypt(password: str, stored: str) -> bool:
    _, cost, block, lanes, salt, kept = stored.split("$")
    digest = hashlib.scrypt(
        password.encode(),
        salt=bytes.fromhex(salt),
        n=int(cost),
        r=int(block),
        p=int(lanes),
        maxmem=MEMORY,
        dklen=32,
    )
    return hmac.compare_digest(digest.hex(), kept)


@cache
def _hasher() -> "PasswordHasher":
    try:
        from argon2 import PasswordHasher
    except ImportError:
        raise MissingExtraError("passwords", "argon2-cffi") from None
    return PasswordHasher()


@cache
def _nobody() -> str:
    """Make a hash that no password has, so that an unknown name costs as much."""
    return hashed("nobody")


@dataclass(slots=True)
class Throttle:
    """How long to wait before the next guess, for whoever is counted.

    FREE_GUESSES are free; each further one doubles the wait, up to LONGEST_WAIT. Count addresses,
    and pairs of an address and a name; a name by itself would let anybody lock it.
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
            while self._failures and now - next(iter(self._failures.values()))[1] >= LONGEST_WAIT:
                del self._failures[next(iter(self._failures))]
            for each in who:
                n, _ = self._failures.pop(each, (0, now))
                self._failures[each] = n + 1, now
            for oldest in list(self._failures)[: max(0, len(self._failures) - MOST_REMEMBERED)]:
                del self._failures[oldest]

    def succeeded(self, *who: str) -> None:
        """Forget the wrong guesses."""
        with self._lock:
            for each in who:
                self._failures.pop(each, None)

    def forgiven(self, who: str) -> None:
        """Take back one guess that was counted and was right; those before it still count."""
        with self._lock:
            n, at = self._failures.pop(who, (0, 0.0))
            if n > 1:
                self._failures[who] = n - 1, at

    def _until(self, who: str) -> float:
        n, at = self._failures.get(who, (0, 0.0))
        return (
            at + min(LONGEST_WAIT, 2.0 ** min(n - FREE_GUESSES, 20)) if n >= FREE_GUESSES else 0.0
        )
