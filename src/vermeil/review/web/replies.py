"""Requests read up to their limits, and replies: JSON, and what went wrong in one line."""

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from vermeil.errors import VermeilError
from vermeil.review.decisions import ConflictError
from vermeil.review.store import UnknownDocumentError

LARGEST_BODY = 4 * 1024 * 1024
FORESEEN = (VermeilError, msgspec.MsgspecError, RecursionError, sqlite3.Error, OSError)
"""What a request can cause, and ``refusal`` turns into a reply."""


class RefusedError(VermeilError):
    """A request turned away with this status; ``wait`` is when to come again, in seconds."""

    def __init__(self, status: int, message: str, *, wait: float = 0.0) -> None:
        self.status, self.wait = status, wait
        super().__init__(message)


def in_json(value: Any, status: int = 200) -> Response:
    """Reply with a value."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def body(request: Request) -> bytes:
    """Read a request of JSON, up to LARGEST_BODY."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise RefusedError(415, "this takes JSON")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise RefusedError(413, f"a request has up to {LARGEST_BODY:,} bytes")
    return bytes(body)


async def save(request: Request, path: Path, largest: int) -> None:
    """Write an upload to a file, up to so many bytes."""
    size = 0
    with path.open("wb") as out:
        async for chunk in request.stream():
            size += len(chunk)
            if size > largest:
                raise RefusedError(
                    413, f"an upload has up to {largest:,} bytes; use vermeil review FILE IN…"
                )
            out.write(chunk)


def refusal(error: Exception) -> Response:
    """Tell the page what went wrong; on a full disk it keeps what it sent."""
    match error:
        case RefusedError():
            response = in_json({"error": str(error)}, error.status)
            if error.wait:
                response.headers["Retry-After"] = str(int(error.wait) + 1)
            return response
        case ConflictError():
            return in_json({"error": str(error)}, 409)
        case UnknownDocumentError():
            return in_json({"error": str(error)}, 404)
        case sqlite3.Error():
            return in_json({"error": f"the review could not be read or written: {error}"}, 507)
        case OSError():
            # Its own words would name a path of this machine.
            told = error.strerror or "the disk refuses"
            return in_json({"error": f"the review could not be read or written: {told}"}, 507)
        case msgspec.MsgspecError() | RecursionError():
            return in_json({"error": f"this is not what the page sends: {error}"}, 400)
    return in_json({"error": str(error)}, 400)
