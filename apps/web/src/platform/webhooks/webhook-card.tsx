import type { Delivery, Webhook } from '@stagedoor/contract/platform/webhooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { Send, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { errorText, isRateLimited } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { useRecheck } from '../keys/use-recheck.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { Health } from './webhook-health.tsx';
import { useTestWebhook } from './webhook-queries.ts';

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
          {isLate && (
            <ErrorBox
              text={errorText(error, t('Couldn’t load the webhook'))}
              onRetry={() => void webhook.refetch()}
              retrying={webhook.isFetching}
            />
          )}
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
    <div className="flex flex-1 items-center justify-center border-t border-line">
      <EmptyState
        icon={<WebhookIcon size={22} />}
        title={t('No address set')}
        text={t(
          'Events are sent to your platform once an address is set on the server. Until then, no events are kept.',
        )}
        action={
          <pre
            dir="ltr"
            className="max-w-full overflow-x-auto rounded-control border border-line bg-bg px-3 py-2 text-start font-mono text-meta text-fg-2"
          >
            {SETTINGS}
          </pre>
        }
      />
    </div>
  );
}
