"""Layers and standards found in bytes against the object path, and numbers against plain twins."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vermeil import Document
from vermeil.formats import read, write
from vermeil.formats.kinds.own import jsonl_columns
from vermeil.formats.kinds.own.json_bytes import JsonBytes

SPAN = '{"start":0,"end":3,"label":"Gene"}'
HEART = '{"start":0,"end":3,"label":"Gene","votes":2.0,"left":[[0,2.0]],"right":[[3,2.0]]}'
PLAIN = [
    "[]",
    f"[{SPAN}]",
    f'[{SPAN},{{"start":4,"end":7,"label":"Gene"}},{{"start":8,"end":11,"label":"Ω/β cell"}}]',
    '[{"start":0,"end":3,"label":"a label that is longer than two words of memory"}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":0.25}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":0.9498581837251409,"ids":["7157"]}]',
    '[{"start":0,"end":3,"label":"Gene","ids":["7157","a:b|c",""]}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":1.0},{"start":4,"end":7,"label":"A"}]',
]
HEARTS = [
    f"[{HEART}]",
    HEART.join("[]").replace("[[0,2.0]]", "[[1,1.5],[0,0.5]]"),
    HEART.join("[]").replace("}", ',"confidence":0.987654321}'),
    HEART.join("[]").replace("}", ',"labels":[["Gene",2.0],["Cell",1.0]],"ids":["1","2"]}'),
    HEART.join("[]").replace("}", ',"confidence":0.5,"pairs":[[0,3,1.0]]}'),
    HEART.join("[]").replace("}", ',"confidence":0.5,"ids":["7157"]}'),
]
OTHERWISE = [
    "[ ]",
    f"[{SPAN} ]",
    f"[ {SPAN}]",
    f'[{SPAN} ,{{"start":4,"end":7,"label":"Gene"}}]',
    f'[{SPAN}, {{"start":4,"end":7,"label":"Gene"}}]',
    '[{"start":0,"end":3 ,"label":"Gene"}]',
    '[{"start": 0,"end":3,"label":"Gene"}]',
    '[{"end":3,"start":0,"label":"Gene"}]',
    '[{"start":0,"end":3,"label":"Ge\\u006ee"}]',
    '[{"start":0,"end":3,"label":"Ge\\"ne"}]',
    '[{"start":0,"end":3,"label":"{"}]',
    '[{"start":0,"end":3,"label":"},{"}]',
    '[{"start":0,"end":3,"label":"Gene","start":1}]',
    '[{"start":0,"end":000000003,"label":"Gene"}]',
    '[{"start":0,"end":1234567890,"label":"Gene"}]',
    '[{"start":0.0,"end":3,"label":"Gene"}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":null}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":1}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":0.50}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":5e-1}]',
    '[{"start":0,"end":3,"label":"Gene","confidence":0.5 }]',
    '[{"start":0,"end":3,"label":"Gene","confidence":0.10000000000000000001}]',
    '[{"start":0,"end":3,"label":"Gene","ids":[]}]',
    '[{"start":0,"end":3,"label":"Gene","ids":["1", "2"]}]',
    '[{"start":0,"end":3,"label":"Gene","ids":["1","2" ]}]',
    '[{"start":0,"end":3,"label":"Gene","ids":["1",2]}]',
    '[{"start":0,"end":3,"label":"Gene","ids":["1"],"confidence":0.5}]',
    '[{"start":0,"end":3,"label":"Gene","ids":["1"],"attributes":[["a","b"]]}]',
    '[{"start":0,"end":7,"label":"Gene","fragments":[[0,3],[4,7]]}]',
    '[{"start":0,"end":3,"label":"Gene"},null]',
    "null",
    SPAN,
    "7",
    '"a"',
]
HEARTS_OTHERWISE = [
    HEART.join("[]").replace("2.0,", "2,"),
    HEART.join("[]").replace("[[0,2.0]]", "[[0,2.0], [0,1.0]]"),
    HEART.join("[]").replace("[[0,2.0]]", "[[0, 2.0]]"),
    HEART.join("[]").replace("[[0,2.0]]", "[0,2.0]"),
    HEART.join("[]").replace("[[0,2.0]]", "[[0,2.0,1.0]]"),
    HEART.join("[]").replace("[[0,2.0]]", "[[[0,2.0]]]"),
    HEART.join("[]").replace("[[0,2.0]]", "[[0,2.0],[]]"),
    HEART.join("[]").replace("[[0,2.0]]", '[["0",2.0]]'),
    HEART.join("[]").replace("[[0,2.0]]", "[[],[0,2.0]]"),
    HEART.join("[]").replace("}", ',"pairs":[[0,3,1]]}'),
    HEART.join("[]").replace("}", ',"pairs":[[0,3]]}'),
    HEART.join("[]").replace("}", ',"ids":["1"],"labels":[["Gene",2.0]]}'),
    HEART.join("[]").replace('"votes":2.0,', ""),
]


def _lines(layer: str, standard: str = "[]") -> bytes:
    """Two good documents, and between them one with this layer and standard."""
    good = f'{{"id":"%s","text":"p53 p21 cdk","layers":{{"anna":[{SPAN}],"ben":[]}}}}\n'
    own = '{"id":"b","text":"p53 p21 cdk","layers":{"anna":%s,"ben":%s},"standards":{"s":%s}}\n'
    return (good % "a" + own % (layer, PLAIN[1], standard) + good % "c").encode()


def _outcome(path: Path, *, in_columns: bool) -> tuple[list[Document], str, bytes]:
    found: list[Document] = []
    try:
        found.extend(read(path, in_columns=in_columns))
    except Exception as error:  # whatever it is, the other path must say the same
        return found, f"{type(error)} {error}", b""
    out = path.with_name("out.jsonl")
    write(read(path, in_columns=in_columns), out)
    return found, "", out.read_bytes()


@pytest.mark.parametrize("layer", [*PLAIN, *OTHERWISE])
def test_a_layer_is_read_and_written_as_objects_are(tmp_path: Path, layer: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(_lines(layer))
    assert _outcome(path, in_columns=True) == _outcome(path, in_columns=False)


@pytest.mark.parametrize("standard", [*HEARTS, *HEARTS_OTHERWISE])
def test_a_standard_is_read_and_written_as_objects_are(tmp_path: Path, standard: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(_lines("[]", standard))
    assert _outcome(path, in_columns=True) == _outcome(path, in_columns=False)


@pytest.mark.parametrize(
    ("layer", "standard"), [(each, "[]") for each in PLAIN] + [("[]", each) for each in HEARTS]
)
def test_what_is_written_as_we_do_is_found_in_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layer: str, standard: str
) -> None:
    """That the paths agree shows nothing if one of them is never taken."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(_lines(layer, standard))
    monkeypatch.setattr(jsonl_columns, "recorded", lambda lines: [1 / 0 for _ in lines])
    monkeypatch.setattr(jsonl_columns, "document_in", None)
    assert len(list(read(path, in_columns=True))) == 3


def test_lines_written_by_others_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    lines = [json.loads(line) for line in _lines(PLAIN[5], HEARTS[3]).splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert _outcome(path, in_columns=True) == _outcome(path, in_columns=False)


NUMBERS: st.SearchStrategy[Any] = (
    st.floats(0, 1) | st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 10**12)
)


@given(st.lists(NUMBERS | st.decimals(0, 10, places=3), min_size=1))
def test_reals_are_those_that_msgspec_reads(numbers: list[Any]) -> None:
    every = [str(each).encode() for each in numbers]
    text = JsonBytes(every)
    values, good = text.reals(text.first, text.end)
    for written, value, is_good in zip(every, values.tolist(), good.tolist(), strict=True):
        known = msgspec.json.decode(written, type=float, strict=False)
        assert is_good == (msgspec.json.encode(known) == written)
        assert not is_good or value == known


@given(st.lists(st.integers(0, 10**10) | st.sampled_from(["", "-1", "1.5", ":", "/", "1a"])))
def test_whole_numbers_are_those_of_python(numbers: list[Any]) -> None:
    every = [str(each).encode() for each in numbers]
    text = JsonBytes(every)
    values, good = text.wholes(text.first, text.end)
    for written, value, is_good in zip(every, values.tolist(), good.tolist(), strict=True):
        assert is_good == (written.isdigit() and len(written) <= 8)
        assert not is_good or value == int(written)


@given(st.lists(st.text(alphabet="abα\U0001d6fc", max_size=40)))
def test_strings_are_numbered_as_they_differ(strings: list[str]) -> None:
    text = JsonBytes([each.encode() for each in strings])
    code, names = text.strings(text.first, text.end)
    assert [names[each] for each in code.tolist()] == strings
    assert len(set(names)) == len(names)


def test_strings_that_share_a_slot_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vermeil.formats.kinds.own.json_bytes.N_ROUNDS", 0)
    strings = [str(n % 7) * (n % 3 + 1) for n in range(50)]
    text = JsonBytes([each.encode() for each in strings])
    code, names = text.strings(text.first, text.end)
    assert [names[each] for each in code.tolist()] == strings
    assert len(np.unique(code)) == len(set(strings))
