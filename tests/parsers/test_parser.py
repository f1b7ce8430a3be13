from itertools import islice
from pathlib import Path
from threading import Timer
from time import monotonic

import hypothesis.strategies as st
import psutil
import pytest
from hypothesis import given, settings

from tests.parsers.parsers import flat, parser
from vermeil.errors import UsageError
from vermeil.parsers.parser import KeptParser, Parser, parse_sentences
from vermeil.programs import Failure, StoppedError
from vermeil.tree import escape

REASONS = {
    "DIE": "crashed",
    "SEGV": "crashed",
    "EMPTY": "empty answer",
    "NONE": "no parse",
    "OPEN": "not a tree",
    "OTHER": "other words",
}
SENTENCES = st.lists(
    st.tuples(st.sampled_from(["p53", "β", "(", *REASONS]), st.sampled_from(["x", "😀"]))
    | st.just(()),
    max_size=8,
)
GOOD, BAD = ("p53", "binds"), ("DIE", "now")


def wanted(words: tuple[str, ...]) -> str:
    """Say what the parser for tests makes of a sentence: a tree, or the reason of the failure."""
    if not words:
        return "no words"
    return REASONS.get(words[0]) or flat(tuple(map(escape, words)))


def told(answers: list[str | Failure]) -> list[str]:
    return [answer if isinstance(answer, str) else answer.reason for answer in answers]


@pytest.mark.parametrize("at_once", [0, 1, 3, 100])
@settings(max_examples=8)
@given(SENTENCES)
def test_each_sentence_gets_its_own_answer_in_order_however_it_is_run(
    at_once: int, sentences: list[tuple[str, ...]]
) -> None:
    answers = list(parse_sentences(sentences, parser(at_once=at_once)))
    assert told(answers) == [wanted(words) for words in sentences]


@pytest.mark.parametrize(("at_once", "n_processes"), [(0, 1), (1, 12), (5, 3)])
@pytest.mark.parametrize("mode", ["live", "spaced"])
def test_a_process_lives_on_unless_it_is_to_be_fresh(
    mode: str, at_once: int, n_processes: int
) -> None:
    answers = list(parse_sentences([("PID",)] * 12, parser(mode, at_once=at_once)))
    assert len({str(answer).split()[0] for answer in answers}) == n_processes


@pytest.mark.parametrize("at_once", [0, 3])
def test_a_crash_is_told_with_its_status_and_what_was_said(at_once: int) -> None:
    died, killed = parse_sentences([BAD, ("SEGV",)], parser(at_once=at_once))
    assert died == Failure("crashed", "exit status 3: cannot parse this")
    assert killed == Failure("crashed", "killed by SIGSEGV")


@pytest.mark.parametrize("at_once", [0, 1, 2])
def test_a_slow_sentence_is_given_up_and_the_next_is_parsed(at_once: int) -> None:
    sentences = [GOOD, ("HANG",), GOOD]
    answers = list(parse_sentences(sentences, parser(timeout=3.0, at_once=at_once)))
    assert told(answers) == [flat(GOOD), "timed out", flat(GOOD)]


def test_a_time_out_at_first_says_that_the_parser_may_hold_its_output_back() -> None:
    with pytest.raises(UsageError, match=r"holds its output back .* needs --one-shot N"):
        list(parse_sentences([GOOD] * 50, parser("buffers", timeout=0.3)))


@pytest.mark.parametrize("at_once", [1, 4, 100])
def test_a_parser_that_answers_at_the_end_can_be_run_at_once(at_once: int) -> None:
    sentences = [("a", str(n)) for n in range(10)]
    answers = list(parse_sentences(sentences, parser("buffers", at_once=at_once)))
    assert answers == [flat(words) for words in sentences]


def test_one_bad_sentence_does_not_spoil_those_given_with_it() -> None:
    sentences = [("a", str(n)) for n in range(9)]
    sentences[5] = BAD
    answers = list(parse_sentences(sentences, parser("buffers", at_once=9)))
    assert told(answers) == [wanted(words) for words in sentences]


def test_a_parser_that_leaves_failures_out_does_not_shift_the_rest() -> None:
    sentences = [("a",), ("EMPTY",), ("b",), ("c",), ("EMPTY",), ("d",)]
    answers = list(parse_sentences(sentences, parser("skips", at_once=6)))
    assert told(answers) == [wanted(words) for words in sentences]


@pytest.mark.parametrize("at_once", [0, 4])
def test_empty_lines_between_trees_are_forgiven(at_once: int) -> None:
    sentences = [("a", str(n)) for n in range(6)]
    answers = list(parse_sentences(sentences, parser("spaced", at_once=at_once)))
    assert answers == [flat(words) for words in sentences]


def test_a_sentence_is_not_blamed_for_the_death_of_an_old_process() -> None:
    sentences = [("a", str(n)) for n in range(10)]
    assert list(parse_sentences(sentences, parser("leaky"))) == [flat(s) for s in sentences]
    leaving = [("LEAVE",)] * 5
    assert list(parse_sentences(leaving, parser())) == [flat(words) for words in leaving]


@pytest.mark.parametrize("at_once", [0, 50])
@pytest.mark.parametrize(
    ("mode", "said"),
    [("usage", "exit status 1: usage: parser MODEL"), ("banner", "not a tree")],
)
def test_a_parser_that_never_gives_a_tree_ends_the_run(mode: str, said: str, at_once: int) -> None:
    answers = parse_sentences([GOOD] * 10_000, parser(mode, at_once=at_once))
    with pytest.raises(UsageError, match=said):
        next(answers)


def test_many_sentences_in_a_row_may_be_too_hard() -> None:
    answers = list(parse_sentences([GOOD, *[BAD] * 10, GOOD], parser()))
    assert told(answers) == [flat(GOOD), *["crashed"] * 10, flat(GOOD)]
    assert told(list(parse_sentences([BAD] * 5, parser()))) == ["crashed"] * 5


@pytest.mark.parametrize("at_once", [0, 2])
def test_neither_a_full_stderr_nor_a_long_line_blocks(at_once: int) -> None:
    sentences = [("NOISE",), tuple(f"w{n}" for n in range(50_000))] * 2
    answers = list(parse_sentences(sentences, parser(at_once=at_once)))
    assert answers == [flat(words) for words in sentences]


def test_memory_is_limited() -> None:
    answers = list(parse_sentences([GOOD, ("EAT",), GOOD], parser(memory=1000)))
    assert told(answers) == [flat(GOOD), "crashed", flat(GOOD)]
    failure = answers[1]
    assert isinstance(failure, Failure)
    assert failure.detail.endswith("MemoryError")


def test_stopping_early_kills_the_process_and_reads_no_further() -> None:
    children = set(psutil.Process().children())
    n_read = 0

    def endless() -> object:
        nonlocal n_read
        while True:
            n_read += 1
            yield GOOD if n_read < 4 else ("HANG",)

    answers = parse_sentences(endless(), parser())  # type: ignore[arg-type]
    assert list(islice(answers, 2)) == [flat(GOOD)] * 2
    assert n_read == 2
    answers.close()
    assert set(psutil.Process().children()) == children


def test_a_parser_that_is_stopped_from_without_gives_no_false_answer() -> None:
    kept = KeptParser(parser())
    Timer(0.5, kept.stop).start()
    with pytest.raises(StoppedError):
        kept.ask([GOOD, ("HANG",)])
    with pytest.raises(StoppedError):
        kept.ask([GOOD])


def test_a_parser_that_broke_is_found_out_before_its_failures_count(tmp_path: Path) -> None:
    model = tmp_path / "model"
    script = f'test -e {model} || exit 4; while read w; do echo "(S (X $w))"; exit; done'
    kept = KeptParser(Parser(("sh", "-c", script), startup=0.0))
    model.touch()
    assert kept.ask([("a",)]) == ["(S (X a))"]
    kept.settle()
    model.unlink()
    assert told(kept.ask([("b",)])) == ["crashed"]
    with pytest.raises(UsageError, match="exit status 4"):
        kept.settle()


def test_all_that_a_parser_has_started_is_killed_with_it(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    starting = ("sh", "-c", f"sleep 47 & echo $! > {noted}; exec sleep 47")
    with pytest.raises(UsageError, match="timed out"):
        list(parse_sentences([GOOD], Parser(starting, timeout=2.0, startup=0.0)))
    assert is_gone(int(noted.read_text()))


def is_gone(pid: int) -> bool:
    """Wait for the end of a process that is not ours; nobody may have asked how it ended."""
    deadline = monotonic() + 10
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        if monotonic() > deadline:
            return False
    return True


def test_a_command_that_is_not_there_is_named() -> None:
    no_parser = Parser(("no-such-parser", "model"))
    with pytest.raises(UsageError, match="there is no command 'no-such-parser'"):
        list(parse_sentences([GOOD], no_parser))
