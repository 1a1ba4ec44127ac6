"""Distils the static embedding from the teacher and writes the ONNX model and its tokenizer.

    python distil.py TEACHER_FOLDER WORDNET_DICT TEXTS.txt TEACHER_VECTORS.npy OUT_FOLDER

1. Vocabulary: the teacher's word pieces without reserved ones, then whole words that the teacher cuts into pieces.
2. Each through the teacher alone, "[CLS] piece [SEP]" (Model2Vec's first step).
3. PCA of the teacher's sentence vectors to DIMS numbers; the same projection for the pieces.
4. Weight by frequency: a / (a + p), the SIF weight of Arora et al. 2017, p from the training texts.
5. Trained further: the mean of a text's rows is moved towards the teacher's vector of that text (cosine).
6. Rows to int8 with one scale a row; a graph of gather, mean and unit length.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from teach import Teacher
from tokenizers import Tokenizer

from corpus import read_frequencies

SEED = 20260701
DIMS = 256
WHOLE_WORDS = 1000
SIF_A = 1e-3
EPOCHS = 8
BATCH = 512
LEARNING_RATE = 1.5e-3
# Share of texts never trained on, to see that training helps.
HELD_OUT = 0.03
RESERVED = ("[PAD]", "[CLS]", "[SEP]", "[MASK]")


def vocabulary(spec: dict, dict_folder: Path, tokenizer: Tokenizer) -> list[str]:
    """The student's pieces: "[UNK]" first, the teacher's own, then frequent whole words the teacher has to cut."""
    teacher = sorted(spec["model"]["vocab"], key=spec["model"]["vocab"].get)
    kept = [t for t in teacher if not t.startswith("[unused") and t not in RESERVED and t != "[UNK]"]
    known = set(kept)
    words = Counter()
    for (_, lemma), tagged in read_frequencies(dict_folder).items():
        if lemma.isascii() and lemma.isalpha() and lemma.islower() and lemma not in known:
            words[lemma] += tagged + 1
    cut = [w for w, _ in sorted(words.items(), key=lambda kv: (-kv[1], kv[0]))[:WHOLE_WORDS]]
    return ["[UNK]", *kept, *cut]


def piece_vectors(teacher: Teacher, pieces: list[str], ids: dict[str, int], tokenizer: Tokenizer) -> np.ndarray:
    """Each piece through the teacher alone [n, 384]."""
    rows = []
    for piece in pieces:
        rows.append([101, ids[piece], 102] if piece in ids else tokenizer.encode(piece).ids)
    out = np.zeros((len(pieces), 384), np.float32)
    by_length: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        by_length.setdefault(len(row), []).append(i)
    for members in by_length.values():
        for at in range(0, len(members), 512):
            batch = members[at : at + 512]
            out[batch] = teacher.encode_ids([rows[i] for i in batch])
    return out


def student_tokenizer(spec: dict, pieces: list[str]) -> dict:
    """The teacher's tokenizer with the student's vocabulary and no frame tokens."""
    model = {**spec["model"], "vocab": {piece: i for i, piece in enumerate(pieces)}}
    unknown = {"id": 0, "content": "[UNK]", "single_word": False, "lstrip": False, "rstrip": False,
               "normalized": False, "special": True}
    return {"version": spec["version"], "truncation": None, "padding": None, "added_tokens": [unknown],
            "normalizer": spec["normalizer"], "pre_tokenizer": spec["pre_tokenizer"], "post_processor": None,
            "decoder": spec["decoder"], "model": model}


class Bags:
    """Texts as bags of rows: flat ids with offsets, so a batch is one sparse product."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.offsets = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
        self.flat = np.concatenate([np.array(r, np.int32) for r in rows])

    def batch(self, members: np.ndarray):
        counts = self.offsets[members + 1] - self.offsets[members]
        ids = np.concatenate([self.flat[self.offsets[m] : self.offsets[m + 1]] for m in members])
        owner = np.repeat(np.arange(len(members)), counts)
        return ids, owner, counts


def means(table: np.ndarray, bags: Bags, members: np.ndarray) -> np.ndarray:
    ids, owner, counts = bags.batch(members)
    out = np.zeros((len(members), table.shape[1]), np.float32)
    np.add.at(out, owner, table[ids])
    return out / counts[:, None]


def held_out_cosine(table, bags, targets, members) -> float:
    got = means(table, bags, members)
    got /= np.linalg.norm(got, axis=1, keepdims=True) + 1e-9
    return float((got * targets[members]).sum(1).mean())


def train(table: np.ndarray, bags: Bags, targets: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Adam on 1 - cosine(mean of rows, target), rows touched by a batch only."""
    everyone = rng.permutation(len(targets))
    cut = int(len(targets) * HELD_OUT)
    held, members = everyone[:cut], everyone[cut:]
    print(f"held-out cosine before training {held_out_cosine(table, bags, targets, held):.4f}", flush=True)
    first, second = np.zeros_like(table), np.zeros_like(table)
    steps = EPOCHS * (len(members) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        rng.shuffle(members)
        for at in range(0, len(members) - BATCH + 1, BATCH):
            step += 1
            batch = members[at : at + BATCH]
            ids, owner, counts = bags.batch(batch)
            got = np.zeros((BATCH, table.shape[1]), np.float32)
            np.add.at(got, owner, table[ids])
            got /= counts[:, None]
            size = np.linalg.norm(got, axis=1, keepdims=True) + 1e-9
            unit = got / size
            target = targets[batch]
            slope = -(target - unit * (unit * target).sum(1, keepdims=True)) / size / counts[:, None]
            touched, where = np.unique(ids, return_inverse=True)
            grad = np.zeros((len(touched), table.shape[1]), np.float32)
            np.add.at(grad, where, slope[owner])
            # Adam's step does not depend on the slope's size, so the mean over the batch is left out.
            first[touched] = 0.9 * first[touched] + 0.1 * grad
            second[touched] = 0.999 * second[touched] + 0.001 * grad**2
            rate = LEARNING_RATE * (1 - step / steps)
            corrected = first[touched] / (1 - 0.9**step)
            table[touched] -= rate * corrected / (np.sqrt(second[touched] / (1 - 0.999**step)) + 1e-8)
        print(f"epoch {epoch + 1}: held-out cosine {held_out_cosine(table, bags, targets, held):.4f}", flush=True)
    return table


def quantise(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and one float32 scale a row."""
    scale = np.abs(table).max(1) / 127
    scale[scale == 0] = 1
    return np.round(table / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def graph(rows: np.ndarray, scale: np.ndarray) -> onnx.ModelProto:
    """ids [tokens], starts [texts], one text a segment: padded batches are left to the caller; see the wrapper."""
    nodes = [
        helper.make_node("Gather", ["rows", "ids"], ["picked8"], axis=0),
        helper.make_node("Cast", ["picked8"], ["picked"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["scale", "ids"], ["picked_scale"], axis=0),
        helper.make_node("Mul", ["picked_scale", "mask"], ["weight"]),
        helper.make_node("Unsqueeze", ["weight", "axis1"], ["weight_row"]),
        helper.make_node("MatMul", ["weight_row", "picked"], ["summed"]),
        helper.make_node("Squeeze", ["summed", "axis1"], ["mean"]),
        helper.make_node("LpNormalization", ["mean"], ["vectors"], axis=-1, p=2),
    ]
    return helper.make_model(
        helper.make_graph(
            nodes,
            "static-embedding",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "tokens"]),
                helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["texts", "tokens"]),
            ],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", rows.shape[1]])],
            [
                numpy_helper.from_array(rows, "rows"),
                numpy_helper.from_array(scale, "scale"),
                numpy_helper.from_array(np.array([1], np.int64), "axis1"),
            ],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=9,
        producer_name="footnote",
    )


def main() -> None:
    teacher_folder, dict_folder, texts_file, vectors_file, out = map(Path, sys.argv[1:6])
    rng = np.random.default_rng(SEED)
    teacher = Teacher(teacher_folder)
    spec = json.loads((teacher_folder / "tokenizer.json").read_text("utf-8"))
    pieces = vocabulary(spec, dict_folder, teacher.tokenizer)
    own = student_tokenizer(spec, pieces)
    tokenizer = Tokenizer.from_str(json.dumps(own))
    texts = texts_file.read_text("utf-8").splitlines()
    bags = Bags([e.ids or [0] for e in tokenizer.encode_batch(texts)])
    sentences = np.load(vectors_file).astype(np.float32)

    centre = sentences.mean(0)
    _, _, axes = np.linalg.svd(sentences[rng.choice(len(sentences), 20_000, replace=False)] - centre, full_matrices=False)
    project = axes[:DIMS].T
    # The centre is kept in the targets: cosines then stay those of the teacher, zero meaning unrelated.
    targets = sentences @ project
    kept = float((np.linalg.norm(targets, axis=1)).mean())
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    print(f"{len(pieces)} rows of {DIMS}; the projection keeps {kept:.4f} of a sentence vector's length", flush=True)

    table = piece_vectors(teacher, pieces, spec["model"]["vocab"], teacher.tokenizer) @ project
    share = np.bincount(bags.flat, minlength=len(pieces)) / len(bags.flat)
    table *= (SIF_A / (SIF_A + share))[:, None]
    table = train(table.astype(np.float32), bags, targets, rng)

    rows, scale = quantise(table)
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(graph(rows, scale), out / "model.onnx")
    (out / "tokenizer.json").write_text(json.dumps(own, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    print(f"model.onnx {(out / 'model.onnx').stat().st_size} bytes")


if __name__ == "__main__":
    main()
