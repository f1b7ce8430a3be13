"""A small endpoint for tests on 127.0.0.1, and a clock that waits for nobody."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, dict[str, str], str]
"""Status, headers and body."""


@dataclass
class Served:
    """What an endpoint was asked: how often for each text, with which headers."""

    url: str
    asked: Counter[str] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


class FakeClock:
    """A clock that is put forward by those who wait."""

    def __init__(self) -> None:
        self._time, self.waits = 0.0, list[float]()
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._time

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._time += seconds
            self.waits.append(seconds)


def completion(content: str, ending: str = "stop") -> Reply:
    """An answer as a chat completion has it."""
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": ending}
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    return 200, {}, json.dumps({"id": "chatcmpl", "choices": [choice], "usage": usage})


def names(*found: str) -> Reply:
    """An answer that lists names."""
    return completion(json.dumps({"mentions": [{"text": n, "label": "Gene"} for n in found]}))


@contextmanager
def serving(reply: Callable[[str, int], Reply]) -> Iterator[Served]:
    """Serve replies to a text, by how often it was asked about, 1 the first time."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = body["messages"][0]["content"].rpartition("Text:\n")[2].strip()
            with lock:
                served.asked[text] += 1
                n = served.asked[text]
                served.bodies.append(body)
                served.keys.append(self.headers.get("Authorization"))
            status, headers, said = reply(text, n)
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(said.encode())))
                self.end_headers()
                self.wfile.write(said.encode())
            except (BrokenPipeError, ConnectionResetError):
                pass  # who asked has gone

        def log_message(self, format: str, *args: Any) -> None:
            pass

    lock = threading.Lock()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Served(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
