import { describe, expect, it } from 'vitest';
import { apart, takePaths } from './take-in.ts';

const file = (name: string) => new File(['x'], name);

describe('what is handed over', () => {
  it('keeps files of one name apart', () => {
    const names = apart([
      { file: file('a.mp4'), name: 'a.mp4' },
      { file: file('a.mp4'), name: 'a.mp4' },
      { file: file('a.mp4'), name: 'a.mp4' },
      { file: file('a.mp4'), name: 'card/a.mp4' },
    ]).map(({ name }) => name);
    expect(names).toEqual(['a.mp4', '2/a.mp4', '3/a.mp4', 'card/a.mp4']);
  });

  it('is named by its path in the desktop shell, and left out where it has none', () => {
    const offered = { top: [file('a.mp4'), file('pasted.png')], files: async () => [] };
    expect(takePaths(offered, (one) => (one.name === 'a.mp4' ? '/card/a.mp4' : ''))).toEqual(['/card/a.mp4']);
  });
});
