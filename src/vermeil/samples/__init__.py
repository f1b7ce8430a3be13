"""Small texts and annotations that we wrote, for the demo and the docs.

Abstract-like passages with gene, chemical and disease names, in the files people would send: the
texts with the gold layer and its alternatives, and five annotators, each in another format. Beside
them a table of genes with references to the passages (``genes.tsv``, ``references.tsv``), and trees
of a few sentences, gold and by three parsers that are made up (``treebank.mrg``, ``alpha.mrg``, …);
in ``news`` the same parsers on a few sentences as a newspaper has them.
"""

from pathlib import Path

from vermeil.formats.inputs import Input

__all__ = ["ANNOTATORS", "FOLDER", "GOLD"]

FOLDER = Path(__file__).parent

GOLD = Input(FOLDER / "gold.jsonl")
"""All the texts, the layer ``gold`` and its other acceptable spans, ``gold.alternatives``."""

ANNOTATORS = (
    Input(FOLDER / "anna.xml", "anna", "bioc-xml"),
    Input(FOLDER / "ben.pubtator", "ben", "pubtator"),
    Input(FOLDER / "dictionary.json", "dictionary", "pubannotation"),
    Input(FOLDER / "tagger.jsonl", "tagger", "prodigy"),
    Input(FOLDER / "llm.mentions.jsonl", "llm", "mentions"),
)
"""Two curators, a dictionary, a trained tagger with confidences and a language model."""
