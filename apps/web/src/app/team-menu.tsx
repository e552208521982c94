import { useQuery } from '@tanstack/react-query';
import { AtSign, type LucideIcon, Users } from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useState } from 'react';
import { inboxStatsOptions } from '../features/inbox/queries.ts';
import { useCommands } from '../lib/commands.ts';
import { formatCount } from '../lib/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';

const MentionsDialog = lazy(async () => ({
  default: (await import('../features/staff-notes/mentions-dialog.tsx')).MentionsDialog,
}));

interface TeamMenuProps {
  /** Leads to a note in its conversation. */
  onOpenNote: (conversationId: string, noteId: string) => void;
}

/** What colleagues have for one another: how many mentions wait shows at its button. */
export function TeamMenu({ onOpenNote }: TeamMenuProps) {
  const { data: stats } = useQuery(inboxStatsOptions);
  const [dialog, setDialog] = useState<'mentions' | null>(null);
  const unread = stats?.unread_mentions ?? 0;
  const close = () => setDialog(null);
  useCommands([
    { id: 'mentions', title: 'Mentions', section: 'Team', run: () => setDialog('mentions') },
  ]);
  return (
    <>
      <Popover
        label="Team"
        trigger={
          <IconButton
            label={unread > 0 ? `Team, ${formatCount(unread)} unread mentions` : 'Team'}
            className="relative"
          >
            <Users aria-hidden="true" size={16} strokeWidth={1.75} />
            {unread > 0 && <Count of={unread} className="absolute -top-0.5 -right-0.5" />}
          </IconButton>
        }
      >
        <Item
          icon={AtSign}
          label="Mentions..."
          count={unread}
          onChosen={() => setDialog('mentions')}
        />
      </Popover>
      <Suspense fallback={null}>
        {dialog === 'mentions' && (
          <MentionsDialog
            onClose={close}
            onOpen={({ note }) => {
              close();
              onOpenNote(note.conversation_id, note.id);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function Count({ of, className = '' }: { of: number; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`min-w-4 rounded-full bg-accent px-1 text-center text-badge font-semibold text-white tabular-nums ${className}`}
    >
      {of > 99 ? '99+' : formatCount(of)}
    </span>
  );
}

interface ItemProps {
  icon: LucideIcon;
  label: string;
  count: number;
  onChosen: () => void;
}

function Item({ icon: Icon, label, count, onChosen }: ItemProps) {
  const choose = (event: MouseEvent) => {
    // Closed first, so that the focus is at the button behind, which it comes back to.
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    onChosen();
  };
  return (
    <button
      type="button"
      onClick={choose}
      className="flex min-h-8 w-full items-center gap-2 rounded-chip px-2 text-left transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="text-fg-2" />
      {label}
      {count > 0 && (
        <span className="ml-auto flex">
          <span className="sr-only">{formatCount(count)}</span>
          <Count of={count} />
        </span>
      )}
    </button>
  );
}
