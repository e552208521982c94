import { useUnloadQuestion } from '@stagedoor/browser/use-unload-question';
import { SHIFT_NOTE_MAX_CHARS, type Shift, type ShiftScope } from '@stagedoor/contract/team/shifts';
import { type FormEvent, useId, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { ownZone } from '../../lib/text/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { DateTimeField } from '../../ui/form/date-time-field.tsx';
import { SelectField } from '../../ui/form/select-field.tsx';
import { TextAreaField } from '../../ui/form/text-field.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { PatternFields } from './pattern-fields.tsx';
import type { Week } from './use-plan.ts';
import { useShiftForm, usualPattern } from './use-shift-form.ts';

const SCOPES: readonly { value: ShiftScope; label: string; question: string }[] = [
  { value: 'this', label: t('This shift'), question: t('Delete this shift?') },
  {
    value: 'following',
    label: t('This and the following ones'),
    question: t('Delete this shift and the following ones of its series?'),
  },
  {
    value: 'all',
    label: t('All shifts of the series'),
    question: t('Delete all shifts of this series?'),
  },
];

interface ShiftDialogProps {
  /** The shift to change; null plans a new one. */
  before: Shift | null;
  /** When a new shift begins, in milliseconds. */
  start: number;
  week: Week;
  /** Shows the shift's figures; null before the shift begins. */
  onFigures: (() => void) | null;
  onClose: () => void;
}

/** Plans a shift or a weekly pattern, or changes a planned shift. */
export function ShiftDialog(props: ShiftDialogProps) {
  const { before, start, week, onFigures, onClose } = props;
  const { zone } = week;
  const staff = [...week.staff.values()];
  const adminId = staff[0]?.id ?? '';
  const form = useShiftForm({ before, start, zone, adminId, onClose });
  const { fields, errors, scope, isDirty, isBusy, change } = form;
  const [isDeleting, setDeleting] = useState(false);
  const formId = useId();
  useUnloadQuestion(isDirty);
  const clocks = { zone, fan: null };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) form.submit();
  };
  const close = () => leave(onClose, 'shift');
  return (
    <Dialog
      title={before === null ? t('Plan Shift') : t('Change Shift')}
      subtitle={
        zone === ownZone()
          ? undefined
          : t('Times are in the team’s time zone, {zone}', { zone: zone.replaceAll('_', ' ') })
      }
      onClose={close}
      footer={
        <>
          {before !== null && (
            <Button className="md:me-auto" busy={isBusy} onClick={() => setDeleting(true)}>
              {t('Delete...')}
            </Button>
          )}
          {onFigures && <Button onClick={() => leave(onFigures, 'shift')}>{t('Figures')}</Button>}
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy}>
            {before === null ? t('Plan Shift') : t('Save Shift')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4 pt-1">
        {errors.form !== undefined && <ErrorBox text={errors.form} />}
        <SelectField
          label={t('Teammate')}
          value={fields.adminId}
          onChange={(event) => change({ adminId: event.currentTarget.value })}
        >
          {staff.map(({ id, codename }) => (
            <option key={id} value={id}>
              {codename}
            </option>
          ))}
        </SelectField>
        {errors.adminId !== undefined && <ErrorBox text={errors.adminId} />}
        <DateTimeField
          label={t('Starts')}
          value={fields.starts}
          clocks={clocks}
          error={errors.starts ?? null}
          onChange={(starts) => change({ starts })}
        />
        <DateTimeField
          label={t('Ends')}
          value={fields.ends}
          clocks={clocks}
          error={errors.ends ?? null}
          onChange={(ends) => change({ ends })}
        />
        <TextAreaField
          label={t('Note (optional)')}
          rows={2}
          maxLength={SHIFT_NOTE_MAX_CHARS}
          value={fields.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        {before === null && (
          <SelectField
            label={t('Repeats')}
            value={fields.pattern === null ? 'never' : 'weekly'}
            onChange={({ currentTarget: { value } }) =>
              change({ pattern: value === 'weekly' ? usualPattern(fields.starts) : null })
            }
          >
            <option value="never">{t('Doesn’t repeat')}</option>
            <option value="weekly">{t('Every week')}</option>
          </SelectField>
        )}
        {fields.pattern !== null && (
          <PatternFields
            pattern={fields.pattern}
            start={fields.starts.slice(0, 10)}
            zone={zone}
            error={errors.pattern ?? null}
            onChange={(pattern) => change({ pattern })}
          />
        )}
        {before !== null && before.series_id !== null && (
          <SelectField
            label={t('Applies to')}
            value={scope}
            onChange={(event) => form.setScope(event.currentTarget.value as ShiftScope)}
          >
            {SCOPES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
      </form>
      {isDirty && <DiscardQuestion form="shift" text={t('The shift hasn’t been saved yet.')} />}
      {isDeleting && before !== null && (
        <ConfirmDialog
          title={SCOPES.find(({ value }) => value === scope)?.question ?? ''}
          text={t('Time that was clocked stays.')}
          confirmLabel={t('Delete')}
          onConfirm={() => form.remove(before)}
          onClose={() => setDeleting(false)}
        />
      )}
    </Dialog>
  );
}
