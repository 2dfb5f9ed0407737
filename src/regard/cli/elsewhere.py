"""What flags are called in other tools, and were called here, and what they are called now."""

from typing import Any

FLAGS: dict[str, tuple[str, ...]] = {
    name: here
    for here, names in {
        ("--set training.epochs=N",): "--epochs --max-epochs --num-epochs --num-train-epochs",
        ("--set training.optimizer.learning_rate=NUMBER",): "--lr --learning-rate",
        ("--batch-size", "--batch-tokens", "--set training.batch_tokens=N"): "--batch-size --batch --bsz",
        ("--set training.minutes=N",): "--minutes --max-time",
        ("--set model.dropout=NUMBER",): "--dropout",
        ("--set text.vocabulary_size=N",): "--vocab-size --vocabulary-size",
        ("--set data.train=FILE",): "--train --train-file --train-data --trainpref",
        ("--set NAME=VALUE",): "--settings --setting --override",
        ("--beam-size",): "--beam --beams --num-beams --beam-width",
        ("--n-best",): "--top --top-n --nbest --count --num-return-sequences",
        ("--label",): "--gold --score --labels --tags",
        ("--text", "INPUT"): "--first --text --sentence1",
        ("--second",): "--sentence2 --text-pair",
        ("--text", "--column"): "--columns",
        ("--column",): "--field",
        ("--source",): "--src --src-lang --source-lang",
        ("--target",): "--tgt --trg --tgt-lang --target-lang",
        ("--from",): "--start --init --init-from --pretrained --checkpoint",
        ("--out FOLDER (the same command resumes by itself)",): "--resume --continue --resume-from",
        ("--out",): "--output --output-dir --out-dir --save-dir --outdir --save",
        ("RECIPE",): "--recipe --config",
        ("MODEL", "--from"): "--model --model-path --model-name-or-path",
        ("INPUT",): "--input --file --sentence",
        ("DATA", "--data"): "--data --dataset --corpus --test",
        ("--device cuda",): "--gpu --cuda --use-cuda",
        ("--device cpu",): "--cpu --no-cuda",
        ("--threads",): "--num-threads --jobs --workers --num-workers",
        ("--json",): "--format --output-format",
        ("--quiet",): "--silent",
    }.items()
    for name in names.split()
}
"""A flag that a command may not have: what it has instead, the likeliest first. In capitals, an argument."""


def called(flag: str, command: Any) -> str | None:
    """What a flag that a command does not have is called there, in words; None if that is not known."""
    there = {name for parameter in command.params for name in parameter.opts if name.startswith("-")}
    arguments = {parameter.metavar for parameter in command.params if parameter.param_type_name == "argument"}
    for here in FLAGS.get(flag, ()):
        if here.split()[0] in there:
            return f"it is called {here} here"
        if here in arguments:
            return f"{here} stands without a flag here"
    return None
