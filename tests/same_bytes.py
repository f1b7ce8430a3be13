"""Every command twice, under other circumstances: ``python -m tests.same_bytes FOLDER [other]``.

Prints what each of COMMANDS printed and digests of what it wrote. The other time strings hash
otherwise and there are more threads (the caller says so in the environment), inputs whose order
means nothing come in the other order, and work is cut into shards. test_same_bytes.py compares.
"""

import hashlib
import io
import json
import os
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from vermeil.cli import main

SHARDS = "--engine process --shard-size 0.01"
KNOWN = "--lexicon genes.zip --references links.tsv"


class Command(NamedTuple):
    """A command: its ``inputs`` may come in any order, ``cut`` has its work done in shards."""

    name: str
    options: str = ""
    inputs: str = ""
    cut: str = ""


COMMANDS = (
    Command("convert", "all.jsonl -o converted.parquet", cut=SHARDS),
    Command("convert", "all.jsonl -o {layer}.pubtator"),
    Command("info", "all.jsonl --json"),
    Command("consensus", "-o consensus.pubtator --json", "anna.xml ben.pubtator llm.jsonl", SHARDS),
    Command("consensus", "all.jsonl --by dawid-skene -o ds.jsonl --json", cut=SHARDS),
    Command("agree", "--bootstrap 20 --json", "anna.xml ben.pubtator llm.jsonl"),
    Command("silver", "all.jsonl --thresholds 1 --json"),
    Command("audit", "all.jsonl --layer gold --json"),
    Command("score", "--standard gold --bootstrap 20 --json", "gold.jsonl ben.pubtator llm.jsonl"),
    Command("annotate", "few.jsonl --cmd './finds' -o annotated.jsonl", cut="--jobs 2"),
    Command("learn-words", "all.jsonl -o words.zip --json"),
    Command("train", "gold.jsonl --layer gold -o linear.zip --by linear --seed 3"),
    Command("train", "few.jsonl --label Gene --parts 2 -o cascade.zip --seed 3"),
    Command("tag", "few.jsonl --model cascade.zip -o tagged.jsonl", cut=SHARDS),
    Command("tag", "few.jsonl --model linear.zip -o linear.jsonl", cut=SHARDS),
    Command("tune", "few.jsonl --model linear.zip --f --json"),
    Command("explain", "--model cascade.zip --sentence 'Mutations of EGFR.' --name EGFR --json"),
    Command("report", "gold.jsonl ben.pubtator llm.jsonl -o report.html"),
    Command("acquire lexicon", "genes.tsv -o genes.zip --json"),
    Command("acquire label", f"abstracts.jsonl {KNOWN} -o labelled.jsonl --json", cut=SHARDS),
    Command("acquire links", f"abstracts.jsonl {KNOWN} --threshold 0.3 --json"),
    Command("acquire audit", f"abstracts.jsonl {KNOWN} --layer gold --json"),
    Command("acquire selftrain", "labelled.jsonl -o mended.jsonl --rounds 1 --json"),
    Command("acquire run", f"abstracts.jsonl {KNOWN} --documents 60 --by linear -o run --json"),
    Command("trees score", "treebank.mrg --json", "alpha.mrg beta.mrg gamma.mrg"),
    Command("trees diagnose", "treebank.mrg alpha.mrg --json"),
    Command("trees portability", "treebank.mrg alpha.mrg --versus news --json"),
    Command("trees compare", "treebank.mrg alpha.mrg --json"),
    Command("trees combine", "-o combined.mrg --by best", "alpha.mrg beta.mrg gamma.mrg"),
    Command("trees combine", "-o vote.mrg --by vote", "alpha.mrg beta.mrg gamma.mrg"),
    Command("trees rank", "alpha.mrg beta.mrg --model gene -o ranked.mrg --json"),
    Command("trees trust", "alpha.mrg beta.mrg gamma.mrg --by similarity --json"),
    Command("trees show", "treebank.mrg --json"),
    Command("trees tagger", "treebank.mrg -o tags.zip --rounds 2 --json"),
    Command("trees parse", "words.txt --cmd ./parses -o parsed.mrg", cut="--engine process"),
)
ELSEWHERE = {
    "review": "serves a page; what it exports is tested in tests/review",
    "demo": "runs commands that are here",
    "acquire ladder": "is made of label, train and selftrain, and tested in test_ladder.py",
    "acquire worth": "is made of train and score, and tested in test_ladder.py",
}
TIMES = re.compile(r"\d+(\.\d+)? s\b|\"seconds\": [0-9.e-]+")


def written(before: set[Path]) -> dict[str, str]:
    """Digest the files that are new, but for what tells when or in which order something was."""
    new = sorted(path for path in Path().rglob("*") if path.is_file() and path not in before)
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        for path in new
        if path.name not in ("manifest.json", "lock") and not path.name.endswith("answers.jsonl")
    }


def told(command: Command, *, is_other: bool) -> tuple[list[str], dict[str, str]]:
    """Run a command in this folder; give the words it printed and the digests of its files."""
    before = {path for path in Path().rglob("*") if path.is_file()}
    inputs = command.inputs.split()[:: -1 if is_other else 1]
    sys.argv = ["vermeil", *command.name.split(), *shlex.split(command.options), *inputs]
    sys.argv += command.cut.split() if is_other else []
    shown = io.StringIO()
    with redirect_stdout(shown):
        try:
            main()
        except SystemExit as end:
            if end.code:
                raise RuntimeError(f"{shlex.join(sys.argv)} failed") from end
    words = TIMES.sub("", shown.getvalue()).split()
    return sorted(words) if inputs else words, written(before)


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    is_other = len(sys.argv) > 2
    found = [told(each, is_other=is_other) for each in COMMANDS]
    sys.stdout.write(json.dumps(found))
