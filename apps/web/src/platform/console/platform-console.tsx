import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/text/i18n.ts';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { DevelopersCard } from '../keys/developers-card.tsx';
import { KeysCard } from '../keys/keys-card.tsx';
import { keysOptions } from '../keys/keys-queries.ts';
import { DeliveriesCard } from '../webhooks/deliveries-card.tsx';
import { WebhookCard } from '../webhooks/webhook-card.tsx';
import { useWebhook } from '../webhooks/webhook-queries.ts';

/** The platform page: API keys, the webhook and its deliveries. */
export function PlatformConsole() {
  const keys = useQuery(keysOptions);
  const webhook = useWebhook();
  // All cards appear together, so that none moves another when its data arrives.
  if (!keys.isFetched || !webhook.isFetched) return <CenteredSpinner text={t('Loading...')} />;
  return (
    <div className="flex flex-col gap-4 lg:gap-6">
      <KeysCard keys={keys} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_352px] lg:gap-6">
        <WebhookCard webhook={webhook} />
        <DevelopersCard />
      </div>
      {webhook.data && webhook.data.url !== null && <DeliveriesCard />}
    </div>
  );
}
