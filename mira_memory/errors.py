# SPDX-License-Identifier: Apache-2.0
"""Every error of persistent memory, by who can mend it; each sentence names the remedy.

No sentence carries a name, a value or any other stored or proposed text.
"""

import os
from pathlib import Path


class MemoryFault(Exception):
    """Stand for everything that persistent memory refuses or cannot do."""


class Refused(MemoryFault):
    """Refuse a request that its caller can mend; nothing was written."""


class TextRefused(Refused, ValueError):
    """Refuse a text that is empty, too long, or has a refused character."""


class IdentityRefused(Refused, ValueError):
    """Refuse a text that is no ENT<n> or MEM<n>."""


class DraftRefused(Refused, ValueError):
    """Refuse a manual write whose fields do not fit together."""


class NotFound(Refused):
    """Refuse an identity that the store does not hold."""


class AlreadyExists(Refused):
    """Refuse an entity or alias that exists; `identity` is the existing ENT<n>."""

    def __init__(self, sentence: str, identity: str) -> None:
        super().__init__(sentence)
        self.identity = identity


class TimeRefused(Refused, ValueError):
    """Refuse a text that is no time."""


class ReasonRefused(Refused, ValueError):
    """Refuse a reason that is none, or that repeats what it is about."""


class StatusRefused(Refused):
    """Refuse a change that a memory's or proposal's status does not allow."""


class SlotTaken(Refused):
    """Refuse to bring back a memory that others contradict or repeat."""


class BroughtBack(Refused):
    """Refuse a proposal of what a person retracted or forgot."""


class NeedsVersion2(Refused):
    """Refuse a command that a version 1 store can't carry out."""


class ExportRefused(Refused):
    """Refuse a file that can't be exported to or imported from."""


class SelfTestFailed(MemoryFault):
    """Report the check of the self test that failed."""


class MigrationRefused(Refused):
    """Refuse to upgrade a file, or report that the upgrade was undone."""


class StoreError(MemoryFault):
    """Report that the store could not do what was asked; the robot's keeper can mend it."""

    sentence = "The memory file {path} could not be used: {detail}."

    def __init__(self, path: Path, detail: str = "") -> None:
        super().__init__(self.sentence.format(path=shown_path(path), detail=detail))
        self.path = path


class OpeningError(StoreError):
    """Report a file that is no sound store; it is left exactly as it was found."""


class NotADatabase(OpeningError):
    """Report a file that is not SQLite's."""

    sentence = (
        "{path} is not an SQLite database; name another database_path or move that file away."
    )


class UnversionedTables(OpeningError):
    """Report a database that some other program made."""

    sentence = (
        "{path} is an SQLite database of another use (user_version 0, {detail}); "
        "name another database_path or move that file away."
    )


class NewerSchema(OpeningError):
    """Report a schema version that this release does not know."""

    sentence = (
        "{path} has schema version {detail}, which this release does not know; "
        "use the release that wrote it or name another database_path."
    )


class PinnedSchema(OpeningError):
    """Report a store of a later version than the one that the profile pins."""

    sentence = (
        "{path} has schema version {detail}, but schema_version 1 is pinned; "
        "leave schema_version out or name another database_path."
    )


class SchemaMismatch(OpeningError):
    """Report a store whose tables are not those of the version that it names."""

    sentence = "{path} says that it is {detail}; restore a backup or name another database_path."


class Corrupt(OpeningError):
    """Report a damaged file."""

    sentence = "{path} is damaged ({detail}); restore a backup, keeping that file for salvage."


class NotReadable(OpeningError):
    """Report a file that may not be read."""

    sentence = (
        "{path} can't be read ({detail}); give the robot's user read and write permission on it."
    )


class NotWritable(OpeningError):
    """Report a file or directory that may not be written."""

    sentence = (
        "{path} can't be written ({detail}); give the robot's user write permission "
        "on the file and its directory."
    )


class NoDirectory(OpeningError):
    """Report a missing parent directory."""

    sentence = "The directory of {path} does not exist; create it or name another database_path."


class IsADirectory(OpeningError):
    """Report a directory in the file's place."""

    sentence = "{path} is a directory; name a file in database_path."


class NotAFile(OpeningError):
    """Report a device, pipe or socket in the file's place."""

    sentence = "{path} is no regular file ({detail}); name a regular file in database_path."


class NoSharedMemory(OpeningError):
    """Report a file system on which WAL can't work."""

    sentence = (
        "{path} is on a file system without shared-memory WAL ({detail}); "
        "put the file on a local disk."
    )


class StoreInUse(OpeningError):
    """Report a second memory node on one file."""

    sentence = (
        "{path} is already open in another memory node; "
        "stop that node or name another database_path."
    )


class SelfTestFailure(OpeningError):
    """Report that a store does not keep what it promises; nothing was served from it."""

    sentence = (
        "{path} failed the self test: {detail}; stop, keep the file, and restore a backup or "
        "the release that wrote it."
    )


class StoreGone(StoreError):
    """Report that the path no longer names the open file."""

    sentence = (
        "{path} was deleted or replaced while open, so it is neither read nor written; "
        "put the file back or restart the memory node."
    )


class StoreBusy(StoreError):
    """Report a lock that another program kept for too long."""

    sentence = (
        "{path} is locked by another program ({detail}); "
        "end that program's transaction, then try again."
    )


class StoreFull(StoreError):
    """Report a full disk or quota."""

    sentence = "There is no room left to write {path}; free disk space, then try again."


class StoreUnwritable(StoreError):
    """Report a file that became read-only while open, or a disk that refuses to be written."""

    sentence = (
        "{path} can't be written any more ({detail}); "
        "check the disk, its quota and the file's permissions."
    )


class StoreTooSlow(StoreError):
    """Report a question that ran out of time."""

    sentence = "{path} gave no answer within {detail} s; try again when the machine is less busy."


class StoreDamaged(StoreError):
    """Report damage found while open."""

    sentence = "{path} is damaged ({detail}); stop the memory node and restore a backup."


class StoreClosed(StoreError):
    """Report a store that was closed."""

    sentence = "{path} is closed; restart the memory node."


class StoreFault(StoreError):
    """Report any other failure of the database."""

    sentence = "{path} failed ({detail}); see docs/operations.md, then restart the memory node."


def shown_path(path: Path) -> str:
    """Return the path as one line of encodable text: whatever is not printable is escaped."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
