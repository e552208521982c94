import type { FanNotes } from '@stagedoor/contract/fans/fans';
import { describe, expect, it } from 'vitest';
import { changedTexts, hasChanges, rebase, textsOf } from './merge.ts';

const base: FanNotes = {
  dob: '1 May',
  location: 'Lisbon',
  marital_status: '',
  years_of_support: '2',
  notes: 'Likes cats',
  version: 3,
};
const edit = (texts: Partial<FanNotes>) => ({ base, texts: textsOf({ ...base, ...texts }) });

describe('an edit of the profile notes', () => {
  it('sends only the changed fields', () => {
    expect(hasChanges(edit({}))).toBe(false);
    expect(changedTexts(edit({ dob: '2 May', marital_status: 'married' }))).toEqual({
      dob: '2 May',
      marital_status: 'married',
    });
  });

  it('adopts a teammate’s changes and keeps its own', () => {
    const stored = { ...base, location: 'Porto', version: 4 };
    const { edit: merged, conflicts } = rebase(edit({ dob: '2 May' }), stored);
    expect(conflicts).toEqual([]);
    expect(merged.base).toBe(stored);
    expect(merged.texts).toMatchObject({ dob: '2 May', location: 'Porto' });
    expect(changedTexts(merged)).toEqual({ dob: '2 May' });
  });

  it('has a conflict when both changed a field differently, but not when they agree', () => {
    const stored = { ...base, notes: 'Likes dogs', dob: '2 May', version: 4 };
    const { edit: merged, conflicts } = rebase(
      edit({ notes: 'Likes birds', dob: '2 May' }),
      stored,
    );
    expect(conflicts).toEqual(['notes']);
    expect(merged.texts.notes).toBe('Likes birds');
  });
});
