"""Whose answers settle what."""

from tests.review.reviews import CANCER, CONTESTED, GENE, accepting, rejecting, three_documents
from vermeil.document import Span
from vermeil.review.decisions import Work, apply
from vermeil.review.history import ADJUDICATED
from vermeil.review.learning.settling import settled_in

DOCUMENT = three_documents()[CONTESTED - 1]
NAME = Span(4, 9, "Gene")


def work(*changes: object) -> Work:
    return apply((), changes)  # type: ignore[arg-type]


def test_a_place_is_settled_when_all_that_was_marked_in_it_is_answered() -> None:
    found = settled_in(DOCUMENT, {"cleo": (work(accepting(GENE)), False)})
    assert found is not None
    assert (found.names, found.stretches) == ((NAME,), ((4, 14),))


def test_what_curators_differ_on_is_open() -> None:
    works = {
        "cleo": (work(accepting(GENE), rejecting(CANCER)), False),
        "dora": (work(rejecting(GENE), rejecting(CANCER)), False),
    }
    found = settled_in(DOCUMENT, works)
    assert found is not None
    assert (found.names, found.stretches) == ((), ((22, 35),))


def test_a_finished_document_is_settled_as_a_whole() -> None:
    done = work(accepting(GENE), rejecting(CANCER))
    found = settled_in(DOCUMENT, {"cleo": (done, True)})
    assert found is not None
    assert (found.names, found.stretches) == ((NAME,), None)


def test_what_was_adjudicated_holds() -> None:
    works = {
        "cleo": (work(accepting(GENE)), True),
        "dora": (work(rejecting(GENE)), True),
        ADJUDICATED: (work(accepting(GENE)), True),
    }
    found = settled_in(DOCUMENT, works)
    assert found is not None
    assert found.names == (NAME,)


def test_nothing_is_settled_by_a_comment() -> None:
    assert settled_in(DOCUMENT, {"cleo": ((), False)}) is None
