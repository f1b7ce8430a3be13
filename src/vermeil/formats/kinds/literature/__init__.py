"""Abstracts and papers as the literature's own services give them."""
