"""A process that computes with one model: `python -m regard.server.worker DESCRIPTOR`.

It reads batches from the socket of that descriptor, and ends with it: when the front is gone, nobody waits.
A thread reads while another computes, so that a cancelled request leaves its batch at the next step.
"""

import signal
import socket
import sys
import threading
import warnings
from pathlib import Path

from regard.errors import RegardError
from regard.process import settle
from regard.server.front import Front


def main() -> None:
    """Load the model that the first message names, and compute until the front is gone."""
    settle()
    for stopping in (signal.SIGINT, signal.SIGTERM):  # they go to the whole group: the front says when
        signal.signal(stopping, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # they quote texts, and are in the results as notes
    front = Front(socket.socket(fileno=int(sys.argv[1])))
    threading.Thread(target=front.listen, daemon=True).start()
    asked = front.batches.get().about
    from regard.server.batches import Batches  # with torch, which should not be there before settle()
    from regard.server.loading import card_of, load_model
    from regard.server.measure import Measure
    from regard.server.operations.served import operations_of

    path = Path(asked["path"])
    try:
        model = load_model(path, asked["device"], asked["threads"], asked["plugins"])
        operations = operations_of(model, path, asked["name"], asked["device"])
    except RegardError as error:
        front.send({"kind": "failed", "message": str(error)})
        return
    card = card_of(model, path, asked["name"], operations)
    measure = Measure(model, card, asked["attention_weights"])
    batches = Batches(front, model, operations, measure, asked["response_bytes"])
    front.send({"kind": "ready", "card": card})
    while True:
        batches.run(front.batches.get().about)


if __name__ == "__main__":
    main()
