"""Writes what train.py learnt as two folders in the layout of transformers.js. Weights are kept in 16 bit and widened when loaded."""

import json
import os
import shutil

import numpy as np
import onnx
import torch
from torch import nn
from train import D, END, EN, FRAMES, HEADS, IT, LAYERS, NOSPEECH, PLAIN, SPECIAL, START, TIMES, TRANSCRIBE, WORDS
from train import LogMel, Model, file_id


class SoundEncoder(nn.Module):
    """Moonshine's encoder takes sound, so the features are part of it."""

    def __init__(self, encoder):
        super().__init__()
        self.mel, self.encoder = LogMel(), encoder

    def forward(self, samples):
        return self.encoder(self.mel(samples))


class FlatDecoder(nn.Module):
    def __init__(self, decoder):
        super().__init__()
        self.decoder = decoder

    def forward(self, ids, sound, *past):
        logits, now = self.decoder(ids, sound, [past[2 * i : 2 * i + 2] for i in range(LAYERS)])
        return (logits, *(part for pair in now for part in pair))


def halve(path):
    model = onnx.load(path)
    casts = []
    for weight in list(model.graph.initializer):
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 500:
            continue
        name = weight.name
        model.graph.initializer.remove(weight)
        half = onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}.half")
        model.graph.initializer.append(half)
        casts.append(onnx.helper.make_node("Cast", [half.name], [name], to=onnx.TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    for node in model.graph.node:
        node.doc_string = ""
    onnx.checker.check_model(model)
    onnx.save(model, path)


def write(path, module, example, inputs, outputs, dynamic):
    torch.onnx.export(
        module, example, path, input_names=inputs, output_names=outputs, dynamic_axes=dynamic, opset_version=17
    )
    halve(path)


def save(folder, name, value):
    with open(f"{folder}/{name}", "w") as file:
        file.write(json.dumps(value, indent=1) + "\n")


def tokenizer(folder, kind):
    words = {("." if w == "." else "Ġ" + w): i for i, w in enumerate(WORDS)}
    special = [(len(WORDS), "<s>")] + [(file_id(i), token) for i, token in enumerate(SPECIAL)]
    level = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
    added = [
        dict(id=i, content=t, single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
        for i, t in special
    ]
    model = dict(type="BPE", dropout=None, unk_token=None, continuing_subword_prefix="", end_of_word_suffix="")
    model.update(fuse_unk=False, byte_fallback=False, vocab=words, merges=[])
    whole = dict(version="1.0", truncation=None, padding=None, added_tokens=added, normalizer=None)
    save(folder, "tokenizer.json", dict(**whole, pre_tokenizer=level, post_processor=None, decoder=level, model=model))
    save(folder, "tokenizer_config.json", dict(tokenizer_class=kind, eos_token="<|endoftext|>", model_max_length=64))


def export(work, target):
    model = Model()
    model.load_state_dict(torch.load(f"{work}/tiny.pt")["model"])
    model.eval()
    decoder = model.decoder
    order = torch.tensor([file_id(i) if i <= PLAIN - 1 else len(WORDS) for i in range(TIMES)])
    weight = torch.empty_like(decoder.words.weight.data)
    weight[order] = decoder.words.weight.data
    decoder.words.weight.data = weight
    past = [f"past_key_values.{i}.decoder.{kv}" for i in range(LAYERS) for kv in ("key", "value")]
    now = [name.replace("past_key_values", "present") for name in past]
    end, none = file_id(END), torch.zeros(1, HEADS, 3, D // HEADS)
    for kind in ("whisper", "moonshine"):
        folder = f"{target}/tiny-{kind}"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f"{folder}/onnx")
        if kind == "whisper":
            sound, module, example = "input_features", model.encoder, torch.zeros(1, 80, 2 * FRAMES)
            start = file_id(START)
        else:
            sound, module, example = "input_values", SoundEncoder(model.encoder).eval(), torch.randn(1, 32_000)
            start = len(WORDS)
        write(
            f"{folder}/onnx/encoder_model.onnx",
            module,
            (example,),
            [sound],
            ["last_hidden_state"],
            {sound: {example.dim() - 1: "length"}, "last_hidden_state": {1: "frames"}},
        )
        if kind == "whisper":  # the other takes the same file
            write(
                f"{folder}/onnx/decoder_model_merged.onnx",
                FlatDecoder(decoder),
                (torch.zeros(1, 1, dtype=torch.long), torch.zeros(1, 100, 2 * D), *[none] * 2 * LAYERS),
                ["input_ids", "encoder_hidden_states", *past],
                ["logits", *now],
                {
                    "input_ids": {1: "tokens"},
                    "encoder_hidden_states": {1: "frames"},
                    "logits": {1: "tokens"},
                    **{name: {2: "before"} for name in past},
                    **{name: {2: "all"} for name in now},
                },
            )
        common = dict(is_encoder_decoder=True, vocab_size=TIMES + FRAMES + 1, decoder_start_token_id=start)
        common.update(eos_token_id=end, pad_token_id=end, bos_token_id=start)
        if kind == "whisper":
            sizes = dict(d_model=D, decoder_layers=LAYERS, decoder_attention_heads=HEADS, encoder_layers=4)
            sizes.update(encoder_attention_heads=HEADS, num_mel_bins=80, max_source_positions=FRAMES)
            config = dict(model_type="whisper", architectures=["WhisperForConditionalGeneration"], **sizes)
            extra = dict(is_multilingual=True, no_timestamps_token_id=file_id(9), suppress_tokens=[])
            extra.update(begin_suppress_tokens=[], lang_to_id={"<|en|>": file_id(EN), "<|it|>": file_id(IT)})
            extra.update(task_to_id=dict(translate=file_id(4), transcribe=file_id(TRANSCRIBE)))
            features = dict(feature_extractor_type="WhisperFeatureExtractor", processor_class="WhisperProcessor")
            features.update(feature_size=80, hop_length=160, n_fft=400, n_samples=480_000, nb_max_frames=3000)
            features.update(chunk_length=30, sampling_rate=16_000, padding_value=0.0, return_attention_mask=False)
            assert file_id(NOSPEECH) == file_id(9) - 1
        else:
            config = dict(model_type="moonshine", architectures=["MoonshineForConditionalGeneration"])
            config.update(hidden_size=D, decoder_num_hidden_layers=LAYERS, encoder_num_hidden_layers=4)
            config.update(decoder_num_key_value_heads=HEADS, encoder_num_key_value_heads=HEADS)
            config.update(decoder_num_attention_heads=HEADS, encoder_num_attention_heads=HEADS)
            extra, features = {}, dict(feature_extractor_type="MoonshineFeatureExtractor", sampling_rate=16_000)
        save(folder, "config.json", {**config, **common, "transformers.js_config": dict(dtype="fp32")})
        save(folder, "generation_config.json", {**common, **extra, "max_length": 60})
        save(folder, "preprocessor_config.json", features)
        tokenizer(folder, "WhisperTokenizer" if kind == "whisper" else "PreTrainedTokenizerFast")
