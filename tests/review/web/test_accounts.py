import hashlib
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from vermeil.errors import UnknownNameError, UsageError
from vermeil.review.store import Store
from vermeil.review.web import accounts, sessions
from vermeil.review.web.accounts import (
    FREE_GUESSES,
    LONGEST_WAIT,
    Throttle,
    check_name,
    hashed,
    is_right,
    renew,
    role_of,
    set_password,
    stored_hash,
)
from vermeil.review.web.server import check_host


def test_a_password_is_kept_as_a_salted_memory_hard_hash(store: Store) -> None:
    set_password(store, "cleo", "correct horse")
    kept = stored_hash(store, "cleo")
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert "correct" not in kept
    assert hashed("correct horse") != kept
    assert is_right("correct horse", kept)
    assert not is_right("wrong horse!", kept)
    assert not is_right("correct horse", "")
    assert not is_right("correct horse", "nonsense")


def by_scrypt(password: str) -> str:
    """Keep a password as versions before roles did."""
    digest = hashlib.scrypt(
        password.encode(), salt=b"s" * 16, n=1 << 15, r=8, p=1, maxmem=1 << 26, dklen=32
    )
    return f"scrypt${1 << 15}$8$1${(b's' * 16).hex()}${digest.hex()}"


def test_a_password_of_an_earlier_version_is_right_and_kept_anew_when_it_is_used(
    store: Store,
) -> None:
    set_password(store, "cleo", "another horse")
    with store.writing() as connection:
        connection.execute("UPDATE accounts SET password = ?", (by_scrypt("correct horse"),))
    assert is_right("correct horse", stored_hash(store, "cleo"))
    assert not is_right("wrong horse!", stored_hash(store, "cleo"))
    renew(store, "cleo", "correct horse")
    kept = stored_hash(store, "cleo")
    assert kept.startswith("$argon2id$")
    assert is_right("correct horse", kept)
    renew(store, "cleo", "correct horse")
    assert stored_hash(store, "cleo") == kept, "once is enough"


def test_the_first_account_is_the_owners_and_one_owner_is_left(store: Store) -> None:
    assert role_of(store, "cleo") == "owner", "without accounts"
    assert set_password(store, "cleo", "correct horse") == "owner"
    assert set_password(store, "dora", "correct horse") == "curator"
    assert set_password(store, "emil", "correct horse", "adjudicator") == "adjudicator"
    assert set_password(store, "dora", "another horse") == "curator"
    with pytest.raises(UsageError, match="only owner"):
        set_password(store, "cleo", "correct horse", "curator")
    with pytest.raises(UnknownNameError, match="did you mean 'owner'"):
        set_password(store, "cleo", "correct horse", "ownr")
    assert [role_of(store, name) for name in ("cleo", "dora", "emil", "nobody")] == [
        *("owner", "curator", "adjudicator", "curator")
    ]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 61, "adjudicated", "a.alternatives"])
def test_names_that_cannot_be_layers_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        check_name(name)


def test_a_short_password_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="at least 8"):
        set_password(store, "cleo", "short")


def test_guessing_gets_slower_and_forgives() -> None:
    now = [0.0]
    throttle = Throttle(clock=lambda: now[0])
    for _ in range(FREE_GUESSES):
        assert throttle.wait("cleo", "1.2.3.4") == 0
        throttle.failed("cleo", "1.2.3.4")
    assert throttle.wait("cleo") == throttle.wait("other", "1.2.3.4") == 1
    throttle.failed("cleo")
    assert throttle.wait("cleo") == 2
    now[0] += 2
    assert throttle.wait("cleo") == 0
    for _ in range(40):
        throttle.failed("cleo")
    assert throttle.wait("cleo") == LONGEST_WAIT
    throttle.succeeded("cleo")
    assert throttle.wait("cleo") == 0


def test_a_session_ends_with_log_out_password_age_and_account(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = sessions.begin(store, "cleo")
    cookie = sessions.cookie_of(store, session)
    assert sessions.session_of(store, cookie) == session
    with monkeypatch.context() as later:
        later.setattr(sessions, "time", lambda: session.made + sessions.LASTS + 1)
        assert sessions.session_of(store, cookie) is None
    sessions.end(store, session)
    assert sessions.session_of(store, cookie) is None
    other = sessions.cookie_of(store, sessions.begin(store, "dora"))
    set_password(store, "cleo", "correct horse")
    assert sessions.session_of(store, other) is None, "dora has no account"
    mine = sessions.cookie_of(store, sessions.begin(store, "cleo"))
    assert sessions.session_of(store, mine) is not None
    set_password(store, "cleo", "another horse")
    assert sessions.session_of(store, mine) is None


def test_other_hosts_demand_accounts(store: Store) -> None:
    for host in ("0.0.0.0", "192.168.1.5", "example.org", "::"):
        with pytest.raises(UsageError, match=r"vermeil review r\.db --account NAME"):
            check_host(store, "r.db", host)
    for host in ("127.0.0.1", "127.0.0.9", "::1", "localhost"):
        check_host(store, "r.db", host)
    with pytest.raises(UsageError, match="a proxy can be reached by others"):
        check_host(store, "r.db", "127.0.0.1", proxy="127.0.0.1")
    with pytest.raises(UsageError, match="takes the address of the proxy"):
        check_host(store, "r.db", "127.0.0.1", proxy="*")
    set_password(store, "cleo", "correct horse")
    check_host(store, "r.db", "0.0.0.0")


def test_an_unknown_name_costs_as_much_as_a_wrong_password() -> None:
    verify, calls = PasswordHasher.verify, []

    def counting(self: PasswordHasher, *arguments: Any) -> bool:
        calls.append(1)
        return bool(verify(self, *arguments))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PasswordHasher, "verify", counting)
        assert not is_right("whatever", "")
    assert calls == [1]


def test_many_guessers_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "MOST_REMEMBERED", 10)
    throttle = Throttle(clock=lambda: 0.0)
    for number in range(100):
        throttle.failed(f"address {number}")
    assert len(throttle._failures) == 10


def test_the_file_with_secret_and_hashes_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Store(tmp_path / "new.db") as store:
        set_password(store, "cleo", "correct horse")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes
