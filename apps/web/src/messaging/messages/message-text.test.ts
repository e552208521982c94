import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { expect, it } from 'vitest';
import { buildAttachment } from '../../testing/build-message.ts';
import { textOrStandIn } from './message-text.ts';

it('returns a message’s text, or a label for one that has only an attachment', () => {
  const attachments = [buildAttachment()];
  expect(textOrStandIn({ content: 'Look', attachments })).toBe('Look');
  expect(textOrStandIn({ content: ATTACHMENT_PLACEHOLDER, attachments })).toBe('📷 Photo');
  expect(textOrStandIn({ content: ' ', attachments })).toBe('📷 Photo');
  expect(textOrStandIn({ content: ATTACHMENT_PLACEHOLDER, attachments: [] })).toBe('');
});
