import { describe, expect, it } from 'vitest';
import { fuzzyFit } from './fuzzy.ts';

const score = (text: string, typed: string) => fuzzyFit(text, typed)?.score ?? -1;

describe('what is typed finds a command', () => {
  it.each([
    ['Send Product', 'send'],
    ['Send Product', 'sp'],
    ['Send Product', 'PROD'],
    ['Send Product', 'sndprd'],
    ['Send Product', 'send  pro'],
    ['Keyboard shortcuts', 'short'],
  ])('%s by %s', (text, typed) => {
    expect(fuzzyFit(text, typed)).not.toBeNull();
  });

  it('from the start of a word only, and in order', () => {
    expect(fuzzyFit('Manage Tags', 'ana')).toBeNull();
    expect(fuzzyFit('Archive', 'evi')).toBeNull();
    expect(fuzzyFit('Archive', 'archives')).toBeNull();
  });

  it('better by whole words and initials than by letters here and there', () => {
    expect(score('Archive', 'arc')).toBeGreaterThan(score('Attach recording', 'arc'));
    expect(fuzzyFit('Archive', 'arc')?.isClose).toBe(true);
    expect(fuzzyFit('Manage Tags', 'mt')?.isClose).toBe(true);
    expect(fuzzyFit('Archive', 'arv')?.isClose).toBe(false);
  });

  it('and tells which letters those were', () => {
    expect(fuzzyFit('Manage Tags', 'mtag')?.at).toEqual([0, 7, 8, 9]);
  });
});
