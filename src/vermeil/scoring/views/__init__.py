"""Ways of scoring: what each says of every prediction and every name."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.scoring.views.biocreative import biocreative_view
    from vermeil.scoring.views.centroid import Boundaries, centroid_view
    from vermeil.scoring.views.confusion import Confusion, confuse
    from vermeil.scoring.views.instances import Instance, Offender, offenders
    from vermeil.scoring.views.outcomes import OUTCOMES, Averages, View
    from vermeil.scoring.views.partial import MODES, judge

__all__ = [
    "MODES",
    "OUTCOMES",
    "Averages",
    "Boundaries",
    "Confusion",
    "Instance",
    "Offender",
    "View",
    "biocreative_view",
    "centroid_view",
    "confuse",
    "judge",
    "offenders",
]

__getattr__ = _lazily(__name__)
