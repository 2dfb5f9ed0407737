"""Train a vocabulary: count the pre-tokens, which no token crosses, then choose the entries.

Only counts are held, never the text. Every choice between equals is made by the alphabet, so that a
vocabulary is a function of its text: the engine's trainers, left alone, choose at random.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from tokenizers import AddedToken, models, pre_tokenizers, trainers
from tokenizers import Tokenizer as Backend

from regard.config.text import Kind, TextConfig
from regard.errors import DataError
from regard.text.pieces import GOES_ON, written
from regard.text.prepare import clean, normalised, pre_tokenizer, prepare
from regard.text.rules import Rules
from regard.text.symbols import BYTES, HIDDEN, MARK, SPACE, SPECIAL, UNK, Symbols, find_symbols
from regard.text.unigram import learn_pieces

_LINES_AT_ONCE = 2048
_COPIES_AT_ONCE = 1024

Counts = Mapping[str, int]


def train_backend(texts: Iterable[str], config: TextConfig, rules: Rules) -> Backend:
    """The engine with a vocabulary trained on texts, which are read more than once."""
    cleaned = (clean(line.text, rules.kind).strip() for line in normalised(texts))
    symbols = find_symbols(cleaned, config)
    counts = count_parts(texts, rules, symbols)
    size = config.vocabulary_size - len(symbols.all)
    backend = Backend(_LEARNERS[config.kind](counts, size, config.min_frequency))
    backend.pre_tokenizer = pre_tokenizer(rules.kind, prefix=True, marks=rules.split == "morphemes")
    _add_symbols(backend, symbols, rules)
    return backend


def count_parts(texts: Iterable[str], rules: Rules, symbols: Symbols) -> Counter[str]:
    """How often each pre-token occurs. A word that comes again is not segmented again."""
    words: Counter[str] = Counter()
    for lines in _batches(texts, _LINES_AT_ONCE):
        for line in prepare([line.text for line in normalised(lines)], rules, symbols):
            words.update(symbols.taken_out(line.text).split(" "))
    cut = pre_tokenizer(rules.kind, prefix=False, marks=True)
    parts: Counter[str] = Counter()
    for word, count in words.items():
        for part, _ in cut.pre_tokenize_str(" " + word):
            parts[part] += count
    return parts


def _batches(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    remaining = iter(texts)
    while batch := list(islice(remaining, size)):
        yield batch


def _words(counts: Counts, size: int, least: int) -> models.Model:
    often = [word for word in _by_frequency(counts) if counts[word] >= least]
    return models.WordLevel(_numbered([*SPECIAL, *often[: size - len(SPECIAL)]]), unk_token=SPECIAL[UNK])


def _characters(counts: Counts, size: int, least: int) -> models.Model:
    found = _character_counts(counts)
    alphabet = _alphabet(counts, size - len(SPECIAL) - len(BYTES))
    often = [char for char in alphabet if found[char] >= least or char == SPACE]
    entries = _numbered([*SPECIAL, *BYTES, *often])
    return models.BPE(entries, [], unk_token=SPECIAL[UNK], byte_fallback=True)


def _pairs(counts: Counts, size: int, least: int) -> models.Model:
    alphabet = _alphabet(counts, (size - len(SPECIAL) - len(BYTES)) // 2)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=least,
        special_tokens=[*SPECIAL, *BYTES],
        show_progress=False,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
    )
    return _trained(models.BPE(unk_token=SPECIAL[UNK], byte_fallback=True), trainer, counts)


def _byte_pairs(counts: Counts, size: int, least: int) -> models.Model:
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        min_frequency=least,
        special_tokens=list(SPECIAL),
        show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )
    return _trained(models.BPE(), trainer, counts)


def _likely_pieces(counts: Counts, size: int, least: int) -> models.Model:
    room = size - len(SPECIAL) - len(BYTES)
    alphabet = _alphabet(counts, room // 2)
    known: Counter[str] = Counter()
    others = {ord(char): MARK for char in _character_counts(counts).keys() - set(alphabet)}
    for word, count in counts.items():
        for part in word.translate(others).split(MARK):
            known[part] += count
    pieces = learn_pieces(known, alphabet, size=room, min_frequency=least)
    entries = [(name, 0.0) for name in (*SPECIAL, *BYTES)]
    return models.Unigram([*entries, *pieces], unk_id=UNK, byte_fallback=True)


def _word_pieces(counts: Counts, size: int, least: int) -> models.Model:
    forms: Counter[str] = Counter()
    for word, count in counts.items():
        for place, char in enumerate(word):
            forms[f"{GOES_ON}{char}" if place else char] += count
    entries: dict[str, None] = {}
    for form in _by_frequency(forms):
        if len(entries) < (size - len(SPECIAL)) // 2:
            entries |= dict.fromkeys((form[-1], form))  # the trainer asks for both
    alphabet = [entry for entry in entries if len(entry) == 1]
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        min_frequency=least,
        special_tokens=[*SPECIAL, *entries],  # numbered here; the trainer would number them at random
        show_progress=False,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        continuing_subword_prefix=GOES_ON,
    )
    model = models.WordPiece(unk_token=SPECIAL[UNK], continuing_subword_prefix=GOES_ON)
    return _trained(model, trainer, counts)


_LEARNERS: dict[Kind, Callable[[Counts, int, int], models.Model]] = {
    "word": _words,
    "given": _words,
    "char": _characters,
    "bpe": _pairs,
    "unigram": _likely_pieces,
    "byte_bpe": _byte_pairs,
    "wordpiece": _word_pieces,
}


def _trained(model: models.Model, trainer: trainers.Trainer, counts: Counts) -> models.Model:
    """Run the engine's trainer on counted words."""
    backend = Backend(model)
    backend.pre_tokenizer = pre_tokenizers.CharDelimiterSplit(MARK)
    backend.train_from_iterator(_repeated(counts), trainer)
    learned: models.Model = backend.model
    return learned


def _repeated(counts: Counts) -> Iterator[str]:
    """Each word as often as it was counted, for an engine that wants to count by itself."""
    for word in sorted(counts):
        for done in range(0, counts[word], _COPIES_AT_ONCE):
            yield (word + MARK) * min(_COPIES_AT_ONCE, counts[word] - done)


def _alphabet(counts: Counts, most: int) -> list[str]:
    """The most frequent characters; the rest is left to the bytes, to make room for longer pieces."""
    others = (char for char in _by_frequency(_character_counts(counts)) if char != SPACE)
    return [SPACE, *others][: max(1, most)]


def _character_counts(counts: Counts) -> Counter[str]:
    found: Counter[str] = Counter()
    for word, count in counts.items():
        for char in word:
            found[char] += count
    return found


def _by_frequency(counts: Counts) -> list[str]:
    return sorted(counts, key=lambda entry: (-counts[entry], entry))


def _numbered(entries: Iterable[str]) -> dict[str, int]:
    return {entry: number for number, entry in enumerate(entries)}


def _add_symbols(backend: Backend, symbols: Symbols, rules: Rules) -> None:
    for symbol in symbols.all:
        if backend.token_to_id(symbol) is not None and written(symbol, rules.kind) != symbol:
            raise DataError(
                f"text.keep: {rules.kind} has an entry '{symbol}' that stands for other text; "
                f"do not keep this symbol, or use another kind"
            )
    # [MASK] takes the space before it along, as the first piece of a word does.
    kept = [AddedToken(symbol, normalized=False, lstrip=symbol == HIDDEN) for symbol in symbols.all]
    backend.add_tokens(kept)
