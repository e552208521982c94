import type { BookedLine } from '@stagedoor/contract/selling/earnings';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Link } from '../../ui/link.tsx';
import { noteOf, termsOf, timeOfLine, titleOf, whyOf } from './earning-words.ts';

/** What a line is for, how its amount is calculated, and a link to its message. In a grid, these are three rows. */
export function LineText({ line }: { line: BookedLine }) {
  const { message, payment } = line;
  // A contest's note is its answer, which is shown with the contest.
  const note = line.source === 'contest' ? null : noteOf(line);
  return (
    <>
      <p className="font-medium wrap-break-word">{titleOf(line)}</p>
      <p className="col-span-full text-control text-balance text-fg-2">{whyOf(line)}</p>
      <p className="flex flex-wrap gap-x-3 text-meta text-fg-3">
        <time dateTime={line.at} title={exactTimeOf(line.at)}>
          {timeOfLine(line.at)}
        </time>
        {payment && line.kind !== 'sale' && (
          <span>{t('Paid {when}', { when: timeOfLine(payment.purchased_at) })}</span>
        )}
        {note && <span>{note}</span>}
        {payment && (
          <span className="wrap-anywhere">
            {t('Payment {reference}', { reference: payment.reference })}
          </span>
        )}
        {line.rule && <span>{t('Rule: {terms}', { terms: termsOf(line.rule) })}</span>}
        {message && (
          <Link
            to={`/inbox/${message.conversation_id}?message=${line.message_id}`}
            className="touch-target text-accent-text underline"
          >
            {t('Show Message')}
          </Link>
        )}
      </p>
    </>
  );
}
