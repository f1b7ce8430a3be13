"""Long work that can be resumed: stages over shards on any engine, and external parsers."""
