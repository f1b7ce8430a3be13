"""Each attack the review page must withstand, tried."""

import re
import subprocess
import sys
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.review.reviews import CONTESTED, Curator
from tests.review.web.test_app import ACCEPT, ACCEPTED, GENE
from vermeil.errors import UsageError
from vermeil.review.history import events
from vermeil.review.lock import sole_writer
from vermeil.review.store import Store
from vermeil.review.web.accounts import FREE_GUESSES, set_password
from vermeil.review.web.app import make_app
from vermeil.review.web.server import serve
from vermeil.review.web.sessions import cookie_name

if TYPE_CHECKING:
    from starlette.testclient import TestClient

Login = Callable[[str], Curator]
Client = Callable[[], "TestClient"]
BODY = {"key": "k", "desk": "review", "document": 1, "action": "accept", "changes": [ACCEPT]}


def test_without_a_session_nothing_is_told_or_done(client: Client) -> None:
    stranger = client()
    for path in (
        "/api/queue",
        "/api/documents/1",
        "/api/documents/1/history",
        "/api/agreement",
        "/api/export?what=gold",
        "/api/export/notes",
    ):
        assert stranger.get(path).status_code == 401, path
    assert stranger.post("/api/decisions", json=BODY).status_code == 401
    assert stranger.post("/api/import", content=b"").status_code == 401
    assert "labels" not in stranger.get("/api/session").json()


def test_a_change_without_the_token_is_refused(curator: Login, store: Store) -> None:
    cleo = curator("cleo")
    for token in (b"", b"0" * 64, "é".encode()):
        reply = cleo.client.post("/api/decisions", json=BODY, headers=[(b"X-Token", token)])
        assert reply.status_code == 403
    other = curator("dora").token
    assert cleo.post("/api/decisions", BODY, **{"X-Token": other}).status_code == 403
    for path in ("/api/logout", "/api/import", "/api/login"):
        assert cleo.client.post(path, json={"name": "x"}).status_code == 403
    assert not list(events(store))


def test_a_change_from_another_site_is_refused_even_with_the_token(curator: Login) -> None:
    cleo = curator("cleo")
    for origin in ("https://evil.example", "http://127.0.0.1:9999", "null"):
        assert cleo.post("/api/decisions", BODY, Origin=origin).status_code == 403
    home = "http://127.0.0.1:8765"
    assert cleo.post("/api/decisions", BODY, Origin=home).status_code == 200


def test_a_form_of_another_site_cannot_speak_json(curator: Login) -> None:
    cleo = curator("cleo")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        reply = cleo.client.post(
            "/api/decisions",
            content=msgspec.json.encode(BODY),
            headers={"X-Token": cleo.token, "Content-Type": kind},
        )
        assert reply.status_code == 415


def test_a_name_that_points_here_from_elsewhere_is_not_answered(client: Client) -> None:
    for host in ("evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""):
        reply = client().get("/api/session", headers={"Host": host})
        assert reply.status_code == 400, host
    for host in ("localhost:8765", "[::1]:8765", "127.0.0.1"):
        assert client().get("/api/session", headers={"Host": host}).status_code == 200


def test_a_forged_cookie_is_nobody(curator: Login, store: Store) -> None:
    cleo = curator("cleo")
    cookie = cleo.client.cookies[cookie_name(store)]
    body, _, signature = cookie.partition(".")
    data = msgspec.json.decode(urlsafe_b64decode(body + "=="))
    assert data["curator"] == "cleo"
    forged = urlsafe_b64encode(msgspec.json.encode({**data, "curator": "dora"})).decode()
    for value in (f"{forged.rstrip('=')}.{signature}", f"{body}.", body, "..", "x" * 9000, "é"):
        cleo.client.cookies.clear()
        header: Any = {"Cookie": f"{cookie_name(store)}={value}".encode()}
        assert cleo.client.get("/api/queue", headers=header).status_code == 401, value[:20]


def test_the_cookie_is_for_the_server_and_this_site_alone(client: Client) -> None:
    header = client().get("/api/session").headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=strict" in header
    assert "domain" not in header


def test_logging_out_ends_the_session_wherever_the_cookie_is(curator: Login, store: Store) -> None:
    cleo = curator("cleo")
    stolen = cleo.client.cookies[cookie_name(store)]
    assert cleo.post("/api/logout", {}).status_code == 200
    cleo.client.cookies.clear()
    header = {"Cookie": f"{cookie_name(store)}={stolen}"}
    assert cleo.client.get("/api/queue", headers=header).status_code == 401


def test_the_session_changes_with_the_log_in(client: Client, store: Store) -> None:
    visitor = client()
    visitor.get("/api/session")
    before = visitor.cookies[cookie_name(store)]
    Curator(visitor, "cleo")
    assert visitor.cookies[cookie_name(store)] != before


def test_two_reviews_at_one_host_do_not_log_each_other_out(client: Client, tmp_path: Path) -> None:
    from starlette.testclient import TestClient

    browser = client()
    Curator(browser, "cleo")
    with Store(tmp_path / "other.db") as other:
        second = TestClient(make_app(other), base_url="http://127.0.0.1:8766")
        second.cookies = browser.cookies  # a browser gives them to every port
        assert Curator(second, "dora").get("/api/queue")["entries"] == []
        assert browser.get("/api/session").json()["curator"] == "cleo"
        assert second.get("/api/session").json()["curator"] == "dora"


def test_a_password_cannot_be_guessed_at_speed(client: Client, store: Store) -> None:
    set_password(store, "cleo", "correct horse")
    visitor = client()
    token = visitor.get("/api/session").json()["token"]

    def guess(password: str, name: str = "cleo") -> Any:
        body = {"name": name, "password": password}
        return visitor.post("/api/login", json=body, headers={"X-Token": token})

    told = {guess(f"wrong {n}").json()["error"] for n in range(FREE_GUESSES - 1)}
    told.add(guess("wrong", name="nobody").json()["error"])
    assert told == {"no such name and password"}, "nothing tells whether the name exists"
    slow = guess("correct horse")
    assert (slow.status_code, int(slow.headers["retry-after"]) >= 1) == (429, True)
    assert guess("x", name="somebody else").status_code == 429, "the address waits too"


def test_with_accounts_a_name_alone_is_not_enough(client: Client, store: Store) -> None:
    set_password(store, "cleo", "correct horse")
    visitor = client()
    token = visitor.get("/api/session").json()["token"]
    for body in ({"name": "cleo"}, {"name": "dora"}, {"name": "cleo", "password": ""}):
        reply = visitor.post("/api/login", json=body, headers={"X-Token": token})
        assert reply.status_code == 403
    assert Curator(client(), "cleo", "correct horse").get("/api/queue")["entries"]


def test_the_page_may_load_nothing_from_elsewhere(client: Client) -> None:
    reply = client().get("/")
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script(?![^>]*src=\"/page/)|\son\w+=|style=|https?://", reply.text)


def test_every_answer_has_the_headers_also_a_refusal(client: Client) -> None:
    for path in ("/", "/api/session", "/api/queue", "/nowhere", "/page/app.js"):
        headers = client().get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'"), path
        assert headers["cache-control"] == "no-store"


def test_scripts_write_text_and_never_markup() -> None:
    import vermeil.review

    folder = Path(vermeil.review.__file__).parent / "page"
    for script in folder.glob("*.js"):
        written = script.read_text(encoding="utf-8")
        for danger in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("):
            assert danger not in written, script.name


@pytest.mark.parametrize(
    "asked",
    [
        "/page/../store.py",
        "/page/..%2fstore.py",
        "/page/%2e%2e/store.py",
        "/page//etc/passwd",
        "/page/app.js/../../web.py",
        "/../../etc/passwd",
        "/page/",
    ],
)
def test_no_path_of_the_client_is_opened(client: Client, asked: str) -> None:
    assert client().get(asked).status_code == 404


def test_an_upload_is_not_stored_under_the_name_it_came_with(
    curator: Login, tmp_path: Path
) -> None:
    cleo = curator("cleo")
    for name in (f"{tmp_path}/evil.jsonl", "../../evil.jsonl", "evil\x00.jsonl", "/etc/passwd"):
        cleo.client.post(
            "/api/import",
            params={"annotator": "a", "file": name, "format": "jsonl"},
            content=b'{"id":"x","text":"y"}\n',
            headers={"X-Token": cleo.token},
        )
    assert not list(tmp_path.glob("**/evil*"))
    for format in ("brat", "text", "parquet", "docbin"):
        reply = cleo.client.post(
            "/api/import",
            params={"annotator": "a", "file": "/etc", "format": format},
            content=b"x",
            headers={"X-Token": cleo.token},
        )
        assert (reply.status_code, "no format to upload" in reply.text) == (400, True)


def test_an_export_names_its_own_file(curator: Login) -> None:
    cleo = curator("cleo")
    for what in ("../../x", "gold/../x", "/etc/passwd"):
        assert cleo.client.get("/api/export", params={"what": what}).status_code == 400
        assert cleo.client.get("/api/export", params={"format": what}).status_code == 400


def test_uploads_and_requests_are_bounded(curator: Login) -> None:
    cleo = curator("cleo")
    reply = cleo.client.post(
        "/api/import?annotator=a&file=a.jsonl",
        content=(b" " * 10_000 for _ in range(100)),  # in pieces, with no length told
        headers={"X-Token": cleo.token},
    )
    assert reply.status_code == 413
    huge = b'{"key": "' + b"x" * 5_000_000 + b'"}'
    headers = {"X-Token": cleo.token, "Content-Type": "application/json"}
    assert cleo.client.post("/api/decisions", content=huge, headers=headers).status_code == 413


def test_an_entity_in_an_upload_is_not_expanded(curator: Login) -> None:
    cleo = curator("cleo")
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE collection [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        b"<collection><document><id>e</id><passage><offset>0</offset><text>&x;</text></passage>"
        b"</document></collection>"
    )
    reply = cleo.client.post(
        "/api/import?annotator=a&file=a.bioc.xml&format=bioc-xml",
        content=bomb,
        headers={"X-Token": cleo.token},
    )
    assert "root:" not in reply.text
    entries = cleo.get("/api/queue", show="all")["entries"]
    for entry in entries:
        assert "root:" not in cleo.get(f"/api/documents/{entry['number']}")["text"]


@pytest.mark.parametrize(
    "changes",
    [
        [],
        [{"place": GENE, "before": None, "after": None}],
        [{**ACCEPT, "after": {**ACCEPTED, "name": {"start": 0, "end": 10**9, "label": "x"}}}],
        [{**ACCEPT, "after": {**ACCEPTED, "extra": 1}}],
        [{**ACCEPT, "after": {**ACCEPTED, "verdict": "<script>"}}],
        [{**ACCEPT, "place": [0, 1]}],
        "nonsense",
        [[[[[]]]]],
    ],
)
def test_what_the_page_would_never_send_is_refused(
    curator: Login, store: Store, changes: Any
) -> None:
    reply = curator("cleo").post("/api/decisions", {**BODY, "changes": changes})
    assert reply.status_code == 400
    assert not list(events(store))


def test_deeply_nested_json_is_refused(curator: Login) -> None:
    cleo = curator("cleo")
    headers = {"X-Token": cleo.token, "Content-Type": "application/json"}
    for body in (b"[" * 1_000_000, b'{"changes":' * 100_000, b'{"changes":' + b"[" * 100_000):
        assert cleo.client.post("/api/decisions", content=body, headers=headers).status_code == 400


def test_nobody_decides_for_another(curator: Login, store: Store) -> None:
    cleo, dora = curator("cleo"), curator("dora")
    assert cleo.post("/api/decisions", {**BODY, "curator": "dora"}).status_code == 400
    assert cleo.post("/api/decisions", {**BODY, "desk": "dora"}).status_code == 400
    cleo.post("/api/decisions", BODY)
    assert dora.post("/api/decisions", BODY).status_code == 400, "the key is cleo's"
    assert dora.get(f"/api/documents/{CONTESTED}")["answers"] == []


def test_open_addresses_without_accounts_are_refused_before_listening(path: Path) -> None:
    told: list[str] = []
    with pytest.raises(UsageError, match="curators need passwords"):
        serve(path, host="0.0.0.0", port=0, announce=told.append)
    assert not told


def test_a_second_server_on_the_same_file_is_refused_in_one_line(path: Path) -> None:
    link = path.with_name("link.db")
    link.symlink_to(path)
    with sole_writer(path) as tell:
        tell("http://127.0.0.1:1/")
        for name in (path, link):
            with pytest.raises(UsageError, match=r"in use already by process \d+, http://") as info:
                serve(name, port=0, announce=pytest.fail)
            assert "\n" not in str(info.value)


def test_the_lock_dies_with_its_process(path: Path) -> None:
    script = (
        "import sys, time; from vermeil.review.lock import sole_writer\n"
        "with sole_writer(sys.argv[1]): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(UsageError), sole_writer(path):
        pass
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with sole_writer(path):
        pass
