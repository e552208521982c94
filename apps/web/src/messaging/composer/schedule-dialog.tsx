import { formatPrice } from '@stagedoor/browser/money';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Paperclip, Tag } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { fanZoneOf, formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { MomentField, useMoment } from '../../ui/form/moment-field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { filesSent, useStrip } from '../attachments/chosen-files.ts';
import { newTempId, type OutgoingAttachment } from '../messages/outbox.ts';
import { conversationOptions } from '../messages/queries.ts';
import { uploadChosen } from '../messages/send-with-files.ts';
import { schedule } from '../scheduled/queries.ts';

/** A message to schedule: an offer, or the text with the chosen files. */
export interface MessageToSchedule {
  content: string;
  offer: OutgoingAttachment | null;
}

interface ScheduleDialogProps {
  conversationId: string;
  fanName: string;
  message: MessageToSchedule;
  onScheduled: () => void;
  onClose: () => void;
}

/** The dialog to schedule a message. The composer keeps the text and files until the message is scheduled. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { conversationId, fanName, message, onScheduled, onClose } = props;
  const { content, offer } = message;
  const client = useQueryClient();
  const { data: conversation } = useQuery(conversationOptions(conversationId));
  const strip = useStrip(conversationId);
  const now = useNow();
  const formId = useId();
  const fan = fanZoneOf(conversation?.fan.timezone ?? null, fanName);
  const moment = useMoment({ local: '', zone: fan?.zone ?? ownZone() });
  const [isFollowUp, setFollowUp] = useState(false);
  // Retries use the same key, so that the message is not stored twice if the first response was lost.
  const [key] = useState(newTempId);
  const save = useMutation({
    mutationFn: async (sendAt: number) => {
      const files = offer === null ? await uploadChosen(conversationId) : [];
      const { state } = await schedule(conversationId, key, {
        content,
        attachments: offer === null ? files.map(({ id }) => ({ id })) : [offer.input],
        send_at: new Date(sendAt).toISOString(),
        is_follow_up: isFollowUp,
      });
      return { state, sendAt, keys: new Set(files.map((file) => file.key)) };
    },
    onSuccess: ({ state, sendAt, keys }) => {
      if (keys.size > 0) filesSent(conversationId, keys);
      void client.invalidateQueries({ queryKey: ['scheduled'] });
      const time = formatMoment(sendAt, Date.now(), ownZone());
      // If the response to an earlier try was lost, the message may already be sent.
      if (state === 'waiting') showToast({ text: t('Scheduled for {time}', { time }) });
      onScheduled();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.fields.send_at) moment.setError(error.fields.send_at);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const instant = moment.future();
    if (instant !== null) save.mutate(instant);
  };
  const close = () => {
    if (!save.isPending) onClose();
  };
  return (
    <Dialog
      title={t('Schedule Message')}
      subtitle={t('To {name}', { name: fanName })}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Back')}</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={save.isPending}
            busyText={t('Scheduling...')}
          >
            {t('Schedule')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <div className="flex max-h-40 flex-col gap-1 overflow-y-auto rounded-control bg-surface-2 px-3 py-2">
          {content.trim() !== '' && (
            <p dir="auto" className="whitespace-pre-wrap wrap-break-word">
              {content}
            </p>
          )}
          {offer && (
            <p className="flex items-center gap-1.5">
              <Tag size={14} />
              <span className="truncate">{offer.shown.title}</span>
              {offer.shown.price !== null && (
                <span className="tabular-nums">{formatPrice(offer.shown.price)}</span>
              )}
            </p>
          )}
          {offer === null &&
            strip.files.map(({ key: file, name }) => (
              <p key={file} className="flex items-center gap-1.5 text-control text-fg-2">
                <Paperclip size={14} />
                <span className="truncate">{name}</span>
              </p>
            ))}
        </div>
        <MomentField {...moment.field} fan={fan} now={now} />
        <Checkbox
          label={t('Cancel if {name} or a teammate writes first', { name: fanName })}
          isOn={isFollowUp}
          onChange={setFollowUp}
        />
        {save.isError && moment.field.error === null && (
          <ErrorBox text={errorText(save.error, t('Couldn’t schedule the message'))} />
        )}
      </form>
    </Dialog>
  );
}
