import {
  type Conversation,
  getConversation,
  markRead,
} from '@stagedoor/contract/inbox/conversations';
import { markUnread, snooze } from '@stagedoor/contract/inbox/queue';
import type { Backend } from '../backend.ts';
import {
  type BuiltConversation,
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  type Staff,
} from '../factories.ts';
import type { Random } from '../random.ts';

/** An inbox with conversations in every state that it distinguishes. */
export interface InboxWorld {
  readonly viewer: Staff;
  readonly teammate: Staff;
  readonly built: readonly BuiltConversation[];
  /** Makes a random change to a conversation. @returns the conversation's id */
  happen(): Promise<string>;
  /** Returns the current state of every conversation, each fetched separately. */
  now(): Promise<Conversation[]>;
}

export async function buildInboxWorld(
  app: Backend,
  random: Random,
  size: number,
): Promise<InboxWorld> {
  const viewer = await buildStaff(app);
  const teammate = await buildStaff(app);
  const built: BuiltConversation[] = [];
  for (let index = 0; index < size; index++) {
    const claimedBy = random.pick([viewer.admin, teammate.admin, undefined, undefined]);
    const conversation = await buildConversation(app, {
      messages: Array.from({ length: random.below(3) }, (_, number) => `Message ${number}`),
      status: random.pick(['active', 'active', 'active', 'archived', 'flagged']),
      ...(claimedBy && { claimedBy }),
    });
    built.push(conversation);
    if (random.chance(0.4)) await buildReply(viewer, conversation.id);
    if (random.chance(0.2)) await buildFanMessage(app, conversation.fan);
    if (random.chance(0.2)) await read(conversation.id);
    if (random.chance(0.1)) await mark(conversation.id);
    if (random.chance(0.1)) await putOff(conversation.id);
  }

  async function read(id: string): Promise<void> {
    await viewer.client.call(markRead, { params: { id } });
  }

  async function mark(id: string): Promise<void> {
    await viewer.client.call(markUnread, { params: { id } });
  }

  async function putOff(id: string): Promise<void> {
    await viewer.client.call(snooze, { params: { id }, body: { until: null } });
  }

  return {
    viewer,
    teammate,
    built,
    async happen() {
      const conversation = random.pick(built);
      const what = random.pick([
        () => buildFanMessage(app, conversation.fan),
        () => buildFanMessage(app, conversation.fan),
        () => buildReply(teammate, conversation.id),
        () => read(conversation.id),
        () => mark(conversation.id),
        () => putOff(conversation.id),
      ]);
      await what();
      return conversation.id;
    },
    now: () =>
      Promise.all(
        built.map(async ({ id }) => {
          const { body } = await viewer.client.call(getConversation, { params: { id } });
          return body.data;
        }),
      ),
  };
}
