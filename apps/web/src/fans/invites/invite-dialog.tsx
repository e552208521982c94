import { type BenefitType, INVITE_MAX_EMAILS } from '@stagedoor/contract/fans/invites';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { errorText } from '../../lib/server/api.ts';
import { isTokenStored } from '../../lib/server/session.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type LineProblem, readInviteLines } from './invite-lines.ts';
import { InviteResults } from './invite-results.tsx';
import { BENEFITS, type InviteOutcome, useInvite } from './queries.ts';
import { SentInvites } from './sent-invites.tsx';

const NEW = t('New Invitations');
const SENT = t('Sent Invitations');
const TABS = [NEW, SENT];

interface InviteEntry {
  /** The addresses, as typed. */
  text: string;
  benefit: BenefitType;
}

const EMPTY: InviteEntry = { text: '', benefit: '1_month_free' };

/** The dialog to invite people by email and to see the state of their invitations. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [tab, setTab] = useState(NEW);
  const [entry, setEntry] = useState(EMPTY);
  const { text, benefit } = entry;
  const [alert, setAlert] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<InviteOutcome | null>(null);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const formId = useId();
  const invite = useInvite();
  // Focuses the field only where there is a physical keyboard. On a phone the keyboard would cover half of the dialog.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) textarea.current?.focus();
  }, []);

  const refuse = (reason: string) => {
    setAlert(reason);
    textarea.current?.focus();
  };
  const send = () => {
    if (invite.isPending) return;
    const emails = [...readInviteLines(text).addresses];
    if (emails.length === 0) return refuse(t('Please enter at least one email address'));
    if (emails.length > INVITE_MAX_EMAILS) {
      return refuse(
        t('Please enter at most {count} email addresses', {
          count: formatCount(INVITE_MAX_EMAILS),
        }),
      );
    }
    if (!isTokenStored()) return refuse(t('Not authenticated. Please log in again.'));
    setAlert(null);
    invite.mutate(
      { emails, benefitType: benefit },
      {
        onSuccess: (sent) => {
          setOutcome(sent);
          setEntry(EMPTY);
        },
        onError: (error) => {
          console.error('Failed to send invites', error);
          setAlert(errorText(error, t('Failed to send invites')));
        },
      },
    );
  };
  const close = () => {
    // The dialog can't be closed while invitations are being sent, which takes a moment.
    if (!invite.isPending) leave(onClose, 'invite');
  };

  if (outcome !== null) {
    return <InviteResults outcome={outcome} onMore={() => setOutcome(null)} onClose={onClose} />;
  }
  const isForm = tab === NEW;
  return (
    <Dialog
      title={t('Invite Users', 'dialog')}
      subtitle={t('Each person gets their own email')}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Close')}</Button>
          {isForm && (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={invite.isPending}
              busyText={t('Sending...')}
            >
              {t('Send Invites')}
            </Button>
          )}
        </>
      }
    >
      <Tabs label={t('Invitations')} tabs={TABS} current={tab} onChange={setTab}>
        {isForm ? (
          <InviteForm
            id={formId}
            textarea={textarea}
            entry={entry}
            onChange={(changes) => {
              setEntry((held) => ({ ...held, ...changes }));
              if (changes.text !== undefined) setAlert(null);
            }}
            alert={alert}
            isSending={invite.isPending}
            onSubmit={send}
          />
        ) : (
          <SentInvites />
        )}
      </Tabs>
      {text.trim() !== '' && !invite.isPending && (
        <DiscardQuestion
          form="invite"
          text={t('The addresses you entered haven’t been invited.')}
          onDiscard={onClose}
        />
      )}
    </Dialog>
  );
}

/** The number of problems listed in full. */
const PROBLEMS_SHOWN = 4;

const EXAMPLE = 'ana@example.com\nben@example.com';

interface InviteFormProps {
  id: string;
  textarea: RefObject<HTMLTextAreaElement | null>;
  entry: InviteEntry;
  onChange: (changes: Partial<InviteEntry>) => void;
  alert: string | null;
  isSending: boolean;
  onSubmit: () => void;
}

function InviteForm(props: InviteFormProps) {
  const { id, textarea, entry, onChange, alert, isSending, onSubmit } = props;
  const { text } = entry;
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
          onChange={(event) => onChange({ text: event.target.value })}
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

function BenefitChoice({ entry, onChange, isSending }: InviteFormProps) {
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
              type === entry.benefit ? 'border-accent bg-selected' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={type === entry.benefit}
              onChange={() => onChange({ benefit: type })}
              className="size-4 shrink-0 accent-accent outline-none"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
