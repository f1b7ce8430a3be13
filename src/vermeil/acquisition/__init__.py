"""Training data without hand annotation: from a lexicon, its references and unlabelled text."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.acquisition.acquisition import Acquired, AcquisitionPlan, acquire
    from vermeil.acquisition.databases.entries import read_entries
    from vermeil.acquisition.databases.references import (
        Links,
        References,
        open_links,
        read_references,
    )
    from vermeil.acquisition.labelling import Labelling, label
    from vermeil.acquisition.ladder import Ladder, LadderPlan, climb
    from vermeil.acquisition.lexicon.compilation import Entry, Lexicon, compile_lexicon
    from vermeil.acquisition.lexicon.files import load_lexicon, save_lexicon
    from vermeil.acquisition.manual_curve import ManualCurve, worth
    from vermeil.acquisition.self_training import SelfTraining, SelfTrainingPlan, self_train
    from vermeil.acquisition.support.judgement import Judgement

__all__ = [
    "Acquired",
    "AcquisitionPlan",
    "Entry",
    "Judgement",
    "Labelling",
    "Ladder",
    "LadderPlan",
    "Lexicon",
    "Links",
    "ManualCurve",
    "References",
    "SelfTraining",
    "SelfTrainingPlan",
    "acquire",
    "climb",
    "compile_lexicon",
    "label",
    "load_lexicon",
    "open_links",
    "read_entries",
    "read_references",
    "save_lexicon",
    "self_train",
    "worth",
]

__getattr__ = _lazily(__name__)
