"""A small review for every test: three documents, three annotators who differ, and ways to ask."""

from typing import TYPE_CHECKING, Any

from vermeil import Document, Span
from vermeil.review.decisions import Answer, Change, Name, Place, Work, apply
from vermeil.review.history import events
from vermeil.review.store import Store

if TYPE_CHECKING:
    from starlette.testclient import TestClient

TEXT = "The BRCA1 gene causes breast cancer in \U0001d499 mice."
SURE = "Aspirin helps."
EMPTY = "Nothing here."


def three_documents() -> list[Document]:
    """The first is contested, on the second all agree, in the third there is nothing."""
    gene, long_gene = Span(4, 9, "Gene"), Span(4, 14, "Gene")
    cancer, whole = Span(29, 35, "Disease"), Span(22, 35, "Disease")
    drug = Span(0, 7, "Chemical")
    return [
        Document(
            id="contested",
            text=TEXT,
            layers={"anna": (gene, whole), "ben": (long_gene, cancer), "llm": (gene,)},
        ),
        Document(id="sure", text=SURE, layers={"anna": (drug,), "ben": (drug,), "llm": (drug,)}),
        Document(id="empty", text=EMPTY, layers={"anna": (), "ben": (), "llm": ()}),
    ]


GENE: Place = (4, 9, "Gene")
CANCER: Place = (29, 35, "Disease")
CONTESTED, AGREED, NOTHING = 1, 2, 3
"""Numbers of the documents."""


def accepting(place: Place, *span: int, alternatives: tuple[tuple[int, int], ...] = ()) -> Change:
    """Accept what is open at a place, with these edges or its own."""
    start, end = span or place[:2]
    name = Name(start, end, place[2], alternatives)
    return Change(place, None, Answer(place, "accepted", name))


def rejecting(place: Place) -> Change:
    """Reject what is open at a place."""
    return Change(place, None, Answer(place, "rejected"))


def replay(store: Store, layer: str, document: int) -> Work:
    """Make the answers of a layer again from the events alone."""
    work: Work = ()
    for event in events(store, layer=layer, document=document):
        work = apply(work, event.changes)
    return work


class Curator:
    """Somebody who asks the server, with cookie and token."""

    def __init__(self, client: "TestClient", name: str, password: str = "") -> None:
        self.client = client
        self.token = client.get("/api/session").json()["token"]
        reply = self.post("/api/login", {"name": name, "password": password})
        assert reply.status_code == 200, reply.text
        self.token = client.get("/api/session").json()["token"]

    def get(self, path: str, **query: Any) -> Any:
        reply = self.client.get(path, params=query)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def post(self, path: str, body: Any, **headers: str) -> Any:
        return self.client.post(path, json=body, headers={"X-Token": self.token, **headers})

    def decide(self, document: int, action: str, *changes: Any, **more: Any) -> Any:
        body = {
            "key": more.pop("key", str(hash(f"{document} {changes}"))),
            "desk": more.pop("desk", "review"),
            "document": document,
            "action": action,
            "changes": changes,
        }
        return self.post("/api/decisions", body)
