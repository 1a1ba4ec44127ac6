import { closed } from './plain-text.ts';
import { type Statement, WEIGHT } from './statements.ts';
import { approximateTokens, MAX_TOKENS } from './token-budget.ts';

/** Kinds that tell of something; with none of them the paragraph says so. */
const TELLING = new Set(['seen', 'speech', 'text', 'people', 'movement', 'place']);
const NOTHING = 'Nothing more could be made out.';
const LEFT_OUT = {
  speech: 'More was said than fits here.',
  text: 'There was more to read than fits here.',
} as const;

/** Sentences of statements: neighbours with one lead share it; groups are parted by semicolons, their members by commas. */
function sentences(statements: readonly Statement[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < statements.length; ) {
    const { lead, quoted } = statements[i]!;
    let end = i + 1;
    if (quoted === null) {
      out.push(lead);
    } else {
      let list = quoted;
      for (; end < statements.length; end++) {
        const next = statements[end]!;
        if (next.lead !== lead || next.quoted === null) break;
        list += `${next.group === statements[end - 1]!.group ? ',' : ';'} ${next.quoted}`;
      }
      out.push(closed(`${lead} ${list}`));
    }
    i = end;
  }
  return out;
}

function render(kept: readonly Statement[], cut: ReadonlySet<Statement['kind']>): string {
  const parts = sentences(kept);
  if (cut.has('speech')) parts.push(LEFT_OUT.speech);
  if (cut.has('text')) parts.push(LEFT_OUT.text);
  if (cut.size === 0 && !kept.some(({ kind }) => TELLING.has(kind))) parts.push(NOTHING);
  return parts.join(' ');
}

/**
 * One paragraph of at most MAX_TOKENS (by the approximation). What does not fit is left out whole, the least telling
 * first; the paragraph says when speech or text was left out. The opening always stays.
 */
export function writeParagraph(statements: readonly Statement[]): string {
  const cost = new Map(statements.map((s) => [s, approximateTokens(`${s.lead} ${s.quoted ?? ''},`)]));
  const cuttable = [...statements].slice(1).sort((a, b) => b.weight - a.weight);
  const kept = new Set(statements);
  const cut = new Set<Statement['kind']>();
  const drop = (statement: Statement) => {
    kept.delete(statement);
    cut.add(statement.kind);
  };
  // What can never fit goes first, lest everything else be cut for its sake.
  for (const statement of cuttable) if (cost.get(statement)! > MAX_TOKENS / 2) drop(statement);
  let rest = cuttable.filter((statement) => kept.has(statement));
  for (;;) {
    const text = render(
      statements.filter((statement) => kept.has(statement)),
      cut,
    );
    let over = approximateTokens(text) - MAX_TOKENS;
    if (over <= 0 || rest.length === 0) return text;
    while (over > 0 && rest.length > 0) {
      const least = rest.at(-1)!;
      rest = rest.slice(0, -1);
      // A shared lead is not saved by dropping one of its quotations.
      over -= approximateTokens(least.quoted ?? least.lead);
      drop(least);
    }
  }
}

/** Tokens a caption may have: a line in a list. */
const CAPTION_TOKENS = 48;

/** The most telling kinds of statement, in order, as one short text. */
export function writeCaption(statements: readonly Statement[]): string {
  const ranked = statements
    .filter(({ kind }) => kind !== 'opening')
    .sort((a, b) => WEIGHT[b.kind] - WEIGHT[a.kind]);
  const kept = new Set<Statement>();
  let tokens = 0;
  for (const statement of ranked) {
    tokens += approximateTokens(`${statement.lead} ${statement.quoted ?? ''},`);
    if (tokens > CAPTION_TOKENS) break;
    kept.add(statement);
  }
  const text = sentences(statements.filter((statement) => kept.has(statement))).join(' ');
  return text === '' ? NOTHING : text;
}
