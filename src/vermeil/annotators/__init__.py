"""Running external annotators: any program or language model, asked once for each document."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.annotators.answers_file import AnswersFile
    from vermeil.annotators.asking import Annotator, Asked, ask_all, with_answers
    from vermeil.annotators.endpoint import Endpoint
    from vermeil.annotators.language_model import LanguageModel
    from vermeil.annotators.program import AnnotatingProgram
    from vermeil.annotators.prompt import PROMPT, schema

__all__ = [
    "PROMPT",
    "AnnotatingProgram",
    "Annotator",
    "AnswersFile",
    "Asked",
    "Endpoint",
    "LanguageModel",
    "ask_all",
    "schema",
    "with_answers",
]

__getattr__ = _lazily(__name__)
