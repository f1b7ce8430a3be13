"""The verbs of the Python API, one for each command, with the same names, defaults and words.

``import vermeil`` has them all; each loads what it needs when it is first used. What they return
shows itself as tables and can be given to other verbs in the place of its documents.
"""

__all__: list[str] = []  # the top of the package has them
