import { describe, expect, it } from 'vitest';
import { fuzzyFit } from './fuzzy.ts';

const score = (text: string, typed: string) => fuzzyFit(text, typed)?.score ?? -1;

describe('typed text matches a command', () => {
  it.each([
    ['Send Product', 'send'],
    ['Send Product', 'sp'],
    ['Send Product', 'PROD'],
    ['Send Product', 'sndprd'],
    ['Send Product', 'send  pro'],
    ['Keyboard Shortcuts', 'short'],
  ])('%s by %s', (text, typed) => {
    expect(fuzzyFit(text, typed)).not.toBeNull();
  });

  it('only from the start of a word, and in order', () => {
    expect(fuzzyFit('Manage Tags', 'ana')).toBeNull();
    expect(fuzzyFit('Archive', 'evi')).toBeNull();
    expect(fuzzyFit('Archive', 'archives')).toBeNull();
  });

  it('with a higher score for whole words and initials than for scattered letters', () => {
    expect(score('Archive', 'arc')).toBeGreaterThan(score('Attach recording', 'arc'));
    expect(fuzzyFit('Archive', 'arc')?.isClose).toBe(true);
    expect(fuzzyFit('Manage Tags', 'mt')?.isClose).toBe(true);
    expect(fuzzyFit('Archive', 'arv')?.isClose).toBe(false);
  });

  it('and returns the indices of the matching letters', () => {
    expect(fuzzyFit('Manage Tags', 'mtag')?.at).toEqual([0, 7, 8, 9]);
  });
});
