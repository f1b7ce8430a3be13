"""The names of databases, compiled so that they are found in text."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.acquire.lexicon.compilation import Compilation, Entry, Lexicon, compile_lexicon
    from vermeil.acquire.lexicon.files import load_lexicon, save_lexicon
    from vermeil.acquire.lexicon.matching import Matches, match
    from vermeil.acquire.lexicon.unwanted import frequent_words, words_of_list

__all__ = [
    "Compilation",
    "Entry",
    "Lexicon",
    "Matches",
    "compile_lexicon",
    "frequent_words",
    "load_lexicon",
    "match",
    "save_lexicon",
    "words_of_list",
]

__getattr__ = _lazily(__name__)
