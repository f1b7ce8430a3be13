"""The server of a review: who asks, whether they may, and what is answered."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.review.web.accounts import Throttle, has_accounts, set_password
    from vermeil.review.web.app import RefusedError, make_app
    from vermeil.review.web.server import serve
    from vermeil.review.web.sessions import Session

__all__ = [
    "RefusedError",
    "Session",
    "Throttle",
    "has_accounts",
    "make_app",
    "serve",
    "set_password",
]

__getattr__ = _lazily(__name__)
