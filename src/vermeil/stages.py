"""The table of stages: every command that works through one driver, and where its stage is.

A new one is a class that keeps the contract of ``runs.stages.Stage``, and a row here.
"""

STAGES: dict[str, str] = {
    "convert": "vermeil.conversion:ConvertStage",
    "consensus": "vermeil.consensus.stage:ConsensusStage",
    "agree": "vermeil.scoring.agreement.stage:AgreeStage",
    "agree voters": "vermeil.scoring.agreement.stage:VotersStage",
    "score": "vermeil.scoring.stage:ScoreStage",
    "tag": "vermeil.recognise.stage:TagStage",
    "tag --corpus-wide": "vermeil.recognise.stage:CorpusTagStage",
    "learn-words: count": "vermeil.recognise.word_classes.vocabulary:VocabularyStage",
    "learn-words: company": "vermeil.recognise.word_classes.company:CompanyStage",
    "acquire label": "vermeil.acquisition.stage:LabelStage",
    "acquire links": "vermeil.acquisition.links.stage:LinkStage",
    "trees combine": "vermeil.consensus.trees.stage:CombineStage",
    "trees parse": "vermeil.parsers.stage:ParseStage",
    "trees score": "vermeil.scoring.trees.stage:TreeScoreStage",
}
