"""Review servers for browsers: one in a thread, one in a process that can be killed."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from vermeil.review.store import Store

SCRIPT = (
    "import sys\n"
    "from vermeil.review.server import serve\n"
    "serve(sys.argv[1], port=int(sys.argv[2]), announce=lambda a: print(a, flush=True))\n"
)


@contextmanager
def served(store: Store) -> Iterator[str]:
    """Serve an open store from a thread; gives the address."""
    import uvicorn

    from vermeil.review.web import make_app

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(store), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until = monotonic() + 10
    while not server.started and monotonic() < until:
        sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def started(path: Path, port: int = 0) -> tuple["subprocess.Popen[str]", str]:
    """Start a server process; gives it and its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(port)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()
