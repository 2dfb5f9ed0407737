"""Marian translators against `transformers`, in both directions."""

import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.conftest import Run
from tests.store.convert.marian_folder import (
    CODE,
    ENGLISH,
    KOREAN,
    TEXTS,
    their_tokenizer,
    write_marian_folder,
)
from torch.testing import assert_close
from transformers import MarianMTModel

import regard
from regard.config.data import TsvCorpus
from regard.config.decoding import DecodingConfig
from regard.config.translation import TranslationRecipe
from regard.errors import StoreError
from regard.nn.decoder import DecoderInputs
from regard.nn.trace import Trace
from regard.store.convert.marian import read_marian, write_marian
from regard.store.folder import StoredModel, read_model, write_model
from regard.tasks.translation.predictor import Translator
from regard.text.symbols import BOS, EOS, PAD


@pytest.fixture(scope="module", params=["shared", "separate", "bpe", "unscaled"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("marian") / request.param
    kind = "bpe" if request.param == "bpe" else "unigram"
    name = request.param
    scaled = name != "unscaled"  # without, it learns more slowly
    steps = 80 if scaled else 240
    write_marian_folder(path, shared=name != "separate", kind=kind, scaled=scaled, steps=steps)
    return path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("marian") / "one"
    write_marian_folder(path, steps=0)
    return path


def opened(folder: Path) -> tuple[Translator, Any, Any]:
    theirs = MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    return regard.load(folder, task="translation"), theirs, their_tokenizer(folder)


def assert_alike(ours: Translator, theirs: Any, tokenizer: Any) -> None:
    """Tokens, logits and every attention, in float64: what is left is their table of positions in float32."""
    ours.module.double()
    theirs.double()
    sides = ours.source_tokenizer, ours.target_tokenizer
    numbers = [torch.tensor(side.numbers) for side in sides]  # type: ignore[attr-defined]
    for source, target in zip([*TEXTS, f"{CODE} {KOREAN[0]}"], [*ENGLISH, *ENGLISH], strict=True):
        given = tokenizer(source, return_tensors="pt")["input_ids"]
        wanted = tokenizer(text_target=target, return_tensors="pt")["input_ids"]
        own, written = sides[0].encode(source).ids, sides[1].encode(target).ids
        assert numbers[0][[*own, EOS]].tolist() == given[0].tolist()
        assert numbers[1][[*written, EOS]].tolist() == wanted[0].tolist()
        fed = torch.tensor([[BOS, *written]])
        trace = Trace(ours.module)
        with torch.inference_mode():
            said = ours.network.teacher_forced(
                DecoderInputs(torch.tensor([[*own, EOS]]), torch.tensor([len(own) + 1]), fed), trace=trace
            ).logits()
            found = theirs(given, decoder_input_ids=numbers[1][fed], output_attentions=True)
        assert not said.softmax(-1)[..., [PAD, BOS]].any()  # nothing is left of what is never written
        kept = [row for row in range(len(numbers[1])) if row not in (PAD, BOS)]
        assert_close(said[0][:, kept], found.logits[0][:, numbers[1][kept]], atol=1e-5, rtol=1e-5)
        kinds = {
            "encoder.{}.self": found.encoder_attentions,
            "decoder.{}.self": found.decoder_attentions,
            "decoder.{}.cross": found.cross_attentions,
        }
        for name, layers in kinds.items():
            for number, weights in enumerate(layers):
                (sight,) = trace.kept[name.format(number)]
                assert_close(sight.weights, weights, atol=1e-6, rtol=0)


def assert_same_writing(ours: Translator, theirs: Any, tokenizer: Any, **changes: Any) -> None:
    """Token for token, wherever theirs ends by itself: at its longest length theirs is made to end."""
    inputs = tokenizer(TEXTS, return_tensors="pt", padding=True)
    with torch.inference_mode():
        written = theirs.generate(**inputs, **changes).tolist()
    found = ours.translate(TEXTS, beam_size=changes.get("num_beams"))
    ended = 0
    for best, row in zip(found, written, strict=True):
        tokens = row[1 : row.index(0)]
        if len(tokens) < ours.recipe.decoding.max_length(0):
            assert list(best.tokens) == tokenizer.convert_ids_to_tokens(tokens)
            assert best.text == tokenizer.decode(tokens, skip_special_tokens=True)
            ended += 1
    assert ended >= 5
    assert len({best.tokens for best in found}) > 3
    assert found[0].attention.words().columns == ("나는", "책을", "읽었다", ".", "</s>")


def test_the_same_tokens_logits_and_attentions(folder: Path) -> None:
    assert_alike(*opened(folder))


def test_both_write_the_same(folder: Path) -> None:
    ours, theirs, tokenizer = opened(folder)
    assert ours.recipe.decoding.beam_size == 4
    assert_same_writing(ours, theirs, tokenizer)
    assert_same_writing(ours, theirs, tokenizer, num_beams=1)


def test_rules_of_the_search_come_along(tmp_path: Path) -> None:
    rules: dict[str, Any] = {
        "min_length": 9,
        "no_repeat_ngram_size": 2,
        "length_penalty": 0.6,
        "renormalize_logits": False,
    }
    write_marian_folder(tmp_path / "model", **rules)
    ours, theirs, tokenizer = opened(tmp_path / "model")
    assert_same_writing(ours, theirs, tokenizer)
    assert all(len(best.tokens) >= 8 for best in ours.translate(TEXTS))


def rewrite(path: Path, *without: str, **changes: Any) -> None:
    """Change a JSON file."""
    values = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({name: value for name, value in values.items() if name not in without}))


def decoding_of(stored: StoredModel) -> DecodingConfig:
    assert isinstance(stored.recipe, TranslationRecipe)
    return stored.recipe.decoding


def longest_written(folder: Path) -> int:
    """By `transformers`, with its start, of a model that does not end by itself."""
    theirs = MarianMTModel.from_pretrained(folder).eval()
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # that nothing is said of the length
        return int(theirs.generate(torch.tensor([[5, 6, 0]]), attention_mask=torch.ones(1, 3)).shape[1])


def test_the_generation_file_alone_says_how_to_search(shared: Path, tmp_path: Path) -> None:
    """As in `transformers`; config.json says it where there is no such file."""
    folder = shutil.copytree(shared, tmp_path / "model")
    rewrite(
        folder / "config.json",
        num_beams=3,
        max_length=33,
        length_penalty=0.5,
        min_length=7,
        bad_words_ids=[[4]],
        early_stopping=True,
    )
    rewrite(folder / "generation_config.json", "num_beams", "length_penalty", max_length=None)
    stored = read_marian(folder)
    found = decoding_of(stored)
    assert (found.beam_size, found.length_alpha, found.min_length) == (1, 1.0, 0)
    assert found.max_length(0) + 2 == longest_written(folder) == 21
    assert stored.summary["notes"] == []
    (folder / "generation_config.json").write_text("{}")
    assert decoding_of(read_marian(folder)).max_length(0) == 20
    (folder / "generation_config.json").unlink()
    with pytest.raises(StoreError, match=r"config.json: bad_words_ids: regard forbids padding"):
        read_marian(folder)
    rewrite(folder / "config.json", "bad_words_ids")
    stored = read_marian(folder)
    found = decoding_of(stored)
    assert (found.beam_size, found.length_alpha, found.min_length) == (3, 0.5, 6)
    assert found.max_length(0) + 2 == longest_written(folder) == 33
    assert stored.summary["notes"] == ["early_stopping: True has no counterpart here and is left out"]


def test_what_a_model_begins_with(shared: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(shared, tmp_path / "model")
    pad = json.loads((folder / "config.json").read_text())["pad_token_id"]

    def begin_and_end() -> list[int]:
        tokenizer = regard.load(folder, task="translation").target_tokenizer
        return [tokenizer.numbers[number] for number in (BOS, EOS)]  # type: ignore[attr-defined]

    rewrite(folder / "generation_config.json", "decoder_start_token_id", "eos_token_id")
    assert begin_and_end() == [pad, 0]  # of config.json, since nothing else says it
    rewrite(folder / "generation_config.json", bos_token_id=3)
    assert begin_and_end() == [3, 0]  # as `transformers` takes it


@pytest.mark.parametrize("more", [-5, 5])
def test_sides_of_two_sizes_have_vocabularies_of_their_own(tmp_path: Path, more: int) -> None:
    """With one vocabulary, a smaller target has no such rows, and of a larger some could never be written."""
    folder = tmp_path / "model"
    write_marian_folder(folder, shared=False, steps=0)
    tensors = load_file(folder / "model.safetensors")
    size = len(tensors["model.decoder.embed_tokens.weight"])
    for name in ("model.decoder.embed_tokens.weight", "lm_head.weight"):
        if name in tensors:
            tensors[name] = resized(tensors[name], size + more)
    tensors["final_logits_bias"] = resized(tensors["final_logits_bias"].T, size + more).T.contiguous()
    save_file(tensors, folder / "model.safetensors")
    rewrite(folder / "config.json", decoder_vocab_size=size + more, decoder_start_token_id=3)
    rewrite(folder / "generation_config.json", decoder_start_token_id=3)
    rewrite(folder / "tokenizer_config.json", "separate_vocabs")
    with pytest.raises(StoreError) as caught:
        regard.load(folder)
    assert str(caught.value) == (
        f"{folder / 'tokenizer_config.json'}: separate_vocabs: expected true, since decoder_vocab_size is "
        f"{size + more} and vocab_size {size}, found None"
    )


def test_sides_that_share_their_vectors_number_their_symbols_alike(shared: Path, tmp_path: Path) -> None:
    """With one table for both, a row has one place."""
    folder = shutil.copytree(shared, tmp_path / "model")
    rewrite(folder / "tokenizer_config.json", separate_vocabs=True)
    entries = json.loads((folder / "vocab.json").read_text())
    (folder / "target_vocab.json").write_text(json.dumps(entries))
    assert read_marian(folder).weights.keys() == read_marian(shared).weights.keys()
    other = next(name for name, number in entries.items() if number == 5)
    rewrite(folder / "target_vocab.json", **{"<unk>": 5, other: 1})
    with pytest.raises(StoreError) as caught:
        read_marian(folder)
    assert str(caught.value) == (
        f"{folder / 'target_vocab.json'}: <unk>: the two sides share their word vectors, and it is 1 in "
        "vocab.json, found 5"
    )


def resized(table: torch.Tensor, rows: int) -> torch.Tensor:
    return torch.cat([table, table])[:rows].contiguous()


@pytest.mark.parametrize("renormalises", [True, False])
def test_whether_a_search_renormalises_is_kept(tmp_path: Path, renormalises: bool) -> None:
    write_marian_folder(tmp_path / "model", steps=0, renormalize_logits=renormalises)
    write_marian(tmp_path / "back", read_marian(tmp_path / "model"), "model")
    told = json.loads((tmp_path / "back" / "generation_config.json").read_text())
    assert told["renormalize_logits"] is renormalises


def test_there_and_back_nothing_is_lost(folder: Path, tmp_path: Path) -> None:
    """Imported, stored as regard's own, opened again, exported: transformers loads the very same model."""
    write_model(tmp_path / "own", read_marian(folder))
    write_marian(tmp_path / "back", read_model(tmp_path / "own"), "model")
    before, after = (MarianMTModel.from_pretrained(path).eval() for path in (folder, tmp_path / "back"))
    ids, state = torch.tensor([[5, 6, 7, 0]]), after.state_dict()
    pad = before.config.pad_token_id
    for name, tensor in before.state_dict().items():
        if name == "final_logits_bias":
            state[name][0, pad] = tensor[0, pad]  # which is never written
        assert_close(state[name], tensor, atol=0, rtol=0)
    assert_close(
        before(ids, decoder_input_ids=ids).logits[..., :pad],
        after(ids, decoder_input_ids=ids).logits[..., :pad],
    )
    own = regard.load(tmp_path / "own")
    assert_same_writing(own, after, their_tokenizer(tmp_path / "back"))


def test_an_imported_model_claims_no_training_data(shared: Path, tmp_path: Path, run: Run) -> None:
    """Of what it was trained on nothing is known; whoever trains it further says on what."""
    assert run("import", shared, tmp_path / "own").returncode == 0
    recipe = regard.load(tmp_path / "own").recipe
    assert (recipe.data.train.kind, recipe.data.dev.kind, recipe.data.test) == ("none", "none", None)
    before = sorted(tmp_path.rglob("*"))
    for model in (shared, tmp_path / "own"):
        done = run("train", "--from", model, "--out", tmp_path / "run")
        assert (done.returncode, done.stdout) == (2, "")
        assert "the recipe names no data here (kind: none)" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before
    data = tmp_path / "data"
    data.mkdir()
    for split in ("train", "dev"):
        rows = "".join(f"{one}\t{other}\n" for one, other in zip(KOREAN, ENGLISH, strict=True))
        (data / f"{split}.tsv").write_text(f"ko\ten\n{rows}", encoding="utf-8")
    told = ["--set", "training.epochs=1"]
    done = run("train", "--from", tmp_path / "own", "--data", data, "--out", tmp_path / "run", *told)
    assert done.returncode == 0, done.stderr
    assert isinstance(regard.load(tmp_path / "run").recipe.data.train, TsvCorpus)


@pytest.mark.parametrize(
    ("file", "changes", "message"),
    [
        ("config.json", {"scale_embedding": 12.0}, "scale_embedding: regard opens models with"),
        ("config.json", {"normalize_before": True}, "normalize_before: regard opens models with"),
        ("config.json", {"decoder_ffn_dim": 11}, "decoder_ffn_dim: regard has one for both sides"),
        ("config.json", {"activation_function": "mish"}, "activation_function: unknown function 'mish'"),
        ("config.json", {"vocab_size": 2**40}, "vocab_size: expected a number from 1"),
        ("config.json", {"vocab_size": 7, "decoder_vocab_size": 7}, "pad_token_id: expected a number from 0"),
        ("config.json", {"d_model": 10**6}, "d_model: "),
        ("config.json", {"d_model": 3 * 2**10}, "should have the shape (3072, 3072)"),
        ("config.json", {"encoder_layers": 60_000}, "layers.2.self_attn.q_proj.weight is missing"),
        ("generation_config.json", {"bad_words_ids": [[3, 4]]}, "bad_words_ids: regard forbids padding"),
        ("generation_config.json", {"num_beams": 10**9}, "num_beams: input should be less than"),
        ("generation_config.json", {"length_penalty": "x"}, "length_penalty: input should be a valid number"),
        ("generation_config.json", {"max_length": 0}, "max_length: expected a number from 2"),
        ("generation_config.json", {"eos_token_id": [0, 1]}, "generation_config.json: eos_token_id: expect"),
        ("generation_config.json", {"forced_eos_token_id": 3}, "forced_eos_token_id: regard ends with eos"),
        ("generation_config.json", {"forced_eos_token_id": [0, 3]}, "(0), found [0, 3]"),
        ("vocab.json", {"one more": 10**7}, "vocab.json: expected the numbers 0 to"),
        ("vocab.json", {"</s>": 0, "twice": 0}, "vocab.json: expected the numbers 0 to"),
        ("vocab.json", {"x" * 2**22: 5}, "vocab.json: expected at most"),
    ],
)  # fmt: skip
def test_the_field_in_the_way_is_named(
    shared: Path, tmp_path: Path, file: str, changes: dict[str, Any], message: str
) -> None:
    shutil.copytree(shared, tmp_path / "model")
    path = tmp_path / "model" / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(StoreError) as caught:
        regard.load(tmp_path / "model")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["source.spm", "vocab.json", "model.safetensors"])
def test_a_damaged_file_is_refused(shared: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(shared, tmp_path / "model")
    (tmp_path / "model" / name).write_bytes(b"\x80garbage" * 9)
    with pytest.raises(StoreError, match=name):
        regard.load(tmp_path / "model")
    (tmp_path / "model" / name).unlink()
    with pytest.raises(StoreError, match=name):
        regard.load(tmp_path / "model")


def test_a_flipped_bit_of_a_weight_is_found(shared: Path, tmp_path: Path) -> None:
    write_marian(tmp_path / "back", read_marian(shared), "model")
    path = tmp_path / "back" / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"model.safetensors: damaged: its size or SHA-256"):
        read_marian(tmp_path / "back")


def test_what_the_search_has_nothing_for_is_said(tmp_path: Path) -> None:
    write_marian_folder(tmp_path / "model", steps=0, early_stopping=True, min_length=3)
    assert read_marian(tmp_path / "model").summary["notes"] == [
        "early_stopping: True has no counterpart here and is left out",
        "renormalize_logits: what min_length forbids keeps its probability here",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_new_tokens", 5),
        ("sequence_bias", [[[4], -2.0]]),
        ("exponential_decay_length_penalty", [3, 1.5]),
        ("encoder_repetition_penalty", 1.2),
        ("guidance_scale", 2.0),
        ("stop_strings", ["."]),
        ("max_time", 0.5),
        ("force_words_ids", [[5]]),
        ("watermarking_config", {"bias": 2.5}),
    ],
)
def test_no_rule_is_dropped_in_silence(shared: Path, tmp_path: Path, name: str, value: object) -> None:
    folder = shutil.copytree(shared, tmp_path / "model")
    rewrite(folder / "generation_config.json", **{name: value})
    notes = read_marian(folder).summary["notes"]
    assert notes == [f"{name}: {value!r} has no counterpart here and is left out"]


def test_models_that_are_no_marian(opinions: Path, tmp_path: Path) -> None:
    with pytest.raises(
        StoreError,
        match="a sentence for classification cannot be exported to marian: a translator of the",
    ):
        write_marian(tmp_path / "out", read_model(opinions), "model")
