"""Makes heat-model.onnx: a network with CenterFace's inputs and outputs and both faults of its file (a fixed size, weights among the
inputs), that takes red squares of 32 px for faces. No weights of anybody are in it.

    python make-heat-model.py        # needs numpy and onnx; written with onnx 1.23, the file is the same every time
"""

import math
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE = 32
STRIDE = 4
PAD = (SIDE - STRIDE) // 2
# Mean of red less half of green and blue: 255 only where the whole window is pure red.
window = np.zeros((1, 3, SIDE, SIDE), np.float32)
for channel, share in enumerate((1.0, -0.5, -0.5)):
    window[0, channel] = share / SIDE**2
# Heat 0.95 on a red square, 0.25 where a quarter of it is missing.
STEEP = (math.log(0.95 / 0.05) - math.log(0.25 / 0.75)) / (0.25 * 255)
BIAS = math.log(0.95 / 0.05) - STEEP * 255

weights = {
    "heat.weight": window * np.float32(STEEP),
    "heat.bias": np.array([BIAS], np.float32),
    "plain.weight": np.zeros((14, 3, SIDE, SIDE), np.float32)[:, :, :1, :1].copy(),
    "size.bias": np.full(2, math.log(SIDE / STRIDE), np.float32),
    "offset.bias": np.zeros(2, np.float32),
    "marks.bias": np.zeros(10, np.float32),
}
weights = {**weights, "two.weight": weights["plain.weight"][:2], "ten.weight": weights["plain.weight"][:10]}
del weights["plain.weight"]


def conv(weight: str, bias: str, output: str, kernel: int, pad: int) -> onnx.NodeProto:
    return helper.make_node(
        "Conv",
        ["input.1", weight, bias],
        [output],
        kernel_shape=[kernel, kernel],
        strides=[STRIDE, STRIDE],
        pads=[pad] * 4,
    )


nodes = [
    conv("heat.weight", "heat.bias", "raw", SIDE, PAD),
    helper.make_node("Sigmoid", ["raw"], ["537"]),
    conv("two.weight", "size.bias", "538", 1, 0),
    conv("two.weight", "offset.bias", "539", 1, 0),
    conv("ten.weight", "marks.bias", "540", 1, 0),
]


def value(name: str, shape: list[int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


graph = helper.make_graph(
    nodes,
    "heat",
    [value("input.1", [10, 3, 256, 256]), *(value(n, list(w.shape)) for n, w in weights.items())],
    [value(n, [10, c, 64, 64]) for n, c in (("537", 1), ("538", 2), ("539", 2), ("540", 10))],
    [numpy_helper.from_array(w, n) for n, w in weights.items()],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 9)], ir_version=4)
onnx.checker.check_model(model)
Path(__file__).with_name("heat-model.onnx").write_bytes(model.SerializeToString())
