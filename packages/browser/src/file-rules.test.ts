import { ATTACHMENTS_MAX, FILE_MAX_BYTES, IMAGE_MAX_BYTES } from '@stagedoor/contract/media';
import { describe, expect, it } from 'vitest';
import { acceptFiles, typeOf } from './file-rules.ts';

const file = (overrides: Partial<Pick<File, 'name' | 'size' | 'type'>> = {}) => ({
  name: 'a.jpg',
  size: 10,
  type: 'image/jpeg',
  ...overrides,
});

describe('a chosen file', () => {
  it.each([
    ['image/png', 'image'],
    ['video/mp4', 'video'],
    ['audio/mpeg', 'audio'],
    ['application/pdf', 'file'],
    ['', 'file'],
  ])('of type %j is of kind %s', (type, kind) => expect(typeOf({ type })).toBe(kind));

  it('may be as large as the limit of its type, and no larger', () => {
    const at = (type: string, size: number) => acceptFiles(0, [file({ type, size })]);
    expect(at('image/png', IMAGE_MAX_BYTES).objections).toEqual([]);
    expect(at('image/png', IMAGE_MAX_BYTES + 1).objections).toEqual([
      'a.jpg is larger than 25 MB.',
    ]);
    expect(at('video/mp4', IMAGE_MAX_BYTES + 1).objections).toEqual([]);
    expect(at('video/mp4', FILE_MAX_BYTES + 1).objections).toEqual([
      'a.jpg is larger than 600 MB.',
    ]);
  });

  it('must not be empty', () => {
    expect(acceptFiles(0, [file({ size: 0 })])).toEqual({
      accepted: [],
      objections: ['a.jpg is empty.'],
    });
  });

  it('is accepted while the message has room', () => {
    const files = Array.from({ length: 5 }, (_, n) => file({ name: `${n}.jpg` }));
    const { accepted, objections } = acceptFiles(ATTACHMENTS_MAX - 3, files);
    expect(accepted.map(({ name }) => name)).toEqual(['0.jpg', '1.jpg', '2.jpg']);
    expect(objections).toEqual(['A message can have at most 20 files.']);
  });

  it('doesn’t block an accepted file when it is refused', () => {
    const { accepted } = acceptFiles(ATTACHMENTS_MAX - 1, [file({ size: 0 }), file({ name: 'b' })]);
    expect(accepted.map(({ name }) => name)).toEqual(['b']);
  });
});
