"""The table of stages: every command that can work in shards, and the module that has its stage.

A new one is a module with a STAGE and a row here.
"""

STAGES: dict[str, str] = {
    "convert": "vermeil.conversion",
    "consensus": "vermeil.consensus.stage",
    "tag": "vermeil.recognise.stage",
    "acquire-label": "vermeil.acquire.stage",
    "trees-parse": "vermeil.parsers.stage",
    "score": "vermeil.scoring.stage",
    "trees-score": "vermeil.scoring.trees.stage",
}
