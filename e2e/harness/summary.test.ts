import { describe, expect, it } from 'vitest';
import { lastLine, summary } from './summary.mjs';

const part = (name: string, passed: number, failed: number, skipped: number) => ({
  name,
  seconds: 1.25,
  passed,
  failed,
  skipped,
});

describe('the last line of npm test', () => {
  it('adds up the parts', () => {
    expect(lastLine([part('types', 1, 0, 0), part('unit tests', 40, 2, 0)])).toBe('41 passed, 2 failed');
  });
  it('names what was skipped only when something was', () => {
    expect(lastLine([part('unit tests', 3, 0, 1)])).toBe('3 passed, 0 failed, 1 skipped');
  });
});

describe('the summary above it', () => {
  it('gives each part a line with its time, its counts and why it did not run', () => {
    const e2e = { ...part('end-to-end tests', 0, 0, 1), note: 'not run: no browser' };
    expect(summary([part('types', 1, 0, 0), e2e]).split('\n')).toEqual([
      'types                1.3 s  1 passed',
      'end-to-end tests     1.3 s  0 passed, 1 skipped  not run: no browser',
    ]);
  });
});
