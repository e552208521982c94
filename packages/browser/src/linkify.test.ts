import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkify } from './linkify.ts';

const links = (text: string) =>
  linkify(text)
    .filter(({ href }) => href !== null)
    .map(({ text: shown }) => shown);

it('finds http and https addresses', () => {
  expect(links('see https://a.example/x?y=1#z and http://b.example')).toEqual([
    'https://a.example/x?y=1#z',
    'http://b.example',
  ]);
});

it('excludes the punctuation of the sentence', () => {
  expect(links('(https://a.example/x). Or https://b.example!')).toEqual([
    'https://a.example/x',
    'https://b.example',
  ]);
  expect(links('https://a.example/wiki/X_(y)')).toEqual(['https://a.example/wiki/X_(y)']);
});

it('doesn’t link other schemes', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'www.a.example',
    'https://',
    'http:///x y',
  ]) {
    expect(linkify(text).every(({ href }) => href === null || /^https?:/.test(href))).toBe(true);
  }
  expect(links('javascript:alert(1)')).toEqual([]);
});

it('takes linear time on a long run of dots and brackets', () => {
  const count = 100_000;
  const endings = ['.', ')', '.)', ').', '(', '.(', '[.', '].', '([)].', '.!?'].map((piece) =>
    piece.repeat(count / piece.length),
  );
  const texts = endings.flatMap((run) => [`http://a${run}`, `http://a/${run}`, `http://a${run}x`]);
  for (const text of texts) {
    // The fastest of several runs, because other processes may use the CPU.
    const runs = Array.from({ length: 5 }, () => {
      const started = performance.now();
      linkify(text);
      return performance.now() - started;
    });
    expect(Math.min(...runs), text.slice(0, 20)).toBeLessThan(500);
  }
});

it('keeps the whole text', () => {
  const piece = fc.constantFrom(
    'https://a.example/(x)',
    ' ',
    'http://',
    ').',
    '!',
    'text',
    '\n',
    '<b>',
    '"',
    'é😍',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(
        linkify(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
