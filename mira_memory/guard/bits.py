# SPDX-License-Identifier: Apache-2.0
"""Name each list of a language by one bit, so that a phrase can be in several."""


class Bit:
    """One bit for each list: the key of the list in capitals."""

    FUNCTION_WORDS = 1 << 0
    COMPLEMENTIZERS = 1 << 1
    FRAMINGS = 1 << 2
    REQUEST_OPENERS = 1 << 3
    MEMORY_VERBS = 1 << 4
    COURTESY = 1 << 5
    HEADINGS = 1 << 6
    GREETINGS = 1 << 7
    CONNECTIVES = 1 << 8
    INTERJECTIONS = 1 << 9
    ADVERBIAL_HEADS = 1 << 10
    ADVERBIAL_CLAUSES = 1 << 11
    UNREAL = 1 << 12
    TAILS = 1 << 13
    CLOSING_QUESTIONS = 1 << 14
    COORDINATORS = 1 << 15
    HESITATIONS = 1 << 16
    CONTRASTS = 1 << 17
    CONSEQUENCES = 1 << 18
    ALTERNATIVES = 1 << 19
    NOT_COORDINATORS = 1 << 20
    REASONS = 1 << 21
    RELATIVES = 1 << 22
    SUPPLEMENTS = 1 << 23
    NUMERALS = 1 << 24
    EXCEPTIVES = 1 << 25
    EXISTENTIALS = 1 << 26
    FIRST_PERSON = 1 << 27
    PLAIN_SUBJECTS = 1 << 28
    DETERMINERS = 1 << 29
    AUXILIARIES = 1 << 30
    VERBS = 1 << 31
    EVENT_MARKS = 1 << 32
    ARTICLES = 1 << 33
    ADJUNCTS = 1 << 34
    HARMLESS = 1 << 35
    INVERSIONS = 1 << 36
    COMMANDS = 1 << 37
    IRONIES = 1 << 38
    QUESTION_WORDS = 1 << 39
    QUESTIONS = 1 << 40
    TAG_QUESTIONS = 1 << 41
    CONDITIONS = 1 << 42
    LIMITS = 1 << 43
    SUPPOSITIONS = 1 << 44
    REPORTS = 1 << 45
    ATTRIBUTIONS = 1 << 46
    BELIEFS = 1 << 47
    EMBEDDERS = 1 << 48
    DENIALS = 1 << 49
    JESTS = 1 << 50
    TRUTHS = 1 << 51
    THATS = 1 << 52
    MAYBES = 1 << 53
    BENIGN = 1 << 54
    UNTRUTHS = 1 << 55
    ANAPHORS = 1 << 56
    KEPT = 1 << 57
    DISMISSALS = 1 << 58
    REFUSALS = 1 << 59
    RETRACTIONS = 1 << 60
    RETRACTIONS_ALONE = 1 << 61
    BACKTRACKS = 1 << 62
    PRELUDES = 1 << 63
    NEGATIONS = 1 << 64
    LOCAL_NEGATIONS = 1 << 65
    PREFERENCES = 1 << 66
    LESSERS = 1 << 67
    NEGATION_EXCEPTIONS = 1 << 68
    NEGATION_CLOSERS = 1 << 69
