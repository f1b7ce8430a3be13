"""One module a format, in folders by kind."""
