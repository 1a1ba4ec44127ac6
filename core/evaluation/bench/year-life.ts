import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { FootnoteError } from '../../contract/errors.ts';
import type { Episode } from '../../contract/index.ts';
import { numbers, SEGMENT_MS, SEGMENTS_PER_HOUR, START_MS } from './generated.ts';

const DAY_MS = 86_400_000;
/** A year of 350,000 half minutes is eight hours of every day. */
export const EPISODES_A_DAY = 8 * SEGMENTS_PER_HOUR;
/** Half minutes of one file: twelve minutes, as action cameras split. */
const CHAPTER = 24;

/** Verbs and nouns of a kitchen, a flat and a street, in the two-word form in which first-person narrations are written. */
const VERBS =
  'take,put down,open,close,wash,cut,pour,stir,dry,peel,rinse,fill,empty,turn on,turn off,throw away,look for,pick up,move,shake,squeeze,fold,wipe,scrub,grate,mix,break,hang,carry,read,write on,check,lock,unlock,repair,sort,wrap,unwrap,weigh,season'.split(
    ',',
  );
const NOUNS =
  'plate,cup,mug,glass,bowl,knife,fork,spoon,pan,pot,lid,kettle,tap,sponge,cloth,towel,bin,bag,box,bottle,jar,tin,packet,drawer,cupboard,fridge,freezer,oven,hob,microwave,dishwasher,washing machine,onion,garlic,tomato,potato,carrot,pepper,mushroom,lettuce,cucumber,aubergine,courgette,apple,banana,lemon,bread,dough,flour,rice,pasta,cheese,butter,milk,egg,chicken,salmon,oil,vinegar,salt,sugar,coffee,tea,juice,soup,sauce,letter,book,phone,laptop,charger,keys,wallet,umbrella,coat,shoe,scarf,bicycle,helmet,ticket,receipt,parcel,newspaper,pen,scissors,tape,hammer,screwdriver,lamp,candle,plant,vase,chair,table,blanket,pillow,curtain'.split(
    ',',
  );
const PLACES = 'kitchen,hall,office,garden,train station,shop,living room,street,cellar,café'.split(',');
const PEOPLE = 'Anna,Tomasz,Maria,Jan,Zoë,Dr. Novak,Lena,Sam'.split(',');

/** Where a made-up life takes its words from. */
export interface LifeWords {
  /** "wash the blue bowl": what is done in a second or two. */
  narrations: readonly string[];
}

/** Narrations made of the bench's own vocabulary. */
export function ownWords(): LifeWords {
  return { narrations: VERBS.flatMap((verb) => NOUNS.map((noun) => `${verb} ${noun}`)) };
}

/**
 * Narrations of episodes in the common form (one JSON a line, `narrations: [{ text }]`).
 * @throws FootnoteError BAD_REQUEST when the file holds none
 */
export async function wordsOf(file: string): Promise<LifeWords> {
  const narrations: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.trim() === '') continue;
    const { narrations: own = [] } = JSON.parse(line) as { narrations?: { text: string }[] };
    narrations.push(...own.map(({ text }) => text));
  }
  if (narrations.length === 0) throw new FootnoteError('BAD_REQUEST', 'That file holds no narrations.');
  return { narrations };
}

/** Start of the n-th half minute of a year with eight hours of footage a day, epoch ms. */
export function startOf(n: number): number {
  return START_MS + Math.floor(n / EPISODES_A_DAY) * DAY_MS + (n % EPISODES_A_DAY) * SEGMENT_MS;
}

/** The n-th episode of a life in which six to nine things are done each half minute, and now and then somebody speaks. */
export function liveEpisode(n: number, words: LifeWords, random: Generator<number, never>): Episode {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next().value * list.length)]!;
  const chapter = `f${String(Math.floor(n / CHAPTER)).padStart(24, '0')}`;
  const recording = `r${String(Math.floor(n / SEGMENTS_PER_HOUR)).padStart(24, '0')}`;
  const startMs = startOf(n);
  const done = Array.from({ length: 6 + Math.floor(random.next().value * 4) }, () => pick(words.narrations));
  const place = PLACES[Math.floor(n / CHAPTER) % PLACES.length]!;
  const speaker = random.next().value < 0.3 ? pick(PEOPLE) : null;
  const hour = 1 + Math.floor(random.next().value * 12);
  const said = `Could you ${pick(words.narrations)} before ${hour} o'clock, please?`;
  const index = n % CHAPTER;
  return {
    id: `${chapter}-${String(index).padStart(4, '0')}`,
    recordingId: recording,
    chapterId: chapter,
    index,
    startMs,
    endMs: startMs + SEGMENT_MS,
    zone: 'UTC',
    text: `${done.map((what) => `I ${what}.`).join(' ')} I am in the ${place}.${speaker ? ` ${speaker} said: “${said}”` : ''}`,
    record: {
      caption: `I ${done[0]} and ${done[1]}.`,
      transcript: speaker
        ? [{ startMs, endMs: startMs + 4_000, speaker, text: said, source: 'speech-sidecar', confidence: 1 }]
        : [],
      visibleText: [],
      actions: done.slice(0, 6),
      objects: [...new Set(done.slice(0, 6).map((what) => what.split(' ').at(-1)!))],
      topics: [],
      scenes: [place],
      entities: speaker ? [speaker] : [],
      claims: [],
      people: speaker ? 1 : 0,
      place: null,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'generated', version: '1' },
  };
}

/** Kinds of questions a person asks; `{}` is what was done, `{who}` a person. */
const ASKED = [
  'When did I last {}?',
  'When did I {}?',
  'Where did I {}?',
  'How many times did I {} this week?',
  'How often do I {}?',
  'Did I {} yesterday?',
  'When did I first {}?',
  'What did I do yesterday morning?',
  'What did I do last Tuesday at 10?',
  'What did I do after I {}?',
  'What did {who} say about it?',
  'Who did I talk to today?',
  'What do I usually do in the morning?',
  'Do I {} more often than I {}?',
  'What did {who} ask me to do on Monday?',
  'How long did it take to {}?',
];

/** The n-th question of a person about that life, every kind in turn. */
export function liveQuestion(n: number, words: LifeWords, random: Generator<number, never>): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next().value * list.length)]!;
  return ASKED[n % ASKED.length]!.replaceAll('{who}', () => pick(PEOPLE)).replaceAll('{}', () =>
    pick(words.narrations),
  );
}

/** Episodes of a life from `from` on, the same ones for the same numbers. */
export function* liveBatches(
  from: number,
  to: number,
  size: number,
  words: LifeWords,
): Generator<Episode[], void> {
  const random = numbers(7 + from);
  for (let n = from; n < to; n += size) {
    yield Array.from({ length: Math.min(size, to - n) }, (_, i) => liveEpisode(n + i, words, random));
  }
}
