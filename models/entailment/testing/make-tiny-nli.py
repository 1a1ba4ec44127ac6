"""Makes tiny-nli/: an encoder of 78,000 weights that tells whether a sentence about drawn things follows from others, so that the loading code
is tested with answers that depend on both texts. Trained from nothing on sentences this script makes; no other weights or texts are in it.

    python make-tiny-nli.py        # needs numpy, jax and onnx (0.10.2 and 1.23 were used); a minute on one core

Premises are one to three sentences "A red cup is on the table."; a hypothesis says of one thing where it is, or what colour. It follows, is
contradicted (a thing that is told of, with a place or colour that is not), or is open (a thing that is not told of). Layout and sizes are BERT's.
"""

import json
import random
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OBJECTS = "cup book bag key phone plate lamp box chair coat hat shoe".split()
COLOURS = "red blue green yellow black white grey brown".split()
PLACES = "table shelf floor bed desk bench".split()
WORDS = "a an the is on in there not i see . , ?".split()
# Labels in the order of widespread models, which is not that of this project's type.
LABELS = ["contradiction", "entailment", "neutral"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY = SPECIAL + OBJECTS + COLOURS + PLACES + WORDS
ID = {word: n for n, word in enumerate(VOCABULARY)}
LENGTH = 64
HIDDEN, HEADS, LAYERS, INNER = 64, 4, 2, 128
SEED, STEPS, BATCH, RATE = 20260701, 600, 64, 2e-3
# Longest example; places beyond it are never trained.
TRAINED = 36


def example(rng: random.Random) -> tuple[list[str], list[str], int]:
    things = rng.sample(OBJECTS, 4)
    facts = [(thing, rng.choice(COLOURS), rng.choice(PLACES)) for thing in things[: rng.randint(1, 3)]]
    premise = [w for thing, colour, place in facts for w in f"a {colour} {thing} is on the {place} .".split()]
    label = rng.randrange(3)
    thing, colour, place = rng.choice(facts) if label < 2 else (things[3], rng.choice(COLOURS), rng.choice(PLACES))
    if label == 0:
        colour = rng.choice([one for one in COLOURS if one not in {fact[1] for fact in facts}])
        place = rng.choice([one for one in PLACES if one not in {fact[2] for fact in facts}])
    said = rng.choice([f"the {thing} is {colour} .", f"the {thing} is on the {place} ."])
    return premise, said.split(), label


def batch(rng: random.Random, size: int):
    ids, mask, kinds = (np.zeros((size, TRAINED), np.int32) for _ in range(3))
    labels = np.zeros(size, np.int32)
    for n in range(size):
        premise, said, labels[n] = example(rng)
        first = ["[CLS]", *premise, "[SEP]"]
        tokens = [ID[word] for word in [*first, *said, "[SEP]"]]
        ids[n, : len(tokens)] = tokens
        mask[n, : len(tokens)] = 1
        kinds[n, len(first) : len(tokens)] = 1
    return ids, mask, kinds, labels


def start(rng: np.random.Generator) -> dict[str, np.ndarray]:
    def dense(name: str, rows: int, columns: int) -> dict[str, np.ndarray]:
        return {f"{name}.w": rng.normal(0, rows**-0.5, (rows, columns)), f"{name}.b": np.zeros(columns)}

    def norm(name: str) -> dict[str, np.ndarray]:
        return {f"{name}.g": np.ones(HIDDEN), f"{name}.b": np.zeros(HIDDEN)}

    weights = {
        "words": rng.normal(0, 1, (len(VOCABULARY), HIDDEN)),
        "places": rng.normal(0, 0.1, (LENGTH, HIDDEN)),
        "kinds": rng.normal(0, 0.5, (2, HIDDEN)),
        **norm("n"),
        **dense("pool", HIDDEN, HIDDEN),
        **dense("out", HIDDEN, len(LABELS)),
    }
    for layer in range(LAYERS):
        for part in "qkvo":
            weights |= dense(f"{layer}.{part}", HIDDEN, HIDDEN)
        weights |= dense(f"{layer}.in", HIDDEN, INNER) | dense(f"{layer}.up", INNER, HIDDEN)
        weights |= norm(f"{layer}.n1") | norm(f"{layer}.n2")
    # The same word in both texts sees itself from the start, which saves most of the training.
    weights["0.q.w"] = weights["0.k.w"] = np.eye(HIDDEN)
    return {name: value.astype(np.float32) for name, value in weights.items()}


def logits(w, ids, mask, kinds):
    def norm(x, name):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * w[f"{name}.g"] + w[f"{name}.b"]

    def dense(x, name):
        return x @ w[f"{name}.w"] + w[f"{name}.b"]

    def heads(x):
        return x.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    x = norm(w["words"][ids] + w["places"][: ids.shape[1]] + w["kinds"][kinds], "n")
    hide = (1.0 - mask[:, None, None, :]) * -1e4
    for n in range(LAYERS):
        q, k, v = (heads(dense(x, f"{n}.{part}")) for part in "qkv")
        seen = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / (HIDDEN // HEADS) ** 0.5 + hide) @ v
        x = norm(x + dense(seen.transpose(0, 2, 1, 3).reshape(x.shape), f"{n}.o"), f"{n}.n1")
        x = norm(x + dense(jax.nn.relu(dense(x, f"{n}.in")), f"{n}.up"), f"{n}.n2")
    return dense(jnp.tanh(dense(x[:, 0], "pool")), "out")


def loss(w, ids, mask, kinds, labels):
    scores = jax.nn.log_softmax(logits(w, ids, mask, kinds))
    return -jnp.take_along_axis(scores, labels[:, None], 1).mean()


@partial(jax.jit, donate_argnums=(0, 1, 2))
def step(w, first, second, n, *data):
    """Adam with warm-up and a linear way down."""
    value, slope = jax.value_and_grad(loss)(w, *data)
    rate = RATE * jnp.minimum(n / 100, 1) * (1 - n / (STEPS + 1))
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, second, slope)
    w = jax.tree.map(
        lambda p, m, v: p - rate * (m / (1 - 0.9**n)) / (jnp.sqrt(v / (1 - 0.99**n)) + 1e-8), w, first, second
    )
    return w, first, second, value


def graph(w: dict[str, np.ndarray]) -> onnx.ModelProto:
    nodes: list[onnx.NodeProto] = []
    constants = {name: np.asarray(value) for name, value in w.items()}

    def op(kind: str, *inputs: str, **settings) -> str:
        nodes.append(helper.make_node(kind, inputs, [f"t{len(nodes)}"], **settings))
        return nodes[-1].output[0]

    def const(name: str, value) -> str:
        constants[name] = np.asarray(value)
        return name

    def dense(x: str, name: str) -> str:
        return op("Add", op("MatMul", x, f"{name}.w"), f"{name}.b")

    def norm(x: str, name: str) -> str:
        return op("LayerNormalization", x, f"{name}.g", f"{name}.b", axis=-1, epsilon=1e-5)

    def heads(x: str, order: list[int]) -> str:
        return op("Transpose", op("Reshape", x, const("split", np.array([0, 0, HEADS, -1], np.int64))), perm=order)

    one, zero = const("one", np.float32(1)), const("zero", np.int64(0))
    count = op("Gather", op("Shape", "input_ids"), const("second", np.int64(1)))
    places = op("Gather", "places", op("Range", zero, count, const("step", np.int64(1))))
    x = op("Add", op("Gather", "words", "input_ids"), op("Gather", "kinds", "token_type_ids"))
    x = norm(op("Add", x, places), "n")
    shown = op("Unsqueeze", op("Cast", "attention_mask", to=TensorProto.FLOAT), const("axes", np.array([1, 2], np.int64)))
    hide = op("Mul", op("Sub", one, shown), const("far", np.float32(-1e4)))
    for n in range(LAYERS):
        q, k, v = heads(dense(x, f"{n}.q"), [0, 2, 1, 3]), heads(dense(x, f"{n}.k"), [0, 2, 3, 1]), heads(dense(x, f"{n}.v"), [0, 2, 1, 3])
        seen = op("Div", op("MatMul", q, k), const("root", np.float32((HIDDEN // HEADS) ** 0.5)))
        seen = op("MatMul", op("Softmax", op("Add", seen, hide), axis=-1), v)
        seen = op("Reshape", op("Transpose", seen, perm=[0, 2, 1, 3]), const("join", np.array([0, 0, HIDDEN], np.int64)))
        x = norm(op("Add", x, dense(seen, f"{n}.o")), f"{n}.n1")
        x = norm(op("Add", x, dense(op("Relu", dense(x, f"{n}.in")), f"{n}.up")), f"{n}.n2")
    pooled = op("Tanh", dense(op("Gather", x, zero, axis=1), "pool"))
    nodes.append(helper.make_node("Add", [op("MatMul", pooled, "out.w"), "out.b"], ["logits"]))
    ints = ["input_ids", "attention_mask", "token_type_ids"]
    made = helper.make_graph(
        nodes,
        "tiny-nli",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ints],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LABELS)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def settings(folder: Path) -> None:
    def write(name: str, value: object) -> None:
        (folder / name).write_text(json.dumps(value, indent=1) + "\n")

    special = {name: {"id": name, "ids": [ID[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    piece = lambda name, kind: {"SpecialToken": {"id": name, "type_id": kind}}  # noqa: E731
    text = lambda name, kind: {"Sequence": {"id": name, "type_id": kind}}  # noqa: E731
    write("tokenizer.json", {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [
            {"id": ID[name], "content": name, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
            for name in SPECIAL
        ],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece("[CLS]", 0), text("A", 0), piece("[SEP]", 0)],
            "pair": [piece("[CLS]", 0), text("A", 0), piece("[SEP]", 0), text("B", 1), piece("[SEP]", 1)],
            "special_tokens": special,
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ID},
    })
    write("tokenizer_config.json", {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": LENGTH,
        "cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]", "unk_token": "[UNK]", "mask_token": "[MASK]",
    })
    write("config.json", {
        "architectures": ["BertForSequenceClassification"], "model_type": "bert", "hidden_size": HIDDEN,
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": INNER,
        "max_position_embeddings": LENGTH, "type_vocab_size": 2, "vocab_size": len(VOCABULARY),
        "id2label": dict(enumerate(LABELS)), "label2id": {label: n for n, label in enumerate(LABELS)},
    })


def main() -> None:
    rng = random.Random(SEED)
    w = {name: jnp.asarray(value) for name, value in start(np.random.default_rng(SEED)).items()}
    first, second = (jax.tree.map(jnp.zeros_like, w) for _ in range(2))
    for n in range(1, STEPS + 1):
        w, first, second, value = step(w, first, second, n, *batch(rng, BATCH))
        if n % 200 == 0:
            *held_out, labels = batch(random.Random(n), 1000)
            right = (np.asarray(logits(w, *held_out)).argmax(1) == labels).mean()
            print(f"{n} loss {value:.3f} right {right:.3f}", flush=True)
    folder = Path(__file__).with_name("tiny-nli")
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    (folder / "onnx/model.onnx").write_bytes(graph(w).SerializeToString())
    settings(folder)


if __name__ == "__main__":
    main()
