"""Many documents or trees at once, as arrays: spans, characters on one axis, trees, brackets."""
