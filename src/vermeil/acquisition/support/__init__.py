"""Which matches of a lexicon are names, learned from references alone."""
