"""How long a user waits before anything happens: `import regard` and `regard --help`, medians of 9."""

import statistics
import subprocess
import sys
import time

CASES = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import regard": [sys.executable, "-c", "import regard"],
    "regard --help": [sys.executable, "-m", "regard", "--help"],
    "import torch": [sys.executable, "-c", "import torch"],
}


def seconds(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun


def main() -> None:
    rounds = [{name: seconds(command) for name, command in CASES.items()} for _ in range(9)]
    bare = statistics.median(result["python -c pass"] for result in rounds)
    for name in CASES:
        median = statistics.median(result[name] for result in rounds)
        print(f"{name:<16}{median * 1000:7.0f} ms   {(median - bare) * 1000:7.0f} ms above Python itself")


if __name__ == "__main__":
    main()
