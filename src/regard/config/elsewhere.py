"""What settings are called in other libraries, and here."""

ELSEWHERE: dict[str, tuple[str, ...]] = {
    name: here
    for here, names in {
        ("learning_rate",): "lr max_lr base_lr",
        ("epochs",): "max_epochs num_epochs n_epochs nb_epochs num_train_epochs epoch",
        ("batch_tokens",): "batch_size train_batch_size per_device_train_batch_size bsz",
        ("accumulate",): "gradient_accumulation_steps accumulate_grad_batches update_freq",
        ("clip_norm",): "clip grad_clip max_grad_norm gradient_clip_val clip_grad_norm",
        ("warmup_steps",): "warmup warmup_updates num_warmup_steps",
        ("label_smoothing",): "smoothing label_smoothing_factor",
        ("patience",): "early_stopping early_stopping_patience",
        ("precision",): "fp16 bf16 amp",
        ("seed",): "random_seed",
        ("schedule",): "scheduler lr_scheduler lr_scheduler_type",
        ("optimizer",): "optim",
        ("best_by",): "metric_for_best_model best_checkpoint_metric monitor",
        ("heads",): "nhead num_heads n_heads n_head num_attention_heads attention_heads",
        ("feed_forward",): "d_ff dim_feedforward ffn_dim intermediate_size feed_forward_size ffn_embed_dim",
        ("width", "hidden_size"): "d_model model_dim n_embd hidden_dim hidden_units rnn_size dim",
        ("embedding_size", "width"): "embedding_dim embed_dim emb_dim emb_size embed_size d_emb",
        ("layers", "encoder_layers", "decoder_layers"): (
            "n_layers num_layers n_layer nlayers num_hidden_layers depth"
        ),
        ("dropout",): "dropout_rate dropout_prob dropout_p p_dropout hidden_dropout_prob",
        ("vocabulary_size",): "vocab_size n_vocab num_words max_vocab nwords",
        ("beam_size",): "num_beams beam beam_width",
        ("source",): "src src_lang source_lang",
        ("target",): "tgt trg tgt_lang target_lang",
        ("dev",): "valid validation val eval",
        ("max_tokens",): "max_length max_len max_seq_length max_source_length",
    }.items()
    for name in names.split()
}
"""A name that is common elsewhere: what it may be called here, the likeliest first."""
