"""Gold standards audited: what is inconsistent in them."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.scoring.gold.auditing import Audit, InconsistentString, audit
    from vermeil.scoring.gold.cores import CORES, partition
    from vermeil.scoring.gold.findings import KINDS, Finding
    from vermeil.scoring.gold.repeats import Repeat, find_repeats

__all__ = [
    "CORES",
    "KINDS",
    "Audit",
    "Finding",
    "InconsistentString",
    "Repeat",
    "audit",
    "find_repeats",
    "partition",
]

__getattr__ = _lazily(__name__)
