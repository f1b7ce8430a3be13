"""Any program as an annotator: a document a line in, what it found a line out.

It gets ``{"id": …, "text": …}``, with ``labels`` where some were asked for, and answers with what
the format ``answers`` understands: mentions, spans, lists by label, or a document of ours with one
layer. An answer that names another document, is no JSON or has no list in it is a failure.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from vermeil.annotators.answers_file import question
from vermeil.annotators.asking import FailedError
from vermeil.document import Document
from vermeil.formats.kinds.language_models.answers import LISTS
from vermeil.programs import Failure, KeptProgram, Program, StoppedError, Talk
from vermeil.programs.kept import check_program

PROBE = Document(id="probe", text="p53 binds DNA.")


class AnnotatingProgram:
    """A program that is asked for names, as the layer ``name``; a process for each thread."""

    def __init__(self, program: Program, *, name: str, labels: Sequence[str] = ()) -> None:
        check_program(program, "program")
        self.name, self._program, self._labels = name, program, tuple(labels)
        self._kept: list[KeptProgram[Document]] = []

    def question(self, document: Document) -> str:
        """Sum up the command and the document."""
        return question(self._program.command, document.id, document.text, self._labels)

    @contextmanager
    def worker(self) -> "Iterator[_Asking]":
        """Keep a process for one thread."""
        kept = KeptProgram(self._program, _talk(self._labels))
        self._kept.append(kept)
        try:
            yield _Asking(kept)
        finally:
            kept.close()

    def stop(self) -> None:
        """Kill all processes."""
        for kept in self._kept:
            kept.stop()


class _Asking:
    def __init__(self, kept: KeptProgram[Document]) -> None:
        self._kept = kept

    def ask(self, document: Document) -> Any:
        try:
            [answer] = self._kept.ask([document])
        except StoppedError:
            raise FailedError("stopped") from None
        if isinstance(answer, Failure):
            raise FailedError(f"{answer.reason}: {answer.detail}".removesuffix(": "))
        return msgspec.json.decode(answer)


def _talk(labels: tuple[str, ...]) -> Talk[Document]:
    def line(document: Document) -> bytes:
        asked: dict[str, Any] = {"id": document.id, "text": document.text}
        return msgspec.json.encode({**asked, "labels": labels} if labels else asked)

    return Talk(
        program="program",
        fruit="JSON",
        item="document",
        one_shot="--one-shot",
        probe=PROBE,
        shown=line(PROBE).decode(),
        line=line,
        judge=_judge,
        is_empty=lambda document: False,
        empty=Failure("no text"),
        broken="not JSON",
        out_of_step=frozenset({"not JSON", "another document"}),
    )


def _judge(answer: str, document: Document) -> str | Failure:
    """Take a line for an answer about a document, or say what is wrong with it."""
    if not answer.strip():
        return Failure("empty answer")
    try:
        said = msgspec.json.decode(answer)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Failure("not JSON", f"{error}: {answer[:60]!r}")
    if not isinstance(said, Mapping | list):
        return Failure("not JSON", f"an object or a list was wanted: {answer[:60]!r}")
    if isinstance(said, Mapping):
        if str(said.get("id", document.id)) != document.id:
            return Failure("another document", f"{said['id']!r}, not {document.id!r}")
        if said.get("text") == document.text and not said.keys() & {*LISTS, "layers"}:
            return Failure("no names", "the document came back as it was")
        if said.get("error"):
            return Failure("error", " ".join(str(said["error"]).split())[:200])
    return answer
