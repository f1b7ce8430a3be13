"""What is known of words beside their features: spelling models, token sets, lists of names."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.recognise.words.kneser_ney import CharacterModel
    from vermeil.recognise.words.knowledge import Knowledge, Lists, Resources, cross_fitted
    from vermeil.recognise.words.name_list import NameList
    from vermeil.recognise.words.preclassifier import Preclassifier, english_words
    from vermeil.recognise.words.token_sets import TokenSets, words_of

__all__ = [
    "CharacterModel",
    "Knowledge",
    "Lists",
    "NameList",
    "Preclassifier",
    "Resources",
    "TokenSets",
    "cross_fitted",
    "english_words",
    "words_of",
]

__getattr__ = _lazily(__name__)
