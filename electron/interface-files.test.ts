import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY, interfaceFile } from './interface-files.ts';

const folder = resolve('/opt/footnote/dist/renderer');
const file = (address: string) => interfaceFile(folder, address)?.path ?? null;

describe('an address of the interface', () => {
  it('means the page or one of its files, with its type', () => {
    expect(file('footnote-app://app/')).toBe(join(folder, 'index.html'));
    expect(interfaceFile(folder, 'footnote-app://app/assets/index-1a2b.js?v=1')).toEqual({
      path: join(folder, 'assets', 'index-1a2b.js'),
      type: 'text/javascript; charset=utf-8',
    });
    expect(file('footnote-app://app/a%20b.svg')).toBe(join(folder, 'a b.svg'));
  });

  it('never leaves the folder', () => {
    const hostile = [
      '/../../secret.json',
      '/%2e%2e/%2e%2e/secret.json',
      '/..%2f..%2fsecret.json',
      '/a/..%2f..%2f..%2fx.js',
    ];
    for (const path of hostile) {
      const found = file(`footnote-app://app${path}`);
      expect(found === null || found.startsWith(folder)).toBe(true);
    }
    expect(file('footnote-app://app/..%2f..%2fsecret.json')).toBeNull();
  });

  it('of another host, a malformed one, or one of no known kind is nothing', () => {
    for (const address of [
      'footnote-app://other/index.html',
      'footnote-app://app/%zz.js',
      'footnote-app://app/a%00.js',
      'footnote-app://app/notes.txt',
      'footnote-app://app/assets/',
      'no address',
    ]) {
      expect(file(address)).toBeNull();
    }
  });
});

describe('the content security policy', () => {
  it('starts from nothing and allows no inline or evaluated code', () => {
    expect(CONTENT_SECURITY_POLICY).toMatch(/^default-src 'none'/);
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|\*|https?:|data:/);
  });
});
