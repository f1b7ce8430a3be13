"""Tags of whole sentences: models, the lattice over all of them, and the names it holds."""
