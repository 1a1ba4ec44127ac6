import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { episodeAt, NINE, SEGMENT_MS, said } from '../testing/episodes.ts';
import { analyse, questionKeys, tripleKey } from './analysis.ts';
import { type Correction, Corrections } from './corrections.ts';
import { normalLabel, personLabel } from './entities.ts';
import { correctedAnalysis, edgesOf, episodicGraph } from './episodic-graph.ts';
import { RELATIONS, relationOf } from './relations.ts';
import { factsAt, factText, type Observed } from './semantic-graph.ts';

const DAY_MS = 86_400_000;
const triples = (text: string) => analyse(episodeAt(NINE, text)).triples.map(tripleKey);
const keys = (text: string, record = {}) =>
  analyse(episodeAt(NINE, text, record)).entities.map(({ key }) => key);

describe('labels', () => {
  it.each([
    ['the Blue Bowls', 'bowl'],
    ['my mother’s keys', 'mother key'],
    ['pizza slice', 'pizza slice'],
    ['  a   glass', 'glass'],
    ['something', null],
    ['', null],
    ['…', null],
    ['one two three four five six seven eight nine', null],
  ])('of %j is %j', (text, label) => expect(normalLabel(text)).toBe(label));

  it.each([
    ['Anna Kowalska', 'anna kowalska'],
    ['she', null],
    ['everyone', null],
    ['12', null],
  ])('of the person %j is %j', (name, label) => expect(personLabel(name)).toBe(label));
});

describe('what is read in an episode', () => {
  it('is who did what to what, I being the wearer', () => {
    expect(triples('I put the pizza slice onto a plate. Then I wash my hands.')).toEqual([
      'person::me|put|object::pizza slice',
      'person::me|put onto|object::plate',
      'person::me|wash|object::hand',
    ]);
    const annas = episodeAt(NINE, 'I open the window.', {}, { wearer: 'anna' });
    expect(analyse(annas).triples.map(tripleKey)).toEqual(['person::anna|open|object::window']);
  });

  it('hands things to people and knows them for people', () => {
    expect(triples('Katrina gave the flowers to Tasha in the kitchen.')).toEqual([
      'person::katrina|give|object::flower',
      'person::katrina|give to|person::tasha',
    ]);
    expect(keys('Katrina gave the flowers to Tasha in the kitchen.')).toContain('place::kitchen');
  });

  it('takes no word for a person because it opens a sentence or stands in capitals', () => {
    const found = keys('Knife and fork lie there. Open the door. FRESH BREAD is sold. Orange juice is cold.');
    expect(found.filter((key) => key.startsWith('person::'))).toEqual([]);
  });

  it('keeps a speaker’s doings theirs, and nobody’s when the voice has no name', () => {
    const talk = (speaker: string | null) =>
      analyse(
        episodeAt(NINE, 'x', {
          transcript: [said(NINE, speaker, 'I bought a lamp.')],
          claims: [{ text: 'It was quiet.', source: 'sound', confidence: 1, atMs: null }],
        }),
      ).triples.map(tripleKey);
    expect(talk('Anna')).toEqual(expect.arrayContaining(['person::anna|buy|object::lamp']));
    expect(talk('me')).toEqual(expect.arrayContaining(['person::me|buy|object::lamp']));
    expect(talk(null)).toEqual([]);
    expect(talk('speaker 1')).toEqual([]);
  });

  it('is nothing for empty, foreign or broken text, without an error', () => {
    for (const text of ['', '   ', '...', '你好世界', '\u0000\uFFFD', 'Zzz '.repeat(5000)]) {
      expect(Array.isArray(analyse(episodeAt(NINE, text)).triples)).toBe(true);
    }
  });
});

describe('the episodic graph', () => {
  it('has only relations of the closed set, each of the types it allows, each proved by an episode', () => {
    const verbs = [
      'hold',
      'give',
      'ask',
      'wash',
      'put',
      'take',
      'read',
      'discuss',
      'see',
      'have',
      'plug',
      'invite',
    ];
    const episodes = verbs.map((verb, n) =>
      episodeAt(NINE + n * SEGMENT_MS, `I ${verb} the lamp. Anna ${verb}s the cable to Tom in the garage.`),
    );
    const edges = episodicGraph(episodes);
    for (const edge of edges.filter(({ from }) => from === 'triple')) {
      expect(RELATIONS).toContain(edge.type);
      expect(edge.source).toMatch(/^person::/);
      if (edge.type === 'hand_to') expect(edge.target).toMatch(/^person::/);
    }
    expect(edges.every(({ episodeId }) => episodes.some(({ id }) => id === episodeId))).toBe(true);
    expect(relationOf('see')).toBeNull();
    expect(edges.filter(({ type }) => type === 'before')).toHaveLength(verbs.length - 1);
  });

  it('knows nothing that had not ended', () => {
    const episodes = [0, 1, 2].map((n) => episodeAt(NINE + n * SEGMENT_MS, 'I hold a lamp.'));
    const edges = episodicGraph(episodes, new Corrections(), NINE + 2 * SEGMENT_MS);
    expect(new Set(edges.map(({ episodeId }) => episodeId))).toEqual(
      new Set([episodes[0]!.id, episodes[1]!.id]),
    );
  });

  it('keeps what two people did apart when it chains events', () => {
    const mine = [0, 2].map((n) => episodeAt(NINE + n * SEGMENT_MS, 'I walk.'));
    const annas = episodeAt(NINE + SEGMENT_MS, 'I run.', {}, { wearer: 'anna' });
    const chain = episodicGraph([...mine, annas]).filter(({ type }) => type === 'before');
    expect(chain.map(({ source, target }) => [source, target])).toEqual([
      [`event::${mine[0]!.id}`, `event::${mine[1]!.id}`],
    ]);
  });
});

describe('corrections', () => {
  const episode = episodeAt(NINE, 'Tasha holds the lamp.');
  const namesOf = (...list: Correction[]) =>
    correctedAnalysis(episode, new Corrections(list))
      .entities.map(({ key }) => key)
      .filter((key) => key.startsWith('person::'));
  const rename = { what: 'rename', key: 'person::tasha', to: 'person::natasha' } as const;

  it('rename, merge, split and name people, one after the other', () => {
    const scope = { episodeIds: [episode.id], recordingId: null };
    expect(namesOf(rename)).toEqual(['person::natasha']);
    expect(namesOf(rename, { what: 'merge', keys: ['person::natasha'], into: 'person::nat' })).toEqual([
      'person::nat',
    ]);
    expect(namesOf({ what: 'split', key: 'person::tasha', to: 'person::tasha b', ...scope })).toEqual([
      'person::tasha b',
    ]);
    expect(
      namesOf({
        what: 'split',
        key: 'person::tasha',
        to: 'person::tasha b',
        episodeIds: ['else'],
        recordingId: null,
      }),
    ).toEqual(['person::tasha']);
    expect(namesOf({ what: 'identify', person: 'person::anna', ...scope })).toEqual([
      'person::anna',
      'person::tasha',
    ]);
  });

  it('are gone when taken back, and leave what was read from footage as it was', () => {
    expect(namesOf(rename)).toEqual(['person::natasha']);
    expect(namesOf()).toEqual(['person::tasha']);
  });

  it('move the edges with the names, and are found from either side', () => {
    const corrections = new Corrections([
      rename,
      { what: 'merge', keys: ['person::natasha'], into: 'person::nat' },
    ]);
    expect(edgesOf(episode, corrections).some(({ source }) => source === 'person::nat')).toBe(true);
    expect(corrections.sourcesOf('person::nat').sort()).toEqual(
      ['person::nat', 'person::natasha', 'person::tasha'].sort(),
    );
  });
});

describe('the semantic graph', () => {
  const at = (n: number, verb = 'drink', object = 'object::coffee'): Observed => ({
    subject: 'person::me',
    verb,
    object,
    evidence: [
      {
        episodeId: `e${n}`,
        recordingId: 'r',
        startMs: NINE + n * DAY_MS,
        endMs: NINE + n * DAY_MS + SEGMENT_MS,
        day: `day ${n}`,
      },
    ],
  });
  const together = (...list: Observed[]): Observed[] => [
    { ...list[0]!, evidence: list.flatMap(({ evidence }) => evidence) },
  ];

  it('holds what was done on several days, and preferences said once', () => {
    expect(factsAt([at(0)], { nowMs: NINE + 9 * DAY_MS })).toEqual([]);
    const [habit] = factsAt(together(at(0), at(3)), { nowMs: NINE + 9 * DAY_MS });
    expect(habit).toMatchObject({
      text: 'I drink coffee',
      kind: 'habit',
      support: 2,
      days: 2,
      firstMs: NINE,
    });
    expect(factsAt([at(0, 'love', 'object::jazz')], { nowMs: NINE + DAY_MS })[0]!.kind).toBe('preference');
  });

  it('is, at any instant, what the evidence of that instant gives, whatever came later', () => {
    const many = fc.array(
      fc.record({
        n: fc.nat(20),
        verb: fc.constantFrom('drink', 'wash'),
        o: fc.constantFrom('cup', 'tea cup'),
      }),
      {
        maxLength: 30,
      },
    );
    const group = (rows: { n: number; verb: string; o: string }[]): Observed[] => {
      const groups = new Map<string, Observed[]>();
      for (const { n, verb, o } of rows) {
        const one = at(n, verb, `object::${o}`);
        groups.set(`${verb} ${o}`, [...(groups.get(`${verb} ${o}`) ?? []), one]);
      }
      return [...groups.values()].flatMap((list) => together(...list));
    };
    fc.assert(
      fc.property(many, fc.nat(22), (rows, now) => {
        const nowMs = NINE + now * DAY_MS;
        const before = rows.filter(({ n }) => NINE + n * DAY_MS + SEGMENT_MS <= nowMs);
        expect(factsAt(group(rows), { nowMs })).toEqual(factsAt(group(before), { nowMs }));
        expect(factsAt(group([...rows].reverse()), { nowMs })).toEqual(factsAt(group(rows), { nowMs }));
      }),
    );
  });

  it('takes for one what is near in meaning and of one kind, not what is only near', () => {
    const observed = [
      ...together(at(0, 'eat', 'object::pizza')),
      at(1, 'eat', 'object::cold pizza'),
      at(2, 'eat', 'object::soup'),
    ];
    const vectors = new Map(
      observed.map(({ object }) => [
        factText({ key: '', type: 'person', label: 'me' }, 'eat', {
          key: '',
          type: 'object',
          label: object.slice(8),
        }),
        Float32Array.from([1, 0]),
      ]),
    );
    const facts = factsAt(observed, { nowMs: NINE + 9 * DAY_MS, vectors });
    expect(facts.map(({ text, support }) => [text, support])).toEqual([['I eat pizza', 2]]);
    expect(factsAt(observed, { nowMs: NINE + 9 * DAY_MS })).toEqual([]);
  });
});

it('a question names what it asks about', () => {
  expect(questionKeys('When did Caroline wash the red mugs in the kitchen?')).toEqual(
    expect.arrayContaining(['person::caroline', 'object::mug', 'place::kitchen']),
  );
});
