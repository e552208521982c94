import { lazyPart } from '@stagedoor/browser/lazy-part';
import { CalendarDays } from 'lucide-react';
import { Suspense, useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { dateHint, readDate, showDate } from '../../lib/text/typed-time.ts';
import { ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { IconButton } from '../icon-button.tsx';
import { usePopover } from '../overlay/use-popover.ts';
import { CenteredSpinner } from '../spinner.tsx';
import { FieldError } from './field-error.tsx';
import { type FieldPart, PickerBox, pickerInput } from './picker-box.tsx';
import { useTypedValue } from './use-typed-value.ts';

const Calendar = lazyPart(async () => (await import('./calendar.tsx')).Calendar);

interface DateFieldProps {
  label: string;
  /** As `2026-11-23`, or empty. */
  value: string;
  onChange: (value: string) => void;
  /** The first and last day that the calendar offers; empty for no limit. */
  min?: string;
  max?: string;
  /** The time zone that decides which day is today. */
  zone?: string;
  error?: string | null | undefined;
  /** Set within a group, which shows the label and errors. */
  part?: FieldPart | undefined;
}

/** A date that can be typed in the region's order or chosen from a calendar. */
export function DateField({
  label,
  value,
  onChange,
  error = null,
  part,
  ...limits
}: DateFieldProps) {
  const { min = '', max = '', zone = ownZone() } = limits;
  const id = useId();
  const { open, button, panel } = usePopover();
  const today = toLocal(useNow(), zone).slice(0, 10);
  const typed = useTypedValue({
    value,
    onChange,
    show: (date) => showDate(date),
    read: (text) => readDate(text, today.slice(0, 4)),
  });
  const problem = typed.isWrong
    ? t('Enter a date like {example}', { example: showDate(today) })
    : error;
  const choose = (date: string) => {
    typed.choose(date);
    panel.ref.current?.hidePopover();
  };
  return (
    <PickerBox id={id} label={label} isLabelHidden={part !== undefined}>
      <span className="relative block">
        <input
          ref={typed.field}
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          placeholder={dateHint()}
          value={typed.text}
          readOnly={part?.isReadOnly}
          required={part?.isRequired}
          aria-invalid={problem !== null || part?.isInvalid || undefined}
          aria-describedby={problem === null ? part?.describedBy : `${id}-error`}
          onChange={(event) => typed.type(event.target.value)}
          onBlur={typed.finish}
          onKeyDown={({ key }) => key === 'Enter' && typed.finish()}
          className={pickerInput}
        />
        <IconButton
          {...button}
          label={t('Choose date: {field}', { field: label })}
          aria-haspopup="dialog"
          disabled={part?.isReadOnly}
          className="absolute! end-0 top-0 coarse:size-11"
          icon={<CalendarDays />}
        />
        <div
          {...panel}
          role="dialog"
          aria-label={t('Choose date: {field}', { field: label })}
          className="fixed right-auto m-0 max-w-[calc(100vw-16px)] overflow-auto overscroll-contain rounded-card border border-line bg-surface p-2 text-control text-fg shadow-overlay"
        >
          {open && (
            <Suspense fallback={<CenteredSpinner text={t('Loading...')} />}>
              <Calendar value={value} today={today} min={min} max={max} onChoose={choose} />
            </Suspense>
          )}
        </div>
      </span>
      {problem !== null && <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </PickerBox>
  );
}
