"""What a lexicon has as a name and nobody wants: words, and names of families.

Organisms differ wildly: fly genes are called ``and``, ``in`` and ``to``. A stop list comes from a
general word list, or, where there is none, from unlabelled text; never from the texts that a
lexicon is judged on.

A family stands for no single record of a database: ``STAT`` is a synonym of several genes and the
symbol of none, but ``STAT1`` and ``STAT2`` are symbols. A database lists such names with each
member, and its references support them; whoever wants single genes or proteins does not want them.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from vermeil.acquisition.lexicon.normal_form import GREEK
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

LEAST = 2
"""Members of a family."""

_GREEK_NAMES = tuple(dict.fromkeys(GREEK.values()))
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
) -> frozenset[str]:
    """Find words that stand in many documents, mostly in small letters.

    A word counts once a document; it is a stop word if at least ``min_documents`` have it and at
    least ``min_small`` of these have it in small letters. Words with digits or hyphens are none.
    Names that are written small, such as insulin, are among them.
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
    return frozenset(frequent) | FUNCTION_WORDS


def families(names: Iterable[str], preferred: Collection[str]) -> set[str]:
    """Find the names that are not preferred, while two or more preferred ones are their members.

    A member has one character more, two digits or a Greek letter. Names are in their normal form.

    >>> sorted(families(["stat", "il2", "p53"], ["stat1", "stat2", "il2", "il2ra", "il21", "tp53"]))
    ['stat']
    """
    n_members = Counter(stem for name in set(preferred) for stem in set(_stems(name)))
    return {name for name in names if n_members[name] >= LEAST and name not in preferred}


def _stems(name: str) -> Iterator[str]:
    yield name[:-1]
    if name[-2:].isdigit():
        yield name[:-2]
    yield from (name.removesuffix(letter) for letter in _GREEK_NAMES if name.endswith(letter))
