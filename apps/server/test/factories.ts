import { randomUUID } from 'node:crypto';
import type { ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import type {
  AttachmentInput,
  FanVisibleMessage,
  Message,
} from '@stagedoor/contract/messaging/messages';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import type { FanProfileInput } from '@stagedoor/contract/platform/platform';
import { type PlatformFan, postFanMessage, putFan } from '@stagedoor/contract/platform/platform';
import type { AdminRole, SignedInAdmin } from '@stagedoor/contract/team/auth';
import { getSettings, type TeamSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { presentAdmin } from '../src/team/admins/admins.store.ts';
import type { Backend } from './backend.ts';
import type { HttpClient } from './http-client.ts';

let built = 0;
/** Returns a value that is unique in the run, so that tests can share a database. */
export const unique = (prefix: string) => `${prefix}-${++built}-${randomUUID().slice(0, 8)}`;

interface AdminOverrides {
  readonly role?: AdminRole;
  readonly email?: string;
  readonly codename?: string;
  readonly display_color?: string;
  readonly can_manage_messages?: boolean;
  readonly is_active?: boolean;
}

/** Builds an admin; by default a support admin with message privileges. */
export async function buildAdmin(
  app: Backend,
  overrides: AdminOverrides = {},
): Promise<SignedInAdmin> {
  const row = await app.db.kysely
    .insertInto('admins')
    .values({
      email: `${unique('admin')}@staff.example`,
      codename: unique('Fruit'),
      role: 'support',
      display_color: '#4251D4',
      ...overrides,
    })
    .returning(['id', 'email', 'codename', 'role', 'display_color', 'can_manage_messages'])
    .executeTakeFirstOrThrow();
  return presentAdmin(row);
}

export interface Staff {
  readonly admin: SignedInAdmin;
  readonly token: string;
  readonly client: HttpClient;
  /** The Cookie header for avatar requests. */
  readonly avatarCookie: string;
}

/** Builds a signed-in admin. */
export async function buildStaff(app: Backend, overrides: AdminOverrides = {}): Promise<Staff> {
  const admin = await buildAdmin(app, overrides);
  const secret = randomUUID();
  const token = await app.insertSession(admin.id, secret);
  const avatarCookie = `stagedoor_avatar=${secret}`;
  return { admin, token, client: app.staff(token), avatarCookie };
}

/** Changes some of the team's settings, whatever their version is. */
export async function changeSettings(
  { client }: Pick<Staff, 'client'>,
  change: Partial<TeamSettings>,
): Promise<void> {
  const { version } = (await client.call(getSettings)).body.data;
  await client.call(updateSettings, { body: { ...change, version } });
}

/** Sets the platform's webhook, so that events are queued for it. */
export async function setWebhook(app: Backend): Promise<void> {
  const url = 'https://platform.example/hooks';
  await app.db.kysely.updateTable('webhook_endpoint').set({ url }).execute();
}

/** Builds a fan, created by the platform, with their conversation. */
export async function buildFan(app: Backend, profile: FanProfileInput = {}): Promise<PlatformFan> {
  const { body } = await app.platform.call(putFan, {
    params: { fan: unique('fan') },
    body: { first_name: 'Ana', ...profile },
  });
  return body.data;
}

/** Sends a message from a fan. */
export async function buildFanMessage(
  app: Backend,
  fan: PlatformFan,
  overrides: {
    content?: string;
    client_id?: string;
    reply_to_message_id?: string;
    attachment_ids?: string[];
  } = {},
): Promise<FanVisibleMessage> {
  const { body } = await app.platform.call(postFanMessage, {
    params: { fan: fan.external_id },
    body: { client_id: unique('client'), content: 'Hello there', ...overrides },
  });
  return body.data;
}

/** Sends a message from staff to a fan. */
export async function buildReply(
  staff: Pick<Staff, 'client'>,
  conversationId: string,
  overrides: {
    content?: string;
    reply_to_message_id?: string;
    attachments?: AttachmentInput[];
  } = {},
): Promise<Message> {
  const { body } = await staff.client.call(sendMessage, {
    headers: { 'idempotency-key': unique('temp') },
    body: { conversation_id: conversationId, content: 'Hi!', ...overrides },
  });
  return body.data;
}

export interface BuiltConversation {
  readonly id: string;
  readonly fan: PlatformFan;
  /** The fan's messages, oldest first. */
  readonly messages: readonly FanVisibleMessage[];
}

/** Builds a conversation with unread messages from its fan: one per text in `messages`, a single one by default. */
export async function buildConversation(
  app: Backend,
  overrides: {
    readonly fan?: FanProfileInput;
    readonly messages?: readonly string[];
    readonly status?: ConversationStatus;
    readonly claimedBy?: SignedInAdmin;
  } = {},
): Promise<BuiltConversation> {
  const fan = await buildFan(app, overrides.fan);
  const messages: FanVisibleMessage[] = [];
  for (const content of overrides.messages ?? ['Hello there']) {
    messages.push(await buildFanMessage(app, fan, { content }));
  }
  const { status, claimedBy } = overrides;
  if (status !== undefined || claimedBy !== undefined) {
    await app.db.kysely
      .updateTable('conversations')
      .set({ ...(status && { status }), ...(claimedBy && { claimed_by: claimedBy.id }) })
      .where('id', '=', fan.conversation_id)
      .execute();
  }
  return { id: fan.conversation_id, fan, messages };
}
