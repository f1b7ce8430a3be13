"""How many threads multiply matrices: one in a command of ours, what the user said in a program.

The order in which threads add changes the last bits of a sum, and so a model or a consensus that
was learned: with one thread the same inputs give the same bytes on every machine. Ours are small
matrices, and a second thread mostly waits for the first.
"""

import os

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")
SAID = "VERMEIL_THREADS_SAID"
"""The variable that keeps what the user said, for this process and its workers."""


def use_one_thread() -> None:
    """Have matrices multiplied by one thread in this process and its workers.

    It must be said before numpy is loaded; whoever imports the library decides for themselves.
    """
    if SAID not in os.environ:
        said = [f"{name}={os.environ[name]}" for name in BLAS_THREADS if name in os.environ]
        os.environ[SAID] = " ".join(said)
    os.environ.update(dict.fromkeys(BLAS_THREADS, "1"))


def users_environment() -> dict[str, str]:
    """Return the environment for a program of the user's, as it was before ``use_one_thread``."""
    environment = dict(os.environ)
    said = environment.pop(SAID, None)
    if said is None:
        return environment
    for name in BLAS_THREADS:
        environment.pop(name, None)
    return environment | dict(each.split("=", 1) for each in said.split())
