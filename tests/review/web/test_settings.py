"""What the owner sets on the page, and that nobody else may."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from tests.review.reviews import CONTESTED, GENE, Curator, accepting
from vermeil.review.learning.memory import Memory, account_of, learning_choice
from vermeil.review.queue import listed
from vermeil.review.store import Store
from vermeil.review.team.assignment import team_progress
from vermeil.review.team.guidance import team_labels
from vermeil.review.web.accounts import accounts, set_password

if TYPE_CHECKING:
    from starlette.testclient import TestClient

PASSWORD = "right horse"
SENT: dict[str, Any] = {
    "labels": {"labels": [{"label": "Gene", "colour": 1, "key": "1"}]},
    "guidelines": {"text": "# What is a gene?"},
    "people": {"name": "mallory", "role": "owner", "password": PASSWORD},
    "shares": {"overlap": 1, "share": 0.0},
    "learning": {"is_on": False},
    "annotators": {"annotator": "llm", "is_archived": True},
}
"""A change of each part."""


@pytest.fixture
def team(
    store: Store, client: Callable[[], "TestClient"], monkeypatch: pytest.MonkeyPatch
) -> dict[str, Curator]:
    """Somebody of each role, logged in. Their passwords are kept as they are, for speed."""
    import vermeil.review.web.accounts as module
    import vermeil.review.web.app as app

    monkeypatch.setattr(module, "hashed", lambda password: f"plain {password}")
    monkeypatch.setattr(app, "is_right", lambda password, kept: kept == f"plain {password}")
    monkeypatch.setattr(app, "renew", lambda *_: None)
    for name, role in (("olga", "owner"), ("adam", "adjudicator"), ("cleo", "curator")):
        set_password(store, name, PASSWORD, role)
    return {name: Curator(client(), name, PASSWORD) for name in accounts(store)}


def set_by(curator: Curator, part: str, **sent: Any) -> Any:
    return curator.post(f"/api/settings/{part}", sent)


@pytest.mark.parametrize("part", SENT)
def test_only_an_owner_may(team: dict[str, Curator], store: Store, part: str) -> None:
    for name in ("cleo", "adam"):
        reply = set_by(team[name], part, **SENT[part])
        assert (reply.status_code, reply.json()["error"]) == (403, "this is for an owner")
        assert team[name].client.get("/api/settings").status_code == 403
    assert set_by(team["olga"], part, **SENT[part]).status_code == 200


def test_nobody_may_without_the_token_or_a_session(
    team: dict[str, Curator], client: Callable[[], "TestClient"], store: Store
) -> None:
    for part, sent in SENT.items():
        assert client().post(f"/api/settings/{part}", json=sent).status_code == 401
        assert team["olga"].client.post(f"/api/settings/{part}", json=sent).status_code == 403
    assert set(accounts(store)) == {"olga", "adam", "cleo"}


def test_labels_are_checked_and_hold_at_once(team: dict[str, Curator], store: Store) -> None:
    twice = [{"label": "Gene", "colour": 1, "key": "1"}, {"label": "Cell", "colour": 1, "key": "1"}]
    reply = set_by(team["olga"], "labels", labels=twice)
    assert reply.json()["error"] == "every label has a key of its own"
    for wrong in (
        {"label": "a\tb", "colour": 1},
        {"label": " ", "colour": 1},
        {"label": "Gene", "colour": 99},
        {"label": "Gene", "colour": 1, "key": "x"},
    ):
        assert set_by(team["olga"], "labels", labels=[wrong]).status_code == 400
    assert team_labels(store) == []
    set_by(team["olga"], "labels", labels=[{"label": "Cell", "colour": 3, "key": "7"}])
    assert team["cleo"].get("/api/session")["keys"] == {"7": "Cell"}
    refused = team["cleo"].decide(CONTESTED, "accept", msgspec.to_builtins(accepting(GENE)))
    assert "no label named 'Gene'" in refused.json()["error"]


def test_guidelines_are_shown_to_curators(team: dict[str, Curator]) -> None:
    set_by(team["olga"], "guidelines", text="*Whole* names.")
    assert team["cleo"].get("/api/session")["has_guidelines"]
    assert team["cleo"].get("/api/guidelines") == [["p", {}, [["em", {}, ["Whole"]], " names."]]]


def test_an_account_gets_another_role_and_goes(team: dict[str, Curator], store: Store) -> None:
    set_by(team["olga"], "people", name="cleo", role="adjudicator")
    assert team["cleo"].get("/api/agreement") == {"pairs": [], "n_documents": 0}
    set_by(team["olga"], "people", name="cleo")
    assert team["cleo"].client.get("/api/queue").status_code == 401, "the session is over"
    assert "cleo" not in accounts(store)
    for sent in ({"name": "olga"}, {"name": "olga", "role": "curator"}):
        assert "is the only owner" in set_by(team["olga"], "people", **sent).json()["error"]
    forgotten = set_by(team["olga"], "people", name="adam", password=PASSWORD)
    assert forgotten.json()["error"] == "say which role adam has"
    assert "no account named" in set_by(team["olga"], "people", name="x").json()["error"]
    assert "no role named" in set_by(team["olga"], "people", name="adam", role="x").json()["error"]


def test_who_goes_leaves_the_work_to_others(team: dict[str, Curator], store: Store) -> None:
    set_by(team["olga"], "people", name="dora", role="curator", password=PASSWORD)
    set_by(team["olga"], "shares", overlap=1, share=0.0)
    set_by(team["olga"], "people", name="dora")
    set_by(team["olga"], "shares", overlap=1, share=0.0)
    given = {each.curator: each.n_given for each in team_progress(store).curators}
    assert given == {"cleo": 3}


def test_learning_is_switched_off_and_on(team: dict[str, Curator], store: Store) -> None:
    memory = Memory(store, learn_every=7)
    memory.learn()
    assert any(entry.gain is not None for entry in listed(store, "cleo"))
    set_by(team["olga"], "learning", is_on=False)
    assert memory.is_current(), "there is nothing to learn"
    assert all(entry.gain is None for entry in listed(store, "cleo"))
    assert not team["cleo"].get("/api/learned/0")["is_behind"]
    set_by(team["olga"], "learning", is_on=True, unit="document", every=3)
    assert not memory.is_current()
    memory.learn()
    assert (account_of(store).unit, account_of(store).learn_every) == ("document", 3)
    assert set_by(team["olga"], "learning", is_on=True, every=-1).status_code == 400
    assert set_by(team["olga"], "learning", is_on=True, unit="word").status_code == 400
    assert learning_choice(store).every == 3


def test_the_page_shows_what_is_set_and_who_did_it(team: dict[str, Curator]) -> None:
    for part, sent in SENT.items():
        set_by(team["olga"], part, **sent)
    shown = team["olga"].get("/api/settings")
    assert [each["label"] for each in shown["labels"]] == ["Gene"]
    assert {"name": "mallory", "role": "owner"} in shown["people"]
    assert {"name": "llm", "trust": None, "is_archived": True} in shown["annotators"]
    assert [act["action"] for act in reversed(shown["acts"])] == [
        *("set labels", "set guidelines", "account as owner", "give out", "set learning"),
        "archive annotator",
    ]
    assert {act["curator"] for act in shown["acts"]} == {"olga"}
    assert PASSWORD not in str(shown)
    assert "plain" not in str(shown)
