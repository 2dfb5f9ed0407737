"""The search behind an output: every hypothesis that was kept, finished or pruned, as a tree."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from regard.config.decoding import DecodingConfig
from regard.decoding.beam_recorder import BeamNode, BeamRecorder
from regard.decoding.observer import SearchObserver
from regard.errors import ConfigError, DataError
from regard.inference.constraints import Constraints, Glossary
from regard.inference.generation import GeneratedText
from regard.inference.search import GenerationRequest
from regard.text.tokenizer import BOS, EOS, PAD, Tokenizer

if TYPE_CHECKING:
    from regard.inference.generator import Generator

RANKED_BY = (
    "beam_size", "beam_groups", "diversity", "endings", "length_penalty", "length_alpha", "coverage_beta"
)  # fmt: skip
"""Settings without which a tree cannot be read."""


@dataclass(frozen=True)
class BeamTree:
    """All hypotheses of one search.

    A node is a hypothesis at the step at which its last token was added. Log-probabilities add up along a
    path: their sum is the `total` of its last node, and `score` is what finished hypotheses are ranked by.
    """

    result: GeneratedText
    """What the search found, with all its results, as without the tree; no attention is read."""
    nodes: tuple[BeamNode, ...] = field(repr=False)
    """Parents before their children; the first is <s>, where the search begins."""
    search: DecodingConfig = field(repr=False)
    prefix: int = field(repr=False)
    """How many tokens every output had to begin with."""
    tokenizer: Tokenizer = field(repr=False, compare=False)

    @property
    def best(self) -> BeamNode:
        """The node at which the output ends."""
        return next(node for node in self.nodes if node.rank == 0)

    def path(self, node: BeamNode) -> tuple[BeamNode, ...]:
        """From the first token to a node; <s> is left out."""
        found = []
        while node.parent is not None:
            found.append(node)
            node = self.nodes[node.parent]
        return tuple(reversed(found))

    def tokens(self, node: BeamNode) -> tuple[int, ...]:
        """The tokens of a hypothesis, by their numbers; `begin=` of another search takes them.

        Where outputs begin with the input, as those of a language model, that is left out.
        """
        own = tuple(one.token for one in self.path(node) if one.token != EOS)
        return own[self.prefix :]

    def text(self, node: BeamNode) -> str:
        """What a hypothesis has written."""
        tokens = [one.token for one in self.path(node)]
        return self.tokenizer.decode(tokens, whole=node.outcome != "kept").text.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON: the output, the settings, and a node for each hypothesis."""
        settings = self.search.model_dump()
        return {
            "source": self.result.source,
            "text": self.result.text,
            "score": self.result.score,
            "log_probability": self.result.log_probability,
            "search": {name: settings[name] for name in RANKED_BY},
            "prefix": self.prefix,
            "nodes": [self._told(node) for node in self.nodes],
        }

    def _told(self, node: BeamNode) -> dict[str, Any]:
        is_result = node.outcome in ("finished", "truncated")
        return {
            "node": node.number,
            "parent": node.parent,
            "token": node.token,
            "piece": self.tokenizer.piece(node.token),
            "length": node.length,
            "log_probability": node.log_probability,
            "total": node.total,
            "score": node.score,
            "outcome": node.outcome,
            **({} if node.reason is None else {"reason": node.reason}),
            **({} if self.search.beam_groups == 1 else {"group": node.group, "compared": node.compared}),
            **({"rank": node.rank, "text": self.text(node)} if is_result else {}),
        }


def beam_tree(
    model: "Generator[Any]",
    text: str,
    settings: DecodingConfig,
    *,
    constraints: Constraints | None = None,
    glossary: Glossary | None = None,
    begin: Sequence[int] = (),
    observer: SearchObserver | None = None,
) -> BeamTree:
    """Search for the output of one input, and keep what was considered.

    begin:    tokens that it begins with, after a prefix: those of a node of another tree
    observer: who waits for it
    """
    if settings.sample:
        raise ConfigError("sampling draws one token at each step, and there is no tree of hypotheses")
    tokenizer = model.target_tokenizer
    begun = _checked(begin, len(tokenizer))
    (source,) = model.encode([text])
    recorder = BeamRecorder(BOS, EOS, settings.beam_groups)
    wanted = [constraints or Constraints()]
    request = GenerationRequest(
        settings,
        wanted,
        glossary,
        settings.beam_size,
        attention=False,
        observer=observer,
        begin=begun,
        recorder=recorder,
    )
    ((result, best),) = model.write([source], [text], request)
    if best is None:
        raise DataError(f"the {model.input_name} has no words, and there is no search to show")
    prefix = source.ids if model.decoder_only else model.phrases.prefix(wanted[0].prefix)
    return BeamTree(result, tuple(recorder.nodes), settings, len(prefix), tokenizer)


def _checked(begin: Sequence[int], size: int) -> tuple[int, ...]:
    """Tokens that an output can begin with."""
    for place, token in enumerate(begin):
        is_number = isinstance(token, int) and not isinstance(token, bool)
        if not is_number or not 0 <= token < size or token in (PAD, BOS, EOS):
            raise DataError(
                f"begin[{place}]: expected a token of the vocabulary, below {size:,}, no <s> and no </s>, "
                f"found {token}"
            )
    return tuple(begin)
