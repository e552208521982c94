import type { RefObject } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import type { ThreadMessage } from '../messages/cache.ts';
import type { ThreadControls } from '../thread/thread-props.ts';
import { focusRow } from './focus-row.ts';
import type { ReplyControls } from './reply-controls.ts';

interface ReplyCommandsInput {
  /** The messages on screen. */
  messages: readonly ThreadMessage[];
  canWrite: boolean;
  controls: RefObject<ThreadControls | null>;
  reply: RefObject<Pick<ReplyControls, 'leave'> | null>;
  answer: (message: ThreadMessage) => void;
}

/** Registers the shortcuts that start a reply to a message and leave the conversation. */
export function useReplyCommands(input: ReplyCommandsInput): void {
  const { messages, canWrite, controls, reply, answer } = input;
  useCommands([
    {
      id: 'reply',
      title: t('Reply to Message'),
      section: t('Conversation'),
      keys: ['r'],
      enabled: canWrite && messages.length > 0,
      run: () => {
        const current = controls.current?.currentMessageId();
        const message = messages.find(({ id }) => id === current);
        if (message) answer(message);
      },
    },
    {
      id: 'escape',
      title: t('Back to List'),
      section: t('Conversation'),
      keys: ['Escape'],
      run: () => (reply.current ? reply.current.leave() : focusRow()),
      keysOnly: true,
    },
  ]);
}
