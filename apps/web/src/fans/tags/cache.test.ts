import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { GlobalTag } from '@stagedoor/contract/fans/tags';
import { describe, expect, it } from 'vitest';
import { dropFromLibrary, putInLibrary, withTagDeleted, withTagUpdated } from './cache.ts';
import { customTag, fromLibrary, moveTag, tagInputs, tagsToAdd } from './choice.ts';

const vip: GlobalTag = { id: 'g1', label: 'VIP', color: '#ff0000' };
const paris: GlobalTag = { id: 'g2', label: 'Paris', color: '#00ff00' };
const own: FanTag = { id: 't1', label: 'Own', color: null, isGlobal: false, globalTagId: null };
const ofVip: FanTag = { ...vip, id: 't2', isGlobal: true, globalTagId: 'g1' };

describe('a changed library tag', () => {
  it('changes on a fan who has it, in the same position', () => {
    const tags = withTagUpdated([ofVip, own], { ...vip, label: 'Whale' });
    expect(tags).toEqual([{ ...ofVip, label: 'Whale' }, own]);
  });

  it('does not affect other fans’ tags', () => {
    const tags = [own];
    expect(withTagUpdated(tags, vip)).toBe(tags);
    expect(withTagDeleted(tags, 'g1')).toBe(tags);
  });

  it('is removed from a fan when it is deleted', () => {
    expect(withTagDeleted([ofVip, own], 'g1')).toEqual([own]);
  });

  it('stays sorted by label in the library, and is removed when deleted', () => {
    expect(putInLibrary([vip], paris)).toEqual([paris, vip]);
    const renamed = { ...paris, label: 'zurich' };
    expect(putInLibrary([paris, vip], renamed)).toEqual([vip, renamed]);
    expect(dropFromLibrary([paris, vip], 'g2')).toEqual([vip]);
  });
});

describe('tag suggestions', () => {
  it('contain the text in any case and exclude the fan’s tags', () => {
    const ids = (onFan: FanTag[], text: string) =>
      tagsToAdd([paris, vip], onFan, text).map(({ id }) => id);
    expect(ids([], '')).toEqual(['g2', 'g1']);
    expect(ids([], ' AR ')).toEqual(['g2']);
    expect(ids([ofVip], '')).toEqual(['g2']);
    expect(ids([], '.*')).toEqual([]);
  });
});

describe('the saved list', () => {
  it('keeps the ids of stored tags and lets the server assign ids to new ones', () => {
    const tags = [own, fromLibrary(vip), customTag('  New ', '#FF5733', '1')];
    expect(tagInputs(tags)).toEqual([
      { id: 't1', label: 'Own', color: null, isGlobal: false },
      { isGlobal: true, globalTagId: 'g1' },
      { label: 'New', color: '#FF5733', isGlobal: false },
    ]);
  });

  it('can be reordered', () => {
    expect(moveTag([own, ofVip], 0, 1)).toEqual([ofVip, own]);
    expect(moveTag([own], 3, 0)).toEqual([own]);
  });
});
