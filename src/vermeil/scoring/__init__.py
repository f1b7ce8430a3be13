"""Two layers to counts, counts to numbers: scores, agreement, audits, significance."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.scoring.agreement import Agreement, LabelAgreement, LeftOut, Pair, agree
    from vermeil.scoring.counts import Counts
    from vermeil.scoring.gold.auditing import Audit, audit
    from vermeil.scoring.kappa import cohen, fleiss, krippendorff
    from vermeil.scoring.ranked import (
        Calibration,
        RankedPredictions,
        Ranking,
        average_precisions,
        calibrate,
        rank,
    )
    from vermeil.scoring.scores import VIEWS, Scores, score
    from vermeil.scoring.significance import (
        Interval,
        Significance,
        bootstrap,
        paired_bootstrap,
        paired_t,
        permutation,
    )
    from vermeil.scoring.silver import (
        Comparison,
        Correlation,
        Standing,
        by_view,
        compare_standards,
        spearman,
    )
    from vermeil.scoring.views.instances import Instance, Offender, instances, offenders
    from vermeil.scoring.views.outcomes import Averages, View

__all__ = [
    "VIEWS",
    "Agreement",
    "Audit",
    "Averages",
    "Calibration",
    "Comparison",
    "Correlation",
    "Counts",
    "Instance",
    "Interval",
    "LabelAgreement",
    "LeftOut",
    "Offender",
    "Pair",
    "RankedPredictions",
    "Ranking",
    "Scores",
    "Significance",
    "Standing",
    "View",
    "agree",
    "audit",
    "average_precisions",
    "bootstrap",
    "by_view",
    "calibrate",
    "cohen",
    "compare_standards",
    "fleiss",
    "instances",
    "krippendorff",
    "offenders",
    "paired_bootstrap",
    "paired_t",
    "permutation",
    "rank",
    "score",
    "spearman",
]

__getattr__ = _lazily(__name__)
