import { DevelopersCard } from '../keys/developers-card.tsx';
import { KeysCard } from '../keys/keys-card.tsx';
import { DeliveriesCard } from '../webhooks/deliveries-card.tsx';
import { WebhookCard } from '../webhooks/webhook-card.tsx';
import { useWebhook } from '../webhooks/webhook-queries.ts';

/** The platform page: API keys, the webhook and its deliveries. */
export function PlatformConsole() {
  const webhook = useWebhook();
  return (
    <div className="flex flex-col gap-4 lg:gap-6">
      <KeysCard />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1fr)_352px] lg:gap-6">
        <WebhookCard webhook={webhook} />
        <DevelopersCard />
      </div>
      {webhook.data && webhook.data.url !== null && <DeliveriesCard />}
    </div>
  );
}
