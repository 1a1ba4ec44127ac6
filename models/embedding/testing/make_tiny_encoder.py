"""Makes a very small sentence encoder with random weights in the shape of BERT: what loads and pools a real one loads and pools it.

    pip install onnx numpy
    python make_tiny_encoder.py OUT_FOLDER

Words are cut into letters; each token's vector is its piece's row plus its place's row, mixed once with the mean of the text's tokens.
Texts that share letters lie near each other; it knows nothing of meaning.
"""

import json
import string
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SEED = 20260901
DIMS = 32
PLACES = 128
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = SPECIAL + [
    mark + letter for mark in ("", "##") for letter in string.ascii_lowercase + string.digits
] + list(".,:;!?'\"()-")


def graph():
    rng = np.random.default_rng(SEED)

    def weights(name, *shape):
        return numpy_helper.from_array((rng.standard_normal(shape) / np.sqrt(DIMS)).astype(np.float32), name)

    def integers(name, values):
        return numpy_helper.from_array(np.array(values, dtype=np.int64), name)

    node = helper.make_node
    nodes = [
        node("Gather", ["pieces", "input_ids"], ["rows"]),
        node("Shape", ["input_ids"], ["shape"]),
        node("Gather", ["shape", "one"], ["tokens"]),
        node("Range", ["zero", "tokens", "one"], ["order"]),
        node("Gather", ["places", "order"], ["placed"]),
        node("Add", ["rows", "placed"], ["known"]),
        node("Cast", ["attention_mask"], ["kept"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["kept", "last"], ["mask"]),
        node("Mul", ["known", "mask"], ["masked"]),
        node("ReduceSum", ["masked", "middle"], ["sum"], keepdims=1),
        node("ReduceSum", ["mask", "middle"], ["count"], keepdims=1),
        node("Div", ["sum", "count"], ["mean"]),
        node("MatMul", ["mean", "mixing"], ["context"]),
        node("Add", ["known", "context"], ["mixed"]),
        node("Tanh", ["mixed"], ["last_hidden_state"]),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", DIMS])
    constants = [
        weights("pieces", len(VOCABULARY), DIMS),
        weights("places", PLACES, DIMS),
        weights("mixing", DIMS, DIMS),
        integers("zero", 0),
        integers("one", 1),
        integers("last", [-1]),
        integers("middle", [1]),
    ]
    model = helper.make_model(
        helper.make_graph(nodes, "tiny-encoder", inputs, [output], constants),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
    )
    onnx.checker.check_model(model)
    return model


def tokenizer():
    ids = {piece: i for i, piece in enumerate(VOCABULARY)}
    marked = [
        {"id": ids[piece], "content": piece, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        for piece in SPECIAL
    ]
    special = {piece: {"id": piece, "ids": [ids[piece]], "tokens": [piece]} for piece in ("[CLS]", "[SEP]")}
    around = lambda letter, n: {"Sequence": {"id": letter, "type_id": n}}
    token = lambda piece, n: {"SpecialToken": {"id": piece, "type_id": n}}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": marked,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [token("[CLS]", 0), around("A", 0), token("[SEP]", 0)],
            "pair": [token("[CLS]", 0), around("A", 0), token("[SEP]", 0), around("B", 1), token("[SEP]", 1)],
            "special_tokens": special,
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": ids,
        },
    }


def main(out: Path):
    (out / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(graph(), str(out / "onnx" / "model.onnx"))
    settings = {
        "config.json": {"model_type": "bert", "architectures": ["BertModel"], "hidden_size": DIMS, "vocab_size": len(VOCABULARY)},
        "tokenizer.json": tokenizer(),
        "tokenizer_config.json": {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "model_max_length": PLACES,
            "pad_token": "[PAD]",
            "unk_token": "[UNK]",
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "mask_token": "[MASK]",
        },
    }
    for name, content in settings.items():
        (out / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


main(Path(sys.argv[1]))
