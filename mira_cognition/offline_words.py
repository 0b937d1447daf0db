# SPDX-License-Identifier: Apache-2.0
"""What the offline policy says (docs/cognition.md, "Offline")."""

from mira_cognition.capabilities import Acquired
from mira_cognition.questions import Question
from mira_cognition.recalled import RecalledEntity, RecalledMemory, quoted_memories, read_recalled
from mira_cognition.statements import Bare
from mira_memory.text import key

GREETING = "Hello. I listen."
HELP = (
    "I run without a language model and understand a few plain sentences. "
    "To file something, say for example: Remember that Gordon's favourite snack is herring. "
    "Or: the dock is in the hallway; Gordon likes tea; Ada works at the university; "
    "the toolbox belongs to Priya. "
    "To ask, say: What do you know about Gordon? Where is the dock? Who is Ada? "
    "What is Gordon's favourite snack?"
)
NOT_UNDERSTOOD = (
    "I did not understand that. I run without a language model and know only a few plain "
    "sentences: say help to hear them, or set cognition.model to a language model."
)
NOT_CARRIED_OUT = "I could not do that within the bounds of this request."
MEMORY_OFF = "I cannot do that, because persistent memory is switched off."


def bare_answer(bare: Bare) -> str:
    """Say how a bare "X is Y" can be said so that it can be filed."""
    return (
        f"I can file that when you name what it is: {bare.subject}'s something is {bare.value}. "
        "As in: Gordon's favourite snack is herring."
    )


def recalled_answer(question: Question, acquired: Acquired) -> str:
    """Answer a question from what memory recalled, in its own words."""
    match acquired.status:
        case "hit":
            return _hit(question, read_recalled(acquired.text)[0])
        case "ambiguous":
            named = ", ".join(f"{e.name} ({e.identity})" for e in read_recalled(acquired.text))
            return f"Several go by the name {question.name}: {named}. Which one do you mean?"
        case "miss":
            return f"I know nobody and nothing by the name {question.name}."
        case "invalid":
            return "That is no name that I can look up."
    return "I could not look into my memory just now. Please try again."


def _hit(question: Question, entity: RecalledEntity) -> str:
    if question.label is None:
        memories = entity.memories
        about = f"About {entity.name}"
    else:
        memories = tuple(memory for memory in entity.memories if _answers(memory, question.label))
        about = f"About {entity.name} and {question.label}"
    if not memories:
        return f"{about} I remember nothing."
    older = f" {entity.left_out} older memories are left out." if entity.left_out else ""
    return f"{about} I remember: {quoted_memories(memories)}.{older}"


def _answers(memory: RecalledMemory, label: str) -> bool:
    return memory.predicate is not None and key(memory.predicate.replace("_", " ")) == key(
        label.replace("-", " ")
    )
