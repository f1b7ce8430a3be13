"""What verbs of recognisers stand on: words learned from texts, and cross-validation."""
