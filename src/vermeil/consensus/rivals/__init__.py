"""Consensus as others made it, to compare with."""
