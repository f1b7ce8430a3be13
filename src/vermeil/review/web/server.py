"""The one process that serves a review. Everybody else on the network is refused until there are
accounts; a second process on the same file is refused at once.
"""

import ipaddress
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from vermeil.errors import MissingExtraError, UsageError
from vermeil.review.importing import follow_annotators
from vermeil.review.learning.background import Background
from vermeil.review.learning.memory import (
    LearningChoice,
    Memory,
    choose_learning,
    learning_choice,
)
from vermeil.review.lock import sole_writer
from vermeil.review.store import Store
from vermeil.review.web.accounts import PACKAGES, has_accounts, is_home

HOST, PORT = "127.0.0.1", 8765


def serve(
    path: Path | str,
    *,
    host: str = HOST,
    port: int = PORT,
    announce: Callable[[str], None],
    certificate: Path | None = None,
    key: Path | None = None,
    unit: str | None = None,
    learn_every: int | None = None,
    proxy: str | None = None,
) -> None:
    """Serve the review until the process is told to stop. ``announce`` is told the address.

    Port 0 takes any that is free. With a ``certificate`` and its ``key`` the page is encrypted.
    Whom a request comes from is asked of the ``proxy`` at that address alone.
    What is decided is learned from in the background; ``unit`` is what is taken up at a time, and a
    recogniser is trained again when ``learn_every`` more documents are settled, never if 0. Both
    are kept in the file where they are given; its owner can also choose them on the page.
    """
    try:
        import uvicorn

        from vermeil.review.web.app import make_app
        from vermeil.review.web.patience import Limits, patient
    except ImportError:
        raise MissingExtraError("the review page", *PACKAGES) from None

    check_certificate(certificate, key)
    with sole_writer(path) as tell, Store(path) as store:
        check_host(store, path, host, proxy)
        follow_annotators(store)
        before = learning_choice(store)
        choice = LearningChoice(
            before.is_on or (unit, learn_every) != (None, None),
            unit or before.unit,
            before.every if learn_every is None else learn_every,
        )
        choose_learning(store, choice)
        with _listening(host, port) as listener:
            scheme = "https" if certificate else "http"
            address = f"{scheme}://{_spelled(host)}:{listener.getsockname()[1]}/"
            tell(address)
            announce(address)
            learning = Background(Memory(store))
            learning.start()
            config = uvicorn.Config(
                make_app(store, told=learning.hear),
                log_level="warning",
                server_header=False,
                lifespan="off",
                http=patient(Limits(exempt=frozenset([proxy] if proxy else ()))),
                ws="none",
                proxy_headers=proxy is not None,
                forwarded_allow_ips=proxy or "",
                limit_concurrency=256,
                timeout_graceful_shutdown=3,
                ssl_certfile=str(certificate) if certificate else None,
                ssl_keyfile=str(key) if key else None,
            )
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run(sockets=[listener])
            learning.stop()


def check_host(store: Store, path: Path | str, host: str, proxy: str | None = None) -> None:
    """Refuse an address that others can reach while anybody may say who they are."""
    if proxy is not None:
        try:
            ipaddress.ip_address(proxy)
        except ValueError:
            raise UsageError(f"--proxy takes the address of the proxy, not {proxy!r}") from None
    if (proxy or not is_home(host)) and not has_accounts(store):
        raise UsageError(
            f"{host if proxy is None else 'a proxy'} can be reached by others, so curators need "
            f"passwords; make the first account with: vermeil review {path} --account NAME"
        )


def check_certificate(certificate: Path | None, key: Path | None) -> None:
    """Refuse a certificate that cannot be used, before anybody is told an address."""
    if certificate is None:
        if key is not None:
            raise UsageError(f"{key}: a key needs its certificate; give it with --certificate")
        return
    try:
        # Given a password function, OpenSSL does not ask the terminal for one.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, str)
    except OSError as error:
        said = error.strerror or str(error)
        raise UsageError(
            f"{certificate}: cannot be used as a certificate: {said}; it takes a PEM file, "
            "with its key in it or in --key, and without a password"
        ) from None


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"{host}:{port} cannot be used: {error.strerror}; choose another with --port"
        ) from error


def _spelled(host: str) -> str:
    return f"[{host}]" if ":" in host else host
