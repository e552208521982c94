import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { compileSource } from '../packages/browser/src/message-source.ts';
import { APPS, catalogue, languages, problemsIn, textsIn, textsOf } from './lib/texts.mjs';

describe.each(APPS)('%s', (app) => {
  const { texts, problems } = textsIn(app);

  test('every text on screen is looked up, so that it can be translated', () => {
    expect(texts).not.toEqual([]);
    expect(problems).toEqual([]);
  });

  test('our own compiler and Lingui’s agree on each English text', () => {
    for (const text of texts) expect(compileSource(text), text).toEqual(compileMessage(text));
  });

  test('has the languages of the console', () => {
    expect(languages(app)).toEqual(languages('apps/web'));
  });

  test.each(languages(app))(
    'the catalog of %s has exactly these texts, with the same placeholders and all plural cases',
    (language) => {
      expect(problemsIn(language, catalogue(app, language), texts)).toEqual([]);
    },
  );
});

test.each([
  'Send later',
  'Don’t send “it” at 100 %',
  'The #1 of {place}',
  '{name}, {place} of {count}',
  '{count, plural, one {# message} other {# messages}}',
  'To {name}: {count, plural, =0 {nothing} one {# text of {length}} other {# texts}}.',
  '{sent, plural, one {# sent} other {# sent}}, {left, plural, one {# left} other {# left}}',
])('“%s” is compiled as Lingui compiles it', (text) => {
  expect(compileSource(text)).toEqual(compileMessage(text));
});

describe('in a file', () => {
  test('the texts are the arguments of t() and rich()', () => {
    const source = `
      const label = t('Open');
      const row = <p title={t('Sent')}>{rich('By {name}', { name: <b>{name}</b> })}</p>;
    `;
    const found = { texts: ['Open', 'Sent', 'By {name}'], problems: [] };
    expect(textsOf('row.tsx', source)).toEqual(found);
  });

  test('a word with several meanings is a separate text for each', () => {
    const source = "const labels = [t('Open', 'verb'), t('Open', 'status')];";
    expect(textsOf('row.tsx', source).texts).toEqual(['Open [verb]', 'Open [status]']);
  });

  test.each([
    ['words in an element', '<p>Send later</p>', '“Send later”'],
    ['text in an attribute', '<img alt="A cat" />', '“A cat”'],
    ['text in a property', "const tab = { label: 'Notes' }", '“Notes”'],
    ['one of two words', "<p>{sent ? t('Sent') : 'Draft'}</p>", '“Draft”'],
    ['text shown conditionally', "<p>{isNew && 'New'}</p>", '“New”'],
    ['words around a value', `<p>{\`To \${name}\`}</p>`, 'use t()'],
    ['a text that is not a literal', 't(label)', 'must be a literal in the call'],
  ])('%s: reported by its line', (_what, source, said) => {
    const { problems: reported } = textsOf('row.tsx', `\n${source};`);
    expect(reported).toEqual([expect.stringContaining(said)]);
    expect(reported[0]).toMatch(/^row\.tsx:2 /);
  });

  test.each([
    ['the product’s name', '<h1>Stagedoor</h1>'],
    ['symbols', '<p>2 × 3 …</p>'],
    ['attributes that nobody reads', '<p className="flex grow" id="first">{name}</p>'],
  ])('%s: not reported', (_what, source) => {
    expect(textsOf('row.tsx', source)).toEqual({ texts: [], problems: [] });
  });
});

describe('in a catalog', () => {
  const FANS = '{count, plural, one {# fan} other {# fans}}';
  const german = {
    Open: 'Offen',
    'By {name}': 'Von {name}',
    [FANS]: '{count, plural, one {# Fan} other {# Fans}}',
  };
  const english = Object.keys(german);

  test('a complete translation has no problems', () => {
    expect(problemsIn('de', german, english)).toEqual([]);
  });

  test('a text that is not translated is reported', () => {
    const lines = problemsIn('de', german, [...english, 'Close']);
    expect(lines).toEqual(['de: “Close” is not translated']);
  });

  test('the translation of an unused text is reported', () => {
    const lines = problemsIn('de', { ...german, Close: 'Zu' }, english);
    expect(lines).toEqual(['de: “Close” is no longer used']);
  });

  test.each([
    ['is empty', { Open: ' ' }, 'the translation of “Open” is empty'],
    [
      'lost a placeholder',
      { 'By {name}': 'Von' },
      'does not have the same placeholders as “By {name}”',
    ],
    [
      'has an unknown placeholder',
      { Open: 'Offen {since}' },
      'does not have the same placeholders',
    ],
    ['lost its count', { [FANS]: 'Fans' }, 'does not have the same placeholders'],
    ['lacks a plural case', { [FANS]: '{count, plural, other {# Fans}}' }, 'has no case for “one”'],
  ])('a translation that %s is reported', (_what, change, said) => {
    const lines = problemsIn('de', { ...german, ...change }, english);
    expect(lines).toEqual([expect.stringContaining(said)]);
  });

  test('every plural case of the language is required', () => {
    const lines = problemsIn('ar', { [FANS]: '{count, plural, one {#} other {#}}' }, [FANS]);
    expect(lines).toHaveLength(4);
    for (const category of ['zero', 'two', 'few', 'many']) {
      expect(lines).toContainEqual(expect.stringContaining(`“${category}”`));
    }
  });
});
