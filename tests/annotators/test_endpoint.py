"""Asking a language model: what fails is asked again, what is answered is not."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.annotators.endpoints import FakeClock, Reply, completion, names, serving
from vermeil import Document, Span
from vermeil.annotators import AnswersFile, Asked, Endpoint, LanguageModel, ask_all, with_answers
from vermeil.annotators.endpoint import checked_url
from vermeil.errors import FormatError, UsageError
from vermeil.formats import Ledger

TEXTS = [Document(id=str(n), text=f"p{n} binds MDM2") for n in range(1, 7)]
SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERMEIL_API_KEY", SECRET)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    kept = tmp_path / "answers.jsonl"
    yield kept
    assert not kept.exists() or SECRET not in kept.read_text()


def first_word(text: str, n: int) -> Reply:
    return names(text.split()[0])


def run(
    url: str,
    path: Path,
    *,
    documents: list[Document] = TEXTS,
    clock: FakeClock | None = None,
    jobs: int = 1,
    retries: int = 3,
    timeout: float = 30.0,
    per_minute: float | None = None,
    again: bool = False,
) -> tuple[list[Document], Asked, Ledger]:
    """Ask about documents; return them with the layer, and what is said of them."""
    endpoint = Endpoint(
        url,
        timeout=timeout,
        retries=retries,
        per_minute=per_minute,
        clock=clock or FakeClock(),
        chance=lambda: 0.5,
    )
    model = LanguageModel(endpoint, "small", name="llm", labels=["Gene"])
    asked, ledger = Asked(), Ledger()
    with AnswersFile(path) as answers:
        for _ in ask_all(documents, model, answers, asked, jobs=jobs, again=again):
            pass
        found = list(with_answers(documents, model, answers, ledger, {}))
    return found, asked, ledger


@pytest.mark.parametrize("jobs", [1, 4])
def test_every_document_is_asked_about_once_and_gets_its_own_answer(path: Path, jobs: int) -> None:
    with serving(first_word) as served:
        found, asked, _ = run(served.url, path, jobs=jobs)
        again, before, _ = run(served.url, path, jobs=jobs)
    assert found == again
    assert [each.layers["llm"] for each in found] == [(Span(0, 2, "Gene"),)] * 6
    assert set(served.asked.values()) == {1}
    assert (asked.n_new, before.n_new, before.n_before) == (6, 0, 6)
    assert dict(asked.tokens) == {
        "prompt_tokens": 60, "completion_tokens": 12, "total_tokens": 72,
    }  # fmt: skip
    assert not before.tokens
    assert served.keys == [f"Bearer {SECRET}"] * 6


def test_the_model_is_asked_with_the_prompt_and_the_schema(path: Path) -> None:
    with serving(first_word) as served:
        run(served.url, path, documents=TEXTS[:1])
    [body] = served.bodies
    assert body["model"] == "small"
    assert "of these kinds: Gene." in body["messages"][0]["content"]
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]["mentions"]["items"]
    assert wanted["properties"]["label"] == {"type": "string", "enum": ["Gene"]}


def test_equal_texts_are_paid_for_once(path: Path) -> None:
    twins = [Document(id=id, text="p53 binds") for id in ("a", "b", "c")]
    with serving(first_word) as served:
        found, asked, _ = run(served.url, path, documents=twins, jobs=2)
    assert served.asked["p53 binds"] == 1
    assert [each.layers["llm"] for each in found] == [(Span(0, 3, "Gene"),)] * 3
    assert asked.n_answered == 3


def test_a_server_that_fails_is_asked_again_after_longer_and_longer_waits(path: Path) -> None:
    clock = FakeClock()
    with serving(lambda text, n: names("p1") if n > 3 else (503, {}, "busy")) as served:
        [found], asked, _ = run(served.url, path, documents=TEXTS[:1], clock=clock)
    assert found.layers["llm"]
    assert clock.waits == [1, 2, 4]
    assert not asked.failures


def test_where_a_server_limits_the_rate_all_wait_as_long_as_it_says(path: Path) -> None:
    clock = FakeClock()

    def limited(text: str, n: int) -> Reply:
        return names("MDM2") if n > 1 else (429, {"Retry-After": "17"}, '{"error": "slow down"}')

    with serving(limited) as served:
        found, _, _ = run(served.url, path, clock=clock)
    assert all(each.layers["llm"] for each in found)
    assert clock.waits == [17.0] * 6
    assert set(served.asked.values()) == {2}


def test_a_request_that_stalls_is_given_up_and_repeated(path: Path) -> None:
    released = threading.Event()

    def stalling(text: str, n: int) -> Reply:
        if n == 1:
            released.wait(60)  # until the second request is here
        released.set()
        return names("MDM2")

    with serving(stalling) as served:
        [found], _, _ = run(served.url, path, documents=TEXTS[:1], timeout=1.0, retries=9)
    assert found.layers["llm"]
    assert served.asked["p1 binds MDM2"] > 1
    assert path.read_text().count("\n") == 1


def test_requests_are_begun_no_faster_than_told(path: Path) -> None:
    clock = FakeClock()
    with serving(first_word) as served:
        run(served.url, path, clock=clock, per_minute=30)
    assert clock.waits == [2.0] * 5


def test_what_fails_for_good_is_told_not_kept_and_asked_again_the_next_time(path: Path) -> None:
    with serving(lambda text, n: (500, {}, f"no {SECRET}")) as served:
        found, asked, ledger = run(served.url, path, documents=TEXTS[:2], retries=1)
        assert set(served.asked.values()) == {2}
    assert [each.layers for each in found] == [{}, {}]
    assert [id for id, _ in asked.failures] == ["1", "2"]
    assert asked.failures[0][1] == "status 500: no … (asked 2 times)"
    assert ledger.counts["missing", "answers: documents not looked at"] == 2
    with serving(first_word) as served:
        found, asked, _ = run(served.url, path, documents=TEXTS[:2])
    assert asked.n_new == 2
    assert all("llm" in each.layers for each in found)


def test_garbage_is_kept_for_it_was_paid_but_nobody_looked(path: Path) -> None:
    replies = {
        "p1": completion("I cannot do that."),
        "p2": completion('{"mentions": [{"text": "p2", "label": "Gene"}, {"te', "length"),
        "p3": (200, {}, '{"choices": []}'),
    }

    def odd(text: str, n: int) -> Reply:
        return replies.get(text.split()[0]) or names("MDM2") if n == 1 else names("MDM2")

    with serving(odd) as served:
        found, asked, _ = run(served.url, path)
        assert [("llm" in each.layers) for each in found] == [False] * 3 + [True] * 3
        assert found[1].meta["unfinished"]["llm"] == [{"start": 0, "end": 2, "label": "Gene"}]
        assert asked.n_answered == 6
        run(served.url, path)
        assert set(served.asked.values()) == {1}
        found, asked, _ = run(served.url, path, again=True)
    assert all("llm" in each.layers for each in found)
    assert (asked.n_before, asked.n_new) == (3, 3)


def test_an_answer_that_is_no_json_is_asked_for_again(path: Path) -> None:
    with serving(lambda text, n: names("MDM2") if n > 1 else (200, {}, "<html>")) as served:
        found, _, _ = run(served.url, path, documents=TEXTS[:1])
    assert found[0].layers["llm"]


@pytest.mark.parametrize(
    ("status", "said", "reason"),
    [
        (401, f'{{"error": {{"message": "bad key {SECRET}"}}}}', "bad key … (the key is not acc"),
        (404, '{"error": {"message": "no model small"}}', "no model small (there is no such"),
        (400, '{"detail": "response_format?"}', "no request was accepted; see --no-schema"),
    ],
)
def test_what_can_never_work_ends_the_run_and_says_why(
    path: Path, status: int, said: str, reason: str
) -> None:
    with serving(lambda text, n: (status, {}, said)) as served, pytest.raises(UsageError) as raised:
        run(served.url, path)
    assert reason in str(raised.value)
    assert SECRET not in str(raised.value)
    assert served.asked.total() == (3 if status == 400 else 1)


def test_one_document_that_is_refused_does_not_stop_the_others(path: Path) -> None:
    def picky(text: str, n: int) -> Reply:
        return (400, {}, '{"error": "too long"}') if text.startswith("p3") else names("MDM2")

    with serving(picky) as served:
        found, asked, _ = run(served.url, path)
    assert [each.id for each in found if "llm" not in each.layers] == ["3"]
    assert len(asked.failures) == 1


def test_nobody_there_is_a_failure_that_names_the_address(path: Path) -> None:
    with serving(first_word) as served:
        pass
    _, asked, _ = run(served.url, path, documents=TEXTS[:1], retries=1)
    assert served.url in asked.failures[0][1]


def test_what_was_cut_off_by_a_kill_is_dropped_and_asked_again(path: Path) -> None:
    with serving(first_word) as served:
        run(served.url, path)
        whole = path.read_bytes()
        path.write_bytes(whole[:-30])
        found, asked, _ = run(served.url, path)
    assert (asked.n_before, asked.n_new) == (5, 1)
    assert len(found) == 6
    assert path.read_bytes().count(b"\n") == 6


def test_two_processes_do_not_add_to_one_file(path: Path) -> None:
    with AnswersFile(path), pytest.raises(UsageError, match="another process adds answers"):
        AnswersFile(path)


@pytest.mark.parametrize(
    "content", ['{"id": "1", "text": "gold"}\nno end', "one line", '{"id":"1","text":"gold"}', "[]"]
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(FormatError, match=r"answers.jsonl:1: no answer of an earlier run"):
        AnswersFile(path)
    assert path.read_text() == content


def test_a_last_answer_that_lacks_only_its_end_counts(path: Path) -> None:
    with serving(first_word) as served:
        run(served.url, path)
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        _, asked, _ = run(served.url, path)
    assert asked.n_before == 6
    assert path.read_bytes() == whole


def test_an_answer_without_end_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vermeil.annotators.endpoint.MOST_BYTES", 1 << 20)
    with serving(lambda text, n: (200, {}, "x" * (2 << 20))) as served:
        _, asked, _ = run(served.url, path, documents=TEXTS[:1], retries=0)
    assert asked.failures == [("1", "the answer has more than 1 MB (asked 1 times)")]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("localhost:11434", "takes an address such as"),
        ("ftp://example.org", "takes an address such as"),
        (f"https://me:{SECRET}@example.org/v1", "leave keys out of the address"),
        (f"https://example.org/v1?key={SECRET}", "leave keys out of the address"),
    ],
)
def test_an_address_that_cannot_be_asked_is_refused(url: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as raised:
        checked_url(url)
    assert SECRET not in str(raised.value)
    assert checked_url("http://a:1/v1/chat/completions") == "http://a:1/v1"
