"""Two layers laid beside each other as columns, and which name stands for which."""
