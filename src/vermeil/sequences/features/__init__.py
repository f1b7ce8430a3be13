"""How words are written, as rows of hashed features and as matrices of them."""
