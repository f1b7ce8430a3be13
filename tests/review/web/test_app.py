import io
import re
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.review.reviews import AGREED, CONTESTED, NOTHING, TEXT, Curator
from vermeil.formats.files.ledger import Ledger
from vermeil.review.exporting import gold
from vermeil.review.history import events
from vermeil.review.store import Store
from vermeil.review.web.page_files import page_files

if TYPE_CHECKING:
    from starlette.testclient import TestClient

Login = Callable[[str], Curator]

GENE = [4, 9, "Gene"]
ACCEPTED = {
    "place": GENE,
    "verdict": "accepted",
    "name": {"start": 4, "end": 9, "label": "Gene"},
}
ACCEPT = {"place": GENE, "before": None, "after": ACCEPTED}
WHOLE = [0, 0, ""]
LOOKED = {"place": WHOLE, "before": None, "after": {"place": WHOLE, "verdict": "looked"}}


def test_the_queue_and_a_document_have_all_the_page_needs(curator: Login) -> None:
    cleo = curator("cleo")
    queue = cleo.get("/api/queue")
    assert [entry["id"] for entry in queue["entries"]] == ["contested", "sure", "empty"]
    assert queue["progress"] == {"n_documents": 3, "n_done": 0, "n_disputed": 0, "n_doubtful": 0}
    found = cleo.get(f"/api/documents/{CONTESTED}")
    assert (found["id"], found["text"], found["answers"]) == ("contested", TEXT, [])
    gene, cancer = found["hearts"]
    assert (gene["modal"], gene["right"]) == ([4, 9], [[9, 2.0], [14, 1.0]])
    assert gene["annotators"] == ["anna", "ben", "llm"]
    assert cancer["extent"] == [22, 35]
    assert [lane["annotator"] for lane in found["lanes"]] == ["anna", "ben", "llm"]
    assert found["wave"][0] == [4, 8, 1.0]


def test_a_decision_is_there_when_the_page_is_loaded_again(curator: Login) -> None:
    cleo = curator("cleo")
    reply = cleo.decide(CONTESTED, "accept", ACCEPT)
    assert reply.status_code == 200
    assert cleo.get(f"/api/documents/{CONTESTED}")["answers"] == [ACCEPTED]
    [event] = cleo.get(f"/api/documents/{CONTESTED}/history")
    assert (event["curator"], event["action"]) == ("cleo", "accept")
    assert event["changes"] == [ACCEPT]


def test_a_decision_sent_twice_is_made_once(curator: Login, store: Store) -> None:
    cleo = curator("cleo")
    first, second = (cleo.decide(CONTESTED, "accept", ACCEPT, key="k").json() for _ in range(2))
    assert first == second
    assert len(list(events(store))) == 1


def test_a_decision_on_an_older_state_is_a_conflict(curator: Login) -> None:
    cleo = curator("cleo")
    cleo.decide(CONTESTED, "accept", ACCEPT)
    reply = cleo.decide(CONTESTED, "accept", ACCEPT, key="from another tab")
    assert reply.status_code == 409
    assert "has changed since" in reply.json()["error"]


def test_undo_and_redo_say_what_they_changed(curator: Login) -> None:
    cleo = curator("cleo")
    cleo.decide(CONTESTED, "accept", ACCEPT)
    undone = cleo.post("/api/decisions", {"key": "u", "desk": "review", "action": "undo"}).json()
    assert undone["document"] == CONTESTED
    assert undone["changes"] == [{"place": GENE, "before": ACCEPTED, "after": None}]
    redone = cleo.post("/api/decisions", {"key": "r", "desk": "review", "action": "redo"}).json()
    assert redone["changes"] == [ACCEPT]
    reply = cleo.post("/api/decisions", {"key": "r2", "desk": "review", "action": "redo"})
    assert (reply.status_code, reply.json()["error"]) == (409, "there is nothing to redo")


def test_curators_see_remarks_of_others_but_not_their_answers(curator: Login) -> None:
    cleo, dora = curator("cleo"), curator("dora")
    answer = {**ACCEPTED, "comment": "or the whole?", "opinion": True}
    cleo.decide(CONTESTED, "accept", {**ACCEPT, "after": answer})
    found = dora.get(f"/api/documents/{CONTESTED}")
    assert found["answers"] == []
    assert [lane["annotator"] for lane in found["lanes"]] == ["anna", "ben", "llm"]
    assert found["remarks"] == [
        {"curator": "cleo", "place": GENE, "opinion": True, "comment": "or the whole?"}
    ]


def test_an_adjudicator_sees_what_finished_curators_say(curator: Login) -> None:
    cleo, dora = curator("cleo"), curator("dora")
    cancer = {"place": [29, 35, "Disease"], "verdict": "rejected"}
    reject = {"place": cancer["place"], "before": None, "after": cancer}
    cleo.decide(CONTESTED, "accept", ACCEPT, reject)
    wider = {**ACCEPTED, "name": {"start": 4, "end": 14, "label": "Gene", "alternatives": [[4, 9]]}}
    dora.decide(CONTESTED, "accept", {**ACCEPT, "after": wider}, reject)
    [entry] = dora.get("/api/queue", desk="adjudicate")["entries"]
    assert entry["number"] == CONTESTED
    found = dora.get(f"/api/documents/{CONTESTED}", desk="adjudicate")
    lanes = [lane["annotator"] for lane in found["lanes"]]
    assert lanes == ["cleo", "dora", "dora.alternatives", "anna", "ben", "llm"]
    assert found["n_above"] == 3, "those of the curators come first"
    assert found["looked"] == [2], "annotators are shown, and have no vote here"
    [heart] = found["hearts"]
    assert heart["right"] == [[9, 1.0], [14, 1.0]]
    assert dora.decide(CONTESTED, "accept", ACCEPT, desk="adjudicate", key="x").status_code == 200
    assert cleo.get("/api/queue", desk="adjudicate")["entries"] == []
    agreement = cleo.get("/api/agreement")
    assert (agreement["pairs"][0]["exact"], agreement["pairs"][0]["hearts"]) == (0, 1)


def test_gold_can_be_downloaded_also_as_several_files(curator: Login) -> None:
    cleo = curator("cleo")
    name = {**ACCEPTED["name"], "alternatives": [[4, 14]]}  # type: ignore[dict-item]
    reject = {"place": [29, 35, "Disease"], "verdict": "rejected"}
    cleo.decide(
        CONTESTED,
        "accept",
        {**ACCEPT, "after": {**ACCEPTED, "name": name}},
        {"place": reject["place"], "before": None, "after": reject},
    )
    reply = cleo.client.get("/api/export?what=gold&format=jsonl")
    assert reply.headers["content-disposition"] == 'attachment; filename="gold.jsonl"'
    assert '"gold.alternatives"' in reply.text
    reply = cleo.client.get("/api/export?what=gold&format=biocreative")
    names = zipfile.ZipFile(io.BytesIO(reply.content)).namelist()
    assert sorted(names) == ["gold.alternatives.eval", "gold.eval"]
    assert cleo.client.get("/api/export?what=disagreements").text.startswith("document\tstart")
    assert cleo.client.get("/api/export?what=gold&format=nonsense").status_code == 400


def test_what_gold_holds_and_leaves_out_is_told_beside_the_export(
    curator: Login, store: Store
) -> None:
    cleo, dora = curator("cleo"), curator("dora")
    assert cleo.get("/api/export/notes") == {"n_settled": 0, "n_left_out": 0}
    cancer = {"place": [29, 35, "Disease"], "verdict": "rejected"}
    reject = {"place": cancer["place"], "before": None, "after": cancer}
    cleo.decide(CONTESTED, "accept", ACCEPT, reject)
    cleo.decide(NOTHING, "done", LOOKED)
    assert cleo.get("/api/export/notes") == {"n_settled": 2, "n_left_out": 0}
    wider = {**ACCEPTED, "name": {"start": 4, "end": 14, "label": "Gene"}}
    dora.decide(CONTESTED, "accept", {**ACCEPT, "after": wider}, reject)
    assert dora.get("/api/export/notes") == {"n_settled": 1, "n_left_out": 1}
    ledger = Ledger()
    assert [each.id for each in gold(store, ledger)] == ["empty"]
    assert "1 documents whose curators differ" in " ".join(ledger.summary())
    dora.decide(CONTESTED, "accept", ACCEPT, desk="adjudicate", key="x")
    assert dora.get("/api/export/notes") == {"n_settled": 2, "n_left_out": 0}


def test_another_annotator_can_be_uploaded(curator: Login) -> None:
    cleo = curator("cleo")
    line = (
        b'{"id":"sure","text":"Aspirin helps.","layers":{"x":[{"start":8,"end":13,"label":"V"}]}}\n'
    )

    def upload(content: bytes, **query: str) -> Any:
        return cleo.client.post(
            "/api/import", params=query, content=content, headers={"X-Token": cleo.token}
        )

    reply = upload(line, annotator="new", file="C:\\fakepath\\new.jsonl")
    assert (reply.status_code, reply.json()["n_changed"]) == (200, 1)
    lanes = cleo.get(f"/api/documents/{AGREED}")["lanes"]
    assert [lane["annotator"] for lane in lanes] == ["anna", "ben", "llm", "new"]
    standoff = upload(b"sure|0 6|Aspirin\n", annotator="standoff", file="a.eval")
    assert standoff.json()["n_changed"] == 3, "the texts under review are all annotated"
    bad = upload(b"{nonsense", annotator="x", file="a.jsonl", format="jsonl")
    assert bad.status_code == 400
    assert bad.json()["error"].startswith("the upload:1: not a document")
    assert "annotation" in upload(line, file="a.jsonl").json()["error"]


def test_a_full_disk_is_told_and_nothing_is_half_done(curator: Login, store: Store) -> None:
    cleo = curator("cleo")
    [(pages,)] = store.connection.execute("PRAGMA page_count")
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    long = {"place": [0, 0, ""], "comment": "x" * 9000}
    change = {"place": [0, 0, ""], "before": None, "after": long}
    for attempt in range(40):
        document = (CONTESTED, AGREED, NOTHING)[attempt % 3]
        before = None if attempt < 3 else {**long, "comment": f"{attempt - 3:03}" + "x" * 9000}
        after = {**long, "comment": f"{attempt:03}" + "x" * 9000}
        reply = cleo.decide(document, "comment", {**change, "before": before, "after": after})
        if reply.status_code != 200:
            break
    assert reply.status_code == 507
    assert (
        reply.json()["error"] == "the review could not be read or written: database or disk is full"
    )
    [(n_events,)] = store.connection.execute("SELECT count(*) FROM events")
    assert n_events == attempt
    store.connection.execute(f"PRAGMA max_page_count = {pages + 1000}")
    again = cleo.decide(document, "comment", {**change, "before": before, "after": after})
    assert again.status_code == 200


def test_what_is_not_there_is_told(curator: Login) -> None:
    cleo = curator("cleo")
    for number in (0, 99, 10**30):
        reply = cleo.client.get(f"/api/documents/{number}")
        assert (reply.status_code, reply.json()["error"]) == (404, "there is no such document")
    assert cleo.client.get("/api/queue?show=nonsense").json()["error"].startswith("no list named")
    assert cleo.client.get("/api/queue?skip=-1").status_code == 400
    assert cleo.client.get("/nowhere").status_code == 404


@pytest.mark.parametrize(
    "page", ["index.html", "app.js", "style.css", "desk.js", "votes.js", "votes.css", "icon.svg"]
)
def test_the_page_is_served(client: Callable[[], "TestClient"], page: str) -> None:
    reply = client().get("/" if page == "index.html" else f"/page/{page}")
    assert reply.status_code == 200
    assert reply.text


def test_all_that_the_page_is_made_of_is_asked_for_at_once() -> None:
    """Over a slow line, modules that are found one by one take seconds."""
    files = page_files()
    scripts = {path for path in files if path.endswith(".js")}
    html = files["/"][0].decode()
    preloaded = set(re.findall(r'<link rel="modulepreload" href="(.*?)">', html))
    assert preloaded == scripts - {"/page/app.js"}
