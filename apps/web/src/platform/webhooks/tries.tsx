import type { DeliveryAttempt } from '@stagedoor/contract/platform/webhooks';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { durationInWords, timeInWords } from './words.ts';

interface TriesProps {
  /** Newest first. */
  tries: readonly DeliveryAttempt[];
  /** The total number of tries. */
  attempts: number;
}

/** The stored tries of a delivery and their responses. */
export function Tries({ tries, attempts }: TriesProps) {
  return (
    <section aria-label={t('Attempts')} className="flex flex-col gap-1.5">
      <h3 className="text-control font-semibold">
        {t('Attempts')}
        {attempts > tries.length && (
          <span className="font-normal text-fg-3">
            {' '}
            ·{' '}
            {t('the last {shown} of {all}', {
              shown: formatCount(tries.length),
              all: formatCount(attempts),
            })}
          </span>
        )}
      </h3>
      {tries.length === 0 ? (
        <p className="text-control text-fg-3">{t('Not tried yet.')}</p>
      ) : (
        <ol className="divide-y divide-line rounded-control border border-line">
          {tries.map((attempt) => (
            <Try key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Try({ attempt: { at, duration_ms, status, answer } }: { attempt: DeliveryAttempt }) {
  const now = useNow();
  const isTaken = status !== null && status >= 200 && status < 300;
  return (
    <li className="flex flex-col gap-1 px-3 py-2 text-control">
      <span className="flex items-center gap-2">
        <Badge tone={isTaken ? 'good' : 'bad'}>{status ?? t('No response')}</Badge>
        <span className="text-meta text-fg-3 tabular-nums">{durationInWords(duration_ms)}</span>
        <time dateTime={at} className="ms-auto text-meta text-fg-3 tabular-nums">
          {timeInWords(at, now)}
        </time>
      </span>
      {answer !== '' && (
        <pre
          dir="auto"
          className="max-h-32 overflow-auto font-mono text-meta wrap-anywhere whitespace-pre-wrap text-fg-2"
        >
          {answer}
        </pre>
      )}
    </li>
  );
}
