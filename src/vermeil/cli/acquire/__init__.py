"""``vermeil acquire``: training data without hand annotation, one module a command."""

from vermeil.cli.options.on_demand import command_group

SUMMARIES = {
    "lexicon": "Compile databases of names into one file, fast to search.",
    "label": "Annotate texts with the names of a lexicon, in layers.",
    "selftrain": "Find the names that acquired annotation lacks, in rounds.",
    "links": "Find what documents are about without a reference saying so.",
    "audit": "Find names a database should not have, and names it lacks.",
    "ladder": "Tell what each step of the paper brings: its Table 3.",
    "worth": "Tell how much hand annotation is as good as a model: Figure 8.",
    "run": "Make a recogniser from a lexicon, its references and texts.",
}
"""The first line of each command's help, which a test compares with the commands themselves."""

app = command_group(
    __name__,
    SUMMARIES,
    help="Make training data and recognisers without hand annotation.",
)

__all__ = ["app"]
