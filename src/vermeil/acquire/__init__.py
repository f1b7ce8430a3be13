"""Training data without hand annotation: from a lexicon, its references and unlabelled text.

Nothing is exported here; import what you need from its module.
"""
