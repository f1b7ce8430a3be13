"""What a worker of a local Dask cluster does before it works: it leaves Ctrl-C to its leader."""

import signal


def dask_setup(worker: object) -> None:
    """Ignore SIGINT; Dask calls this in the main thread of a worker that has just begun."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
