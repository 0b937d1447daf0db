# SPDX-License-Identifier: Apache-2.0
"""Change memories until killed: supersede, forget and approve, or migrate a file."""

import random
import sys
from itertools import count
from pathlib import Path

from mira_memory.lifecycle.migration import migrate
from mira_memory.records import MemoryDraft
from mira_memory.store import Store


def main(what: str, path: str) -> None:
    if what == "migrate":
        print("ready", flush=True)
        migrate(Path(path))
        return
    store = Store.open(path)
    if not store.find_entities("Gordon"):
        store.add_entity("person", "Gordon")
    lifecycle = store.lifecycle
    chance = random.Random()
    print("ready", flush=True)
    for _ in count():
        draft = MemoryDraft(
            "fact", f"It is {chance.random()}", ((1, "subject"),), "p", f"v{chance.random()}"
        )
        match what:
            case "supersede":
                number = store.add_memory(draft).memory.id
                lifecycle.supersede(number, f"It is {chance.random()}", f"w{chance.random()}")
            case "forget":
                lifecycle.forget(store.add_memory(draft).memory.id, "a wish")
            case "approve":
                proposal = lifecycle.propose(
                    MemoryDraft("note", f"It is {chance.random()}", ((1, "subject"),)), "a tool"
                )
                lifecycle.approve(proposal)


if __name__ == "__main__":
    main(*sys.argv[1:])
