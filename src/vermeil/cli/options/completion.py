"""The values of options that a shell offers, found without loading anything heavy.

Names stand here as constants where the table they come from is slow to load; a test compares them.
"""

from collections.abc import Callable

READ_ONLY_FORMATS = ("answers", "ebm-nlp", "genia-xml", "hf-dataset", "pubmed")
FORMATS = (
    *("bioc-json", "bioc-xml", "biocreative", "biocreative-text", "brat", "cas-json", "cas-xmi"),
    *("centroid-xml", "chart", "chemdner", "chemdner-text", "conll", "csv", "csv-standoff"),
    *("docbin", "doccano", "entities", "hf", "inline-xml", "jsonl", "labelstudio", "lines"),
    *("mentions", "parquet", "penn", "prodigy", "pubannotation", "pubtator", "text", "webanno"),
    *READ_ONLY_FORMATS,
)
CONSENSUS_METHODS = (
    "people",
    "hearts",
    "centroids",
    "majority",
    "tokens",
    "dawid-skene",
    "harmony",
)
TREE_METHODS = ("fallback", "vote", "similarity", "distance", "levenshtein", "cptam", "best")
VIEWS = ("exact", "biocreative", "partial", "centroid", "ranked")
RECOGNISERS = ("cascade", "committee", "linear", "crf", "hmm", "dictionary")
SEQUENCES = ("crf", "memm", "memms")
RESCORERS = ("trees", "logistic", "none")
PREPARATIONS = ("clegg", "evalb", "none")
ENGINES = ("process", "pool", "dask")
EXPORTS = ("gold", "curators", "standard", "disagreements", "history")
ROLES = ("curator", "adjudicator", "owner")


def offering(*values: str) -> Callable[[str], list[str]]:
    """Return what offers those of ``values`` that begin like the word being typed.

    >>> offering("exact", "fuzzy")("f")
    ['fuzzy']
    """

    def completed(incomplete: str) -> list[str]:
        return [value for value in values if value.startswith(incomplete)]

    return completed


def source_formats(incomplete: str) -> list[str]:
    """List the formats, those of plug-ins too, that begin like ``incomplete``."""
    from importlib.metadata import entry_points

    installed = entry_points(group="vermeil.formats").names
    return offering(*sorted(installed | {*FORMATS}))(incomplete)


def target_formats(incomplete: str) -> list[str]:
    """List the formats that can be written and begin like ``incomplete``."""
    return [name for name in source_formats(incomplete) if name not in READ_ONLY_FORMATS]


def model_names(incomplete: str) -> list[str]:
    """List the models of the package that begin like ``incomplete``; shells know files."""
    from vermeil.models import FOLDER

    return offering(*sorted(each.stem for each in FOLDER.glob("*.zip")))(incomplete)


def tokeniser_names(incomplete: str) -> list[str]:
    """List the tokenisers that begin like ``incomplete``."""
    from vermeil.text.tokens import TOKENISERS

    return offering(*TOKENISERS)(incomplete)
