import type { Delivery, DeliveryAttempt } from '@stagedoor/contract/platform/webhooks';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorText, isRateLimited } from '../../lib/server/api.ts';
import { exactTimeOf, formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { useRecheck } from '../keys/use-recheck.ts';
import { StateMark } from './delivery-state.tsx';
import { deliveryOptions, useRedeliver } from './webhook-queries.ts';
import { durationInWords, prettyJson, timeInWords, triesInWords } from './words.ts';

const ID_HEADER = 'webhook-id';

interface DeliveryDialogProps {
  delivery: Delivery;
  onClose: () => void;
}

/** The details of a delivery: its body, its tries, and a button to send it again. Updates while the delivery is waiting. */
export function DeliveryDialog({ delivery: known, onClose }: DeliveryDialogProps) {
  const details = useQuery(deliveryOptions(known.id));
  const again = useRedeliver();
  useRecheck(details.error);
  useRecheck(again.error);
  const { data, error } = details;
  const delivery = data ?? known;
  const isLate = error !== null && !(data && isRateLimited(error));
  const objection = whyNotAgain(delivery.state, data?.body);
  return (
    <Dialog
      title={delivery.type}
      onClose={onClose}
      isWide
      footer={
        <>
          {objection !== null && (
            <p id="why-not-again" className="me-auto self-center text-meta text-fg-3">
              {objection}
            </p>
          )}
          <Button onClick={onClose}>{t('Close')}</Button>
          <Button
            variant="primary"
            busy={again.isPending}
            aria-disabled={objection !== null || undefined}
            aria-describedby={objection === null ? undefined : 'why-not-again'}
            onClick={() => {
              if (objection === null) again.mutate(delivery.id);
            }}
            icon={<RotateCw size={14} />}
          >
            {t('Redeliver')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {again.error && (
          <ErrorBox text={errorText(again.error, t('Couldn’t redeliver the event'))} />
        )}
        <Facts delivery={delivery} onLeave={onClose} />
        {isLate && <QueryError query={details} text={t('Couldn’t load the delivery')} />}
        {details.isPending && <LoadingLine text={t('Loading delivery...')} className="" />}
        {data && (
          <>
            <Body body={data.body} />
            <Tries tries={data.tries} attempts={data.attempts} />
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Returns why a delivery can't be sent again, or null if it can. */
function whyNotAgain(state: Delivery['state'], body: string | null | undefined): string | null {
  if (state === 'waiting') return t('This event is on its way.');
  if (body === null) return t('This event’s body was erased, so it can’t be sent again.');
  return null;
}

interface FactsProps {
  delivery: Delivery;
  onLeave: () => void;
}

function Facts({ delivery, onLeave }: FactsProps) {
  const now = useNow();
  const { id, state, created_at, attempts, conversation_id } = delivery;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-control">
      <Fact label={t('State')}>
        <span role="status">
          <StateMark state={state} />
        </span>
        <span className="text-fg-3"> · {triesInWords(attempts)}</span>
      </Fact>
      <Fact label={t('Occurred')}>
        <time dateTime={created_at} title={exactTimeOf(created_at)} className="tabular-nums">
          {timeInWords(created_at, now)}
        </time>
      </Fact>
      <Fact label={ID_HEADER}>
        <span className="flex items-center gap-1.5">
          <code className="font-mono text-meta break-all select-all">{id}</code>
          <CopyButton
            text={id}
            label={t('Copy ID')}
            size="small"
            variant="ghost"
            className="-my-1.5"
          />
        </span>
      </Fact>
      {conversation_id !== null && (
        <Fact label={t('Conversation')}>
          <Link
            to={`/inbox/${encodeURIComponent(conversation_id)}`}
            onClick={onLeave}
            className="text-accent-text underline underline-offset-2"
          >
            {t('Open in Inbox')}
          </Link>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-meta text-fg-3">{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Body({ body }: { body: string | null }) {
  return (
    <section aria-label={t('Body')} className="flex flex-col gap-1.5">
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h3 className="text-control font-semibold">
          {t('Body')}
          <span className="font-normal text-fg-3"> · {t('as it would be sent now')}</span>
        </h3>
        {body !== null && (
          <CopyButton text={body} label={t('Copy Body')} size="small" variant="ghost" />
        )}
      </div>
      {body === null ? (
        <p className="text-control text-fg-3">{t('The body was erased together with the fan.')}</p>
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
          tabIndex={0}
          dir="ltr"
          className="max-h-72 overflow-auto overscroll-contain rounded-control border border-line bg-bg p-3 font-mono text-meta wrap-anywhere whitespace-pre-wrap focus-visible:outline-offset-0"
        >
          {prettyJson(body)}
        </pre>
      )}
    </section>
  );
}

interface TriesProps {
  /** Newest first. */
  tries: readonly DeliveryAttempt[];
  attempts: number;
}

function Tries({ tries, attempts }: TriesProps) {
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
