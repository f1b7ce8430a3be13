"""External parsers: a process that is fed sentences, what it answers, and a stage that runs it."""
