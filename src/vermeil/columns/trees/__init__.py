"""Trees as arrays: tables of them, the steps that prepare these, their brackets and lineages."""
