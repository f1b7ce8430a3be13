"""Names with one referent: those that share a database id in a document are one entity.

Section 5.1.1 of Lewin et al., "Centroids", leaves this to the future: "since our final objective
is to uncover the entities named and not just their names, information about referents should be
brought to bear". An entity has several acceptable names, or hearts, and is found if any of them is;
so nobody misses *C/EBP homologous protein* who found *CHOP-10*. A name with two ids stands for two
entities, one without ids for itself. What is predicted is judged as before.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vermeil.arrays import Ints, ranges
from vermeil.scoring.pairing.names import Names, Pieces
from vermeil.scoring.views.outcomes import View

Ids = Sequence[tuple[str, ...]]


def by_referent(view: View, ids: Ids) -> View:
    """Count entities instead of names: of each the name that fared best, of equals the first."""
    if not any(ids):
        return view
    entities: dict[tuple[int, str | int], int] = {}
    outcome = view.wanted_outcome
    for row, document in enumerate(view.wanted.document.tolist()):
        for key in ids[row] or (row,):
            best = entities.setdefault((document, key), row)
            if outcome[row] < outcome[best]:
                entities[document, key] = row
    rows = np.array([*entities.values()], dtype=np.int64)
    return replace(
        view,
        wanted=_taken(view.wanted, rows),
        wanted_outcome=outcome[rows],
        earned=view.earned and view.earned._replace(found=view.found[rows]),
    )


def _taken(names: Names, rows: Ints) -> Names:
    """Take some names, one perhaps twice, with their pieces."""
    order = np.argsort(names.pieces.name, kind="stable")
    owners = names.pieces.name[order]
    name, place = ranges(np.searchsorted(owners, rows), np.searchsorted(owners, rows, side="right"))
    piece = order[place]
    pieces = Pieces(name, names.pieces.start[piece], names.pieces.end[piece])
    columns = ("document", "label", "start", "end", "shape", "confidence", "is_loose")
    return replace(names, pieces=pieces, **{key: getattr(names, key)[rows] for key in columns})
