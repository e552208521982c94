import { CircleCheck, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t, translated } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import type { InviteOutcome } from './queries.ts';

interface InviteResultsProps {
  outcome: InviteOutcome;
  onMore: () => void;
  onClose: () => void;
}

/** The result for each address. */
export function InviteResults({ outcome, onMore, onClose }: InviteResultsProps) {
  const { success, errors } = outcome;
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => summary.current?.focus(), []);
  return (
    <Dialog
      title={t('Invite Results')}
      onClose={onClose}
      footer={
        <>
          {errors.length > 0 && (
            <span className="me-auto">
              <CopyFailed emails={errors.map(({ email }) => email)} />
            </span>
          )}
          <Button onClick={onMore}>{t('Invite More')}</Button>
          <Button variant="primary" onClick={onClose}>
            {t('Close')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p ref={summary} tabIndex={-1} className="text-base text-fg-2 outline-none">
          {summaryOf(success.length, errors.length)}
        </p>
        {success.length > 0 && (
          <section aria-label={t('Sent', 'invitations')}>
            <h3 className="mb-1 flex items-center gap-1.5 text-control font-semibold text-good">
              <CircleCheck /> {t('Sent ({count})', { count: formatCount(success.length) })}
            </h3>
            <ul className="divide-y divide-line rounded-control border border-line">
              {success.map(({ email, id }) => (
                <li key={id} className="truncate px-2.5 py-1.5 text-control" title={email}>
                  {email}
                </li>
              ))}
            </ul>
          </section>
        )}
        {errors.length > 0 && (
          <section aria-label={t('Not sent')}>
            <h3 className="mb-1 text-control font-semibold text-danger-text">
              {t('Not sent ({count})', { count: formatCount(errors.length) })}
            </h3>
            <ul className="divide-y divide-line rounded-control border border-line">
              {errors.map(({ email, reason }) => (
                <li key={email} className="px-2.5 py-1.5 text-control">
                  <span className="block truncate" title={email}>
                    {email}
                  </span>
                  <span className="block text-meta text-danger-text">{translated(reason)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function summaryOf(sent: number, failed: number): string {
  if (failed === 0) {
    return t(
      '{sent, plural, one {# invitation sent} other {# invitations sent}}. Each person gets their own email.',
      { sent },
    );
  }
  if (sent === 0) return t('No invitation was sent.');
  return t(
    '{sent, plural, one {# invitation sent} other {# invitations sent}}, {failed, plural, one {# not sent} other {# not sent}}.',
    { sent, failed },
  );
}

function CopyFailed({ emails }: { emails: readonly string[] }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => setCopied(await copyText(emails.join('\n')));
  return (
    <>
      <Button onClick={() => void copy()} icon={<Copy />}>
        {isCopied ? t('Copied') : t('Copy Failed Addresses')}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? t('Copied') : ''}
      </span>
    </>
  );
}
