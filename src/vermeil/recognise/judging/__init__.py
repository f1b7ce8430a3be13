"""How good a recogniser is, which threshold to use, and why a name got its confidence."""
