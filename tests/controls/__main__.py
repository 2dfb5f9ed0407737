"""Take every guard away, one at a time, and see its test fail.

python -m tests.controls            all of them; some minutes
python -m tests.controls R7 lock    those of a requirement, or with a word in their description
"""

import sys
import tempfile
from pathlib import Path

from tests.controls.copies import Copy
from tests.controls.guards import CONTROLS


def main() -> None:
    words = sys.argv[1:]
    chosen = [c for c in CONTROLS if not words or any(w == c.requirement or w in c.guard for w in words)]
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder))
        code, told = copy.run_tests(sorted({control.test for control in chosen}))
        if code != 0:
            sys.exit(f"with every guard in place, the tests do not pass: {told}")
        print(f"with every guard in place: {told}", flush=True)
        wrong = 0
        for number, control in enumerate(chosen, start=1):
            outcome = copy.without(control)
            wrong += outcome.verdict != "red"
            print(
                f"{number:3}/{len(chosen)}  {control.requirement:3}  {control.guard:60}  {outcome.verdict}"
                f"  ({outcome.seconds:.0f} s)",
                flush=True,
            )
    print(f"{len(chosen) - wrong} of {len(chosen)} guards are seen by their tests")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
