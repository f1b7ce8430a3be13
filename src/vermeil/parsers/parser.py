"""External parsers over many sentences.

A parser is any command that reads one sentence a line (words separated by single spaces, brackets
in words spelt ``-LRB-`` and so on) and writes one tree a line; how it is kept running, and what
happens where it fails, is in ``vermeil.programs``.
"""

from collections.abc import Generator, Iterable, Sequence
from itertools import islice

from vermeil.parsers.answers import judge
from vermeil.parsers.tagged import Token, line_of, words_of
from vermeil.programs import Failure, KeptProgram, Program, Talk
from vermeil.programs.kept import check_program

Sentence = Sequence[Token]
PROBE = (("It", "PRP"), ("works", "VBZ"), (".", "."))


class Parser(Program, frozen=True):
    """How to run a parser; an item is a sentence.

    ``form`` is how a sentence is written, one of ``tagged.FORMS``.
    """

    form: str = "words"


def parse_sentences(
    sentences: Iterable[Sentence], parser: Parser
) -> Generator[str | Failure, None, None]:
    """Yield the brackets of each sentence, as the parser spelt them, or why there are none.

    Close the iterator to stop early: it kills the process. Raise UsageError where there is no such
    command or it never gives a tree.
    """
    kept = KeptParser(parser)
    rest = iter(sentences)
    try:
        while chunk := list(islice(rest, max(1, parser.at_once))):
            yield from kept.ask(chunk)
    finally:
        kept.close()


def check_parser(parser: Parser) -> None:
    """Refuse a command that cannot be run."""
    check_program(parser, "parser")


class KeptParser(KeptProgram[Sentence]):
    """A parser at work."""

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser, _talk(parser.form))


def _talk(form: str) -> Talk[Sentence]:
    return Talk(
        program="parser",
        fruit="tree",
        item="sentence",
        one_shot="--one-shot N",
        probe=PROBE,
        shown=line_of(PROBE, form),
        line=lambda sentence: line_of(sentence, form).encode(),
        judge=lambda answer, sentence: judge(answer, words_of(sentence)),
        is_empty=lambda sentence: not sentence,
        empty=Failure("no words"),
        broken="not a tree",
        out_of_step=frozenset({"not a tree", "other words"}),
    )
