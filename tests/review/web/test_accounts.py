import hashlib
from pathlib import Path
from typing import Any

import pytest

from vermeil.errors import UsageError
from vermeil.review.store import Store
from vermeil.review.web import sessions
from vermeil.review.web.accounts import (
    FREE_GUESSES,
    LONGEST_WAIT,
    Throttle,
    check_name,
    hashed,
    is_right,
    set_password,
    stored_hash,
)
from vermeil.review.web.server import check_host


def test_a_password_is_kept_as_a_salted_memory_hard_hash(store: Store) -> None:
    set_password(store, "cleo", "correct horse")
    kept = stored_hash(store, "cleo")
    assert kept.startswith("scrypt$32768$8$1$")
    assert "correct" not in kept
    assert hashed("correct horse") != kept
    assert is_right("correct horse", kept)
    assert not is_right("wrong horse!", kept)
    assert not is_right("correct horse", "")


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
    set_password(store, "cleo", "correct horse")
    check_host(store, "r.db", "0.0.0.0")


def test_an_unknown_name_costs_as_much_as_a_wrong_password() -> None:
    scrypt, calls = hashlib.scrypt, []

    def counting(*arguments: Any, **options: Any) -> bytes:
        calls.append(1)
        return scrypt(*arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashlib, "scrypt", counting)
        assert not is_right("whatever", "")
    assert calls == [1]


def test_the_file_with_secret_and_hashes_is_for_its_owner_alone(tmp_path: Path) -> None:
    with Store(tmp_path / "new.db") as store:
        set_password(store, "cleo", "correct horse")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes
