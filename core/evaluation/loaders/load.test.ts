import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  jsonLines,
  SMALL_EPISODES,
  SMALL_QUESTIONS,
  testFolder,
  writeFiles,
  writeSmallSet,
} from '../testing/small-set.ts';
import { targetSpans, timeOfDayMs } from './egolife-time.ts';
import { loadSet } from './load.ts';

let folder: string;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const utc = (iso: string): number => Date.parse(`${iso}Z`);

const EGOLIFE_CAPTIONS = [
  ['11210000', '11213000'],
  ['11213000', '11220000'],
  ['11220000', '11223000'],
].map(([start_time, end_time], n) => ({
  start_time,
  end_time,
  text: `I do thing ${n}.`,
  date: 'DAY1',
  video_path: `A1_JAKE/DAY1/DAY1_A1_JAKE_${start_time}.mp4`,
}));
const EGOLIFE_ROW = {
  ID: '7',
  query_time: { date: 'DAY2', time: '09000000' },
  type: 'EntityLog',
  question: 'Who did it?',
  choice_a: 'Me',
  choice_b: 'Anna',
  choice_c: 'Ben',
  choice_d: 'Nobody',
  answer: 'B',
  target_time: { date: 'DAY1', time: '11213510' },
  keywords: 'hint',
  reason: 'hint',
};

describe('the common form', () => {
  it('is read with times in UTC, evidence as episodes and as intervals', () => {
    const set = loadSet(writeSmallSet(folder));
    expect(set.streams.map(({ id, episodes }) => [id, episodes.length])).toEqual([['kitchen', 8]]);
    const [when, where, none] = set.questions;
    expect(when).toMatchObject({
      askedAtMs: utc('2024-03-02T20:00:00'),
      evidence: ['kitchen#2'],
      intervals: [
        { stream: 'kitchen', startMs: utc('2024-03-01T08:01:00'), endMs: utc('2024-03-01T08:01:30') },
      ],
    });
    expect(where).toMatchObject({ correct: [1], multiple: false });
    expect(none).toMatchObject({ unanswerable: true, answer: null });
  });

  it('names file and line of what is malformed', () => {
    const files = writeSmallSet(folder);
    const broken: [string, RegExp][] = [
      [`${jsonLines(SMALL_QUESTIONS)}{"id": `, /questions\.jsonl, line 4: this is not JSON/],
      [
        jsonLines([SMALL_QUESTIONS[0], { ...SMALL_QUESTIONS[1], asked_at: 'noon' }]),
        /line 2: "noon" is not a time/,
      ],
      [jsonLines([{ ...SMALL_QUESTIONS[0], question: 5 }]), /line 1: "question"/],
      [jsonLines([{ ...SMALL_QUESTIONS[1], correct: 3 }]), /line 1: the right answer is none of the options/],
      [jsonLines([SMALL_QUESTIONS[0], SMALL_QUESTIONS[0]]), /two questions have the id "kitchen\/when-0"/],
      [jsonLines([{ ...SMALL_QUESTIONS[0], stream: 'attic' }]), /"attic" is not among their streams/],
      ['', /holds no records/],
    ];
    for (const [text, message] of broken) {
      writeFiles(folder, { 'questions.jsonl': text });
      expect(() => loadSet(files)).toThrow(message);
    }
    writeFiles(folder, {
      'episodes.jsonl': jsonLines([{ ...SMALL_EPISODES[0], end: '2024-02-01T00:00:00' }]),
    });
    expect(() => loadSet(files)).toThrow(/episodes\.jsonl, line 1: the episode ends before it starts/);
  });

  it('says which file is missing', () => {
    const files = writeSmallSet(folder);
    expect(() => loadSet({ ...files, episodes: at('no.jsonl') })).toThrow(
      expect.objectContaining({ code: 'FILE_MISSING' }),
    );
    expect(() => loadSet({ ...files, questions: at('no.jsonl') })).toThrow(
      expect.objectContaining({ code: 'FILE_MISSING' }),
    );
  });

  it('does not tell which questions have several right options', () => {
    const files = writeSmallSet(folder);
    const one = { ...SMALL_QUESTIONS[1], id: 'one' };
    writeFiles(folder, { 'questions.jsonl': jsonLines([one, { ...one, id: 'two', correct: [0, 2] }]) });
    expect(loadSet(files).questions.map(({ multiple, correct }) => [multiple, correct])).toEqual([
      [true, [1]],
      [true, [0, 2]],
    ]);
  });

  it('counts evidence that is not there', () => {
    const files = writeSmallSet(folder);
    writeFiles(folder, {
      'questions.jsonl': jsonLines([{ ...SMALL_QUESTIONS[0], evidence: ['kitchen#2', 'kitchen#99'] }]),
    });
    const set = loadSet(files);
    expect(set.questions[0]!.evidence).toEqual(['kitchen#2']);
    expect(set.notes.join()).toContain('1 pieces of evidence');
  });
});

describe('EgoLife', () => {
  it('counts frames at 20 a second and carries what is beyond', () => {
    const ms = (code: string): number => timeOfDayMs(code, 'here');
    expect(ms('11210250') - ms('11210400')).toBe(500);
    expect(ms('9000019')).toBe(9 * 3_600_000 + 950);
    expect(() => ms('24000000')).toThrow(/here: "24000000"/);
    expect(() => ms('half past')).toThrow(/HHMMSSFF/);
  });

  it('reads a joined target time as one range, or as two instants', () => {
    const target = { date: 'DAY1', time: '11210000DAY1_11220000' };
    expect(targetSpans(target, 'range', '').map(({ startMs, endMs }) => endMs - startMs)).toEqual([60_000]);
    expect(targetSpans(target, 'instants', '').map(({ startMs, endMs }) => endMs - startMs)).toEqual([0, 0]);
    const list = { date: ['DAY1', 'DAY2'], time_list: ['11210000', '11210000'] };
    const [first, second] = targetSpans(list, 'range', '');
    expect(second!.startMs - first!.startMs).toBe(86_400_000);
  });

  it('takes the record that holds a single target time as evidence', () => {
    writeFiles(folder, { 'captions.json': EGOLIFE_CAPTIONS, 'qa.json': [EGOLIFE_ROW] });
    const set = loadSet({ episodes: at('captions.json'), questions: at('qa.json') });
    expect(set.questions[0]).toMatchObject({
      stream: 'A1_JAKE',
      askedAtMs: utc('2024-01-02T09:00:00'),
      correct: [1],
      evidence: ['A1_JAKE/DAY1_11213000_11220000'],
      intervals: [{ startMs: utc('2024-01-01T11:21:30'), endMs: utc('2024-01-01T11:22:00') }],
    });
  });

  it('reads Ego-R1 rows: the wearer named, the later of two query times, a target range', () => {
    const row = {
      ...EGOLIFE_ROW,
      identity: 'A1_JAKE',
      query_time: { date: 'DAY1', time: '11300000-11310000' },
      target_time: { date: 'DAY1', time: '11212000-11214000' },
    };
    writeFiles(folder, { 'captions.json': EGOLIFE_CAPTIONS, 'qa.json': [row] });
    const [question] = loadSet({ episodes: at('captions.json'), questions: at('qa.json') }).questions;
    expect(question).toMatchObject({ askedAtMs: utc('2024-01-01T11:31:00') });
    expect(question!.evidence).toHaveLength(2);
    expect(question!.intervals[0]!.endMs - question!.intervals[0]!.startMs).toBe(20_000);
  });

  it('reads EgoLife-EQA rows with several right options', () => {
    const row = {
      example_id: 3,
      p_id: 'A1_JAKE',
      query_time: 'DAY7, 19:00:00',
      question: 'How often?',
      options: { B: 'twice', A: 'once', C: 'never' },
      answer: 'A, C',
      query_type: 'counting',
    };
    writeFiles(folder, { 'captions.json': EGOLIFE_CAPTIONS, 'qa.jsonl': jsonLines([row]) });
    expect(loadSet({ episodes: at('captions.json'), questions: at('qa.jsonl') }).questions[0]).toMatchObject({
      choices: ['once', 'twice', 'never'],
      correct: [0, 2],
      multiple: true,
      askedAtMs: utc('2024-01-07T19:00:00'),
    });
  });
});

const SUPERMEMORY_START = utc('2026-03-10T10:00:00') / 1000;
const CHOICES = ['On the desk.', 'In the bag.', 'At home.', 'This question can not be answered.'];
const SUPERMEMORY_ROW = {
  question_id: 1,
  question: 'Where is my cup?',
  choices: CHOICES,
  correct_answer: 'In the bag.',
  correct_option_index: 1,
  choice_types: ['incorrect', 'correct', 'vague', 'incorrect'],
  subject: 1,
  metadata: { skill: 'object_location_memory', primary_video_id: 'P1_s1' },
  video_ids: ['P1_s1', 'P1_s0'],
  question_evidence: {
    video_id: 'P1_s1',
    time_spans: [
      { start_time: 60, end_time: 90.5, video_id: 'P1_s1', video_start_time_unix: SUPERMEMORY_START },
    ],
  },
  is_answerable: true,
  answer_evidence: {
    evidence_list: [{ video_id: 'P1_s0', time_span: { start_time: '00:10', end_time: '00:20' } }],
    text: 'hint',
  },
};
const wearers = ['1', '2'].flatMap((subject) => [
  {
    id: `${subject}/0`,
    stream: subject,
    video: `P${subject}_s0`,
    start: '2026-03-10T09:00:00',
    end: '2026-03-10T09:00:30',
    text: 'I put the cup in the bag.',
  },
]);

describe('SuperMemory-VQA', () => {
  it('asks at the end of the question’s span, and finds evidence by a video’s start', () => {
    writeFiles(folder, { 'episodes.jsonl': jsonLines(wearers), 'all_qa.json': [SUPERMEMORY_ROW] });
    const [question] = loadSet({ episodes: at('episodes.jsonl'), questions: at('all_qa.json') }).questions;
    expect(question).toMatchObject({
      stream: '1',
      askedAtMs: (SUPERMEMORY_START + 90.5) * 1000,
      correct: [1],
      evidence: ['1/0'],
      intervals: [{ video: 'P1_s0', startMs: utc('2026-03-10T09:00:10'), endMs: utc('2026-03-10T09:00:20') }],
    });
  });

  it('reads the older rows, whose span is MM:SS or HH:MM:SS', () => {
    const older = (end_time: string) => ({
      ...SUPERMEMORY_ROW,
      question_evidence: {
        video_id: 'P1_s1',
        start_time: SUPERMEMORY_START,
        time_span: { start_time: '00:00', end_time },
      },
    });
    const rows = [older('01:30'), { ...older('1:01:30'), question_id: 2 }];
    writeFiles(folder, { 'episodes.jsonl': jsonLines(wearers), 'all_qa.json': rows });
    const { questions } = loadSet({ episodes: at('episodes.jsonl'), questions: at('all_qa.json') });
    expect(questions.map(({ askedAtMs }) => askedAtMs / 1000 - SUPERMEMORY_START)).toEqual([90, 3690]);
    writeFiles(folder, { 'all_qa.json': [older('1:75')] });
    expect(() => loadSet({ episodes: at('episodes.jsonl'), questions: at('all_qa.json') })).toThrow(
      /record 1: "1:75" is not a time/,
    );
  });

  it('knows what cannot be answered', () => {
    const row = { ...SUPERMEMORY_ROW, correct_option_index: 3, is_answerable: false };
    writeFiles(folder, { 'episodes.jsonl': jsonLines(wearers), 'all_qa.json': [row] });
    expect(
      loadSet({ episodes: at('episodes.jsonl'), questions: at('all_qa.json') }).questions[0],
    ).toMatchObject({
      unanswerable: true,
      correct: [3],
      intervals: [],
    });
  });

  it('as LVQA puts all wearers in one store, with evidence in the right wearer’s video alone', () => {
    writeFiles(folder, { 'episodes.jsonl': jsonLines(wearers), 'all_qa.json': [SUPERMEMORY_ROW] });
    const set = loadSet({ episodes: at('episodes.jsonl'), questions: at('all_qa.json'), format: 'lvqa' });
    expect(set.streams).toHaveLength(1);
    expect(set.streams[0]!.episodes.map(({ wearer }) => wearer)).toEqual(['1', '2']);
    expect(set.questions[0]!.evidence).toEqual(['1/0']);
  });
});

it('M3-Bench asks when the clip before_clip has ended', () => {
  const episodes = ['2024-05-01T00:00:00', '2024-05-01T00:00:30'].map((start, n) => ({
    id: `v#${n}`,
    stream: 'v',
    start,
    end: `2024-05-01T00:0${n === 0 ? '0:30' : '1:00'}`,
    text: 'I drink coffee.',
  }));
  const qa = { question: 'What do they drink?', answer: 'Coffee.', reasoning: 'hint', type: ['Detail'] };
  writeFiles(folder, {
    'episodes.jsonl': jsonLines(episodes),
    'robot.json': {
      v: {
        video_path: 'v.mp4',
        mem_path: 'v.pkl',
        qa_list: [
          { ...qa, question_id: 'q1', timestamp: '00:43', before_clip: 0 },
          { ...qa, question_id: 'q2', timestamp: '00:50', before_clip: null },
          { ...qa, question_id: 'q3', timestamp: null, before_clip: null },
        ],
      },
    },
  });
  const { questions } = loadSet({ episodes: at('episodes.jsonl'), questions: at('robot.json') });
  expect(questions.map(({ askedAtMs }) => (askedAtMs - utc('2024-05-01T00:00:00')) / 1000)).toEqual([
    30, 50, 60,
  ]);
});

describe('a folder of subtitles', () => {
  const cue = (from: string, to: string, text: string): string =>
    `1\n00:${from},000 --> 00:${to},000\n${text}\n\n`;

  it('becomes 30-second episodes by wall clock, captions and speech together, English lines alone', () => {
    writeFiles(folder, {
      'EgoLifeCap/DenseCaption/A1_JAKE/DAY2/A1_JAKE_DAY2_11000000.srt': `${cue('00:05', '00:09', 'I open the box.')}${cue('00:28', '00:33', 'I lift the lid.')}`,
      'EgoLifeCap/Transcript/A1_JAKE/DAY2/A1_JAKE_DAY2_11000000.srt': cue(
        '00:12',
        '00:14',
        '你好\nAlice: Hello there.',
      ),
      'qa.json': [
        {
          ...EGOLIFE_ROW,
          query_time: { date: 'DAY3', time: '09000000' },
          target_time: { date: 'DAY2', time: '11002900' },
        },
      ],
    });
    const set = loadSet({ episodes: at('EgoLifeCap'), questions: at('qa.json') });
    const [episode, ...more] = set.streams[0]!.episodes;
    expect(more).toEqual([]);
    expect(episode).toMatchObject({
      stream: 'A1_JAKE',
      startMs: utc('2024-01-02T11:00:00'),
      endMs: utc('2024-01-02T11:00:30'),
      caption: 'I open the box. I lift the lid.',
      transcript: [{ speaker: 'Alice', text: 'Hello there.' }],
    });
    expect(set.questions[0]!.evidence).toEqual([episode!.id]);
  });

  it('that holds none is refused', () => {
    writeFiles(folder, { 'empty/notes.txt': 'nothing', 'qa.json': [EGOLIFE_ROW] });
    expect(() => loadSet({ episodes: at('empty'), questions: at('qa.json') })).toThrow(/no subtitle files/);
  });
});

it('refuses questions in no known form', () => {
  const { episodes } = writeSmallSet(folder);
  writeFiles(folder, { 'other.json': [{ prompt: 'What?' }] });
  expect(() => loadSet({ episodes, questions: at('other.json') })).toThrow(
    /other\.json: these questions are in no form/,
  );
});

const SETS = fileURLToPath(new URL('../../../../shared/data/qa', import.meta.url));
const present = existsSync(SETS);
describe.skipIf(!present)(
  `published files${present ? '' : ' (skipped: the question sets are not beside the project)'}`,
  () => {
    const of = (name: string): string => path.join(SETS, name);

    it('LoCoMo’s own file gives the episodes and questions of its common form', () => {
      const original = loadSet({
        episodes: of('locomo/locomo.original.json'),
        questions: of('locomo/locomo.original.json'),
      });
      const common = loadSet({
        episodes: of('locomo/episodes.jsonl'),
        questions: of('locomo/questions.jsonl'),
      });
      const times = (set: typeof common) =>
        set.streams.flatMap(({ episodes }) => episodes.map(({ id, startMs, endMs }) => [id, startMs, endMs]));
      expect(times(original)).toEqual(times(common));
      const asked = (set: typeof common) =>
        set.questions.map(({ id, question, askedAtMs, evidence, kind, unanswerable }) => ({
          id,
          question,
          askedAtMs,
          evidence,
          kind,
          unanswerable,
        }));
      expect(asked(original)).toEqual(asked(common));
    });

    it('the EgoLife questions’ own file gives those of its common form', () => {
      const own = loadSet({
        episodes: of('egolife/episodes.jsonl'),
        questions: of('egolife/mcq.original.json'),
      });
      const common = loadSet({
        episodes: of('egolife/episodes.jsonl'),
        questions: of('egolife/questions.jsonl'),
      });
      const facts = (set: typeof common) =>
        set.questions.map(({ id, question, choices, correct, evidence, kind }) => ({
          id,
          question,
          choices,
          correct,
          evidence: [...evidence].sort(),
          kind,
        }));
      expect(facts(own)).toEqual(facts(common));
    });

    it.each(['epic', 'hd-epic'])(
      '%s has evidence for every answerable question, all of it before the question',
      (name) => {
        const set = loadSet({
          episodes: of(`${name}/episodes.jsonl`),
          questions: of(`${name}/questions.jsonl`),
        });
        const ends = new Map(
          set.streams.flatMap(({ episodes }) => episodes.map(({ id, endMs }) => [id, endMs])),
        );
        for (const question of set.questions.filter(({ unanswerable }) => !unanswerable)) {
          expect(question.evidence.length).toBeGreaterThan(0);
          for (const id of question.evidence) expect(ends.get(id)).toBeLessThanOrEqual(question.askedAtMs);
        }
      },
    );
  },
);
