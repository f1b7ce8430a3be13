"""Documents to annotators, several at a time, and answers into a file.

An annotator is asked about each document whose answer is not there. What comes back is kept as it
is: whether it can be read is seen when it is read, so that what was paid for is never lost. What
fails is not kept, and is asked again the next time.
"""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from typing import Any, Protocol

from vermeil.annotators.answers_file import AnswersFile, KeptAnswer
from vermeil.document import Document
from vermeil.errors import UsageError
from vermeil.formats import Ledger, get_format, settled_options
from vermeil.formats.files.json_records import JsonRecord
from vermeil.formats.files.source import Source
from vermeil.formats.kinds.language_models.answers import NoAnswerError, answer_of
from vermeil.formats.kinds.standoff.mention_lists import Mentioned, MentionList, set_aside
from vermeil.formats.standoff import annotated

FORMAT = "answers"
NOBODY = "nobody"
MOST_JOBS = 256
N_AHEAD = 4
"""Documents read for each that is asked about."""


class FailedError(Exception):
    """An annotator gave no answer to a document; others may do better."""


class Worker(Protocol):
    """Somebody who asks, in a thread of its own."""

    def ask(self, document: Document) -> Any:
        """Return what is answered; raise FailedError, or UsageError where all is in vain."""


class Annotator(Protocol):
    """Somebody to be asked."""

    name: str

    def question(self, document: Document) -> str:
        """Sum up what is asked about a document."""

    def worker(self) -> AbstractContextManager[Worker]:
        """Begin to ask, in one of several threads."""

    def stop(self) -> None:
        """Stop what is being asked, from any thread."""


@dataclass(slots=True)
class Asked:
    """What came of asking: documents, those answered before, and why others were not.

    ``tokens`` are those that language models say they read and wrote, of new answers.
    """

    n_documents: int = 0
    n_before: int = 0
    n_new: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)
    tokens: Counter[str] = field(default_factory=Counter)

    @property
    def n_answered(self) -> int:
        """Documents with an answer."""
        return self.n_before + self.n_new


def ask_all(
    documents: Iterable[Document],
    annotator: Annotator,
    answers: AnswersFile,
    asked: Asked,
    *,
    jobs: int,
    again: bool = False,
) -> Iterator[Document]:
    """Ask about every document, and pass it on when it is dealt with; count in ``asked``.

    Equal questions are asked once. With ``again``, so are those whose answer cannot be used.
    """
    waiting: dict[Future[Any], list[Document]] = {}
    by_question: dict[str, Future[Any]] = {}
    team = _Team(annotator)
    with closing(team), ThreadPoolExecutor(jobs, thread_name_prefix="annotate") as pool:
        try:
            for document in documents:
                asked.n_documents += 1
                question = annotator.question(document)
                if question in by_question:
                    waiting[by_question[question]].append(document)
                    continue
                if question in answers and not (
                    again and not _is_usable(answers, question, document)
                ):
                    asked.n_before += 1
                    yield document
                    continue
                future = pool.submit(team.ask, document, question, answers)
                waiting[future], by_question[question] = [document], future
                while len(waiting) >= jobs * N_AHEAD:
                    yield from _settled(waiting, by_question, asked)
            while waiting:
                yield from _settled(waiting, by_question, asked)
        except BaseException:
            team.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def with_answers(
    documents: Iterable[Document],
    annotator: Annotator,
    answers: AnswersFile,
    ledger: Ledger,
    options: Mapping[str, str],
) -> Iterator[Document]:
    """Put what was answered about documents on them as a layer; without that nobody looked.

    Documents are gone through twice.
    """
    settled = settled_options(FORMAT, get_format(FORMAT), options)
    source = Source(answers.path, annotator.name, ledger, settled)
    found: dict[str, MentionList] = {}
    aside: set[str] = set()
    for number, document in enumerate(documents, start=1):
        question = annotator.question(document)
        if question not in answers:
            continue
        raw, fields = answers.get(question)
        record = JsonRecord(None, number, raw, {**fields, "id": document.id})
        try:
            found[document.id] = answer_of(record, source)
        except NoAnswerError as error:
            aside.add(document.id)
            set_aside(record, f"{document.id}: {error}", source)
    return annotated(documents, [Mentioned(found, source, aside=aside)])


class _Team:
    """The threads that ask: a worker each, begun when it is first needed."""

    def __init__(self, annotator: Annotator) -> None:
        self._annotator = annotator
        self._own = threading.local()
        self._begun: list[AbstractContextManager[Worker]] = []
        self._lock = threading.Lock()
        self._is_stopped = False

    def ask(self, document: Document, question: str, answers: AnswersFile) -> Any:
        if self._is_stopped:
            raise FailedError("stopped")
        try:
            response = self._worker().ask(document)
        except UsageError:  # it is the same for all others
            self._is_stopped = True
            raise
        answers.put(KeptAnswer(document.id, question, self._annotator.name, response))
        return response

    def stop(self) -> None:
        self._is_stopped = True
        self._annotator.stop()

    def close(self) -> None:
        for each in self._begun:
            each.__exit__(None, None, None)

    def _worker(self) -> Worker:
        if not hasattr(self._own, "worker"):
            begun = self._annotator.worker()
            self._own.worker = begun.__enter__()
            with self._lock:
                self._begun.append(begun)
        worker: Worker = self._own.worker
        return worker


def _settled(
    waiting: dict[Future[Any], list[Document]],
    by_question: dict[str, Future[Any]],
    asked: Asked,
) -> Iterator[Document]:
    """Wait for answers; pass on the documents they are about."""
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        about = waiting.pop(future)
        for question in [each for each, one in by_question.items() if one is future]:
            del by_question[question]
        try:
            _count_tokens(future.result(), asked)
            asked.n_new += len(about)
        except FailedError as error:
            asked.failures += [(document.id, str(error)) for document in about]
        yield from about


def _count_tokens(response: Any, asked: Asked) -> None:
    usage = response.get("usage") if isinstance(response, Mapping) else None
    for name, value in usage.items() if isinstance(usage, Mapping) else ():
        if isinstance(value, int) and not isinstance(value, bool):
            asked.tokens[name] += value


def _is_usable(answers: AnswersFile, question: str, document: Document) -> bool:
    """Tell whether an answer makes a layer of a document."""
    raw, fields = answers.get(question)
    source = Source(answers.path, NOBODY)
    try:
        found = answer_of(JsonRecord(None, 1, raw, fields), source)
    except (NoAnswerError, ValueError):
        return False
    bare = document.replace(layers={})
    return NOBODY in Mentioned({document.id: found}, source).added_to(bare).layers


def check_jobs(jobs: int) -> None:
    """Refuse a number of jobs that makes no sense."""
    if not 0 < jobs <= MOST_JOBS:
        raise UsageError(f"jobs are 1 to {MOST_JOBS}, not {jobs}")
