"""``annotate``: any program or language model, asked for the names in documents."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import Ledger
from vermeil.scope import with_scope
from vermeil.verbs.checking import path_given
from vermeil.verbs.corpus import LOG, Corpus, some_documents
from vermeil.verbs.naming import names_of
from vermeil.verbs.tables.table import Block, Table, Tabled, counted, shortened
from vermeil.verbs.wording import verb

if TYPE_CHECKING:
    from vermeil.annotators import Annotator, Asked

KEY = "VERMEIL_API_KEY"
JOBS = {"cmd": 1, "api": 4}
"""How many are asked at a time where nobody says."""

Watch = Callable[[Iterator[Document]], Iterable[Document]]


class Annotated(Tabled):
    """What came of asking: ``documents`` with one more layer, and what was ``asked``."""

    def __init__(self, documents: Corpus, name: str, asked: "Asked") -> None:
        self.documents, self.name, self.asked = documents, name, asked

    def blocks(self) -> Iterator[Block]:
        """Yield how many were answered, at what cost, and who was not."""
        yield told(self.asked)
        if self.asked.failures:
            yield ""
            yield Table("No answer", ["document", "reason"], [list(e) for e in self.asked.failures])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row for each document without an answer."""
        for document, reason in self.asked.failures:
            yield {"document": document, "reason": reason}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "layer": self.name,
            "documents": self.asked.n_documents,
            "answered": self.asked.n_answered,
            "answered_before": self.asked.n_before,
            "tokens": dict(sorted(self.asked.tokens.items())),
            "failures": list(self.rows()),
        }

    def __repr__(self) -> str:
        return shortened(f"<Annotated: {self.name}, {told(self.asked)}>")


@verb
def annotate(
    documents: Any,
    *,
    cmd: str | Sequence[str] | None = None,
    api: str | None = None,
    model: str | None = None,
    labels: str | Iterable[str] = (),
    prompt: str | PathLike[str] | None = None,
    name: str = "",
    answers: str | PathLike[str] | None = None,
    again: bool = False,
    jobs: int | None = None,
    timeout: float = 60.0,
    startup: float = 60.0,
    memory: int | None = None,
    one_shot: bool = False,
    retries: int = 6,
    per_minute: float | None = None,
    key_from: str = KEY,
    schema: bool = True,
    temperature: float | None = None,
    max_tokens: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Annotated:
    """Ask a program (``cmd``) or a language model (``api`` and ``model``) for names: a layer more.

    A program reads a document a line, as JSON, and writes what it found a line. ``api`` is the
    address of an OpenAI-compatible endpoint; its key is taken from the environment variable
    ``key_from``. ``labels`` say what to look for; ``prompt`` is a file, or a text with ``{text}``
    and ``{labels}``. What is answered is added to the file ``answers``, which is read first, so
    that nothing is asked twice; ``again`` asks where an answer could not be used. ``options`` say
    how answers are read, as for the format ``answers``. Documents without an answer that can be
    used were not looked at.
    """
    corpus = some_documents(documents, verb="annotate")
    annotator = annotator_of(
        cmd=cmd,
        api=api,
        model=model,
        labels=names_of(labels),
        prompt=prompt,
        name=name,
        timeout=timeout,
        startup=startup,
        memory=memory,
        one_shot=one_shot,
        retries=retries,
        per_minute=per_minute,
        key_from=key_from,
        schema=schema,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    ledger = Ledger()
    found = run_annotator(
        corpus,
        annotator,
        labels=names_of(labels),
        answers=None if answers is None else path_given(answers),
        again=again,
        jobs=JOBS["cmd" if cmd else "api"] if jobs is None else jobs,
        options=options or {},
        ledger=ledger,
    )
    for line in ledger.summary():
        LOG.warning("%s", line)
    return found


def annotator_of(
    *,
    cmd: str | Sequence[str] | None,
    api: str | None,
    model: str | None,
    labels: Sequence[str],
    prompt: str | PathLike[str] | None,
    name: str,
    timeout: float,
    startup: float,
    memory: int | None,
    one_shot: bool,
    retries: int,
    per_minute: float | None,
    key_from: str,
    schema: bool,
    temperature: float | None,
    max_tokens: int | None,
) -> "Annotator":
    """Make an annotator of what a user says of it; refuse what does not go together."""
    from vermeil.annotators import PROMPT, AnnotatingProgram, Endpoint, LanguageModel
    from vermeil.programs import Program
    from vermeil.programs.kept import words_of_command

    if (cmd is None) == (api is None):
        raise UsageError("say whom to ask: either a program with --cmd, or --api URL and --model")
    if timeout <= 0:
        raise UsageError(f"--timeout takes seconds, more than none, not {timeout:g}")
    if cmd is not None:
        words = words_of_command(cmd) if isinstance(cmd, str) else tuple(cmd)
        program = Program(words, timeout, startup, memory, int(one_shot))
        own = name or (Path(words[0]).stem if words else "program")
        return AnnotatingProgram(program, name=own, labels=labels)
    if not model:
        raise UsageError("say which model to ask, with --model NAME")
    assert api is not None
    endpoint = Endpoint(
        api, timeout=timeout, retries=retries, per_minute=per_minute, key_from=key_from
    )
    return LanguageModel(
        endpoint,
        model,
        name=name or model,
        labels=labels,
        prompt=PROMPT if prompt is None else _prompt(prompt),
        with_schema=schema,
        temperature=temperature,
        max_tokens=max_tokens,
    )


def run_annotator(
    corpus: Corpus,
    annotator: "Annotator",
    *,
    labels: Sequence[str],
    answers: Path | None,
    again: bool,
    jobs: int,
    options: Mapping[str, str],
    ledger: Ledger,
    watch: Watch | None = None,
) -> Annotated:
    """Ask about all documents, then give them what was answered; ``watch`` sees each go by."""
    from vermeil.annotators import Asked, ask_all, with_answers
    from vermeil.annotators.asking import check_jobs

    check_jobs(jobs)
    asked = Asked()
    with _answers_at(answers) as kept:
        going = ask_all(
            _without(corpus, annotator.name), annotator, kept, asked, jobs=jobs, again=again
        )
        for _ in watch(going) if watch is not None else going:
            pass
        found = with_answers(corpus, annotator, kept, ledger, options)
        told_scope = {annotator.name: frozenset(labels)} if labels else {}
        done = [with_scope(each, told_scope) if told_scope else each for each in found]
    return Annotated(Corpus.of(done), annotator.name, asked)


def told(asked: "Asked") -> str:
    """Say in words what came of asking."""
    said = [f"{counted(asked.n_documents, 'document')}, {asked.n_answered:,} answered"]
    if asked.n_before:
        said.append(f"{asked.n_before:,} of them before")
    if asked.failures:
        said.append(f"{len(asked.failures):,} not answered")
    tokens = asked.tokens
    if tokens:
        read = tokens["prompt_tokens"] + tokens["input_tokens"]
        written = tokens["completion_tokens"] + tokens["output_tokens"]
        said.append(f"{read:,} tokens read and {written:,} written")
    return ", ".join(said)


@contextmanager
def _answers_at(path: Path | None) -> Iterator[Any]:
    """Open the file of answers; without a path they are kept as long as they are needed."""
    from vermeil.annotators import AnswersFile

    if path is not None:
        with AnswersFile(path) as kept:
            yield kept
        return
    with TemporaryDirectory(prefix="vermeil-") as folder, AnswersFile(Path(folder) / "a") as kept:
        yield kept


def _without(documents: Iterable[Document], name: str) -> Iterator[Document]:
    """Pass documents on; refuse two of one id, and a layer that would be replaced."""
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise UsageError(f"two documents are called {document.id!r}; rename or remove one")
        seen.add(document.id)
        if name in document.layers:
            raise UsageError(
                f"document {document.id!r} has a layer {name!r} already; call the new one "
                "otherwise, with --name NAME"
            )
        yield document


def _prompt(given: str | PathLike[str]) -> str:
    """Take a prompt, or read it from its file."""
    if isinstance(given, str) and "{text}" in given:
        return given
    path = path_given(given)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}: the prompt cannot be read: {reason}") from error
