"""The curators' review page: a local web page on one SQLite file, where disputes are settled.

``store`` holds documents and decisions, ``importing`` fills it, ``queue`` says what to look at
first, ``decisions`` says what a decision does, ``history`` records it for good, ``export`` gives
gold, ``server`` shows all of it in a browser.
"""
