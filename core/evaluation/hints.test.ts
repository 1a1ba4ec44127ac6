import { rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEmbedder } from './embedders.ts';
import { type Format, loadSet } from './loaders/load.ts';
import { runSystems } from './run.ts';
import type { System } from './systems/system.ts';
import { jsonLines, SMALL_EPISODES, testFolder, writeFiles } from './testing/small-set.ts';

let folder: string;
beforeAll(() => {
  folder = testFolder();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A system that keeps everything it is given, functions and symbols included. */
function listening(): { system: System; heard: () => string } {
  const heard: unknown[] = [];
  const deep = (value: unknown): unknown =>
    value !== null && typeof value === 'object'
      ? Reflect.ownKeys(value).map((key) => [String(key), deep((value as Record<PropertyKey, unknown>)[key])])
      : String(value);
  return {
    heard: () => JSON.stringify(heard),
    system: {
      name: 'listening',
      about: '',
      async index(stream) {
        heard.push(deep(stream));
        return {
          async retrieve(question) {
            heard.push(deep(question), Object.isFrozen(question));
            return { ranked: [], tokens: 0 };
          },
          storedBytes: () => 0,
        };
      },
    },
  };
}

const TIME = { date: 'DAY1', time: '11210000' };
/** A row of each form with a hint (never a word of question or options) in every field that may hold one. */
const ROWS: Record<string, { format: Format; row: (hint: string) => unknown; file?: string }> = {
  common: {
    format: 'common',
    row: (hint) => ({
      id: `kitchen/${hint}`,
      stream: 'kitchen',
      question: 'What did I feed?',
      asked_at: '2024-03-02T20:00:00',
      answer: hint,
      choices: ['a cat', 'a dog'],
      correct: 0,
      evidence: ['kitchen#2', hint],
      answer_evidence: [hint],
      anchor: hint,
      object: hint,
      adversarial_answer: hint,
      difficulty: hint,
      kind: hint,
    }),
  },
  'egolife-qa': {
    format: 'egolife-qa',
    row: (hint) => ({
      ID: hint,
      query_time: { date: 'DAY70', time: '11210000' },
      type: hint,
      need_audio: hint,
      need_name: hint,
      last_time: hint,
      trigger: hint,
      trigger_chinese: hint,
      question: 'Who did it?',
      question_chinese: hint,
      choice_a: 'I',
      choice_b: 'you',
      choice_c: 'he',
      choice_d: 'she',
      answer: 'A',
      target_time: TIME,
      keywords: hint,
      reason: hint,
      reason_chinese: hint,
    }),
  },
  supermemory: {
    format: 'lvqa',
    row: (hint) => ({
      question_id: hint,
      question: 'Where is it?',
      choices: ['here', 'there', 'nowhere', 'This question can not be answered.'],
      correct_answer: 'here',
      correct_option_index: 0,
      choice_types: [hint, hint, hint, hint],
      subject: hint,
      metadata: { skill: hint, primary_video_id: hint, primary_video_start_time: 1 },
      video_ids: [hint],
      question_evidence: {
        video_id: hint,
        time_spans: [{ start_time: 0, end_time: 1, video_id: hint, video_start_time_unix: 1.8e9 }],
      },
      is_answerable: true,
      answer_evidence: {
        text: hint,
        evidence_list: [{ video_id: hint, time_span: { start_time: 0, end_time: 1 }, description: hint }],
      },
    }),
  },
  'egolife-mcq': {
    format: 'egolife-mcq',
    row: (hint) => ({
      sample_id: hint,
      combined_sample_id: hint,
      template_id: hint,
      object_name: hint,
      query_type: hint,
      query_time: 'DAY80_A3_TASHA_12143000',
      query: 'Where is it?',
      evidence_times: [{ clip_id: 'DAY1_A3_TASHA_12143000', object_snapshot: { status: hint } }],
      choices: [
        { label: 'A', text: 'here', support_clip_id: hint },
        { label: 'B', text: 'there', support_clip_id: hint },
      ],
      correct_choice: 'A',
      answer: 'here',
      reason: hint,
      verification: { derivation: hint },
      object_anchor: hint,
    }),
  },
  'm3-bench': {
    format: 'm3-bench',
    file: 'qa.json',
    row: (hint) => ({
      kitchen: {
        video_path: hint,
        mem_path: hint,
        qa_list: [
          {
            question: 'What did I feed?',
            answer: hint,
            question_id: hint,
            reasoning: hint,
            type: [hint],
            timestamp: '00:43',
            before_clip: 0,
          },
        ],
      },
    }),
  },
  locomo: {
    format: 'locomo',
    file: 'qa.json',
    row: (hint) => [
      {
        sample_id: 'kitchen',
        conversation: {
          speaker_a: 'Anna',
          session_1_date_time: '1:56 pm on 8 May, 2023',
          session_1: [{ speaker: 'Anna', dia_id: 'D1:1', text: 'Hello.', query: hint, img_url: [hint] }],
        },
        event_summary: hint,
        observation: hint,
        session_summary: hint,
        qa: [
          {
            question: 'Who said hello?',
            answer: hint,
            evidence: ['D1:1', hint],
            category: 1,
            adversarial_answer: hint,
          },
        ],
      },
    ],
  },
};

it.each(Object.keys(ROWS))('no gold hint of %s reaches a system', async (form) => {
  const { format, row, file } = ROWS[form]!;
  const embedder = await openEmbedder('static', []);
  writeFiles(folder, { 'episodes.jsonl': jsonLines(SMALL_EPISODES) });
  const words = fc.stringMatching(/^[a-z]{3,8}$/).map((word) => `hint${word}hint`);
  await fc.assert(
    fc.asyncProperty(words, async (hint) => {
      const questions = file ?? 'qa.jsonl';
      writeFiles(folder, { [questions]: file ? row(hint) : jsonLines([row(hint)]) });
      const set = loadSet({
        episodes: path.join(folder, 'episodes.jsonl'),
        questions: path.join(folder, questions),
        format,
      });
      const { system, heard } = listening();
      const [result] = await runSystems(set, { systems: [system], embedder });
      expect(result!.outcomes).toHaveLength(1);
      expect(heard()).toContain(set.questions[0]!.question);
      expect(heard()).toContain('true');
      expect(heard()).not.toContain(hint);
    }),
    { numRuns: 15 },
  );
});

it('a system that looks ahead is stopped', async () => {
  writeFiles(folder, {
    'episodes.jsonl': jsonLines(SMALL_EPISODES),
    'qa.jsonl': jsonLines([
      {
        id: 'q',
        stream: 'kitchen',
        question: 'What?',
        asked_at: '2024-03-01T09:00:00',
        answer: 'x',
        evidence: [],
      },
    ]),
  });
  const set = loadSet({
    episodes: path.join(folder, 'episodes.jsonl'),
    questions: path.join(folder, 'qa.jsonl'),
  });
  const system: System = {
    name: 'prophet',
    about: '',
    index: async (stream) => ({
      retrieve: async () => {
        const { id, startMs, endMs } = stream.episodes.at(-1)!;
        return { ranked: [{ episodeId: id, startMs, endMs }], tokens: 0 };
      },
      storedBytes: () => 0,
    }),
  };
  const embedder = await openEmbedder('static', []);
  await expect(runSystems(set, { systems: [system], embedder })).rejects.toThrow(/prophet.*had not ended/);
});
