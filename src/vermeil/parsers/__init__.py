"""External parsers: a process that is fed sentences, what it answers, and a stage that runs it."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.parsers.parser import Parser, check_parser, parse_sentences
    from vermeil.parsers.stage import Parsed, ParseStage
    from vermeil.programs import Failure

__all__ = ["Failure", "ParseStage", "Parsed", "Parser", "check_parser", "parse_sentences"]

__getattr__ = _lazily(__name__)
