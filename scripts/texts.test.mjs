import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, test } from 'vitest';
import { compileSource } from '../packages/browser/src/message-source.ts';
import { APPS, catalogue, languages, problemsIn, textsIn, textsOf } from './lib/texts.mjs';

describe.each(APPS)('%s', (app) => {
  const { texts, problems } = textsIn(app);

  test('all that it says is looked up, so that any language can say it', () => {
    expect(texts).not.toEqual([]);
    expect(problems).toEqual([]);
  });

  test('our own compiler reads each English text as Lingui’s does', () => {
    for (const text of texts) expect(compileSource(text), text).toEqual(compileMessage(text));
  });

  test('has the languages of the console', () => {
    expect(languages(app)).toEqual(languages('apps/web'));
  });

  test.each(languages(app))(
    'the catalogue of %s has every text and no other, with the same placeholders and all plural cases',
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
  test('the texts are those that t() and rich() are given', () => {
    const source = `
      const label = t('Open');
      const row = <p title={t('Sent')}>{rich('By {name}', { name: <b>{name}</b> })}</p>;
    `;
    const found = { texts: ['Open', 'Sent', 'By {name}'], problems: [] };
    expect(textsOf('row.tsx', source)).toEqual(found);
  });

  test('a word with several meanings is one text for each', () => {
    const source = "const labels = [t('Open', 'verb'), t('Open', 'status')];";
    expect(textsOf('row.tsx', source).texts).toEqual(['Open [verb]', 'Open [status]']);
  });

  test.each([
    ['words in an element', '<p>Send later</p>', '“Send later”'],
    ['words of an attribute that is read', '<img alt="A cat" />', '“A cat”'],
    ['words of a property that is read', "const tab = { label: 'Notes' }", '“Notes”'],
    ['one of two words', "<p>{sent ? t('Sent') : 'Draft'}</p>", '“Draft”'],
    ['words that show at times', "<p>{isNew && 'New'}</p>", '“New”'],
    ['words around a value', `<p>{\`To \${name}\`}</p>`, 'use t()'],
    ['a text that does not stand in its call', 't(label)', 'must be a literal in the call'],
  ])('%s: reported by its line', (_what, source, said) => {
    const { problems: reported } = textsOf('row.tsx', `\n${source};`);
    expect(reported).toEqual([expect.stringContaining(said)]);
    expect(reported[0]).toMatch(/^row\.tsx:2 /);
  });

  test.each([
    ['the product’s name', '<h1>Stagedoor</h1>'],
    ['signs', '<p>2 × 3 …</p>'],
    ['what nobody reads', '<p className="flex grow" id="first">{name}</p>'],
  ])('%s: not reported', (_what, source) => {
    expect(textsOf('row.tsx', source)).toEqual({ texts: [], problems: [] });
  });
});

describe('in a catalogue', () => {
  const FANS = '{count, plural, one {# fan} other {# fans}}';
  const german = {
    Open: 'Offen',
    'By {name}': 'Von {name}',
    [FANS]: '{count, plural, one {# Fan} other {# Fans}}',
  };
  const english = Object.keys(german);

  test('nothing is wrong where every text is translated whole', () => {
    expect(problemsIn('de', german, english)).toEqual([]);
  });

  test('a text that is not translated is reported', () => {
    const lines = problemsIn('de', german, [...english, 'Close']);
    expect(lines).toEqual(['de: “Close” is not translated']);
  });

  test('the translation of what nothing says any more is reported', () => {
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
      'asks for a value that is not given',
      { Open: 'Offen {since}' },
      'does not have the same placeholders',
    ],
    ['lost its count', { [FANS]: 'Fans' }, 'does not have the same placeholders'],
    ['lacks a plural case', { [FANS]: '{count, plural, other {# Fans}}' }, 'has no case for “one”'],
  ])('a translation that %s is reported', (_what, change, said) => {
    const lines = problemsIn('de', { ...german, ...change }, english);
    expect(lines).toEqual([expect.stringContaining(said)]);
  });

  test('each plural case of its own language is asked for', () => {
    const lines = problemsIn('ar', { [FANS]: '{count, plural, one {#} other {#}}' }, [FANS]);
    expect(lines).toHaveLength(4);
    for (const category of ['zero', 'two', 'few', 'many']) {
      expect(lines).toContainEqual(expect.stringContaining(`“${category}”`));
    }
  });
});
