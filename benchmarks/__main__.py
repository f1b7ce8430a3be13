"""Run every benchmark, one after the other."""

import runpy
import sys
from pathlib import Path

NOT_SCRIPTS = {"__init__", "__main__", "crowd", "generated", "perturbed", "timing"}

for path in sorted(Path(__file__).parent.glob("*.py")):
    if path.stem not in NOT_SCRIPTS:
        print(f"\n== benchmarks.{path.stem}")
        sys.argv = [path.name]
        runpy.run_module(f"benchmarks.{path.stem}", run_name="__main__")
