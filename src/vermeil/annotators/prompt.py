"""What a language model is asked: the prompt and the schema that we recommend.

Each name is asked for once, as it is spelt in the text. Models count badly, and a list of names
costs less than one of mentions; where the names occur is found by us.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vermeil.errors import UsageError

PROMPT = """\
You annotate biomedical text. Find every name of these kinds: {labels}.

Rules:
- Copy each name exactly as it is spelt in the text, letter by letter.
- List each name once, however often it occurs. List every form of it that occurs: an abbreviation
  and the long form are two names.
- A name is the shortest stretch that still names the thing: "EGFR", not "the EGFR gene".
- Do not list anything that is not in the text. If there is nothing to list, the list is empty.

Answer with JSON only, of this form:
{"mentions": [{"text": "BRCA1", "label": "Gene"}]}

Text:
{text}
"""

_FIELD = re.compile(r"\{(text|labels)\}")


def filled(prompt: str, text: str, labels: Sequence[str]) -> str:
    """Put a text and labels into a prompt; what stands in the text is never replaced.

    >>> filled("{labels} in: {text}", "a {labels} b", ["Gene", "Disease"])
    'Gene, Disease in: a {labels} b'
    """
    values = {"text": text, "labels": ", ".join(labels)}
    return _FIELD.sub(lambda found: values[found[1]], prompt)


def check_prompt(prompt: str, labels: Sequence[str]) -> None:
    """Refuse a prompt that does not show the text, or asks for labels that nobody named."""
    if "{text}" not in prompt:
        raise UsageError("the prompt has no {text}, so no model would see the text; add it")
    if "{labels}" in prompt and not labels:
        raise UsageError("say which names to look for, as in --labels Gene,Disease")


def schema(labels: Sequence[str]) -> Mapping[str, Any]:
    """Return the JSON schema of an answer.

    >>> schema(["Gene"])["properties"]["mentions"]["items"]["properties"]["label"]
    {'type': 'string', 'enum': ['Gene']}
    """
    label: dict[str, Any] = {"type": "string"}
    if labels:
        label["enum"] = list(labels)
    mention = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "label": label},
        "required": ["text", "label"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"mentions": {"type": "array", "items": mention}},
        "required": ["mentions"],
        "additionalProperties": False,
    }
