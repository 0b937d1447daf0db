# SPDX-License-Identifier: Apache-2.0
"""Write memories until killed, and say each one on standard output once it is acknowledged."""

import sys
from itertools import count

from mira_memory.records import NewMemory
from mira_memory.store import Store


def main(path: str) -> None:
    store = Store.open(path)
    if not store.find_entities("Gordon"):
        for name in ("Gordon", "Anna"):
            store.add_entity("person", name)
    links = frozenset({(1, "subject"), (2, "friend")})
    print("ready", flush=True)
    for number in count(store.status().memories + 1):
        memory = NewMemory(
            "relationship",
            f"Said {number}.",
            f"p{number}",
            "Anna",
            links,
            "manual",
            turn_id=f"turn-{number}",
        )
        with store.admission_transaction() as transaction:
            assert transaction.duplicate("relationship", f"p{number}", "anna", links) is None
            memory_id = transaction.insert(memory)
        print(memory_id, flush=True)
        if number % 50 == 0:
            store.add_alias(1, f"Alias {number}")


if __name__ == "__main__":
    main(sys.argv[1])
