/** LoCoMo as published: whole conversations with their questions. One turn is one episode; a turn takes 30 s by convention. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { type EvalEpisode, type EvalQuestion, type EvalSet, streamsOf } from '../set.ts';
import { malformed, type Row, readRecords, shaped } from './read.ts';

const TURN_MS = 30_000;
/** The set gives no time of asking: a day after the last turn. */
const ASKED_LATER_MS = 86_400_000;
/** LoCoMo's numbers for its kinds of question. */
const KINDS: Record<number, string> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial-unanswerable',
};

const Turn = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().nullish(),
});
const Conversation = z.object({
  sample_id: z.string(),
  conversation: z.record(z.string(), z.unknown()),
  qa: z.array(
    z.object({
      question: z.string(),
      answer: z.union([z.string(), z.number()]).nullish(),
      evidence: z.array(z.string()).nullish(),
      category: z.number(),
    }),
  ),
});

/** "1:56 pm on 8 May, 2023", UTC. */
function sessionMs(text: unknown, where: string): number {
  const at = DateTime.fromFormat(String(text).toUpperCase(), "h:mm a 'ON' d MMMM, yyyy", {
    zone: 'UTC',
    locale: 'en',
  });
  if (!at.isValid) throw malformed(where, `"${String(text).slice(0, 40)}" is not a session's time`);
  return at.toMillis();
}

function episodesOf(it: z.infer<typeof Conversation>, where: string): EvalEpisode[] {
  const episodes: EvalEpisode[] = [];
  for (const [key, value] of Object.entries(it.conversation)) {
    if (!/^session_\d+$/.test(key) || !Array.isArray(value)) continue;
    const startMs = sessionMs(it.conversation[`${key}_date_time`], where);
    for (const [n, one] of value.entries()) {
      const turn = shaped(Turn, { value: one, where: `${where}, ${key}, turn ${n + 1}` });
      const shown = turn.blip_caption ? ` [shares a picture: ${turn.blip_caption}]` : '';
      const text = `${turn.speaker}: ${turn.text}${shown}`;
      episodes.push({
        id: `${it.sample_id}/${turn.dia_id}`,
        stream: it.sample_id,
        startMs: startMs + n * TURN_MS,
        endMs: startMs + (n + 1) * TURN_MS,
        video: null,
        wearer: null,
        text,
        caption: '',
        transcript: [{ speaker: turn.speaker, text: turn.text }],
        visual: turn.blip_caption ? [turn.blip_caption] : [],
        structured: [],
        moments: [],
      });
    }
  }
  return episodes;
}

function conversation(row: Row): { episodes: EvalEpisode[]; questions: EvalQuestion[] } {
  const it = shaped(Conversation, row);
  const episodes = episodesOf(it, row.where);
  const askedAtMs = Math.max(...episodes.map(({ endMs }) => endMs)) + ASKED_LATER_MS;
  const questions = it.qa.map((qa, n): EvalQuestion => {
    const unanswerable = qa.category === 5;
    return {
      id: `${it.sample_id}/q${String(n).padStart(3, '0')}`,
      stream: it.sample_id,
      question: qa.question,
      choices: [],
      multiple: false,
      correct: null,
      answer: unanswerable || qa.answer === null || qa.answer === undefined ? null : String(qa.answer),
      askedAtMs,
      // Some rows join several ids in one string, or write D:11:26 for D11:26.
      evidence: (qa.evidence ?? [])
        .flatMap((ids) => ids.match(/D:?\d+:\d+/g) ?? [])
        .map((id) => `${it.sample_id}/${id.replace('D:', 'D')}`),
      intervals: [],
      kind: KINDS[qa.category] ?? `category ${qa.category}`,
      unanswerable,
    };
  });
  return { episodes, questions };
}

/** Conversations with their questions, asked a day after the last turn. @throws FootnoteError FILE_MISSING, BAD_REQUEST */
export function readLocomo(file: string): Pick<EvalSet, 'streams' | 'questions'> {
  const all = readRecords(file).map(conversation);
  return {
    streams: streamsOf(all.flatMap(({ episodes }) => episodes)),
    questions: all.flatMap(({ questions }) => questions),
  };
}
