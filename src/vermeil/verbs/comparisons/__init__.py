"""The verbs that compare ways: ``silver``, ``acquire.ladder`` and ``acquire.worth``."""
