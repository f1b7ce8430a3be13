"""The review as a Starlette application: who asks, whether they may, how large a request may be.

Questions are answered in ``questions``. Every change needs the token of its session and an origin
that is this server. What a client sends is never used as a path.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from vermeil.errors import UsageError, VermeilError
from vermeil.review import questions
from vermeil.review.decisions import ConflictError
from vermeil.review.store import Store
from vermeil.review.team.archive import set_archived
from vermeil.review.team.assignment import team_progress
from vermeil.review.team.guidance import guidelines
from vermeil.review.web import sessions
from vermeil.review.web.accounts import (
    ADJUDICATOR,
    CURATOR,
    OWNER,
    Throttle,
    address_of,
    check_name,
    has_accounts,
    is_right,
    may,
    others_may,
    renew,
    role_of,
    stored_hash,
)
from vermeil.review.web.guard import Guarded
from vermeil.review.web.page_files import page_files
from vermeil.review.web.replies import FORESEEN, RefusedError, body, in_json, refusal, save
from vermeil.review.web.sessions import LASTS, Session
from vermeil.review.web.settings import CHANGES, settings_of

LARGEST_UPLOADS = {CURATOR: 0, ADJUDICATOR: 16 * 1024 * 1024, OWNER: 64 * 1024 * 1024}
"""Bytes of a file that may be sent, by role."""

MOST_UPLOADED = {CURATOR: 0, ADJUDICATOR: 2_000, OWNER: 100_000}
"""Documents in such a file."""

MOST_HASHES = 4
"""Passwords that are checked at once: each takes 64 MB."""

Answer: TypeAlias = Callable[[Request, Session], Awaitable[Response]]


class Login(msgspec.Struct, forbid_unknown_fields=True):
    """What the log-in sends."""

    name: str
    password: str = ""


class Archiving(msgspec.Struct, forbid_unknown_fields=True):
    """What is sent to put a document aside or to restore it."""

    is_archived: bool


def make_app(
    store: Store,
    *,
    largest_uploads: Mapping[str, int] = LARGEST_UPLOADS,
    throttle: Throttle | None = None,
    told: Callable[[], None] = lambda: None,
) -> ASGIApp:
    """Make the application for an open store. ``told`` is called when something was decided."""
    desk = _Desk(store, largest_uploads, throttle or Throttle(), told)
    routes = [
        *(Route(path, partial(_file, *file)) for path, file in page_files().items()),
        Route("/api/session", desk.answering(desk.session, anybody=True)),
        Route("/api/login", desk.answering(desk.login, anybody=True), methods=["POST"]),
        Route("/api/logout", desk.answering(desk.logout), methods=["POST"]),
        Route("/api/queue", desk.answering(desk.queue)),
        Route("/api/documents/{number:int}", desk.answering(desk.document)),
        Route("/api/documents/{number:int}/history", desk.answering(desk.history)),
        Route("/api/decisions", desk.answering(desk.decision), methods=["POST"]),
        Route("/api/learned/{number:int}", desk.answering(desk.learned)),
        Route("/api/agreement", desk.answering(desk.agreement, needs=ADJUDICATOR)),
        Route("/api/guidelines", desk.answering(desk.guidelines)),
        Route("/api/progress", desk.answering(desk.progress, needs=ADJUDICATOR)),
        Route(
            "/api/documents/{number:int}/archive",
            desk.answering(desk.archive, needs=OWNER),
            methods=["POST"],
        ),
        Route("/api/settings", desk.answering(desk.settings, needs=OWNER)),
        *(
            Route(
                f"/api/settings/{part}",
                desk.answering(partial(desk.change_settings, part), needs=OWNER),
                methods=["POST"],
            )
            for part in CHANGES
        ),
        Route("/api/export", desk.answering(desk.export)),
        Route("/api/export/notes", desk.answering(desk.export_notes, needs=ADJUDICATOR)),
        Route("/api/import", desk.answering(desk.upload, needs=ADJUDICATOR), methods=["POST"]),
    ]
    return Guarded(Starlette(routes=routes), store)


class _Desk:
    """The endpoints. Each is called with a request and the session it belongs to."""

    def __init__(
        self,
        store: Store,
        largest_uploads: Mapping[str, int],
        throttle: Throttle,
        told: Callable[[], None],
    ) -> None:
        self._store, self._largest_uploads, self._throttle = store, largest_uploads, throttle
        self._cookie = sessions.cookie_name(store)
        self._told = told
        self._hashing: CapacityLimiter | None = None

    def answering(self, answer: Answer, *, anybody: bool = False, needs: str = CURATOR) -> Any:
        """Make an endpoint that checks who asks and tells the page in one line what went wrong."""

        async def endpoint(request: Request) -> Response:
            try:
                session = sessions.session_of(self._store, request.cookies.get(self._cookie, ""))
                if session is None or not (session.curator or anybody):
                    if not (anybody and request.method == "GET"):
                        raise RefusedError(401, "say who you are first")
                    session = sessions.begin(self._store)
                if request.method == "POST":
                    self._check_change(request, session)
                if not anybody:
                    self._check_role(session, needs)
                return await answer(request, session)
            except FORESEEN as error:
                return refusal(error)

        return endpoint

    async def session(self, request: Request, session: Session) -> Response:
        data = {
            "curator": session.curator,
            "token": sessions.token_of(self._store, session),
            "accounts": has_accounts(self._store),
            "review": self._store.setting("name"),
        }
        if session.curator:
            role = role_of(self._store, session.curator)
            data |= {
                **questions.about(self._store),
                "role": role,
                "exports": questions.exports_for(may(role, ADJUDICATOR)),
                "largest_upload": self._largest_uploads[role],
            }
        return self._with_cookie(request, in_json(data), session)

    async def login(self, request: Request, session: Session) -> Response:
        asked = msgspec.json.decode(await body(request), type=Login)
        name = check_name(asked.name)
        if has_accounts(self._store):
            await self._check_password(request, name, asked.password)
            await run_in_threadpool(renew, self._store, name, asked.password)
        fresh = sessions.begin(self._store, name)
        return self._with_cookie(request, in_json({"curator": name}), fresh)

    async def logout(self, request: Request, session: Session) -> Response:
        sessions.end(self._store, session)
        return self._with_cookie(request, in_json({}), sessions.begin(self._store))

    async def queue(self, request: Request, session: Session) -> Response:
        self._check_desk(session, request.query_params.get("desk", "review"))
        return await self._ask(questions.queue_for, session.curator, dict(request.query_params))

    async def document(self, request: Request, session: Session) -> Response:
        self._check_desk(session, request.query_params.get("desk", "review"))
        return await self._ask(questions.document_for, session.curator, *_place(request))

    async def history(self, request: Request, session: Session) -> Response:
        self._check_desk(session, request.query_params.get("desk", "review"))
        return await self._ask(questions.history_of, session.curator, *_place(request))

    async def decision(self, request: Request, session: Session) -> Response:
        asked = msgspec.json.decode(await body(request), type=questions.SentDecision)
        self._check_desk(session, asked.desk)
        if asked.desk == "adjudicate":
            self._check_party(session, asked.document)
        reply = await self._ask(questions.decide, session.curator, asked)
        self._told()
        return reply

    async def learned(self, request: Request, session: Session) -> Response:
        return await self._ask(questions.learned_from, session.curator, *_place(request)[:1])

    async def agreement(self, request: Request, session: Session) -> Response:
        return await self._ask(questions.agreement_for)

    async def guidelines(self, request: Request, session: Session) -> Response:
        return await self._ask(guidelines)

    async def progress(self, request: Request, session: Session) -> Response:
        return await self._ask(team_progress)

    async def settings(self, request: Request, session: Session) -> Response:
        return await self._ask(settings_of)

    async def change_settings(self, part: str, request: Request, session: Session) -> Response:
        kind, change = CHANGES[part]
        asked = msgspec.json.decode(await body(request), type=kind)
        reply = await self._ask(change, session.curator, asked)
        self._told()
        return reply

    async def archive(self, request: Request, session: Session) -> Response:
        asked = msgspec.json.decode(await body(request), type=Archiving)
        number = request.path_params["number"]
        await run_in_threadpool(
            set_archived, self._store, session.curator, number, asked.is_archived
        )
        return in_json({})

    async def export_notes(self, request: Request, session: Session) -> Response:
        return await self._ask(questions.export_notes)

    async def export(self, request: Request, session: Session) -> Response:
        folder = Path(mkdtemp(prefix="vermeil-export-"))
        try:
            asked = dict(request.query_params)
            if asked.get("what", "gold") != questions.OWN:
                self._check_role(session, ADJUDICATOR)
            path = await run_in_threadpool(
                questions.exported, self._store, session.curator, folder, asked
            )
        except BaseException:
            _remove(folder)
            raise
        return FileResponse(
            path,
            media_type="application/octet-stream",
            filename=path.name,
            background=BackgroundTask(_remove, folder),
        )

    async def upload(self, request: Request, session: Session) -> Response:
        folder = Path(mkdtemp(prefix="vermeil-import-"))
        try:
            role = role_of(self._store, session.curator)
            path = folder / f"upload{questions.suffix_of(request.query_params.get('file', ''))}"
            await save(request, path, self._largest_uploads[role])
            reply = await self._ask(
                questions.imported, path, dict(request.query_params), MOST_UPLOADED[role]
            )
            self._told()
            return reply
        except VermeilError as error:
            if isinstance(error, RefusedError | ConflictError):
                raise
            told = str(error).replace(str(path), "the upload").replace(str(folder), "the upload")
            raise UsageError(told) from None
        finally:
            _remove(folder)

    async def _ask(self, question: Callable[..., Any], *arguments: Any) -> Response:
        return in_json(await run_in_threadpool(question, self._store, *arguments))

    async def _check_password(self, request: Request, name: str, password: str) -> None:
        address = f"address {address_of(request.client.host if request.client else '')}"
        pair = f"{address} name {name}"
        if wait := self._throttle.wait(address, pair):
            raise RefusedError(429, f"too many wrong passwords; wait {wait:.0f} seconds", wait=wait)
        # Counted before the slow check, so that many guesses at once do not slip through.
        self._throttle.failed(address, pair)
        self._hashing = self._hashing or CapacityLimiter(MOST_HASHES)
        stored = stored_hash(self._store, name)
        if not await to_thread.run_sync(is_right, password, stored, limiter=self._hashing):
            raise RefusedError(403, "no such name and password")
        # Who has an account must not wash off guesses at others with it.
        self._throttle.forgiven(address)
        self._throttle.succeeded(pair)

    def _check_role(self, session: Session, needed: str) -> None:
        if not may(role_of(self._store, session.curator), needed):
            raise RefusedError(403, f"this is for {_WITH_ARTICLE[needed]}")

    def _check_desk(self, session: Session, desk: str) -> None:
        if desk == "adjudicate":
            self._check_role(session, ADJUDICATOR)

    def _check_party(self, session: Session, document: int) -> None:
        """Let nobody adjudicate a dispute of their own, unless there is nobody else."""
        name = session.curator
        if others_may(self._store, name, ADJUDICATOR) and questions.is_party(
            self._store, name, document
        ):
            raise RefusedError(
                403, "you are one of those who differ here; somebody else has to adjudicate this"
            )

    def _check_change(self, request: Request, session: Session) -> None:
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
            raise RefusedError(403, "this came from another site")
        if not sessions.has_token(self._store, session, request.headers.get("x-token", "")):
            raise RefusedError(403, "this did not come from a page of this review; load it again")

    def _with_cookie(self, request: Request, response: Response, session: Session) -> Response:
        response.set_cookie(
            self._cookie,
            sessions.cookie_of(self._store, session),
            max_age=int(LASTS),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response


async def _file(content: bytes, kind: str, request: Request) -> Response:
    return Response(content, media_type=kind)


def _place(request: Request) -> tuple[int, str]:
    return request.path_params["number"], request.query_params.get("desk", "review")


def _remove(folder: Path) -> None:
    rmtree(folder, ignore_errors=True)


_WITH_ARTICLE = {CURATOR: "a curator", ADJUDICATOR: "an adjudicator", OWNER: "an owner"}
