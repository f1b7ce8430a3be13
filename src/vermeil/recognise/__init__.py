"""Recognisers that say how sure they are: the cascade, its stages and its rivals."""
