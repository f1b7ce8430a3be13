"""Who works on what: every document has one curator, and a share of them several, to compare.

Which documents are shared, and who gets them, follows from their ids alone, so it does not depend
on the order of import; each goes to those who have fewest so far. What was given out stays.
"""

from dataclasses import dataclass
from hashlib import blake2b

from vermeil.errors import UsageError
from vermeil.review.history import ADJUDICATED
from vermeil.review.store import Store


@dataclass(frozen=True, slots=True)
class CuratorProgress:
    """How far a curator is; ``n_given`` is None where the work was not given out."""

    curator: str
    n_given: int | None
    n_done: int


@dataclass(frozen=True, slots=True)
class TeamProgress:
    """How far the curators are, and those who settle what they differ on."""

    curators: tuple[CuratorProgress, ...]
    n_disputed: int
    n_adjudicated: int


def give_out(store: Store, *, overlap: int = 2, share: float = 0.2) -> dict[str, int]:
    """Share the documents that nobody has out to curators, ``share`` of them to ``overlap`` each.

    The result says how many documents each has now.
    """
    if not 0 <= share <= 1:
        raise UsageError(f"--share lies between 0 and 1, not at {share:g}")
    with store.writing() as connection:
        rows = connection.execute("SELECT name FROM accounts WHERE role = 'curator' ORDER BY name")
        curators = [name for (name,) in rows]
        if not 1 <= overlap <= max(1, len(curators)):
            raise UsageError(f"--overlap lies between 1 and {len(curators)}, your curators")
        if not curators:
            raise UsageError("there are no curators yet; make accounts with --role curator")
        loads = dict.fromkeys(curators, 0)
        counted = "SELECT curator, count(*) FROM assignments GROUP BY curator"
        loads |= {name: n for name, n in connection.execute(counted) if name in loads}
        free = connection.execute(
            "SELECT number, id FROM documents WHERE number NOT IN "
            "(SELECT document FROM assignments)"
        ).fetchall()
        ranked = sorted(free, key=lambda row: _chance(row[1]))
        for place, (number, id) in enumerate(ranked):
            n = overlap if place < round(share * len(ranked)) else 1
            chosen = sorted(curators, key=lambda name: (loads[name], _chance(f"{id} {name}")))[:n]
            for name in chosen:
                loads[name] += 1
            connection.executemany(
                "INSERT INTO assignments (document, curator) VALUES (?, ?)",
                [(number, name) for name in chosen],
            )
    return loads


def without_work(store: Store, curator: str) -> None:
    """Take back what somebody was given and has not settled, so that others can have it."""
    with store.writing() as connection:
        connection.execute(
            "DELETE FROM assignments WHERE curator = :name AND document NOT IN "
            "(SELECT document FROM works WHERE layer = :name AND is_done)",
            {"name": curator},
        )


def team_progress(store: Store) -> TeamProgress:
    """Count for everybody what was given to them and what is done."""
    with store.reading() as connection:
        given = dict(
            connection.execute("SELECT curator, count(*) FROM assignments GROUP BY curator")
        )
        done = dict(
            connection.execute("SELECT layer, sum(is_done) FROM works GROUP BY layer").fetchall()
        )
        [(n_disputed,)] = connection.execute("SELECT count(*) FROM ranks WHERE dispute > 0")
        [(n_adjudicated,)] = connection.execute(
            "SELECT count(*) FROM ranks r JOIN works w ON w.document = r.document "
            "WHERE r.dispute > 0 AND w.layer = ? AND w.is_done",
            (ADJUDICATED,),
        )
    names = sorted({*given, *done} - {ADJUDICATED})
    rows = (CuratorProgress(name, given.get(name), done.get(name, 0)) for name in names)
    return TeamProgress(tuple(rows), n_disputed, n_adjudicated)


def _chance(said: str) -> str:
    return blake2b(said.encode(), digest_size=8).hexdigest()
