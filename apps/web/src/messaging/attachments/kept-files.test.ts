import { describe, expect, it } from 'vitest';
import { buildAttachment } from '../../testing/build-message.ts';
import { isAlive, type KeptFile } from './kept-files.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 21);

const kept = (hoursAgo: number, overrides: Partial<KeptFile> = {}): KeptFile => ({
  key: 'f1',
  admin: 'admin',
  conversationId: 'c1',
  name: 'beach.jpg',
  size: 1,
  type: 'image',
  width: null,
  height: null,
  file: new File(['x'], 'beach.jpg'),
  uploaded: null,
  template: null,
  savedAt: NOW - hoursAgo * HOUR_MS,
  ...overrides,
});

describe('a chosen file', () => {
  it('is kept for seven days', () => {
    expect(isAlive(kept(7 * 24 - 1), NOW)).toBe(true);
    expect(isAlive(kept(7 * 24), NOW)).toBe(false);
  });

  it('from a template is kept just as long, because the server keeps it with the template', () => {
    const ofTemplate = { file: null, template: { id: 't1', fileId: 'f1' } };
    expect(isAlive(kept(7 * 24 - 1, ofTemplate), NOW)).toBe(true);
    expect(isAlive(kept(7 * 24, ofTemplate), NOW)).toBe(false);
  });

  it('is kept no longer than the server keeps it once it is uploaded', () => {
    const uploaded = { file: null, uploaded: buildAttachment() };
    expect(isAlive(kept(22, uploaded), NOW)).toBe(true);
    expect(isAlive(kept(24, uploaded), NOW)).toBe(false);
  });
});
