"""Connections that cost somebody else theirs are closed: too slow a client, too many of one.

A request, header and body, has ``patience`` seconds and as many more as its bytes take at the
lowest ``rate``; so a large upload over a slow line comes through, and a request that is never ended
does not. An address has so many connections at once; one more closes its oldest that is not being
answered, so that who shares an address with somebody who holds them all still gets in, and a whole
lab behind one address can work.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a client may take, at how many bytes a second at least, and how often it may come.

    ``exempt`` are addresses that speak for many: a proxy.
    """

    patience: float = 10.0
    rate: float = 2_000.0
    connections: int = 128
    exempt: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Connections:
    """Open connections by address, the oldest first."""

    by_address: dict[str, dict["H11Protocol", None]] = field(
        default_factory=lambda: defaultdict(dict)
    )


def patient(limits: Limits) -> type[H11Protocol]:
    """Make the protocol of a server with these limits."""
    connections = _Connections()

    class Patient(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address = self.client[0] if self.client else ""
            self._since: float | None = None
            self._n_bytes = 0
            mine = connections.by_address[self._address]
            if self._address not in limits.exempt and len(mine) >= limits.connections:
                idle = (each for each in mine if each.conn.their_state in (h11.IDLE, h11.SEND_BODY))
                oldest = next(idle, next(iter(mine)))
                del mine[oldest]
                oldest.transport.abort()
            mine[self] = None
            self._watch: asyncio.TimerHandle | None = None
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._watch is not None:
                self._watch.cancel()
            mine = connections.by_address[self._address]
            mine.pop(self, None)
            if not mine:
                del connections.by_address[self._address]
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            self._n_bytes += len(data)
            super().data_received(data)

        def _look(self) -> None:
            """See whether the client lets us wait for too long, and look again in a while."""
            now = self.loop.time()
            is_waiting = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
            if not is_waiting or self.flow.read_paused:
                self._since, self._n_bytes = None, 0
            elif self._since is None:
                self._since = now
            elif now - self._since > limits.patience + self._n_bytes / limits.rate:
                self.transport.abort()
                return
            self._watch = self.loop.call_later(limits.patience / 4, self._look)

    return Patient
