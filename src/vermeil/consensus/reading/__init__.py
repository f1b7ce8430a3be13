"""What the text says of hearts and of where names are cut: features, and models of them."""
