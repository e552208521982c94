import { rich } from '@stagedoor/browser/rich-text';
import { Info } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';

/**
 * Explains why passkeys don't work at the console's current address.
 * @param origin the address where they do, or null
 */
export function WrongAddress({ origin }: { origin: string | null }) {
  return (
    <div
      role="note"
      className="flex gap-2.5 rounded-control border border-line bg-surface-2 px-3 py-2 text-control text-fg-2"
    >
      <Info className="mt-0.5" />
      <p className="min-w-0 wrap-break-word">
        {origin === null
          ? t(
              'Passkeys only work if the console has an HTTPS address with a domain name. The operator of this installation sets it as PUBLIC_URL.',
            )
          : rich('Passkeys don’t work at this address. Sign in at {address} to add or use one.', {
              address: (
                <a href={origin} className="font-medium text-accent-text underline">
                  {origin}
                </a>
              ),
            })}
      </p>
    </div>
  );
}
