import { t } from '../../lib/text/i18n.ts';
import { DateTimeField } from '../../ui/form/date-time-field.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import type { CampaignForm } from './use-campaign-form.ts';

export const TIMINGS = [
  { value: 'now', label: t('Right away') },
  { value: 'time', label: t('At a time') },
  { value: 'local', label: t('At each fan’s local time') },
] as const;

/** The fields for when a campaign is sent, how fast, and until when. */
export function TimingFields({ form }: { form: CampaignForm }) {
  const { values, errors, change } = form;
  const { timing } = values;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap">
        <Segments
          label={t('When to send')}
          options={TIMINGS}
          current={timing}
          onChange={(next) => change({ timing: next })}
        />
      </div>
      {timing !== 'now' && (
        <DateTimeField
          label={t('Send at')}
          value={values.sendAt}
          isFuture
          error={errors.send_at ?? null}
          onChange={(sendAt) => change({ sendAt })}
          {...(timing === 'local' && {
            hint: t('Each fan gets the message when it is this time where they are.'),
          })}
        />
      )}
      <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <TextField
          label={t('Messages per minute (optional)')}
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('No limit')}
          value={values.perMinute}
          error={errors.per_minute}
          onChange={({ currentTarget: { value } }) => change({ perMinute: value })}
        />
        <DateTimeField
          label={t('Stop sending after (optional)')}
          value={values.expiresAt}
          isFuture
          error={errors.expires_at ?? null}
          onChange={(expiresAt) => change({ expiresAt })}
        />
      </div>
    </div>
  );
}
