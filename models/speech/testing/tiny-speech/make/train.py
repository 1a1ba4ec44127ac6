"""Trains and exports the tiny speech models of this folder: a Whisper-shaped and a Moonshine-shaped one that share their decoder.

    python3 train.py WORK MINUTES        # trains, or goes on; Debian's `flite` speaks the sentences
    python3 train.py WORK export ../..   # writes tiny-whisper/ and tiny-moonshine/

Needs torch, numpy and, to export, onnx. They understand two toy languages: English sentences of two patterns in the four voices of
Flite, and melodies of pure tones, whose words are the notes' names and whose language is told as Italian. Some sentences (`held_out`)
are never trained on. Everything is drawn from fixed seeds, but training is bounded by minutes, so another run gives other weights.
"""

import math
import os
import random
import subprocess
import sys
import time
import wave

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

RATE, FFT, HOP, MELS = 16_000, 400, 160, 80
FRAMES = 1500  # of 20 ms: Whisper's 30 s
D, HEADS, LAYERS, KERNEL = 64, 2, 2, 7
VOICES = ("slt", "rms", "awb", "kal16")
NOTES = dict(do=262, re=330, mi=415, fa=523, sol=659, la=831, ti=1047)

THINGS, PLACES = ("keys", "tickets", "glasses", "papers"), ("bowl", "drawer", "cupboard", "window")
WHERE = ("in", "under", "behind", "near")
WHO, DAYS = ("anna", "the doctor", "the plumber", "my sister"), ("monday", "tuesday", "friday", "sunday")
SENTENCES = [f"the {t} are {w} the {p}." for t in THINGS for w in WHERE for p in PLACES]
SENTENCES += [f"i will call {w} on {d}." for w in WHO for d in DAYS]


def held_out(i):
    return i % 6 == 5


WORDS = sorted({w for s in SENTENCES for w in s[:-1].split()}) + list(NOTES) + ["."]
SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|it|>", "<|translate|>", "<|transcribe|>"]
SPECIAL += ["<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"]
END, START, EN, IT, TRANSCRIBE, NOSPEECH = 0, 1, 2, 3, 5, 8
# Real vocabularies have their words first; the order of ids means nothing to the library.
ID = {w: len(SPECIAL) + i for i, w in enumerate(WORDS)}
PLAIN = len(SPECIAL) + len(WORDS)  # "<s>": Moonshine's start
# Whisper's times follow `<|notimestamps|>` at once, so words and `<s>` come before the special ones in the files.
SHIFT = len(WORDS) + 1


def file_id(i):
    """Ids in the files: words, `<s>`, special tokens, times."""
    if i < len(SPECIAL):
        return i + SHIFT
    return i - len(SPECIAL)


TIMES = PLAIN + 1
VOCABULARY = TIMES + FRAMES + 1


def mel_filters():
    """Slaney's filters, as Whisper has them."""

    def hertz(mel):
        return np.where(mel >= 15, 1000 * np.exp(np.log(6.4) / 27 * (mel - 15)), 200 * mel / 3)

    edges = hertz(np.linspace(0, 15 + 27 * np.log(8) / np.log(6.4), MELS + 2))
    ramps = edges[:, None] - np.linspace(0, RATE / 2, FFT // 2 + 1)[None, :]
    widths = np.diff(edges)
    weights = np.maximum(0, np.minimum(-ramps[:-2] / widths[:-1, None], ramps[2:] / widths[1:, None]))
    return weights * (2 / (edges[2:] - edges[:-2]))[:, None]


class LogMel(nn.Module):
    """Whisper's features of samples [1, n]: [1, 80, n / 160]."""

    def __init__(self):
        super().__init__()
        n = np.arange(FFT)
        turns = 2 * np.pi * np.arange(FFT // 2 + 1)[:, None] * n[None, :] / FFT
        hann = 0.5 - 0.5 * np.cos(2 * np.pi * n / FFT)
        waves = np.concatenate([np.cos(turns) * hann, np.sin(turns) * hann])
        self.register_buffer("hann", torch.tensor(hann, dtype=torch.float32))
        self.register_buffer("waves", torch.tensor(waves[:, None, :], dtype=torch.float32))
        self.register_buffer("mels", torch.tensor(mel_filters(), dtype=torch.float32))

    def forward(self, samples):
        if self.training:
            parts = torch.stft(samples, FFT, HOP, window=self.hann, return_complex=True)[:, :, :-1]
            power = parts.real**2 + parts.imag**2
        else:  # for export: the same as a convolution
            padded = F.pad(samples[:, None, :], (FFT // 2, FFT // 2), mode="reflect")
            parts = F.conv1d(padded, self.waves, stride=HOP)[:, :, :-1]
            half = FFT // 2 + 1
            power = parts[:, :half] ** 2 + parts[:, half:] ** 2
        log = torch.log10(torch.clamp(self.mels @ power, min=1e-10))
        return (torch.maximum(log, log.max() - 8) + 4) / 4


def positions(length, width):
    """Sinusoids that tell frames apart over all of 30 s."""
    rates = torch.exp(torch.linspace(math.log(0.002), math.log(1.5), width // 2))
    at = torch.arange(length, dtype=torch.float32)[:, None] * rates[None, :]
    return torch.cat([torch.sin(at), torch.cos(at)], dim=1)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(MELS, D, 5, padding=2)
        self.second = nn.Conv1d(D, D, 3, stride=2, padding=1)
        self.mixing = nn.ModuleList(
            nn.Conv1d(D, D, KERNEL, padding=KERNEL // 2 * d, dilation=d) for d in (1, 2, 4, 8)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(D) for _ in range(4))
        self.register_buffer("place", positions(FRAMES, D))

    def forward(self, mel):
        x = F.relu(self.second(F.relu(self.first(mel))))
        for conv, norm in zip(self.mixing, self.norms):
            x = norm((x + F.relu(conv(x))).transpose(1, 2)).transpose(1, 2)
        x = x.transpose(1, 2)
        return torch.cat([x, self.place[: x.shape[1]].expand(x.shape[0], -1, -1)], dim=2)


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q, self.o = nn.Linear(D, D), nn.Linear(D, D)
        self.k, self.v = nn.Linear(width, D), nn.Linear(width, D)

    def split(self, x):
        return x.reshape(x.shape[0], -1, HEADS, D // HEADS).transpose(1, 2)

    def forward(self, x, k, v, mask=None):
        scores = self.split(self.q(x)) @ k.transpose(2, 3) / math.sqrt(D // HEADS)
        if mask is not None:
            scores = scores + mask
        mixed = torch.softmax(scores, dim=3) @ v
        return self.o(mixed.transpose(1, 2).reshape(x.shape[0], -1, D))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.cross = Attention(D), Attention(2 * D)
        self.wide, self.narrow = nn.Linear(D, 2 * D), nn.Linear(2 * D, D)
        self.n1, self.n2, self.n3 = nn.LayerNorm(D), nn.LayerNorm(D), nn.LayerNorm(D)

    def forward(self, x, sound, past, mask):
        y = self.n1(x)
        k = torch.cat([past[0], self.own.split(self.own.k(y))], dim=2)
        v = torch.cat([past[1], self.own.split(self.own.v(y))], dim=2)
        x = x + self.own(y, k, v, mask)
        x = x + self.cross(
            self.n2(x), self.cross.split(self.cross.k(sound)), self.cross.split(self.cross.v(sound))
        )
        return x + self.narrow(F.relu(self.wide(self.n3(x)))), (k, v)


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(TIMES, D)
        self.when = nn.Linear(D, D)
        self.at = nn.Embedding(64, D)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(D)
        self.clock = nn.Linear(D, D)
        self.sharp = nn.Parameter(torch.tensor(1.0))
        self.register_buffer("place", positions(FRAMES + 1, D))

    def forward(self, ids, sound, past):
        before = past[0][0].shape[2]
        table = torch.cat([self.words.weight, self.when(self.place)])
        length = ids.shape[1]
        x = table[ids] + self.at(torch.arange(before, before + length).clamp(max=63))
        at = torch.arange(before, before + length)[:, None]
        mask = (torch.arange(before + length)[None, :] > at).float() * -1e4
        now = []
        for layer, kept in zip(self.layers, past):
            x, kv = layer(x, sound, kept, mask)
            now.append(kv)
        x = self.norm(x)
        # A time's score is how near the place read off the sound is to its own.
        times = self.sharp * (self.clock(x) @ self.place.transpose(0, 1))
        return torch.cat([x @ self.words.weight.transpose(0, 1), times], dim=2), now


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()
        self.heard = nn.Linear(D, len(WORDS) + 1)  # for training: which word is in the air

    def empty(self, batch):
        none = torch.zeros(batch, HEADS, 0, D // HEADS)
        return [(none, none)] * LAYERS


# --- sounds ---------------------------------------------------------------------------------------------------


def speak(work):
    os.makedirs(f"{work}/said", exist_ok=True)
    said = []
    for i, sentence in enumerate(SENTENCES):
        for voice in VOICES:
            path = f"{work}/said/{i}-{voice}.wav"
            if not os.path.exists(path):
                subprocess.run(["flite", "-voice", voice, "-t", sentence, "-o", path], check=True)
            with wave.open(path) as file:
                assert file.getframerate() == RATE
                data = np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / 32768
            said.append((i, data))
    return said


def melody(rng):
    names = rng.sample(list(NOTES), rng.randint(2, 4))
    parts = []
    for name in names:
        n = int(RATE * rng.uniform(0.2, 0.35))
        t = np.arange(n) / RATE
        parts += [0.5 * np.sin(2 * np.pi * NOTES[name] * rng.uniform(0.985, 1.015) * t) * np.hanning(n) ** 0.3]
        parts += [np.zeros(int(RATE * rng.uniform(0.03, 0.12)))]
    return names + ["."], np.concatenate(parts).astype(np.float32)


def example(rng, said, seconds):
    """Sound of a few seconds, its words with their frames, and whether words are English."""
    sound = np.zeros(int(RATE * seconds), np.float32)
    english = rng.random() < 0.7
    phrases, at = [], rng.uniform(0, 0.6 if seconds < 10 or rng.random() < 0.5 else seconds - 8)
    if rng.random() > 0.08:
        for _ in range(rng.randint(1, 3)):
            if english:
                i, data = rng.choice(said)
                words = SENTENCES[i][:-1].split() + ["."]
                speed = rng.uniform(0.92, 1.08)
                data = np.interp(np.arange(0, len(data) - 1, speed), np.arange(len(data)), data)
                loud = np.flatnonzero(np.abs(data) > 0.02)
                data = data[max(0, loud[0] - 800) : loud[-1] + 800].astype(np.float32)
            else:
                words, data = melody(rng)
            start = int(at * RATE)
            if start + len(data) > len(sound):
                break
            sound[start : start + len(data)] += data * rng.uniform(0.4, 1.4)
            phrases.append((words, int(at * 50), int((start + len(data)) / RATE * 50)))
            at = (start + len(data)) / RATE + rng.uniform(0.25, 1.5)
    noise = np.random.default_rng(rng.randrange(2**31)).standard_normal(len(sound)).astype(np.float32)
    if rng.random() < 0.5:
        noise = np.convolve(noise, np.ones(16, np.float32) / 4, "same")
    sound += noise * 10 ** rng.uniform(-4, -1.7)
    if rng.random() < 0.7:  # what follows is often nothing at all: Whisper's sound is filled up to 30 s
        sound[int(RATE * (max([0.3] + [end / 50 for _, _, end in phrases]) + rng.uniform(0, 0.5))) :] = 0
    return sound, phrases, english


def target(phrases, english, plain):
    if plain:
        return [PLAIN] + [ID[w] for words, _, _ in phrases for w in words] + [END]
    ids = [START, (EN if english else IT) if phrases else NOSPEECH, TRANSCRIBE]
    for words, start, end in phrases:
        ids += [TIMES + start] + [ID[w] for w in words] + [TIMES + end]
    return ids + ([] if phrases else [TIMES]) + [END]


def batch(rng, said, mel_of):
    seconds = rng.choice((3, 4, 6, 6, 30))
    size = 2 if seconds == 30 else 8
    mels, rows, spoken = [], [], []
    for _ in range(size):
        sound, phrases, english = example(rng, said, seconds)
        plain = seconds < 30 and rng.random() < 0.25
        mel = mel_of(torch.tensor(sound)[None])
        mels.append(mel)
        rows.append(target(phrases, english, plain))
        spoken.append([ID[w] - len(SPECIAL) + 1 for words, _, _ in phrases for w in words])
    length = max(map(len, rows))
    ids = torch.full((size, length), -1)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row)
    return torch.cat(mels), ids, spoken


def loss_of(model, mel, ids, spoken):
    sound = model.encoder(mel)
    logits, _ = model.decoder(ids[:, :-1].clamp(min=0), sound, model.empty(len(ids)))
    wanted = ids[:, 1:]
    log = F.log_softmax(logits, dim=2)
    # The task is told, never chosen; times may be off a little.
    word = (wanted >= 0) & (wanted < TIMES) & (wanted != TRANSCRIBE)
    loss = -log.gather(2, wanted.clamp(min=0)[:, :, None])[:, :, 0][word].mean()
    timed = wanted >= TIMES
    if timed.any():
        at = (wanted[timed] - TIMES).float()
        near = torch.softmax(-((torch.arange(FRAMES + 1)[None, :] - at[:, None]) ** 2) / 8, dim=1)
        loss = loss - (near * log[timed][:, TIMES:]).sum(1).mean()
    lengths = torch.tensor([len(s) for s in spoken])
    heard = F.log_softmax(model.heard(sound[:, :, :D]), dim=2).transpose(0, 1)
    flat = torch.tensor([w for s in spoken for w in s], dtype=torch.long)
    full = torch.full((len(spoken),), heard.shape[0], dtype=torch.long)
    return loss + F.ctc_loss(heard, flat, full, lengths, zero_infinity=True)


def train(work, minutes):
    torch.set_num_threads(1)
    said = [(i, data) for i, data in speak(work) if not held_out(i)]
    path = f"{work}/tiny.pt"
    torch.manual_seed(1)
    model, step = Model(), 0
    best = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    if os.path.exists(path):
        kept = torch.load(path)
        model.load_state_dict(kept["model"])
        best.load_state_dict(kept["best"])
        step = kept["step"]
    mel_of, rng, until, recent = LogMel(), random.Random(step + 1), time.time() + 60 * minutes, []
    while time.time() < until:
        step += 1
        for group in best.param_groups:
            left = max(0.0, until - time.time()) / (60 * minutes)
            group["lr"] = 1e-4 + 2e-3 * min(1, step / 200) * left
        with torch.no_grad():
            given = batch(rng, said, mel_of)
        loss = loss_of(model, *given)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        best.step()
        recent.append(loss.item())
        if step % 100 == 0:
            spent = round(time.process_time() / step, 3)
            print(step, round(sum(recent[-100:]) / 100, 3), spent, flush=True)
            torch.save(dict(model=model.state_dict(), best=best.state_dict(), step=step), path)
    torch.save(dict(model=model.state_dict(), best=best.state_dict(), step=step), path)


if __name__ == "__main__":
    if sys.argv[2] == "export":
        from export import export

        export(sys.argv[1], sys.argv[3])
    else:
        train(sys.argv[1], float(sys.argv[2]))
