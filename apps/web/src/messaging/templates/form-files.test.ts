import type { Template } from '@stagedoor/contract/messaging/templates';
import { expect, it } from 'vitest';
import { buildAttachment } from '../../testing/build-message.ts';
import { type FormFile, filesOf, overTheirs } from './form-files.ts';

const withFiles = (...ids: string[]) =>
  ({ attachments: ids.map((id) => buildAttachment({ id })) }) as Template;
const chosen = (key: string): FormFile => ({
  key,
  id: null,
  file: new File([], key),
  name: key,
  size: 0,
  type: 'file',
  picture: null,
  status: 'chosen',
  progress: 0,
  error: null,
});
const keysOf = ({ files }: { files: readonly FormFile[] }) => files.map(({ key }) => key);

it('applies the local changes to a teammate’s newer files', () => {
  const base = withFiles('kept', 'removed');
  const mine = [...filesOf(withFiles('kept')), chosen('new')];
  const result = overTheirs(mine, base, withFiles('kept', 'removed', 'theirs'));
  expect(keysOf(result)).toEqual(['kept', 'theirs', 'new']);
  expect(result.lost).toBe(0);
});

it('counts the files that a teammate deleted, except those also removed here', () => {
  const base = withFiles('kept', 'removed');
  const result = overTheirs(filesOf(withFiles('kept')), base, withFiles());
  expect(keysOf(result)).toEqual([]);
  expect(result.lost).toBe(1);
});
