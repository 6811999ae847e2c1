"""Prints the lowest version that pyproject.toml allows of every package it names, as constraints for pip."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def lowest(extras: list[str]) -> Iterator[str]:
    """One line for each package that the program and these extras name with a lower bound."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    named = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    for each in named:
        if found := re.match(r"([\w.-]+)\s*>=\s*([\d.]+)", each):
            yield f"{found[1]}=={found[2]}"


if __name__ == "__main__":
    sys.stdout.write("".join(f"{line}\n" for line in lowest(sys.argv[1:])))
