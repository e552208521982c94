import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { type ReactNode, type RefObject, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { changeStrip } from '../attachments/chosen-files.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import type { OutgoingAttachment } from '../messages/outbox.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';
import type { useSendMessage } from '../messages/use-send-message.ts';
import type { ReplyFieldControls } from './reply-field.tsx';
import type { MessageToSchedule } from './schedule-dialog.tsx';
import { useObjections } from './use-objections.tsx';
import type { useTeammateCheck } from './use-teammate-check.ts';
import type { Preset } from './use-templates.tsx';

const SendProductDialog = lazyExtra(
  async () => (await import('./send-product-dialog.tsx')).SendProductDialog,
);

const ScheduleDialog = lazyExtra(
  async () => (await import('./schedule-dialog.tsx')).ScheduleDialog,
);

/** The text of a message that only carries a product. */
const OFFER_CONTENT = ' ';

const SEND_WITH_FILES = t('Nothing was sent. Press Send to send the text with the files.');
const SEND_LATER = t('Nothing was sent. Press Send once the upload is done.');

/** The initial state of Send Product: a template's product, or no selection. */
type Offering = Preset | 'any';

interface OutgoingOptions {
  text: string;
  replyTo: ReplyTarget | null;
  sending: ReturnType<typeof useSendMessage>;
  teammate: ReturnType<typeof useTeammateCheck>;
  field: RefObject<ReplyFieldControls | null>;
  /** Called when the reply is being sent or has been scheduled. */
  onGone: () => void;
}

/** Returns the actions that send or schedule a reply or an offer, their dialogs, and what blocks the reply. */
export function useOutgoing(options: OutgoingOptions) {
  const { text, replyTo, sending, teammate, field, onGone } = options;
  const { id: conversationId, fanName } = useOpenConversation();
  const { strip } = sending;
  const [offering, setOffering] = useState<Offering | null>(null);
  const [scheduling, setScheduling] = useState<MessageToSchedule | null>(null);
  const objections = useObjections(text);

  const maySend = () => {
    if (objections.first === null) return teammate.mayContinue();
    field.current?.select(objections.first);
    return false;
  };
  const sendText = () => {
    if (strip.files.some(({ key }) => !strip.sending?.keys.includes(key))) {
      const problem = strip.sending === null ? SEND_WITH_FILES : SEND_LATER;
      changeStrip(conversationId, { problem, canRetry: false });
      return;
    }
    if (sending.isBlocked() || !maySend()) return;
    if (sending.send(text.trim(), replyTo, teammate.guard())) onGone();
  };
  const send = () => {
    if (strip.files.length === 0) return sendText();
    if (strip.sending !== null || !maySend()) return;
    sending.sendWithFiles(text.trim(), replyTo, teammate.guard());
    onGone();
  };
  const canSchedule = text.trim() !== '' || strip.files.length > 0;
  const schedule = () => {
    if (!canSchedule || strip.sending !== null) return field.current?.focus();
    if (objections.first !== null) return field.current?.select(objections.first);
    setScheduling({ content: text.trim(), offer: null });
  };
  const sendProduct = (offer: OutgoingAttachment) => {
    if (!sending.send(OFFER_CONTENT, null, teammate.guard(), [offer])) return;
    setOffering(null);
  };
  const dialogs: ReactNode = (
    <>
      {offering !== null && (
        <SendProductDialog
          conversationId={conversationId}
          preset={offering === 'any' ? null : offering}
          fanName={fanName}
          isSending={sending.isSending}
          onSend={sendProduct}
          onSchedule={(offer) => {
            setOffering(null);
            setScheduling({ content: OFFER_CONTENT, offer });
          }}
          onClose={() => setOffering(null)}
        />
      )}
      {scheduling !== null && (
        <ScheduleDialog
          conversationId={conversationId}
          fanName={fanName}
          message={scheduling}
          onScheduled={() => {
            setScheduling(null);
            if (scheduling.offer === null) onGone();
          }}
          onClose={() => setScheduling(null)}
        />
      )}
    </>
  );
  return {
    objections,
    /** Sends the text and the chosen files. */
    send,
    /** Sends the text if no files are chosen; otherwise explains how to send both. */
    sendText,
    canSchedule,
    schedule,
    /** Opens Send Product. */
    offer: (what: Offering) => setOffering(what),
    dialogs,
  };
}
