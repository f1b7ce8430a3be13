"""Abstracts and papers as the literature's own services give them."""

__all__ = ["bioc_files", "bioc_passages", "pubannotation", "pubmed", "pubtator"]
