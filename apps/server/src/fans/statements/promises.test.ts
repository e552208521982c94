import {
  createStatement,
  listPromises,
  updateStatement,
} from '@stagedoor/contract/fans/statements';
import { claimConversation, releaseConversation } from '@stagedoor/contract/inbox/conversations';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { expect, test } from 'vitest';
import { buildConversation, buildStaff, type Staff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();

const promise = async ({ client }: Staff, id: string, text: string, due_at: string) =>
  (await client.call(createStatement, { params: { id }, body: { text, due_at } })).body.data;
const textsOf = async ({ client }: Staff) =>
  (await client.call(listPromises)).body.data.map(({ text }) => text);

test('an admin sees the promises they recorded until they are done, soonest due first', async () => {
  const [staff, other] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app, { fan: { first_name: 'Rosa' } });
  await staff.client.call(createStatement, { params: { id }, body: { text: 'no promise' } });
  await promise(staff, id, 'later', '2031-03-15T18:00:00Z');
  const first = await promise(staff, id, 'overdue', '2021-03-14T18:00:00Z');
  const { body } = await staff.client.call(listPromises);
  expect(body.data.map(({ text }) => text)).toEqual(['overdue', 'later']);
  expect(body.data[0]).toEqual({
    ...first,
    fan: { first_name: 'Rosa', last_name: null, username: null, email: null, avatar_url: null },
  });
  expect(await textsOf(other)).toEqual([]);
  await other.client.call(updateStatement, { params: { id: first.id }, body: { done: true } });
  expect(await textsOf(staff)).toEqual(['later']);
});

test('an admin sees others’ promises in conversations they have claimed, without duplicates', async () => {
  const [maker, holder] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  await promise(maker, id, 'theirs', '2031-03-15T18:00:00Z');
  await promise(holder, id, 'own', '2031-03-16T18:00:00Z');
  await holder.client.call(claimConversation, { params: { id } });
  expect(await textsOf(holder)).toEqual(['theirs', 'own']);
  expect(await textsOf(maker)).toEqual(['theirs']);
  await holder.client.call(releaseConversation, { params: { id } });
  expect(await textsOf(holder)).toEqual(['own']);
});

test('a removed admin’s promise is everyone’s until someone claims the conversation', async () => {
  const [leaver, heir, other] = [
    await buildStaff(app),
    await buildStaff(app),
    await buildStaff(app),
  ];
  const manager = await buildStaff(app, { role: 'manager' });
  const { id } = await buildConversation(app, { claimedBy: leaver.admin });
  await promise(leaver, id, 'left behind', '2031-03-15T18:00:00Z');
  expect(await textsOf(heir)).toEqual([]);
  await manager.client.call(removeAdmin, { params: { id: leaver.admin.id } });
  expect(await textsOf(heir)).toEqual(['left behind']);
  expect(await textsOf(other)).toEqual(['left behind']);
  await heir.client.call(claimConversation, { params: { id } });
  expect(await textsOf(heir)).toEqual(['left behind']);
  expect(await textsOf(other)).toEqual([]);
});
