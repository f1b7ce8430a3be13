"""A small parser for tests, run as a child process; how it behaves is in its arguments and words.

It makes a flat tree. Some words make it misbehave: HANG, DIE, SEGV, EMPTY, OPEN, OTHER, NONE,
NOISE (much on stderr), EAT (much memory), SLOW, LEAVE (answer, then end). PID makes its process the
label of the tree.
"""

import sys

from vermeil.parsers.parser import Parser

SCRIPT = r"""
import os, signal, sys, time
mode = sys.argv[1] if len(sys.argv) > 1 else "live"
if mode == "usage":
    sys.exit("usage: parser MODEL\n")
if mode == "banner":
    print("model loaded", flush=True)
def tree(words):
    return "(S " + " ".join(f"(X {w})" for w in words) + ")"
def say():
    sys.stdout.write("".join(kept)); sys.stdout.flush(); kept.clear()
n, kept = 0, []
for line in sys.stdin:
    words = line.split()
    n += 1
    out = tree(words)
    if mode == "leaky" and n == 4: os.kill(os.getpid(), signal.SIGKILL)
    if "HANG" in words: time.sleep(60)
    if "DIE" in words: say(); print("cannot parse this", file=sys.stderr); sys.exit(3)
    if "SEGV" in words: say(); os.kill(os.getpid(), signal.SIGSEGV)
    if "NOISE" in words: sys.stderr.write("noise\n" * 200_000)
    if "EAT" in words: bytearray(4 << 30)
    if "EMPTY" in words: out = ""
    if "NONE" in words: out = "(())"
    if "OPEN" in words: out = out[:-1]
    if "OTHER" in words: out = tree(["an", *words[1:]])
    if "PID" in words: out = f"(P{os.getpid()}" + out[2:]
    if "SLOW" in words: time.sleep(0.02)
    if mode == "skips" and "EMPTY" in words: continue
    kept.append(out + ("\n\n" if mode == "spaced" else "\n"))
    if mode != "buffers": say()
    if "LEAVE" in words: break
say()
"""


def parser(
    mode: str = "live", *, timeout: float = 20.0, at_once: int = 0, memory: int | None = None
) -> Parser:
    """Describe the parser above in one of its modes."""
    command = (sys.executable, "-S", "-c", SCRIPT, mode)
    return Parser(command, timeout=timeout, startup=0.0, at_once=at_once, memory=memory)


def flat(words: tuple[str, ...]) -> str:
    """Give the tree it should make."""
    return "(S " + " ".join(f"(X {word})" for word in words) + ")"
