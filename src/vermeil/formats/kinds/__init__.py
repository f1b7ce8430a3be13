"""The formats, one module each, in folders by what they are.

The table of formats takes the functions of a module by their names: ``read`` or ``annotate``,
``write``, ``sniff``, ``CARRIES``, ``OPTIONS``.
"""
