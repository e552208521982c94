import { Clock } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { readTime, showTime } from '../../lib/text/typed-time.ts';
import { classes } from '../classes.ts';
import { keepPlaced, type Placement } from '../overlay/place-overlay.ts';
import { FieldError } from './field-error.tsx';
import { type FieldPart, PickerBox, pickerInput } from './picker-box.tsx';
import { useTypedValue } from './use-typed-value.ts';

const STEP_MINUTES = 30;
const BELOW: Placement = { side: 'below', align: 'start', gap: 4 };
const two = (value: number) => String(value).padStart(2, '0');

/** Every half hour of a day, as `18:00`. */
const STEPS = Array.from({ length: (24 * 60) / STEP_MINUTES }, (_, index) => {
  const minutes = index * STEP_MINUTES;
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
});
/** Where the list opens if no time is chosen. */
const MORNING = STEPS.indexOf('09:00');

/** Returns the index of the last step that is not after a time. */
const stepAt = (time: string) =>
  time === '' ? MORNING : STEPS.findLastIndex((step) => step <= time);

interface TimeFieldProps {
  label: string;
  /** As `18:00`, or empty. */
  value: string;
  onChange: (value: string) => void;
  /** Set within a group, which shows the label and errors. */
  part?: FieldPart | undefined;
}

/** A time of day that can be typed or chosen from a list of half hours. */
export function TimeField({ label, value, onChange, part }: TimeFieldProps) {
  const id = useId();
  const listId = `${id}-list`;
  const optionId = (index: number) => `${listId}-${index}`;
  /** The index of the step that Enter takes, or null while the list is closed. */
  const [active, setActive] = useState<number | null>(null);
  const typed = useTypedValue({ value, onChange, show: showTime, read: readTime });
  const open = () => {
    if (!part?.isReadOnly) setActive(stepAt(readTime(typed.text) ?? ''));
  };
  const take = (index: number) => {
    typed.choose(STEPS[index] ?? '');
    setActive(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (active === null) open();
      else setActive((active + step + STEPS.length) % STEPS.length);
    } else if (event.key === 'Enter' && active !== null) {
      event.preventDefault();
      take(active);
    } else if (event.key === 'Enter') {
      typed.finish();
    } else if (event.key === 'Escape' && active !== null) {
      // Closes the list and not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setActive(null);
    }
  };
  return (
    <PickerBox id={id} label={label} isLabelHidden={part !== undefined}>
      <span className="relative block">
        <input
          ref={typed.field}
          id={id}
          type="text"
          role="combobox"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('HH:MM', 'time format')}
          value={typed.text}
          readOnly={part?.isReadOnly}
          required={part?.isRequired}
          aria-expanded={active !== null}
          aria-controls={active === null ? undefined : listId}
          aria-activedescendant={active === null ? undefined : optionId(active)}
          aria-invalid={typed.isWrong || part?.isInvalid || undefined}
          aria-describedby={typed.isWrong ? `${id}-error` : part?.describedBy}
          onChange={(event) => {
            typed.type(event.target.value);
            // Closes the list, so that Enter takes the typed text.
            setActive(null);
          }}
          onClick={open}
          onBlur={() => {
            setActive(null);
            typed.finish();
          }}
          onKeyDown={onKeyDown}
          className={pickerInput}
        />
        <Clock className="pointer-events-none absolute end-2 top-1/2 -translate-y-1/2 text-fg-2 coarse:end-3.5" />
        {active !== null && (
          <Steps
            id={listId}
            label={label}
            field={typed.field}
            active={active}
            optionId={optionId}
            onTake={take}
          />
        )}
      </span>
      {typed.isWrong && (
        <FieldError id={`${id}-error`}>
          {t('Enter a time like {example}', { example: showTime('18:00') })}
        </FieldError>
      )}
    </PickerBox>
  );
}

interface StepsProps {
  id: string;
  label: string;
  field: { readonly current: HTMLElement | null };
  active: number;
  optionId: (index: number) => string;
  onTake: (index: number) => void;
}

/** The list of half hours, next to the field, which keeps the focus. */
function Steps({ id, label, field, active, optionId, onTake }: StepsProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!list.current || !field.current) return;
    list.current.showPopover();
    const stop = keepPlaced(list.current, field.current, BELOW);
    const chosen = list.current.querySelector<HTMLElement>('[aria-selected="true"]');
    list.current.scrollTop = (chosen?.offsetTop ?? 0) - list.current.clientHeight / 2;
    return stop;
  }, [field]);
  const shown = optionId(active);
  useEffect(() => {
    document.getElementById(shown)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <div
      ref={list}
      popover="manual"
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      // Keeps the focus in the text field: losing it would close the list before the click.
      onPointerDown={(event) => event.preventDefault()}
      className="fixed right-auto m-0 h-56 min-w-28 overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1 text-control text-fg tabular-nums shadow-overlay"
    >
      {STEPS.map((step, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field keeps the focus and handles the keys
        <div
          key={step}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onClick={() => onTake(index)}
          className={classes(
            'flex min-h-8 cursor-pointer items-center rounded-chip px-2.5 coarse:min-h-11',
            index === active ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          {showTime(step)}
        </div>
      ))}
    </div>
  );
}
