"""What an interface wraps around the answer of a language model.

Known are the results of OpenAI's and Anthropic's batches (``custom_id``) and of Gemini's
(``key``), the objects that chat completions, responses, messages, Gemini and Ollama return, tool
calls among them, and plain records with the answer under one of the names in REPLIES.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

IDS = ("custom_id", "key", "id", "doc_id", "document_id", "pmid")
REPLIES = ("response", "result", "answer", "reply", "completion", "generated_text", "output")
BODIES = ("choices", "candidates", "message", "content", "output", "output_text")
"""Keys by which the object that an interface returns is known."""

CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "incomplete"})
REFUSED = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
)
MOST_NESTED = 12
FAILED = 400
"""The least status of a request that failed."""


class Letter(NamedTuple):
    """An answer without its envelope.

    ``said`` is a text, or a value where the interface has read it. ``is_cut`` where the model had
    to stop; ``problem`` says why there is no answer.
    """

    said: str | list[Any] | Mapping[str, Any] | None
    is_cut: bool = False
    problem: str = ""


def id_of(fields: Mapping[str, Any]) -> str:
    """Find the document that an answer is about."""
    for name in IDS:
        if name in fields:
            return str(msgspec.convert(fields[name], str | int))
    raise ValueError(f"there is no id; wanted one of {', '.join(IDS)}")


def opened(fields: Mapping[str, Any]) -> Letter:
    """Take the answer out of a record.

    >>> opened({"id": "1", "response": "p53"})
    Letter(said='p53', is_cut=False, problem='')
    >>> opened({"custom_id": "1", "result": {"type": "expired"}})
    Letter(said=None, is_cut=False, problem='expired')
    """
    if problem := _told(fields.get("error")):
        return Letter(None, problem=problem)
    for name in REPLIES:
        if fields.get(name) is not None and name not in BODIES:
            return _opened(fields[name], 0)
    if any(name in fields for name in BODIES):
        return _opened(fields, 0)
    raise ValueError(f"there is no answer; wanted one of {', '.join((*REPLIES, *BODIES[:4]))}")


def is_envelope(keys: set[str]) -> bool:
    """Tell by its keys whether a record is an answer with the document it is about."""
    if keys.intersection(("custom_id", "key")):
        return bool(keys.intersection(REPLIES))
    return bool(keys.intersection(IDS) and keys.intersection((*REPLIES, "choices", "candidates")))


def _opened(value: Any, depth: int) -> Letter:
    if isinstance(value, str):
        return Letter(value)
    if isinstance(value, list):
        return Letter(value)
    if not isinstance(value, Mapping) or depth > MOST_NESTED:
        return Letter(None, problem="no answer in it")
    if problem := _told(value.get("error")):
        return Letter(None, problem=problem)
    if value.get("type") in ("errored", "canceled", "expired"):
        return Letter(None, problem=str(value["type"]))
    status, inner = value.get("status_code"), Letter(None)
    if isinstance(value.get("body"), Mapping):
        inner = _opened(value["body"], depth + 1)
    if isinstance(status, int) and status >= FAILED:
        return Letter(None, problem=inner.problem or f"status {status}")
    if isinstance(value.get("body"), Mapping):
        return inner
    if any(name in value for name in BODIES):
        return _of_body(value, depth)
    if isinstance(value.get("response"), str | Mapping):
        inner = _opened(value["response"], depth + 1)
        return inner._replace(is_cut=inner.is_cut or _ending(value) in CUT)
    return Letter(value)


def _of_body(body: Mapping[str, Any], depth: int) -> Letter:
    """Read the object that an interface returned."""
    for name in ("choices", "candidates"):
        listed = body.get(name)
        if isinstance(listed, list):
            if not listed or not isinstance(listed[0], Mapping):
                return Letter(None, problem="no answer in it")
            return _of_turn(listed[0], depth)
    if isinstance(body.get("message"), Mapping) and "content" not in body:
        inner = _of_turn(body["message"], depth)
        return inner._replace(is_cut=inner.is_cut or _ending(body) in CUT)
    return _of_turn(body, depth)


def _of_turn(turn: Mapping[str, Any], depth: int) -> Letter:
    """Read what a model said in a turn: texts and calls of tools, and why it ended."""
    ending = _ending(turn)
    inner = turn["message"] if isinstance(turn.get("message"), Mapping) else turn
    refusal = inner.get("refusal")
    if ending in REFUSED or (isinstance(refusal, str) and refusal):
        return Letter(None, problem="refused")
    calls = [call for call in _calls(inner, depth) if call]
    texts = [text for text in _texts(inner, depth) if text.strip()]
    is_cut = ending in CUT
    if not texts and not calls:
        return Letter(None, problem="cut off before it began" if is_cut else "empty answer")
    # What a model calls a tool with is its answer; what it says beside that is talk.
    said = calls[-1] if calls else "\n".join(texts)
    return Letter(said, is_cut)


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yield the texts of a content, which may be a list of parts that have parts."""
    if depth > MOST_NESTED:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, depth + 1)
    elif isinstance(value, Mapping) and value.get("type") not in ("reasoning", "thinking"):
        for name in ("content", "parts", "text", "output", "output_text"):
            if name in value:
                yield from _texts(value[name], depth + 1)


def _calls(turn: Mapping[str, Any], depth: int) -> Iterator[Any]:
    """Yield what tools were called with."""
    calls = turn.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping):
            yield function.get("arguments")
    for name in ("content", "output"):
        parts = turn.get(name)
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, Mapping):
                if part.get("type") == "tool_use":
                    yield part.get("input")
                elif part.get("type") == "function_call":
                    yield part.get("arguments")


def _ending(value: Mapping[str, Any]) -> str:
    for name in ("finish_reason", "stop_reason", "finishReason", "done_reason", "status"):
        if isinstance(value.get(name), str):
            return str(value[name]).lower()
    return ""


def _told(error: Any) -> str:
    """Say what an interface complains of."""
    if isinstance(error, Mapping):
        inner = error.get("error")
        if isinstance(inner, Mapping):
            error = inner
        said = error.get("message") or error.get("type") or error.get("code") or "error"
        return " ".join(str(said).split())[:200]
    return " ".join(error.split())[:200] if isinstance(error, str) else ""
