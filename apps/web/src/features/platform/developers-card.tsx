import { BookOpen, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card.tsx';

const icon = { 'aria-hidden': true, size: 14, strokeWidth: 1.75 } as const;

const code = (text: string) => <code className="font-mono text-meta text-fg">{text}</code>;

/** For who writes the other side: where the calls are described, and how to tell a true event from a forged one. */
export function DevelopersCard() {
  return (
    <Card title="For developers">
      <div className="flex flex-col gap-3 px-4 pb-4 text-control text-fg-2">
        <div className="grid gap-2 md:max-lg:grid-cols-2">
          <DocsLink href="/api/platform/docs">Platform API</DocsLink>
          <DocsLink href="/api/docs">API documentation, all calls</DocsLink>
        </div>
        <div className="flex flex-col gap-1.5">
          <h3 className="font-semibold text-fg">How to verify a signature</h3>
          <ol className="flex list-decimal flex-col gap-1 ps-4 marker:text-fg-3">
            <li>
              Join {code('webhook-id')}, {code('webhook-timestamp')} and the body, as it came, with
              dots.
            </li>
            <li>
              Sign that with HMAC-SHA256. The key is what follows {code('whsec_')} in the secret,
              decoded from Base64.
            </li>
            <li>
              Compare the result, in Base64, with each {code('v1,…')} of {code('webhook-signature')}
              . Refuse a timestamp that is minutes off.
            </li>
          </ol>
          <p className="text-meta text-fg-3">
            Any library for{' '}
            <a
              href="https://www.standardwebhooks.com"
              target="_blank"
              rel="noreferrer"
              className="text-accent-text underline underline-offset-2"
            >
              Standard Webhooks
            </a>{' '}
            does this. Answer with a 2xx; a {code('webhook-id')} that you have seen is a repetition.
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
      <BookOpen {...icon} />
      {children}
      <ExternalLink {...icon} className="ms-auto text-fg-3" />
    </a>
  );
}
