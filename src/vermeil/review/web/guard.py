"""What stands before every answer of the server: the headers that protect the page, and its name.

Without accounts only requests that name this machine are answered, so that no page elsewhere can
speak to the review under a name of its own that it lets point here.
"""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vermeil.review.store import Store
from vermeil.review.web.accounts import has_accounts, is_home

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guarded:
    """An application that protects its pages and, without accounts, answers at home only."""

    def __init__(self, app: ASGIApp, store: Store) -> None:
        self._app, self._store = app, store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: D102
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        host = urlsplit(f"//{Request(scope).headers.get('host', '')}").hostname
        if not is_home(host or "") and not has_accounts(self._store):
            refusal = Response('{"error": "ask for this page as 127.0.0.1"}', 400)
            await refusal(scope, receive, protected)
            return
        await self._app(scope, receive, protected)
