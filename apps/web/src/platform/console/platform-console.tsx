import { rich } from '@stagedoor/browser/rich-text';
import { useQuery } from '@tanstack/react-query';
import { BookOpen, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
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
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_352px] lg:gap-6">
        <WebhookCard webhook={webhook} />
        <DevelopersCard />
      </div>
      {webhook.data && webhook.data.url !== null && <DeliveriesCard />}
    </div>
  );
}

const STANDARD = { name: 'Standard Webhooks', url: 'https://www.standardwebhooks.com' };

const code = (text: string) => <code className="font-mono text-meta text-fg">{text}</code>;

/** Links to the API documentation, and explains how to verify an event's signature. */
function DevelopersCard() {
  return (
    <Card title={t('For Developers')}>
      <div className="flex flex-col gap-3 px-4 pb-4 text-control text-fg-2">
        <div className="grid gap-2 md:max-lg:grid-cols-2">
          <DocsLink href="/api/platform/docs">{t('Platform API')}</DocsLink>
          <DocsLink href="/api/docs">{t('Full API documentation')}</DocsLink>
        </div>
        <div className="flex flex-col gap-2">
          <h3 className="font-semibold text-fg">{t('How to Verify a Signature')}</h3>
          <ol className="flex list-decimal flex-col gap-1 ps-4 marker:text-fg-3">
            <li>
              {rich('Join {id}, {timestamp} and the raw body with dots.', {
                id: code('webhook-id'),
                timestamp: code('webhook-timestamp'),
              })}
            </li>
            <li>
              {rich(
                'Sign the result with HMAC-SHA256. The key is the part of the secret after {prefix}, decoded from Base64.',
                { prefix: code('whsec_') },
              )}
            </li>
            <li>
              {rich(
                'Encode the signature in Base64 and compare it with each {signature} in {header}. Reject timestamps that are minutes off.',
                { signature: code('v1,…'), header: code('webhook-signature') },
              )}
            </li>
          </ol>
          <p className="text-meta text-fg-3">
            {rich(
              'Any {standard} library does this. Respond with a 2xx status. If you have seen a {id} before, the event is a duplicate.',
              {
                standard: (
                  <a
                    href={STANDARD.url}
                    target="_blank"
                    rel="noreferrer"
                    className="text-accent-text underline underline-offset-2"
                  >
                    {STANDARD.name}
                  </a>
                ),
                id: code('webhook-id'),
              },
            )}
          </p>
        </div>
      </div>
    </Card>
  );
}

function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="touch-target inline-flex h-8 items-center gap-2 rounded-control border border-control px-3 font-medium text-fg transition-colors duration-80 hover:bg-hover coarse:h-11"
    >
      <BookOpen size={14} />
      {children}
      <ExternalLink size={14} className="ms-auto text-fg-3" />
    </a>
  );
}
