"""The features of tokens, hashed."""
