import { rich } from '@stagedoor/browser/rich-text';
import { type Delivery, WEBHOOK_TYPES, type Webhook } from '@stagedoor/contract/platform/webhooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleCheck, Clock, type LucideIcon, Send, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorText, isRateLimited } from '../../lib/server/api.ts';
import { exactTimeOf, formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { useRecheck } from '../keys/use-recheck.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { useTestWebhook } from './webhook-queries.ts';
import { timeInWords } from './words.ts';

const SETTINGS = 'PLATFORM_WEBHOOK_URL=https://…\nPLATFORM_WEBHOOK_SECRET=whsec_…';

interface WebhookCardProps {
  webhook: UseQueryResult<Webhook>;
}

/** The webhook's URL and health, and a button to send a test event. */
export function WebhookCard({ webhook }: WebhookCardProps) {
  const test = useTestWebhook();
  const [sent, setSent] = useState<Delivery | null>(null);
  useRecheck(webhook.error);
  useRecheck(test.error);
  const { data, error } = webhook;
  const isLate = error !== null && !(data && isRateLimited(error));
  const url = data?.url ?? null;
  return (
    <Card
      title={t('Webhook')}
      aside={
        url !== null && (
          <Button
            busy={test.isPending}
            onClick={() => test.mutate(undefined, { onSuccess: setSent })}
            icon={<Send size={14} />}
          >
            {t('Send Test Event')}
          </Button>
        )
      }
      className="flex flex-col overflow-clip"
    >
      {(isLate || test.error) && (
        <div className="flex flex-col gap-2 px-4 pb-4">
          {isLate && <QueryError query={webhook} text={t('Couldn’t load the webhook')} />}
          {test.error && (
            <ErrorBox text={errorText(test.error, t('Couldn’t send the test event'))} />
          )}
        </div>
      )}
      {data && (url === null ? <NotSet /> : <Health webhook={data} url={url} />)}
      {sent && <DeliveryDialog delivery={sent} onClose={() => setSent(null)} />}
    </Card>
  );
}

function NotSet() {
  return (
    <div className="flex flex-col items-start gap-2 border-t border-line p-4">
      <p className="text-control font-medium">{t('No address set')}</p>
      <p className="text-control text-fg-3">
        {t(
          'Events are sent to your platform once an address is set on the server. Until then, no events are kept.',
        )}
      </p>
      <pre
        dir="ltr"
        className="max-w-full overflow-x-auto rounded-control border border-line bg-bg px-3 py-2 text-start font-mono text-meta text-fg-2"
      >
        {SETTINGS}
      </pre>
    </div>
  );
}

const URL_SETTING = 'PLATFORM_WEBHOOK_URL';

interface HealthProps {
  webhook: Webhook;
  url: string;
}

function Health({ webhook, url }: HealthProps) {
  const { waiting, failed, last_delivered_at } = webhook;
  return (
    <>
      <div className="flex flex-1 flex-col gap-3 px-4 pb-4">
        <div className="flex flex-col gap-0.5">
          <h3 className="text-meta text-fg-3">{t('Address')}</h3>
          <p className="font-mono text-control break-all select-all">{url}</p>
          <p className="text-meta text-fg-3">
            {rich('Set on the server by {setting}', {
              setting: <code className="font-mono">{URL_SETTING}</code>,
            })}
          </p>
        </div>
        <div className="flex flex-col gap-1">
          <h3 className="text-meta text-fg-3">{t('Events')}</h3>
          <ul className="flex flex-wrap gap-1">
            {WEBHOOK_TYPES.map((type) => (
              <li
                key={type}
                className="rounded-chip bg-surface-2 px-1.5 font-mono text-badge text-fg-2"
              >
                {type}
              </li>
            ))}
          </ul>
        </div>
        <Summary webhook={webhook} />
      </div>
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line md:grid-cols-[1fr_1fr_1.4fr]">
        <Figure label={t('Waiting')}>{formatCount(waiting)}</Figure>
        <Figure label={t('Failed')} isBad={failed > 0}>
          {formatCount(failed)}
        </Figure>
        <Figure label={t('Last delivered')} isWide>
          {last_delivered_at === null ? (
            <span className="text-fg-3">{t('Never')}</span>
          ) : (
            <Moment at={last_delivered_at} />
          )}
        </Figure>
      </dl>
    </>
  );
}

function Summary({ webhook }: Pick<HealthProps, 'webhook'>) {
  const { waiting, failing_since, last_delivered_at } = webhook;
  if (failing_since !== null) {
    return (
      <Note icon={TriangleAlert} look="bg-warn-bg text-warn">
        {rich(
          'Deliveries are failing: the last attempt was at {time}, and none has succeeded since. Events are kept and retried for 3 days, at growing intervals.',
          { time: <Moment at={failing_since} /> },
        )}
      </Note>
    );
  }
  if (waiting > 0) {
    return (
      <Note icon={Clock} look="bg-surface-2 text-fg-2">
        {t('Events are on their way.')}
      </Note>
    );
  }
  if (last_delivered_at === null) {
    return (
      <Note icon={Clock} look="bg-surface-2 text-fg-2">
        {t('Nothing sent yet. Send a test event to check that the receiver responds.')}
      </Note>
    );
  }
  return (
    <Note icon={CircleCheck} look="bg-good-bg text-good">
      {t('Events are being delivered. None are waiting.')}
    </Note>
  );
}

interface NoteProps {
  icon: LucideIcon;
  look: string;
  children: ReactNode;
}

function Note({ icon: Icon, look, children }: NoteProps) {
  return (
    <p className={classes('flex items-start gap-2 rounded-control px-3 py-2 text-control', look)}>
      <Icon className="mt-0.5" />
      <span>{children}</span>
    </p>
  );
}

function Moment({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTimeOf(at)} className="tabular-nums">
      {timeInWords(at, now)}
    </time>
  );
}

interface FigureProps {
  label: string;
  isBad?: boolean;
  isWide?: boolean;
  children: ReactNode;
}

function Figure({ label, isBad = false, isWide = false, children }: FigureProps) {
  return (
    <div className={classes('bg-surface px-4 py-3', isWide && 'max-md:col-span-2')}>
      <dt className="truncate text-meta text-fg-3">{label}</dt>
      <dd
        className={classes(
          'mt-0.5 text-metric font-semibold tracking-tight tabular-nums',
          isBad && 'text-danger-text',
        )}
      >
        {children}
      </dd>
    </div>
  );
}
