import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { expect, it } from 'vitest';
import { buildAttachment } from '../../testing/build-message.ts';
import { textOrStandIn } from './message-text.ts';

it('says a message’s text, and for one that is only its attachment what stands for it', () => {
  const attachments = [buildAttachment()];
  expect(textOrStandIn({ content: 'Look', attachments })).toBe('Look');
  expect(textOrStandIn({ content: ATTACHMENT_PLACEHOLDER, attachments })).toBe('📷 Photo');
  expect(textOrStandIn({ content: ' ', attachments })).toBe('📷 Photo');
  expect(textOrStandIn({ content: ATTACHMENT_PLACEHOLDER, attachments: [] })).toBe('');
});
