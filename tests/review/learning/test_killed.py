"""Killed at any moment, a review loses nothing and has learned the same."""

import json
import os
import random
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.browsers import PATIENCE
from tests.review.learning.test_memory import kept
from tests.review.servers import started
from vermeil import samples
from vermeil.formats import read_corpus
from vermeil.review.history import events
from vermeil.review.importing import import_documents
from vermeil.review.learning.memory import Memory
from vermeil.review.store import Store

N_KILLS = int(os.environ.get("VERMEIL_KILLS", "1"))
"""How often; twenty were tried by hand, and ``test_load`` kills once more."""


class Visitor:
    """A curator without a browser."""

    def __init__(self, address: str, name: str) -> None:
        self.place, self.name = address.split("//")[1].rstrip("/"), name
        self.cookie, self.token = "", ""
        self.token = self.ask("GET", "/api/session")["token"]
        self.ask("POST", "/api/login", {"name": name})
        self.token = self.ask("GET", "/api/session")["token"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        connection = HTTPConnection(self.place, timeout=PATIENCE)
        headers = {"Cookie": self.cookie, "X-Token": self.token, "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        reply = connection.getresponse()
        for field in reply.headers.get_all("set-cookie", []):
            self.cookie = field.partition(";")[0]
        data = json.loads(reply.read())
        connection.close()
        assert reply.status == 200, data
        return data

    def accept(self, document: int, heart: dict[str, Any], key: str) -> int:
        place = [heart["start"], heart["end"], heart["label"]]
        name = dict(zip(("start", "end", "label"), place, strict=True))
        answer = {"place": place, "verdict": "accepted", "name": name}
        change = {"place": place, "before": None, "after": answer}
        body = {"desk": "review", "action": "accept", "document": document, "changes": [change]}
        return int(self.ask("POST", "/api/decisions", {**body, "key": key})["event"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a review of some samples."""
    documents = list(read_corpus([samples.GOLD, *samples.ANNOTATORS]))[:8]
    voters = [
        each.replace(layers={k: v for k, v in each.layers.items() if not k.startswith("gold")})
        for each in documents
    ]
    with Store(tmp_path / "review.db") as store:
        import_documents(store, voters)
    return tmp_path / "review.db"


def test_killed_at_any_moment_a_review_has_lost_nothing_and_learned_the_same(path: Path) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    rng, acknowledged = random.Random(7), []
    for turn in range(N_KILLS + 1):
        process, address = started(path)
        curators = [Visitor(address, name) for name in ("cleo", "dora")]
        if turn < N_KILLS:
            for n, curator in enumerate(curators):
                document = 1 + (turn + n) % 8
                hearts = curator.ask("GET", f"/api/documents/{document}")["hearts"]
                heart = hearts[turn // 8]
                acknowledged.append(curator.accept(document, heart, f"{turn} {n}"))
            sleep(rng.random() * 0.8)  # no test of speed: the moment only has to differ
        else:
            until = monotonic() + PATIENCE
            while curators[0].ask("GET", "/api/learned/0")["is_behind"] and monotonic() < until:
                sleep(0.05)
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    with Store(path) as store:
        assert [event.number for event in events(store)] == acknowledged
        found = kept(store)
        with store.writing() as connection:
            for table in ("gains", "proposals"):
                connection.execute(f"DELETE FROM {table}")
            connection.execute("UPDATE ranks SET gain = NULL")
            connection.execute("DELETE FROM settings WHERE name = 'learned'")
        Memory(store).learn()
        assert found == kept(store)
