"""The table of stages: every command that works through one driver, and where its stage is.

A new one is a class that keeps the contract of ``runs.stages.Stage``, and a row here.
"""

STAGES: dict[str, str] = {
    "convert": "vermeil.conversion:ConvertStage",
    "consensus": "vermeil.consensus.stage:ConsensusStage",
    "score": "vermeil.scoring.stage:ScoreStage",
    "tag": "vermeil.recognise.stage:TagStage",
    "acquire label": "vermeil.acquisition.stage:LabelStage",
    "trees parse": "vermeil.parsers.stage:ParseStage",
    "trees score": "vermeil.scoring.trees.stage:TreeScoreStage",
}
