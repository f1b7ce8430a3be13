"""Each attack the review page must withstand, tried."""

import json
import re
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from socket import create_connection
from tempfile import gettempdir
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
import pytest
from itsdangerous import URLSafeSerializer

from tests.browsers import PATIENCE
from tests.review.reviews import CONTESTED, TEXT, Curator
from tests.review.servers import fronted
from tests.review.web.test_app import ACCEPT, ACCEPTED, GENE
from vermeil.errors import UsageError
from vermeil.review.history import events
from vermeil.review.lock import sole_writer
from vermeil.review.store import Store
from vermeil.review.web.accounts import FREE_GUESSES, Throttle, set_password
from vermeil.review.web.app import LARGEST_UPLOADS, MOST_UPLOADED, make_app
from vermeil.review.web.patience import Limits, patient
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
    for host in ("localhost:8765", "[::1]:8765", "127.0.0.1", "127.0.0.2:8765"):
        assert client().get("/api/session", headers={"Host": host}).status_code == 200


def test_a_forged_cookie_is_nobody(curator: Login, store: Store) -> None:
    cleo = curator("cleo")
    cookie = cleo.client.cookies[cookie_name(store)]
    body, _, signature = cookie.rpartition(".")
    _, data = URLSafeSerializer(b"", salt="cookie").loads_unsafe(cookie)
    assert data["curator"] == "cleo"
    spelt = urlsafe_b64encode(msgspec.json.encode({**data, "curator": "dora"})).decode()
    forged = spelt.rstrip("=")
    made = URLSafeSerializer(b"", salt="cookie").dumps({**data, "curator": "dora"})
    other = URLSafeSerializer(bytes.fromhex(store.setting("secret")), salt="x").dumps(data)
    for value in (
        *(f"{forged}.{signature}", f"{body}.", body, "..", "x" * 9000, "é", made, other),
        f".{body}.{signature}",  # said to be compressed
    ):
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

    def guess(password: str, name: str = "cleo", **headers: str) -> Any:
        body = {"name": name, "password": password}
        return visitor.post("/api/login", json=body, headers={"X-Token": token, **headers})

    told = {guess(f"wrong {n}").json()["error"] for n in range(FREE_GUESSES - 1)}
    told.add(guess("wrong", name="nobody").json()["error"])
    assert told == {"no such name and password"}, "nothing tells whether the name exists"
    slow = guess("correct horse")
    assert (slow.status_code, int(slow.headers["retry-after"]) >= 1) == (429, True)
    assert guess("x", name="somebody else").status_code == 429, "the address waits too"
    forged = guess("x", **{"X-Forwarded-For": "10.9.9.9"})
    assert forged.status_code == 429, "where a request says it comes from is not believed"


def test_nobody_can_lock_the_account_of_another_from_elsewhere(store: Store) -> None:
    from starlette.testclient import TestClient

    set_password(store, "cleo", "correct horse")
    app = make_app(store, throttle=Throttle(clock=lambda: 0.0))
    home = "http://127.0.0.1:8765"
    attacker = TestClient(app, base_url=home, client=("10.6.6.6", 1))
    token = attacker.get("/api/session").json()["token"]
    body = {"name": "cleo", "password": "wrong"}
    for _ in range(2 * FREE_GUESSES):
        attacker.post("/api/login", json=body, headers={"X-Token": token})
    assert attacker.post("/api/login", json=body, headers={"X-Token": token}).status_code == 429
    assert Curator(TestClient(app, base_url=home, client=("10.1.1.1", 1)), "cleo", "correct horse")


def test_an_account_of_ones_own_does_not_wash_off_guesses_at_others(
    client: Client, store: Store
) -> None:
    set_password(store, "cleo", "correct horse")
    set_password(store, "mallory", "my own horse")
    visitor = client()
    statuses = []
    for n in range(FREE_GUESSES + 1):
        token = visitor.get("/api/session").json()["token"]
        for name, password in (("cleo", f"wrong {n}"), ("mallory", "my own horse")):
            body = {"name": name, "password": password}
            reply = visitor.post("/api/login", json=body, headers={"X-Token": token})
            token = visitor.get("/api/session").json()["token"]
            statuses.append(reply.status_code)
    assert statuses[-2:] == [429, 429]


def test_forwarded_addresses_are_believed_of_the_named_proxy_alone(
    path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    import uvicorn

    set_password(store, "cleo", "correct horse")
    store.close()
    made: list[uvicorn.Config] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, **_: made.append(self.config))
    told: list[str] = []
    serve(path, port=0, announce=told.append)
    serve(path, port=0, announce=told.append, proxy="10.0.0.1")
    assert [(each.proxy_headers, each.forwarded_allow_ips) for each in made] == [
        (False, ""),
        (True, "10.0.0.1"),
    ]


def test_half_sent_requests_keep_nobody_out_and_are_ended(store: Store) -> None:
    limits = Limits(patience=0.5, rate=1e9, connections=8)
    with fronted(http=patient(limits)) as front:
        front.show(store)
        place = urlsplit(front.address)
        assert place.port is not None
        body = b"POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{"
        held = []
        for n in range(60):
            connection = create_connection(("127.0.0.1", place.port), timeout=PATIENCE)
            connection.sendall(body if n % 2 else b"GET / HTTP/1.1\r\nHost: 127.0")
            held.append(connection)
        visitor = HTTPConnection("127.0.0.1", place.port, timeout=PATIENCE)
        visitor.request("GET", "/api/session")
        assert visitor.getresponse().status == 200, "while all of them are held"
        visitor.close()
        for connection in held:
            with suppress(ConnectionError):
                while connection.recv(1000):
                    pass
            connection.close()


def test_an_upload_that_goes_on_is_not_ended(store: Store) -> None:
    limits = Limits(patience=0.2, rate=100, connections=8)
    line = b'{"id":"slow","text":"y","layers":{}}\n'
    with fronted(http=patient(limits)) as front:
        front.show(store)
        port = urlsplit(front.address).port
        assert port is not None
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/api/session")
        reply = connection.getresponse()
        cookie = (reply.getheader("set-cookie") or "").partition(";")[0]
        token = msgspec.json.decode(reply.read())["token"]
        headers = {"Cookie": cookie, "X-Token": token, "Content-Type": "application/json"}
        connection.request("POST", "/api/login", b'{"name": "cleo"}', headers)
        reply = connection.getresponse()
        cookie = (reply.getheader("set-cookie") or "").partition(";")[0]
        reply.read()
        connection.request("GET", "/api/session", headers={"Cookie": cookie})
        token = msgspec.json.decode(connection.getresponse().read())["token"]

        def pieces() -> Iterator[bytes]:
            wait = Event()
            for _ in range(6):
                yield b" " * 99 + b"\n"  # pays for a second
                wait.wait(0.1)
            yield line

        path = "/api/import?annotator=a&file=a.jsonl"
        headers = {"Cookie": cookie, "X-Token": token}
        connection.request("POST", path, pieces(), headers, encode_chunked=True)
        answer = connection.getresponse()
        assert (answer.status, msgspec.json.decode(answer.read())["n_new"]) == (200, 1)
        connection.close()


@pytest.mark.parametrize("label", ["a\nb", "a\tb", "a\u2028b", "\x00", "a\rb"])
def test_a_label_stands_on_one_line(curator: Login, store: Store, label: str) -> None:
    cleo = curator("cleo")
    name = {"start": 4, "end": 9, "label": label}
    change = {**ACCEPT, "after": {**ACCEPTED, "name": name}}
    assert cleo.post("/api/decisions", {**BODY, "changes": [change]}).status_code == 400
    assert not list(events(store))
    row = {"id": "new", "text": "y", "layers": {"x": [{"start": 0, "end": 1, "label": label}]}}
    reply = cleo.client.post(
        "/api/import",
        params={"annotator": "a", "file": "a.jsonl"},
        content=msgspec.json.encode(row),
        headers={"X-Token": cleo.token},
    )
    assert (reply.json()["n_new"], reply.json()["n_refused"]) == (0, 1)
    reply = cleo.client.post(
        "/api/import",
        params={"annotator": f"x{label}y", "file": "a.jsonl"},
        content=b"",
        headers={"X-Token": cleo.token},
    )
    assert reply.status_code == 400


def test_no_error_names_a_path_of_the_server(curator: Login) -> None:
    cleo = curator("cleo")
    for query, content in (
        ({"file": "a"}, b"\x00\x01"),
        ({"file": "a.xyz"}, b"nonsense"),
        ({"file": "a.jsonl", "format": "jsonl"}, b"{nonsense"),
        ({"file": "a.bioc.xml", "format": "bioc-xml"}, b"<a>"),
        ({"file": "a.jsonl.gz", "format": "jsonl"}, b"\x1f\x8bnonsense"),
        ({"file": "a.conll", "format": "conll"}, b"\xff\xfe\xff"),
        ({"file": "a.ann", "format": "labelstudio"}, b"[1"),
    ):
        reply = cleo.client.post(
            "/api/import",
            params={"annotator": "a", **query},
            content=content,
            headers={"X-Token": cleo.token},
        )
        assert reply.status_code == 400, query
        assert "vermeil-import" not in reply.text, query
        assert gettempdir() not in reply.text, query


ROLES = ("curator", "adjudicator", "owner")


@pytest.fixture
def team(store: Store, client: Client) -> Callable[[str], Curator]:
    """Somebody of each role, called after it."""
    for role in reversed(ROLES):
        set_password(store, role, "correct horse", role)
    return lambda role: Curator(client(), role, "correct horse")


def test_a_curator_does_what_a_curator_may(team: Login) -> None:
    curator = team("curator")
    refused = [
        curator.client.get("/api/queue?desk=adjudicate"),
        curator.client.get("/api/documents/1?desk=adjudicate"),
        curator.client.get("/api/documents/1/history?desk=adjudicate"),
        curator.client.get("/api/agreement"),
        curator.client.get("/api/export/notes"),
        curator.post("/api/decisions", {**BODY, "desk": "adjudicate"}),
        curator.post("/api/decisions", {"key": "u", "desk": "adjudicate", "action": "undo"}),
        curator.client.post(
            "/api/import?annotator=a&file=a.jsonl", content=b"", headers={"X-Token": curator.token}
        ),
        *(
            curator.client.get("/api/export", params={"what": what})
            for what in ("gold", "curators", "standard", "disagreements", "history", "")
        ),
    ]
    assert {reply.status_code for reply in refused} == {403}
    assert curator.get("/api/session")["exports"] == {"own": "the names that you settled"}
    assert curator.get("/api/queue")["entries"]
    adjudicator = team("adjudicator")
    assert adjudicator.get("/api/export/notes") == {"n_settled": 0, "n_left_out": 0}


def test_own_decisions_can_be_exported_and_nobody_elses(team: Login) -> None:
    curator, other = team("curator"), team("owner")
    cancer = {"place": [29, 35, "Disease"], "verdict": "rejected"}
    reject = {"place": cancer["place"], "before": None, "after": cancer}
    for each in (curator, other):
        each.decide(CONTESTED, "accept", ACCEPT, reject, key=each.token)
    reply = curator.client.get("/api/export?what=own&format=jsonl")
    [row] = [msgspec.json.decode(line) for line in reply.content.splitlines()]
    assert set(row["layers"]) == {"curator"}


def test_nobody_adjudicates_a_dispute_of_their_own_unless_alone(team: Login, store: Store) -> None:
    adjudicator, owner = team("adjudicator"), team("owner")
    cancer = {"place": [29, 35, "Disease"], "verdict": "rejected"}
    reject = {"place": cancer["place"], "before": None, "after": cancer}
    adjudicator.decide(CONTESTED, "accept", ACCEPT, reject, key="1")
    reply = adjudicator.decide(CONTESTED, "accept", ACCEPT, desk="adjudicate", key="2")
    assert (reply.status_code, "somebody else" in reply.json()["error"]) == (403, True)
    assert owner.decide(CONTESTED, "accept", ACCEPT, desk="adjudicate", key="3").status_code == 200
    with store.writing() as connection:
        connection.execute("UPDATE accounts SET role = 'curator' WHERE name = 'owner'")
    reply = adjudicator.decide(CONTESTED, "reject", reject, desk="adjudicate", key="4")
    assert reply.status_code == 200, "there is nobody else"


def test_uploads_are_limited_by_role_in_size_and_number(
    team: Login, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MOST_UPLOADED, "adjudicator", 2)
    rows = b"".join(b'{"id":"%d","text":"y"}\n' % n for n in range(3))
    for role, status in (("curator", 403), ("adjudicator", 400), ("owner", 200)):
        somebody = team(role)
        reply = somebody.client.post(
            "/api/import?annotator=a&file=a.jsonl",
            content=rows,
            headers={"X-Token": somebody.token},
        )
        assert reply.status_code == status, reply.text
    assert LARGEST_UPLOADS["curator"] < LARGEST_UPLOADS["adjudicator"] < LARGEST_UPLOADS["owner"]


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


@pytest.mark.parametrize("name", ["settled by curators", "recogniser of this review"])
def test_nobody_can_pass_annotation_off_as_what_is_settled(
    curator: Login, store: Store, name: str
) -> None:
    """What is settled is believed while the review learns; an upload of that name would be, too."""
    owner = curator("cleo")
    layers: dict[str, Any] = {name: [{"start": 4, "end": 9, "label": "X"}]}
    for said in (layers, {**layers, "other": []}):
        upload = {"id": "contested", "text": TEXT, "layers": said}
        reply = owner.client.post(
            f"/api/import?annotator={name}&format=jsonl&file=a.jsonl",
            content=json.dumps(upload),
            headers={"X-Token": owner.token},
        ).json()
        assert reply["n_refused"] == 1
        assert "is the name of a layer that a review makes" in reply["refused"][0]
    assert name not in store.document(CONTESTED).layers
