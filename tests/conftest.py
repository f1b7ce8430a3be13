"""Fixtures every test may ask for."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browsers import browser, page  # noqa: F401  (here, so that all tests share one browser)

# No deadline: the first example pays for imports. The same examples every time: a failure is news.
settings.register_profile("vermeil", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "vermeil"))

# A job in the background of a shell ignores SIGINT, one under nohup SIGHUP, and so would every
# command that a test stops; programs that are started have no handlers, and do not ignore it.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)

ROOT = Path(__file__).parent.parent


N_TREES = 40


@pytest.fixture(scope="session", autouse=True)
def few_trees() -> Iterator[None]:
    """Grow a fifth of the trees in this process: half the time of training goes there, for nothing
    that a test looks at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vermeil.recognise.rescoring.boosted_trees.N_TREES", N_TREES)
        yield


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Find the folder of real corpora, or skip the test where there is none."""
    folder = Path(os.environ.get("VERMEIL_CORPORA", ROOT.parent / "shared" / "corpora"))
    if not folder.is_dir():
        pytest.skip(f"no corpora at {folder}; set VERMEIL_CORPORA to their folder")
    return folder
