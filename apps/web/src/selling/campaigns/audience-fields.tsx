import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { AudiencePreview } from '../segments/audience-preview.tsx';
import { faultsIn } from '../segments/draft-rule.ts';
import { segmentsOptions } from '../segments/queries.ts';
import { RuleBuilder } from '../segments/rule-builder.tsx';
import type { CampaignForm } from './use-campaign-form.ts';

/** The fields for a campaign's audience and its exclusions. */
export function AudienceFields({ form }: { form: CampaignForm }) {
  const { values, errors, change } = form;
  const { data: segments = [] } = useQuery(segmentsOptions);
  const isKnown = values.segmentId === '' || segments.some(({ id }) => id === values.segmentId);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <SelectField
        label={t('Fans')}
        value={values.segmentId}
        onChange={({ currentTarget: { value } }) => change({ segmentId: value })}
      >
        <option value="">{t('By conditions')}</option>
        {!isKnown && <option value={values.segmentId}>{t('Deleted segment')}</option>}
        {segments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {values.segmentId === '' && (
        <>
          <RuleBuilder
            rule={values.rule}
            onChange={(rule) => change({ rule })}
            faults={faultsIn(errors)}
          />
          <AudiencePreview rule={values.rule} isBrief />
        </>
      )}
      <fieldset className="flex min-w-0 flex-col gap-3 border-t border-line pt-4">
        <legend className="sr-only">{t('Leave out')}</legend>
        <p className="text-control">
          <span className="font-medium">{t('Leave out')}</span>{' '}
          <span className="text-fg-3">
            {t('Fans who own an offered product never get the message.')}
          </span>
        </p>
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label={t('Offered one of these products within (days)')}
            inputMode="numeric"
            autoComplete="off"
            value={values.offeredDays}
            error={errors['exclude.offered_within_days']}
            onChange={({ currentTarget: { value } }) => change({ offeredDays: value })}
          />
          <TextField
            label={t('Received a message within (hours)')}
            inputMode="numeric"
            autoComplete="off"
            value={values.messagedHours}
            error={errors['exclude.messaged_within_hours']}
            onChange={({ currentTarget: { value } }) => change({ messagedHours: value })}
          />
        </div>
        <Checkbox
          label={t('Fans with unread messages')}
          isOn={values.unread}
          onChange={(unread) => change({ unread })}
        />
        <Checkbox
          label={t('Fans with a message in the last 30 minutes')}
          isOn={values.inConversation}
          onChange={(inConversation) => change({ inConversation })}
        />
      </fieldset>
    </div>
  );
}
