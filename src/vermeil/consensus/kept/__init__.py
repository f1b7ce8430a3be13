"""What a standard keeps of the names it was made of: boundaries, pairs of them, database ids."""
