"""Long work on this machine: external parsers run as processes, and runs that can be resumed."""
