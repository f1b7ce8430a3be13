"""Words that are no names, whatever the lexicon says.

Organisms differ wildly: fly genes are called ``and``, ``in`` and ``to``. A stop list comes from a
general word list, or, where there is none, from unlabelled text; never from the texts that a
lexicon is judged on.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from vermeil.document import Document
from vermeil.formats.files.source import Source

FUNCTION_WORDS = frozenset({
    "a", "about", "after", "all", "also", "although", "among", "an", "and", "any", "are", "as",
    "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can",
    "could", "did", "do", "does", "during", "each", "either", "for", "from", "had", "has", "have",
    "here", "how", "however", "if", "in", "into", "is", "it", "its", "may", "might", "more", "most",
    "neither", "no", "nor", "not", "of", "on", "only", "or", "other", "our", "over", "should",
    "since", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "through", "thus", "to", "under", "up", "upon", "was", "we", "were",
    "what", "when", "whereas", "whether", "which", "while", "who", "whose", "will", "with",
    "within", "without", "would",
})  # fmt: skip
"""Words that may stand in a name only where the name itself has one."""

_WORD = re.compile(r"(?<![\w-])[^\W\d_]++(?![\w-])")


def words_of_list(path: Path) -> frozenset[str]:
    """Read a general word list, a word a line; words with capitals are left out."""
    words = (line.strip() for _, line in Source(path, "").lines())
    return frozenset(word for word in words if word.islower()) | FUNCTION_WORDS


def frequent_words(
    documents: Iterable[Document],
    *,
    min_documents: int = 5,
    min_small: float = 0.5,
    keep: Collection[str] = frozenset(),
) -> frozenset[str]:
    """Find words that stand in many documents, mostly in small letters.

    A word counts once a document; it is a stop word if at least ``min_documents`` have it and at
    least ``min_small`` of these have it in small letters. Words with digits or hyphens are none,
    nor are those in ``keep``: text about genes is full of ``insulin`` (``references.proven_names``
    knows it for a name).
    """
    n_documents: Counter[str] = Counter()
    n_small: Counter[str] = Counter()
    for document in documents:
        words = set(_WORD.findall(document.text))
        n_documents.update({word.lower() for word in words})
        n_small.update(word for word in words if word.islower())
    frequent = (
        word
        for word, n in n_documents.items()
        if n >= min_documents and n_small[word] >= min_small * n
    )
    return frozenset(frequent) - frozenset(keep) | FUNCTION_WORDS
