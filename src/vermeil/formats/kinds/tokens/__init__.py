"""Tokens with a tag each."""

__all__ = ["conll", "conll_columns", "docbin", "hf_tokens", "token_rows"]
