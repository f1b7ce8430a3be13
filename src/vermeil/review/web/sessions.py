"""Who a request comes from: a signed cookie, and the token that each change must bring along.

The cookie holds a random session, the curator's name, the time it was made and a trace of the
password, signed by itsdangerous with the secret of the review file; it ends by logging out, with
the password and after a while. A visitor who has not said who they are has one too, without a name,
so that the log-in is protected as well.
"""

import hashlib
import hmac
import secrets
from dataclasses import asdict, dataclass
from time import time

import msgspec
from itsdangerous import BadData, Signer, URLSafeSerializer

from vermeil.review.store import Store
from vermeil.review.web.accounts import has_accounts, stored_hash

LASTS = 14 * 24 * 3600.0
LONGEST_COOKIE = 4096


@dataclass(frozen=True, slots=True)
class Session:
    """A session; ``curator`` is empty before the log-in."""

    session: str
    curator: str
    made: float
    trace: str


def cookie_name(store: Store) -> str:
    """Name the cookie after the review: browsers give the cookies of a host to all its ports."""
    return f"vermeil_review_{store.setting('name')}"


def begin(store: Store, curator: str = "") -> Session:
    """Make a new session."""
    return Session(secrets.token_hex(16), curator, time(), _trace(store, curator))


def cookie_of(store: Store, session: Session) -> str:
    """Spell a session as a cookie, signed."""
    spelt: str = _serializer(store).dumps(asdict(session))
    return spelt


def session_of(store: Store, cookie: str) -> Session | None:
    """Read a cookie; None where it is forged, too old, logged out or its password changed."""
    if len(cookie) > LONGEST_COOKIE or not cookie.isascii():
        return None
    try:
        session = msgspec.convert(_serializer(store).loads(cookie), Session)
    except (BadData, msgspec.ValidationError):
        return None
    if time() - session.made > LASTS or session.trace != _trace(store, session.curator):
        return None
    if session.curator and has_accounts(store) and not stored_hash(store, session.curator):
        return None
    with store.reading() as connection:
        ended = connection.execute(
            "SELECT 1 FROM ended_sessions WHERE session = ?", (session.session,)
        ).fetchone()
    return None if ended else session


def end(store: Store, session: Session) -> None:
    """Log out, wherever the cookie may have been copied to."""
    with store.writing() as connection:
        connection.execute("DELETE FROM ended_sessions WHERE until < ?", (time(),))
        connection.execute(
            "INSERT OR IGNORE INTO ended_sessions VALUES (?, ?)",
            (session.session, session.made + LASTS),
        )


def token_of(store: Store, session: Session) -> str:
    """Make the token that each change must bring; only a page of ours can read it."""
    return _signature(store, "token", session.session)


def has_token(store: Store, session: Session, token: str) -> bool:
    """Tell whether a request brought the token of its session."""
    return token.isascii() and hmac.compare_digest(token, token_of(store, session))


def _serializer(store: Store) -> URLSafeSerializer:
    signing = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(_secret(store), salt="cookie", signer_kwargs=signing)


def _signature(store: Store, purpose: str, message: str) -> str:
    signer = Signer(
        _secret(store), salt=purpose, key_derivation="hmac", digest_method=hashlib.sha256
    )
    return signer.get_signature(message).decode()


def _secret(store: Store) -> bytes:
    return bytes.fromhex(store.setting("secret"))


def _trace(store: Store, curator: str) -> str:
    """Make something that changes with the password."""
    return _signature(store, "password", stored_hash(store, curator))[:16] if curator else ""
