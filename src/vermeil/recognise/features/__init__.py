"""What can be said of a token, as rows of hashed features."""
