"""Sequence models, the lattice of what they say, and the candidate names in it."""
