import type { BenefitType } from '@stagedoor/contract/fans/invites';
import { type RefObject, useId, useState } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { type LineProblem, readInviteLines } from './invite-lines.ts';
import { BENEFITS } from './queries.ts';

/** The number of problems listed in full. */
const PROBLEMS_SHOWN = 4;

const EXAMPLE = 'ana@example.com\nben@example.com';

interface InviteFormProps {
  id: string;
  textarea: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  benefit: BenefitType;
  onBenefit: (benefit: BenefitType) => void;
  /** Why the invitations were not sent. */
  alert: string | null;
  isSending: boolean;
  onSubmit: () => void;
}

/** The form with email addresses and the benefit. */
export function InviteForm(props: InviteFormProps) {
  const { id, textarea, text, onText, alert, isSending, onSubmit } = props;
  const [isTyping, setTyping] = useState(false);
  const fieldId = useId();
  const { addresses, problems } = readInviteLines(text, isTyping);
  return (
    <form
      id={id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className="flex flex-col gap-1">
        <div className="flex items-baseline justify-between gap-3">
          <label htmlFor={fieldId} className="text-meta font-medium text-fg-2">
            {t('Email addresses')}
          </label>
          <span role="status" className="text-meta text-fg-3 tabular-nums">
            {counted(addresses.length)}
          </span>
        </div>
        <textarea
          ref={textarea}
          id={fieldId}
          aria-describedby={`${fieldId}-hint`}
          rows={7}
          value={text}
          readOnly={isSending}
          spellCheck={false}
          dir="ltr"
          autoCapitalize="none"
          autoComplete="off"
          placeholder={EXAMPLE}
          onChange={(event) => onText(event.target.value)}
          onFocus={() => setTyping(true)}
          onBlur={() => setTyping(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onSubmit();
          }}
          className="w-full resize-y rounded-control border border-control bg-surface px-2.5 py-1.5 text-control focus-visible:outline-offset-0 read-only:text-fg-2"
        />
        <div id={`${fieldId}-hint`} className="flex flex-col gap-0.5 text-meta">
          <p className="text-fg-3">
            {t('One per line, or separated by commas, semicolons or spaces')}
          </p>
          <Problems problems={problems} />
        </div>
        {alert !== null && (
          <div className="mt-1">
            <ErrorBox text={alert} />
          </div>
        )}
      </div>
      <BenefitChoice {...props} />
    </form>
  );
}

const counted = (count: number): string =>
  t('{count, plural, one {# address} other {# addresses}}', { count });

function Problems({ problems }: { problems: readonly LineProblem[] }) {
  if (problems.length === 0) return null;
  const more = problems.length - PROBLEMS_SHOWN;
  return (
    <ul aria-label={t('Lines with problems')} className="flex flex-col gap-0.5 text-warn">
      {problems.slice(0, PROBLEMS_SHOWN).map(({ line, address, text }) => (
        <li key={`${line} ${address}`}>
          <span className="font-medium tabular-nums">{t('Line {line}:', { line })}</span> {text}
        </li>
      ))}
      {more > 0 && <li>{t('and {count} more', { count: formatCount(more) })}</li>}
    </ul>
  );
}

function BenefitChoice({ benefit, onBenefit, isSending }: InviteFormProps) {
  const name = useId();
  return (
    <fieldset disabled={isSending}>
      <legend className="mb-1 text-meta font-medium text-fg-2">{t('Benefit')}</legend>
      <div className="grid grid-cols-2 gap-1.5 max-md:grid-cols-1">
        {BENEFITS.map(({ type, label }) => (
          <label
            key={type}
            className={classes(
              'flex min-h-9 cursor-pointer items-center gap-2 rounded-control border px-2.5 py-1 text-control transition-colors duration-80 coarse:min-h-11',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
              type === benefit ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={type === benefit}
              onChange={() => onBenefit(type)}
              className="size-4 shrink-0 accent-accent outline-none"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
