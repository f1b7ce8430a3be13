"""Documents in the types of other libraries, and back: pandas, spaCy, Hugging Face datasets.

Each library is imported when a function that needs it is called.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from vermeil.lazy import lazily as _lazily

if _TYPE_CHECKING:
    from vermeil.exchange.dataset_rows import from_datasets_rows, to_datasets_rows
    from vermeil.exchange.frames import from_pandas, to_pandas
    from vermeil.exchange.spacy_docs import from_spacy, to_spacy

__all__ = [
    "from_datasets_rows",
    "from_pandas",
    "from_spacy",
    "to_datasets_rows",
    "to_pandas",
    "to_spacy",
]

__getattr__ = _lazily(__name__)
