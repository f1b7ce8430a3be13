"""A language model behind an OpenAI-compatible endpoint, as an annotator."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from vermeil.annotators.answers_file import question
from vermeil.annotators.endpoint import Endpoint
from vermeil.annotators.prompt import PROMPT, check_prompt, filled, schema
from vermeil.document import Document


class LanguageModel:
    """A ``model`` that is asked for names with a prompt (see prompt.py), as the layer ``name``.

    Without a ``schema`` the answer may be anything, for endpoints that know no ``response_format``.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        name: str,
        labels: Sequence[str] = (),
        prompt: str = PROMPT,
        with_schema: bool = True,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> None:
        check_prompt(prompt, labels)
        self.name, self._endpoint, self._prompt, self._labels = name, endpoint, prompt, labels
        self._fixed: dict[str, Any] = {"model": model}
        if temperature is not None:
            self._fixed["temperature"] = temperature
        if max_tokens is not None:
            self._fixed["max_tokens"] = max_tokens
        if with_schema:
            wanted = {"name": "mentions", "strict": True, "schema": schema(labels)}
            self._fixed["response_format"] = {"type": "json_schema", "json_schema": wanted}

    def request(self, document: Document) -> Mapping[str, Any]:
        """Return what is sent."""
        content = filled(self._prompt, document.text, self._labels)
        return {**self._fixed, "messages": [{"role": "user", "content": content}]}

    def question(self, document: Document) -> str:
        """Sum up the request; who answers at which address does not matter."""
        return question(self.request(document))

    @contextmanager
    def worker(self) -> "Iterator[_Asking]":
        """Open connections for one thread."""
        with self._endpoint.client() as client:
            yield _Asking(self, self._endpoint, client)

    def stop(self) -> None:
        """Wake those who wait for another try."""
        self._endpoint.stop()


class _Asking:
    def __init__(self, model: LanguageModel, endpoint: Endpoint, client: Any) -> None:
        self._model, self._endpoint, self._client = model, endpoint, client

    def ask(self, document: Document) -> Any:
        return self._endpoint.post(self._client, self._model.request(document))
