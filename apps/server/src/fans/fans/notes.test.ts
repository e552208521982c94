import type { FanNotes } from '@stagedoor/contract/fans/fans';
import {
  getAdminFields,
  getNotes,
  updateAdminFields,
  updateNotes,
} from '@stagedoor/contract/fans/fans';
import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { putFan } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import { buildFan, buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();
// Every admin may edit profile notes.
const { client } = await buildStaff(app, { can_manage_messages: false });

const EMPTY = {
  dob: '',
  location: '',
  marital_status: '',
  years_of_support: '',
  notes: '',
  version: 0,
} satisfies FanNotes;

async function buildNotes(fields: Partial<Omit<FanNotes, 'version'>> = {}) {
  const fan = await buildFan(app);
  const params = { id: fan.conversation_id };
  if (Object.keys(fields).length > 0) await client.call(updateNotes, { params, body: fields });
  return { fan, params, customer: { customerId: fan.id } };
}

test('a new fan’s notes are empty and have version 0', async () => {
  const { params, customer } = await buildNotes();
  expect((await client.call(getNotes, { params })).body.data).toEqual(EMPTY);
  expect((await client.call(getAdminFields, { params: customer })).body).toEqual({
    admin_notes: '',
    admin_tags: [],
    data: { admin_notes: '', admin_tags: [], version: 0 },
  });
});

test('a save keeps omitted fields and raises the version', async () => {
  const { params } = await buildNotes({ dob: '1 May', notes: 'Likes jazz' });
  const { body } = await client.call(updateNotes, { params, body: { location: 'Porto' } });
  const expected = { ...EMPTY, dob: '1 May', notes: 'Likes jazz', location: 'Porto', version: 2 };
  expect(body.data).toEqual(expected);
  expect((await client.call(getNotes, { params })).body.data).toEqual(expected);
});

test('a field can be emptied', async () => {
  const { params } = await buildNotes({ dob: '1 May', notes: 'Likes jazz' });
  const { body } = await client.call(updateNotes, { params, body: { dob: '' } });
  expect(body.data).toMatchObject({ dob: '', notes: 'Likes jazz' });
});

test('text is stored exactly: spaces, lines, quotes, emoji and markup', async () => {
  const notes = '  two\n\nlines\t"quoted" \\ % _ <script>alert(1)</script> 🎭 é\r\n ';
  const { params } = await buildNotes({ notes });
  expect((await client.call(getNotes, { params })).body.data.notes).toBe(notes);
});

test('a note may be as long as a book, in any script', async () => {
  const notes = '字'.repeat(1_000_000);
  const { params, customer } = await buildNotes();
  await client.call(updateNotes, { params, body: { notes } });
  expect((await client.call(getNotes, { params })).body.data.notes).toBe(notes);
  await client.call(updateAdminFields, { params: customer, body: { admin_notes: notes } });
  const refusal = await client.refused(updateNotes, { params, body: { notes: `${notes}x` } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('a save based on an older version is refused with the stored notes', async () => {
  const { params } = await buildNotes({ notes: 'first' });
  await client.call(updateNotes, { params, body: { notes: 'a teammate’s', version: 1 } });
  const refusal = await client.refused(updateNotes, {
    params,
    body: { notes: 'mine', version: 1 },
  });
  expect(refusal).toMatchObject({
    status: 409,
    code: 'notes_conflict',
    error: 'A teammate has saved these notes since you opened them',
  });
  const { current } = JSON.parse(refusal.text) as { current: unknown };
  expect(current).toEqual({ ...EMPTY, notes: 'a teammate’s', version: 2 });
  expect((await client.call(getNotes, { params })).body.data).toEqual(current);
});

test.each([2 ** 31, Number.MAX_SAFE_INTEGER])(
  'a save based on an impossible version, %d, is refused like an older one',
  async (version) => {
    const { params, customer } = await buildNotes({ notes: 'first' });
    const conflict = { status: 409, code: 'notes_conflict' };
    const body = { notes: 'mine', version };
    expect(await client.refused(updateNotes, { params, body })).toMatchObject(conflict);
    expect(
      await client.refused(updateAdminFields, {
        params: customer,
        body: { admin_notes: 'mine', version },
      }),
    ).toMatchObject(conflict);
  },
);

test('a lone surrogate is replaced with U+FFFD', async () => {
  const { params } = await buildNotes({ notes: 'cut \ud83d' });
  expect((await client.call(getNotes, { params })).body.data.notes).toBe('cut \ufffd');
});

test('a save without a version overwrites the stored notes', async () => {
  const { params } = await buildNotes({ notes: 'first' });
  const { body } = await client.call(updateNotes, { params, body: { notes: 'last' } });
  expect(body.data).toMatchObject({ notes: 'last', version: 2 });
});

test('of simultaneous saves based on one version, one wins', async () => {
  const { params } = await buildNotes({ notes: 'first' });
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      client.raw('PATCH', `/api/messages/admin/conversation/${params.id}/notes`, {
        body: { notes: `writer ${index}`, version: 1 },
      }),
    ),
  );
  const won = replies.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(11);
  const { data } = JSON.parse(won[0]?.text ?? '{}') as { data: FanNotes };
  expect((await client.call(getNotes, { params })).body.data).toEqual(data);
});

test('the endpoints by conversation and by fan return the same notes and version', async () => {
  const { params, customer } = await buildNotes({ dob: '1 May', notes: 'one' });
  const { body: seen } = await client.call(getAdminFields, { params: customer });
  expect(seen.data).toEqual({ admin_notes: 'one', admin_tags: [], version: 1 });
  const { body } = await client.call(updateAdminFields, {
    params: customer,
    body: { admin_notes: 'two', version: 1 },
  });
  expect(body.data).toEqual({ admin_notes: 'two', version: 2 });
  expect((await client.call(getNotes, { params })).body.data).toEqual({
    ...EMPTY,
    dob: '1 May',
    notes: 'two',
    version: 2,
  });
  const refusal = await client.refused(updateNotes, {
    params,
    body: { notes: 'three', version: 1 },
  });
  expect(refusal.code).toBe('notes_conflict');
});

test('the endpoint by fan saves notes and tags together or not at all', async () => {
  const { customer } = await buildNotes({ notes: 'one' });
  const stale = await client.refused(updateAdminFields, {
    params: customer,
    body: { admin_notes: 'two', admin_tags: [{ label: 'VIP' }], version: 0 },
  });
  expect(stale).toMatchObject({ status: 409, code: 'notes_conflict' });
  const unknown = await client.refused(updateAdminFields, {
    params: customer,
    body: { admin_notes: 'two', admin_tags: [{ globalTagId: crypto.randomUUID() }], version: 1 },
  });
  expect(unknown).toMatchObject({ status: 404, code: 'tag_not_found' });
  const { body } = await client.call(getAdminFields, { params: customer });
  expect(body.data).toEqual({ admin_notes: 'one', admin_tags: [], version: 1 });

  const { body: tag } = await client.call(createGlobalTag, { body: { label: 'Whale' } });
  const { body: saved } = await client.call(updateAdminFields, {
    params: customer,
    body: { admin_notes: 'two', admin_tags: [{ globalTagId: tag.data.id }], version: 1 },
  });
  expect(saved.data).toMatchObject({ admin_notes: 'two', version: 2 });
  expect(saved.data.admin_tags).toMatchObject([{ label: 'Whale', isGlobal: true }]);
});

test('a save without fields returns the stored notes and does not raise the version', async () => {
  const { params } = await buildNotes({ notes: 'one' });
  const before = (await client.call(getNotes, { params })).body.data;
  const { body } = await client.call(updateNotes, { params, body: {} });
  expect(body.data).toEqual(before);
  await client.call(updateNotes, { params, body: { version: before.version, notes: 'two' } });
});

test('an empty save returns only the version', async () => {
  const { customer } = await buildNotes({ notes: 'one' });
  const { body } = await client.call(updateAdminFields, { params: customer, body: {} });
  expect(body.data).toEqual({ version: 1 });
});

test('the platform never sees profile notes', async () => {
  const { fan } = await buildNotes({ notes: 'a secret about them' });
  const replies = await Promise.all([
    app.platform.raw('PUT', `/api/platform/fans/${fan.external_id}`, { body: {} }),
    app.platform.raw('GET', `/api/platform/fans/${fan.external_id}/messages`),
    app.platform.raw('GET', `/api/customer/admin-fields/${fan.id}`),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 401]);
  for (const { text } of replies) expect(text).not.toContain('secret');
});

test.each([
  { notes: 5 },
  { notes: null },
  { notes: 'a\0b' },
  { notes: 'x'.repeat(1_000_001) },
  { version: -1 },
  { version: '1' },
  { hobby: 'chess' },
])('saving %o is refused', async (body) => {
  const { params } = await buildNotes();
  const refusal = await client.refused(updateNotes, { params, body });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect((await client.call(getNotes, { params })).body.data).toEqual(EMPTY);
});

test('an unknown conversation or fan is not found', async () => {
  for (const id of ['nonsense', crypto.randomUUID()]) {
    for (const endpoint of [getNotes, updateNotes]) {
      const refusal = await client.refused(endpoint, {
        params: { id },
        ...(endpoint === updateNotes && { body: { notes: 'x' } }),
      });
      expect(refusal).toMatchObject({ status: 404, code: 'conversation_not_found' });
    }
    for (const endpoint of [getAdminFields, updateAdminFields]) {
      const refusal = await client.refused(endpoint, {
        params: { customerId: id },
        ...(endpoint === updateAdminFields && { body: { admin_notes: 'x' } }),
      });
      expect(refusal).toMatchObject({ status: 404, code: 'fan_not_found' });
    }
  }
});

test('twenty saves of notes and tags and twenty simultaneous changes by the platform all succeed', async () => {
  const { fan, customer } = await buildNotes();
  const twenty = Array.from({ length: 20 }, (_, index) => `number ${index}`);
  const replies = await Promise.all(
    twenty.flatMap((text) => [
      client.call(updateAdminFields, {
        params: customer,
        body: { admin_notes: text, admin_tags: [{ label: text }] },
      }),
      app.platform.call(putFan, {
        params: { fan: fan.external_id },
        body: { first_name: text },
      }),
    ]),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
});
