"""Sentence vectors of the teacher (all-MiniLM-L6-v2, mean of the last layer, unit length), kept as float16.

    python teach.py MODEL_FOLDER TEXTS.txt OUT.npy
"""

import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

MAX_TOKENS = 128
TOKENS_A_BATCH = 2048


class Teacher:
    """The sentence encoder the static embedding is distilled from."""

    def __init__(self, folder: Path) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = 2
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.session = ort.InferenceSession(str(folder / "onnx/model_quantized.onnx"), options)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def encode_ids(self, rows: list[list[int]]) -> np.ndarray:
        """Mean-pooled unit vectors [n, 384] of rows of token ids that have one length."""
        ids = np.array(rows, np.int64)
        mask = np.ones_like(ids)
        hidden = self.session.run(
            None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        )[0]
        pooled = hidden.mean(1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors [n, 384], float16. Texts of one token length share a batch, so nothing is padded."""
        encoded = [e.ids for e in self.tokenizer.encode_batch(texts)]
        by_length: dict[int, list[int]] = {}
        for i, ids in enumerate(encoded):
            by_length.setdefault(len(ids), []).append(i)
        out = np.zeros((len(texts), 384), np.float16)
        done, start = 0, time.time()
        for length, members in sorted(by_length.items()):
            step = max(1, TOKENS_A_BATCH // length)
            for at in range(0, len(members), step):
                batch = members[at : at + step]
                out[batch] = self.encode_ids([encoded[i] for i in batch])
                done += len(batch)
            print(f"length {length}: {done}/{len(texts)}, {time.time() - start:.0f} s", flush=True)
        return out


if __name__ == "__main__":
    teacher = Teacher(Path(sys.argv[1]))
    np.save(sys.argv[3], teacher.encode(Path(sys.argv[2]).read_text("utf-8").splitlines()))
