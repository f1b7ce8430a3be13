"""Review servers for browsers: one for all in a thread, one in a process that can be killed."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browsers import PATIENCE
from vermeil.review.store import Store

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

SCRIPT = (
    "import sys\n"
    "from vermeil.review.web.server import serve\n"
    "serve(sys.argv[1], port=int(sys.argv[2]), announce=lambda a: print(a, flush=True))\n"
)


class Front:
    """A server at one address for whichever review it is told to show."""

    def __init__(self) -> None:
        self.address = ""
        self._app: ASGIApp | None = None

    def show(self, store: Store) -> None:
        """Serve an open store from now on."""
        from vermeil.review.web.app import make_app

        self._app = make_app(store)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        assert self._app is not None
        await self._app(scope, receive, send)


@contextmanager
def fronted(**options: Any) -> Iterator[Front]:
    """Serve from a thread; ``options`` are those of the server."""
    import uvicorn

    front = Front()
    listener = socket.create_server(("127.0.0.1", 0))
    front.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(front, log_level="error", lifespan="off", **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield front
    server.should_exit = True
    thread.join(PATIENCE)
    listener.close()


def started(path: Path, port: int = 0) -> tuple["subprocess.Popen[str]", str]:
    """Start a server process; gives it and its address."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(port)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()
