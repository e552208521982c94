import { describe, expect, it } from 'vitest';
import { fillTemplate, openVariables, slashQuery, withTemplateText } from './template-text.ts';

const fan = { first_name: ' Ana ', last_name: 'Sousa', username: null };

describe('a template’s text', () => {
  it('fills in the fan’s details', () => {
    expect(fillTemplate('Hi {first_name}, or {name}?', fan)).toBe('Hi Ana, or Ana Sousa?');
    expect(fillTemplate('{name}', { first_name: null, last_name: ' ', username: 'ana' })).toBe(
      'ana',
    );
  });

  it('keeps variables without a value, and text that is not a variable', () => {
    expect(fillTemplate('{username} {first} { name } {name', fan)).toBe(
      '{username} {first} { name } {name',
    );
  });

  it('does not fill in variables inside a fan’s name', () => {
    expect(fillTemplate('{first_name}', { ...fan, first_name: '{username} $& $1' })).toBe(
      '{username} $& $1',
    );
  });

  it('returns the open variables and their positions', () => {
    expect(openVariables('Hi {username}! {name}')).toEqual([
      { name: 'username', start: 3, end: 13 },
      { name: 'name', start: 15, end: 21 },
    ]);
    expect(openVariables('Hi {Username} {x}')).toEqual([]);
  });
});

describe('a / at the start of a reply', () => {
  it.each([
    ['/', 1, ''],
    ['/he', 3, 'he'],
    ['/hello', 3, 'he'],
    ['/hello there', 1, ''],
    [' /he', 4, null],
    ['he/', 3, null],
    ['/he', 0, null],
    ['/a\nb', 4, null],
    [`/${'x'.repeat(41)}`, 42, null],
    ['', 0, null],
  ])('in %j with the caret at %d looks for %j', (text, caret, query) => {
    expect(slashQuery(text, caret)).toBe(query);
  });

  it('is replaced by the template, and other typed text stays', () => {
    expect(withTemplateText('/he', 3, 'Hello Ana')).toBe('Hello Ana');
    expect(withTemplateText('/heSee you', 3, 'Hello Ana')).toBe('Hello Ana\nSee you');
    expect(withTemplateText('Already here', 0, 'Hello Ana')).toBe('Hello Ana\nAlready here');
    expect(withTemplateText('/offer', 6, '')).toBe('');
  });
});
