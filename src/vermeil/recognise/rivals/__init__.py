"""Simpler recognisers that the cascade is compared with."""
