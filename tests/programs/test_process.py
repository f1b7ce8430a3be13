from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from vermeil.errors import UsageError
from vermeil.programs.process import Ending, LineProcess


@contextmanager
def shell(script: str) -> Iterator[LineProcess]:
    process = LineProcess(["sh", "-c", script])
    yield process
    process.close()


def test_a_line_is_answered_by_a_line() -> None:
    with shell('while read x; do echo "<$x>"; done') as process:
        assert process.ask(b"a b", seconds=20) == (Ending.ANSWERED, b"<a b>")
        assert process.is_ready()
        assert process.ask(b"c", seconds=20) == (Ending.ANSWERED, b"<c>")
        assert process.n_answers == 2


def test_a_process_that_has_ended_is_not_ready() -> None:
    with shell("read x; echo $x; exec >&-; exit 3") as process:
        assert process.ask(b"a", seconds=20) == (Ending.ANSWERED, b"a")
        assert process.ask(b"b", seconds=20) == (Ending.ENDED, b"")
        assert not process.is_ready()
        assert process.how_it_ended() == "exit status 3"


def test_a_process_that_says_more_than_asked_is_not_ready() -> None:
    with shell("read x; printf '1\\n2\\n'; read x") as process:
        assert process.ask(b"a", seconds=20) == (Ending.ANSWERED, b"1")
        assert not process.is_ready()


def test_too_late_is_too_late_however_much_is_said_elsewhere() -> None:
    with shell("while :; do echo working >&2; done") as process:
        assert process.ask(b"a", seconds=0.3) == (Ending.TIMED_OUT, b"")
        assert process.complaint == "working"


@pytest.mark.parametrize(("status", "answers"), [(0, [b"1", b"2"]), (1, [b"1"])])
def test_a_last_line_without_end_counts_where_all_went_well(
    status: int, answers: list[bytes]
) -> None:
    with shell(f"cat > /dev/null; printf '1\\n2'; exit {status}") as process:
        assert process.ask_all([b"a", b"b"], seconds=20) == (Ending.ENDED, answers)


def test_a_child_that_reads_nothing_can_answer_all_the_same() -> None:
    with shell("echo 1") as process:
        assert process.ask_all([b"x" * 1_000_000], seconds=20) == (Ending.ENDED, [b"1"])


def test_the_last_complaint_is_kept_of_many() -> None:
    with shell("seq 100000 >&2; echo the end >&2; echo >&2; exit 2") as process:
        assert process.ask(b"a", seconds=20)[0] is Ending.ENDED
        assert process.how_it_ended() == "exit status 2"
        assert process.complaint == "the end"


def test_what_cannot_be_run_is_named(tmp_path: object) -> None:
    with pytest.raises(UsageError, match=r"cannot be run: Permission denied"):
        LineProcess([str(tmp_path)])
