"""Documents as tokens on one axis, and words as numbers."""
