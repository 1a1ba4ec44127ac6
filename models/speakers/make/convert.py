"""Converts the voice encoder of the PyPI package Resemblyzer 0.1.4 (Apache-2.0) to the one ONNX file beside this folder.

    pip download --no-deps Resemblyzer==0.1.4 && unzip -d resemblyzer Resemblyzer-0.1.4-py3-none-any.whl
    python3 convert.py resemblyzer/resemblyzer/pretrained.pt ../ge2e/model.onnx [speech.wav ...]

Needs torch, onnx, onnxruntime and numpy. The file takes samples and does all the rest: the 40-band mel power spectrogram that the
encoder was trained on (librosa's defaults of that time), windows of 1.6 s every 0.77 s, the LSTM, the mean. Weights are kept in
16 bit and widened when loaded. With .wav files (16 kHz mono) the result is held against the encoder itself, when librosa is there.
"""

import sys
import wave

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn
from torch.nn import functional as F

RATE = 16_000
FFT, HOP, MELS = 400, 160, 40
WINDOW = 160  # frames, 1.6 s: hparams.partials_n_frames
STEP = 77  # frames: embed_utterance's rate of 1.3 windows a second
HIDDEN = 256


def hertz_of(mel):
    """Slaney's mel scale, as librosa has it."""
    linear = 200 * mel / 3
    return np.where(mel >= 15, 1000 * np.exp(np.log(6.4) / 27 * (mel - 15)), linear)


def mel_of(hertz):
    return 15 + 27 * np.log(hertz / 1000) / np.log(6.4) if hertz >= 1000 else 3 * hertz / 200


def mel_filters():
    """librosa.filters.mel(sr=16000, n_fft=400, n_mels=40): triangles of equal area, [40, 201]."""
    edges = hertz_of(np.linspace(mel_of(0), mel_of(RATE / 2), MELS + 2))
    bins = np.linspace(0, RATE / 2, FFT // 2 + 1)
    widths = np.diff(edges)
    ramps = edges[:, None] - bins[None, :]
    lower = -ramps[:-2] / widths[:-1, None]
    upper = ramps[2:] / widths[1:, None]
    weights = np.maximum(0, np.minimum(lower, upper))
    return weights * (2 / (edges[2:] - edges[:-2]))[:, None]


class Encoder(nn.Module):
    def __init__(self, state):
        super().__init__()
        self.lstm = nn.LSTM(MELS, HIDDEN, 3, batch_first=True)
        self.linear = nn.Linear(HIDDEN, HIDDEN)
        self.load_state_dict(
            {k: v for k, v in state.items() if k.startswith(("lstm.", "linear."))}
        )
        n = np.arange(FFT)
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * n / FFT)
        turns = 2 * np.pi * np.arange(FFT // 2 + 1)[:, None] * n[None, :] / FFT
        waves = np.concatenate([np.cos(turns) * hann, np.sin(turns) * hann])
        self.register_buffer("waves", torch.tensor(waves[:, None, :], dtype=torch.float32))
        self.register_buffer("mels", torch.tensor(mel_filters(), dtype=torch.float32))

    def mel(self, samples):
        padded = F.pad(samples[None, None, :], (FFT // 2, FFT // 2), mode="reflect")
        parts = F.conv1d(padded, self.waves, stride=HOP)[0]
        power = parts[: FFT // 2 + 1] ** 2 + parts[FFT // 2 + 1 :] ** 2
        return (self.mels @ power).transpose(0, 1)

    def forward(self, samples):
        mel = self.mel(samples)
        starts = torch.arange(0, mel.shape[0] - WINDOW + 1, STEP)
        windows = mel[starts[:, None] + torch.arange(WINDOW)[None, :]]
        _, (hidden, _) = self.lstm(windows)
        each = torch.relu(self.linear(hidden[-1]))
        each = each / torch.norm(each, dim=1, keepdim=True)
        mean = each.mean(0)
        return mean / torch.norm(mean)


def halve(path):
    """Keeps large weights in 16 bit; the runtime widens them once, when it loads the file."""
    model = onnx.load(path)
    graph = model.graph
    casts = []
    for i, weight in enumerate(list(graph.initializer)):
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < 1000:
            continue
        name = weight.name
        graph.initializer.remove(weight)
        graph.initializer.append(
            onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}.half")
        )
        casts.append(onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    for node in reversed(casts):
        graph.node.insert(0, node)
    for node in graph.node:
        node.doc_string = ""
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main(weights, target, sounds):
    encoder = Encoder(torch.load(weights, map_location="cpu")["model_state"]).eval()
    torch.onnx.export(
        encoder,
        torch.randn(RATE * 4),
        target,
        input_names=["samples"],
        output_names=["voice"],
        dynamic_axes={"samples": {0: "n"}},
        opset_version=17,
    )
    halve(target)
    session = onnxruntime.InferenceSession(target)
    rng = np.random.default_rng(1)
    tries = [rng.standard_normal(n).astype(np.float32) * 0.1 for n in (26_000, 50_000, 100_001)]
    for path in sounds:
        with wave.open(path) as file:
            assert (file.getframerate(), file.getnchannels()) == (RATE, 1), path
            data = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        tries.append(data.astype(np.float32) / 32768)
    for samples in tries:
        ours = session.run(None, {"samples": samples})[0]
        with torch.no_grad():
            theirs = encoder(torch.tensor(samples)).numpy()
        print(len(samples), "samples, cosine to the float32 encoder", float(ours @ theirs))
    if not sounds:
        return
    import librosa

    filters = librosa.filters.mel(sr=RATE, n_fft=FFT, n_mels=MELS)
    print("mel filters differ by at most", np.abs(filters - mel_filters()).max())
    for samples in tries[3:]:
        mel = librosa.feature.melspectrogram(
            y=samples, sr=RATE, n_fft=FFT, hop_length=HOP, n_mels=MELS, pad_mode="reflect"
        ).T
        mel = torch.tensor(mel, dtype=torch.float32)
        parts = torch.stack([mel[s : s + WINDOW] for s in range(0, len(mel) - WINDOW + 1, STEP)])
        with torch.no_grad():
            _, (hidden, _) = encoder.lstm(parts)
            each = torch.relu(encoder.linear(hidden[-1]))
            mean = (each / each.norm(dim=1, keepdim=True)).mean(0)
        theirs = (mean / mean.norm()).numpy()
        ours = session.run(None, {"samples": samples})[0]
        print("cosine to the encoder behind librosa", float(ours @ theirs))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
