import type { Delivery, Webhook } from '@stagedoor/contract/webhooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { Send, TriangleAlert, Webhook as WebhookIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorText, isRateLimited } from '../../lib/api.ts';
import { exactTimeOf, formatCount } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { useRecheck } from './use-recheck.ts';
import { useTestWebhook } from './webhook-queries.ts';
import { timeInWords } from './words.ts';

interface WebhookCardProps {
  webhook: UseQueryResult<Webhook>;
}

/** Where events go, whether they arrive, and a way to try it. */
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
      title="Webhook"
      aside={
        url !== null && (
          <Button
            busy={test.isPending}
            onClick={() => test.mutate(undefined, { onSuccess: setSent })}
            icon={<Send aria-hidden="true" size={14} strokeWidth={1.75} />}
          >
            Send test event
          </Button>
        )
      }
      className="flex flex-col overflow-clip"
    >
      {(isLate || test.error) && (
        <div className="flex flex-col gap-2 px-4 pb-4">
          {isLate && (
            <ErrorBox
              text={errorText(error, 'Failed to load the webhook')}
              onRetry={() => void webhook.refetch()}
              retrying={webhook.isFetching}
            />
          )}
          {test.error && <ErrorBox text={errorText(test.error, 'Failed to send the test event')} />}
        </div>
      )}
      {webhook.isPending && (
        <p
          role="status"
          className="flex items-center gap-2 border-t border-line px-4 py-3 text-control text-fg-3"
        >
          <Spinner /> Loading webhook...
        </p>
      )}
      {data && (url === null ? <NotSet /> : <Health webhook={data} url={url} />)}
      {sent && <DeliveryDialog delivery={sent} onClose={() => setSent(null)} />}
    </Card>
  );
}

function NotSet() {
  return (
    <div className="flex flex-1 items-center justify-center border-t border-line">
      <EmptyState
        icon={<WebhookIcon size={22} strokeWidth={1.75} />}
        title="No address is set"
        text="What happens here is told to your platform once the server’s settings name an address. Until then no events are kept."
        action={
          <pre className="max-w-full overflow-x-auto rounded-control border border-line bg-bg px-3 py-2 text-left font-mono text-meta text-fg-2">
            PLATFORM_WEBHOOK_URL=https://…
            {'\n'}
            PLATFORM_WEBHOOK_SECRET=whsec_…
          </pre>
        }
      />
    </div>
  );
}

function Health({ webhook, url }: { webhook: Webhook; url: string }) {
  const now = useNow();
  const { waiting, failed, last_delivered_at, failing_since } = webhook;
  return (
    <>
      <div className="flex flex-1 flex-col gap-3 px-4 pb-4">
        <div className="flex flex-col gap-0.5">
          <h3 className="text-meta text-fg-3">Address</h3>
          <p className="font-mono text-control break-all select-all">{url}</p>
          <p className="text-meta text-fg-3">
            Set on the server by <code className="font-mono">PLATFORM_WEBHOOK_URL</code>
          </p>
        </div>
        {failing_since !== null && (
          <p
            role="alert"
            className="flex items-start gap-2 rounded-control bg-warn-bg px-3 py-2 text-control text-warn"
          >
            <TriangleAlert
              aria-hidden="true"
              size={16}
              strokeWidth={1.75}
              className="mt-0.5 shrink-0"
            />
            <span>
              Deliveries have been failing since{' '}
              <time dateTime={failing_since} title={exactTimeOf(failing_since)}>
                {timeInWords(failing_since, now)}
              </time>
              . Events are kept and tried again, with growing pauses, for 3 days.
            </span>
          </p>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-px border-t border-line bg-line md:grid-cols-[1fr_1fr_1.4fr]">
        <Figure label="Waiting">{formatCount(waiting)}</Figure>
        <Figure label="Failed" isBad={failed > 0}>
          {formatCount(failed)}
        </Figure>
        <Figure label="Last delivered" isWide>
          {last_delivered_at === null ? (
            <span className="text-fg-3">Never</span>
          ) : (
            <time dateTime={last_delivered_at} title={exactTimeOf(last_delivered_at)}>
              {timeInWords(last_delivered_at, now)}
            </time>
          )}
        </Figure>
      </dl>
    </>
  );
}

interface FigureProps {
  label: string;
  isBad?: boolean;
  /** Over the whole width of a phone. */
  isWide?: boolean;
  children: ReactNode;
}

function Figure({ label, isBad = false, isWide = false, children }: FigureProps) {
  return (
    <div className={classes('bg-surface px-4 py-2.5', isWide && 'max-md:col-span-2')}>
      <dt className="truncate text-meta text-fg-3">{label}</dt>
      <dd
        className={classes(
          'text-title font-semibold tracking-tight tabular-nums',
          isBad && 'text-danger-text',
        )}
      >
        {children}
      </dd>
    </div>
  );
}
