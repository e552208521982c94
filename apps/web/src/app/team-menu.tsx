import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { useQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { inboxStatsOptions } from '../inbox/list/queries.ts';
import { useCommands } from '../lib/commands.ts';
import { useAdmin } from '../lib/server/session.ts';
import { t } from '../lib/text/i18n.ts';
import { useClock } from '../team/shifts/use-clock.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/overlay/popover.tsx';
import { useHandoverAfterClock } from './handover-after-clock.ts';
import { useConversationPath } from './inbox/use-open-conversation.ts';
import type { TeamDialog } from './team-parts.tsx';

const loadParts = () => import('./team-parts.tsx');
const TeamItems = lazyExtra(async () => (await loadParts()).TeamItems);
const TeamDialogs = lazyExtra(async () => (await loadParts()).TeamDialogs);

/** The menu for teamwork. Its button shows the number of new items. */
export function TeamMenu() {
  const navigate = useNavigate();
  const pathOf = useConversationPath();
  const [dialog, setDialog] = useState<TeamDialog | null>(null);
  const { data: stats } = useQuery(inboxStatsOptions);
  const mayWrite = useAdmin().permissions.can_manage_messages;
  const count = (stats?.unread_mentions ?? 0) + (stats?.open_handovers ?? 0);
  const askToHandOver = useHandoverAfterClock(() => setDialog('end_shift'));
  const clock = useClock(askToHandOver);
  const command = (id: TeamDialog, title: string, enabled = true) => ({
    id,
    title,
    section: t('Team'),
    enabled,
    run: () => setDialog(id),
  });
  useCommands([
    command('mentions', t('Mentions')),
    command('handovers', t('Handovers')),
    command('end_shift', t('End Shift'), mayWrite),
    {
      id: 'clock_in',
      title: t('Clock In'),
      section: t('Team'),
      enabled: clock.isKnown && clock.since === null,
      run: clock.clockIn,
    },
    {
      id: 'clock_out',
      title: t('Clock Out'),
      section: t('Team'),
      enabled: clock.since !== null,
      run: clock.clockOut,
    },
  ]);
  return (
    <>
      <Popover
        label={t('Team')}
        trigger={
          <IconButton
            label={count > 0 ? t('Team, {count} new', { count }) : t('Team')}
            text={t('Team')}
            className="relative"
          >
            <span className="relative">
              <Users />
              {clock.since !== null && (
                <span className="absolute -end-1 -bottom-1 size-2 rounded-full bg-good ring-2 ring-surface" />
              )}
            </span>
            {count > 0 && (
              // Drawn by CSS: as text it would have to be part of the button's name.
              <span
                data-count={count > 99 ? '99+' : count}
                className="absolute -top-0.5 -end-0.5 min-w-4 rounded-full bg-accent px-1 text-badge font-semibold text-white tabular-nums before:content-[attr(data-count)]"
              />
            )}
          </IconButton>
        }
      >
        <TeamItems stats={stats} mayWrite={mayWrite} clock={clock} onChoose={setDialog} />
      </Popover>
      {dialog !== null && (
        <TeamDialogs
          dialog={dialog}
          onClose={() => setDialog(null)}
          onOpen={(id, noteId) => void navigate(pathOf(id, noteId))}
        />
      )}
    </>
  );
}
