"""Prints one of README's two commands, word for word: `python3 .ci/readme.py 1`."""

import re
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
HEADING = "## Two commands"


def commands(text: str) -> list[str]:
    """The code blocks between the heading and the next one.

    Raises:
        SystemExit: if there are not two.
    """
    found: list[str] = []
    inside = False
    parts = re.split(r"^```.*\n", text, flags=re.MULTILINE)
    for prose, block in zip(parts[::2], [*parts[1::2], ""], strict=False):
        for heading in re.findall(r"^#{1,2} .*$", prose, re.MULTILINE):
            inside = heading.rstrip() == HEADING
        if inside and block.strip():
            found.append(block.strip())
    if len(found) != 2 or len(parts) % 2 == 0:
        sys.exit(f"README.md has {len(found)} code blocks under {HEADING!r}; they must be two")
    return found


if __name__ == "__main__":
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else README
    print(commands(path.read_text(encoding="utf-8"))[int(sys.argv[1]) - 1])
