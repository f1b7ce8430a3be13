"""How good a recogniser is, at which threshold, and why it said what it said."""
