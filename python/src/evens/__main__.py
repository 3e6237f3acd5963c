"""`python -m evens`: the program itself."""

import os
import subprocess
import sys

from ._program import program


def main() -> int:
    """Runs the program in the place of this process, where the system can."""
    words = [str(program()), *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(words).returncode
    os.execv(words[0], words)


if __name__ == "__main__":
    sys.exit(main())
