import { type Level, SUMMARY_CHARACTERS, SUMMARY_TEXTS } from './levels.ts';

/** What a summary is made from; times and labels are there to constrain a model, the texts are what it tells. */
export interface SummaryInput {
  level: Level;
  texts: readonly string[];
  critical: readonly string[];
  labels: readonly string[];
  scene: string | null;
}

/** A language model's summary of a view, or null when it has none to give: then the rule below holds. */
export type Summarise = (input: SummaryInput) => Promise<{ text: string; visual: string | null } | null>;

function sentencesOf(text: string): string[] {
  return (text.match(/[^.!?\n]+[.!?]*["”’»]?/gu) ?? [])
    .map((one) => one.trim())
    .filter((one) => one.length > 3);
}

/** Sentences may be shortened to this, so that one endless one does not stand for an hour. */
const SENTENCE_MAX = 200;
const STEM = 4;

/**
 * Summary without a model: of the first SUMMARY_TEXTS texts those sentences that between them name the most threads, in the order in
 * which they were told, then the critical lines that fit. Never longer than the level's SUMMARY_CHARACTERS.
 */
export function extractiveSummary({ level, texts, critical, labels }: SummaryInput): string {
  const most = SUMMARY_CHARACTERS[level];
  const all = texts.slice(0, SUMMARY_TEXTS).flatMap(sentencesOf);
  const sentences = [...new Set(all)].map((text, at) => ({ text: text.slice(0, SENTENCE_MAX), at }));
  const words = labels.map((label) => label.split(' ').map((word) => word.slice(0, STEM + 2)));
  const names = sentences.map(({ text }) => {
    const low = text.toLowerCase();
    return new Set(words.flatMap((parts, i) => (parts.every((part) => low.includes(part)) ? [i] : [])));
  });
  const kept = new Set<number>();
  const told = new Set<number>();
  const lines = critical.slice(0, 2).filter((line) => !all.some((text) => line.endsWith(text)));
  let room = most - lines.reduce((sum, line) => sum + line.length + 1, 0);
  for (;;) {
    let best = -1;
    let gain = -1;
    for (const { at, text } of sentences) {
      if (kept.has(at) || text.length + 1 > room) continue;
      let fresh = 0;
      for (const label of names[at]!) if (!told.has(label)) fresh += 1;
      // Of equal ones the earlier: what began a stretch of time names it.
      if (fresh > gain) {
        best = at;
        gain = fresh;
      }
    }
    if (best < 0) break;
    kept.add(best);
    for (const label of names[best]!) told.add(label);
    room -= sentences[best]!.text.length + 1;
  }
  const text = sentences.filter(({ at }) => kept.has(at)).map((one) => one.text);
  return [...text, ...lines].join(' ') || (sentences[0]?.text ?? texts[0] ?? '').slice(0, most);
}

/** What was in view, from the dominant scene and the first four objects (released code's template); null when neither is known. */
export function visualTemplate(scene: string | null, objects: readonly string[]): string | null {
  const seen = objects.slice(0, 4).join(', ');
  if (scene === null && seen === '') return null;
  return [scene === null ? '' : `Scene: ${scene}.`, seen === '' ? '' : `In view: ${seen}.`]
    .filter(Boolean)
    .join(' ');
}
