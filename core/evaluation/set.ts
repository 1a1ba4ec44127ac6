/** The one form every question set is brought to, and what of it a system may see. */

/** One piece of memory, usually 30 s of footage. Times are epoch ms; sets without a zone are read as UTC. */
export interface EvalEpisode {
  id: string;
  stream: string;
  startMs: number;
  endMs: number;
  /** The video it was cut from; null when the set has none. Evidence counts within one video only. */
  video: string | null;
  /** Who wore the camera; null when the set does not tell. Streams of several wearers (LVQA) need it. */
  wearer: string | null;
  /** Everything known of it in one text. */
  text: string;
  /** The same by channel (EM²Mem's caption, transcript, keyframes, z); what a set does not have is empty. */
  caption: string;
  transcript: { speaker: string | null; text: string }[];
  visual: string[];
  structured: string[];
  /** Single statements, with their instants where the set has them. */
  moments: { text: string; atMs: number | null }[];
}

/** What a question of one stream is asked of. */
export interface EvalStream {
  id: string;
  /** In time order. */
  episodes: EvalEpisode[];
}

/** Gold time of a question, epoch ms. */
export interface EvidenceInterval {
  stream: string;
  video: string | null;
  startMs: number;
  endMs: number;
}

/** A question with everything the set says of it. Only scorers see it; systems get `asked(question)`. */
export interface EvalQuestion {
  id: string;
  stream: string;
  question: string;
  /** Options of a multiple-choice question, in the set's order; empty for free answers. */
  choices: string[];
  /** True when the set asks for all options that apply. */
  multiple: boolean;
  /** Options that are right, from 0, ascending; null when there are no options or the set does not tell. */
  correct: number[] | null;
  /** The answer in words; null when there is none. */
  answer: string | null;
  /** Epoch ms: nothing that ends later may be used. */
  askedAtMs: number;
  /** Ids of the episodes that prove the answer. */
  evidence: string[];
  /** When the set gives times finer than episodes, or times only; else one interval an evidence episode. */
  intervals: EvidenceInterval[];
  kind: string;
  unanswerable: boolean;
}

export interface EvalSet {
  name: string;
  streams: EvalStream[];
  questions: EvalQuestion[];
  /** What the loader had to decide or leave out, in plain words. */
  notes: string[];
}

/**
 * All a system gets of a question. No id and no kind (both name the kind of evidence in some sets), no evidence, no keywords,
 * reasons or triggers: `asked` copies these fields and nothing else.
 */
export interface AskedQuestion {
  readonly question: string;
  readonly choices: readonly string[];
  readonly multiple: boolean;
  readonly nowMs: number;
}

/** The question as a system may see it. */
export function asked(question: EvalQuestion): AskedQuestion {
  return Object.freeze({
    question: question.question,
    choices: Object.freeze([...question.choices]),
    multiple: question.multiple,
    nowMs: question.askedAtMs,
  });
}

/** Time order, ids breaking ties. */
export function byTime(a: EvalEpisode, b: EvalEpisode): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Episodes grouped into streams, in the order in which streams first occur. */
export function streamsOf(episodes: readonly EvalEpisode[]): EvalStream[] {
  const streams = new Map<string, EvalEpisode[]>();
  for (const episode of episodes) {
    const known = streams.get(episode.stream);
    if (known) known.push(episode);
    else streams.set(episode.stream, [episode]);
  }
  return [...streams].map(([id, members]) => ({ id, episodes: members.sort(byTime) }));
}

/** True when the interval and the episode share time of one video of one stream. */
export function overlaps(interval: EvidenceInterval, episode: EvalEpisode): boolean {
  if (interval.stream !== episode.stream) return false;
  if (interval.video !== null && episode.video !== null && interval.video !== episode.video) return false;
  if (interval.startMs === interval.endMs)
    return episode.startMs <= interval.startMs && interval.startMs < episode.endMs;
  return interval.startMs < episode.endMs && interval.endMs > episode.startMs;
}

/**
 * Gives each question both kinds of evidence: episodes that hold its intervals when it names none, and the spans of its
 * episodes when it names no intervals. An instant stands for the episode that holds it. Ids that no episode has are dropped.
 * @returns how many ids were dropped
 */
export function joinEvidence(questions: readonly EvalQuestion[], streams: readonly EvalStream[]): number {
  let dropped = 0;
  const byStream = new Map(streams.map((stream) => [stream.id, stream.episodes]));
  const byId = new Map(streams.flatMap(({ episodes }) => episodes.map((one) => [one.id, one] as const)));
  for (const question of questions) {
    const known = question.evidence.filter((id) => byId.get(id)?.stream === question.stream);
    dropped += question.evidence.length - known.length;
    question.evidence = [...new Set(known)];
    if (question.evidence.length === 0 && question.intervals.length > 0) {
      question.evidence = (byStream.get(question.stream) ?? [])
        .filter((episode) => question.intervals.some((interval) => overlaps(interval, episode)))
        .map(({ id }) => id);
      const holders = question.evidence.map((id) => byId.get(id)!);
      question.intervals = question.intervals.flatMap((interval) => {
        if (interval.startMs < interval.endMs) return [interval];
        const holder = holders.find((episode) => overlaps(interval, episode));
        return holder ? [{ ...interval, startMs: holder.startMs, endMs: holder.endMs }] : [];
      });
    } else if (question.intervals.length === 0) {
      question.intervals = question.evidence.map((id) => {
        const { stream, video, startMs, endMs } = byId.get(id)!;
        return { stream, video, startMs, endMs };
      });
    }
  }
  return dropped;
}
