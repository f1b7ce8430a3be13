"""What a database lacks, found in texts: the verbs that propose it, and what they return."""
