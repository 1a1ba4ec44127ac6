import { describe, expect, it } from 'vitest';
import { readShellArgs } from './shell-args.ts';

describe("the shell's command line", () => {
  it('names a library in either form', () => {
    expect(readShellArgs(['electron', '.', '--library', '/a b/c']).library).toBe('/a b/c');
    expect(readShellArgs(['footnote', '--library=/x=y']).library).toBe('/x=y');
  });
  it('leaves the default alone when nothing usable is named', () => {
    for (const argv of [
      ['footnote'],
      ['footnote', '--library'],
      ['footnote', '--library='],
      ['footnote', '--other'],
    ]) {
      expect(readShellArgs(argv).library).toBeNull();
    }
  });
});
