import { MESSAGE_MAX_CHARS } from '@stagedoor/contract/messaging/messages';
import type { ScheduledMessage } from '@stagedoor/contract/messaging/scheduled';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { fanZoneOf, ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { instantOf, MomentField, useMoment } from '../../ui/form/moment-field.tsx';
import { TextAreaField } from '../../ui/form/text-field.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { saveScheduled } from './queries.ts';

interface EditScheduledProps {
  message: ScheduledMessage;
  /** Whether the message was sent or canceled during the edit. The typed text can then be copied, but not saved. */
  isGone: boolean;
  onDone: () => void;
}

/** A form to change a scheduled message's text and time. */
export function EditScheduled({ message, isGone, onDone }: EditScheduledProps) {
  const client = useQueryClient();
  const now = useNow();
  const fanName = displayName(message.fan);
  const content = message.content.trim();
  const before = { local: toLocal(Date.parse(message.send_at), ownZone()), zone: ownZone() };
  const [text, setText] = useState(content);
  const moment = useMoment(before);
  const [isFollowUp, setFollowUp] = useState(message.is_follow_up);
  const isDirty =
    text !== content ||
    instantOf(moment.field.value) !== instantOf(before) ||
    isFollowUp !== message.is_follow_up;
  const save = useMutation({
    mutationFn: (sendAt: number) =>
      saveScheduled(message, {
        content: text,
        send_at: new Date(sendAt).toISOString(),
        is_follow_up: isFollowUp,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['scheduled'] }),
    onError: (error) => {
      if (error instanceof ApiError && error.fields.send_at) moment.setError(error.fields.send_at);
      // The stored message differs from the one shown.
      void client.invalidateQueries({ queryKey: ['scheduled'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending || isGone) return;
    const instant = moment.future();
    if (instant !== null) save.mutate(instant, { onSuccess: onDone });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <TextAreaField
        label={t('Message to {name}', { name: fanName })}
        dir="auto"
        rows={4}
        maxLength={MESSAGE_MAX_CHARS}
        value={text}
        readOnly={save.isPending}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <fieldset disabled={save.isPending} className="contents">
        <MomentField {...moment.field} fan={fanZoneOf(message.fan.timezone, fanName)} now={now} />
        <Checkbox
          label={t('Cancel if {name} or a teammate writes first', { name: fanName })}
          isOn={isFollowUp}
          onChange={setFollowUp}
        />
      </fieldset>
      {isGone && (
        <ErrorBox
          text={t('This message has already been sent or canceled, or is being sent now')}
        />
      )}
      {!isGone && save.isError && moment.field.error === null && (
        <ErrorBox text={errorText(save.error, t('Couldn’t change the scheduled message'))} />
      )}
      <p className="flex justify-end gap-2">
        <Button onClick={onDone}>{t('Back')}</Button>
        <Button variant="primary" type="submit" busy={save.isPending} disabled={isGone}>
          {t('Save')}
        </Button>
      </p>
      {isDirty && !save.isPending && (
        <DiscardQuestion form="scheduled" text={t('Your changes aren’t saved.')} />
      )}
    </form>
  );
}
