"""How good a recogniser is, which threshold to use, and why a name got its confidence."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.judging.cross_validation import (
        Validation,
        cross_validate,
        paper_systems,
        trainer,
    )
    from vermeil.recognise.judging.explanation import (
        Explanation,
        Opinions,
        explain,
        explain_members,
    )
    from vermeil.recognise.judging.feature_names import NamedFeature, named_features
    from vermeil.recognise.judging.tuning import Choice, Trial, choose, try_out

__all__ = [
    "Choice",
    "Explanation",
    "NamedFeature",
    "Opinions",
    "Trial",
    "Validation",
    "choose",
    "cross_validate",
    "explain",
    "explain_members",
    "named_features",
    "paper_systems",
    "trainer",
    "try_out",
]

__getattr__ = _lazily(__name__)
