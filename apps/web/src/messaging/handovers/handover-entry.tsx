import { rich } from '@stagedoor/browser/rich-text';
import { useQuery } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { handoversOptions } from './queries.ts';

/** The entry above the inbox list for handovers that are waiting to be accepted. Names the sender and opens the dialog. */
export function HandoverEntry({ onOpen }: { onOpen: () => void }) {
  const { data } = useQuery(handoversOptions);
  const open = data?.filter(({ accepted_at: acceptedAt }) => acceptedAt === null) ?? [];
  const names = [...new Set(open.map(({ from }) => from.codename))];
  const [name] = names;
  if (name === undefined) return null;
  return (
    <div
      role="status"
      className="mx-3 mt-2.5 flex items-center gap-2.5 rounded-control bg-selected py-1.5 pe-1.5 ps-2.5 text-control"
    >
      <Handshake className="text-accent-text" />
      <span className="min-w-0 flex-1 truncate">
        {names.length === 1
          ? rich('{name} handed over to you', {
              name: <strong className="font-semibold">{name}</strong>,
            })
          : t('Teammates handed over to you')}
      </span>
      <Button size="small" onClick={onOpen}>
        {t('View')}
      </Button>
    </div>
  );
}
