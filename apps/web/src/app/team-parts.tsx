import type { InboxStats } from '@stagedoor/contract/inbox/conversations';
import { AtSign, Banknote, CalendarClock, Handshake, LogOut } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';
import { runCommand } from '../lib/commands.ts';
import { formatCount } from '../lib/text/format.ts';
import { t } from '../lib/text/i18n.ts';
import { readDraft, writeDraft } from '../messaging/composer/drafts.ts';
import { EndShiftDialog } from '../messaging/handovers/end-shift-dialog.tsx';
import { HandoversDialog } from '../messaging/handovers/handovers-dialog.tsx';
import { MentionsDialog } from '../messaging/staff-notes/mentions-dialog.tsx';
import { ClockLine } from '../team/shifts/clock-line.tsx';
import type { ShiftClock } from '../team/shifts/use-clock.ts';
import { PanelButton } from '../ui/overlay/panel-button.tsx';

export type TeamDialog = 'mentions' | 'handovers' | 'end_shift';

interface TeamItemsProps {
  stats: InboxStats | undefined;
  /** Whether the admin can send messages, and so can end a shift. */
  mayWrite: boolean;
  clock: ShiftClock;
  onChoose: (dialog: TeamDialog) => void;
}

/** The entries of the team menu. */
export function TeamItems({ stats, mayWrite, clock, onChoose }: TeamItemsProps) {
  const then = (run: () => void) => (event: MouseEvent) => {
    // Hiding the menu first focuses its button, so the focus returns there when a dialog closes.
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
    run();
  };
  const choose = (dialog: TeamDialog) => then(() => onChoose(dialog));
  return (
    <>
      <div className="mb-1.5 w-72 max-w-full border-b border-line px-2 pb-1.5">
        <ClockLine clock={clock} />
      </div>
      <Item
        icon={CalendarClock}
        label={t('Shifts')}
        onClick={then(() => runCommand('go/shifts'))}
      />
      <Item icon={Banknote} label={t('Earnings')} onClick={then(() => runCommand('go/earnings'))} />
      <Item
        icon={AtSign}
        label={t('Mentions...')}
        count={stats?.unread_mentions}
        onClick={choose('mentions')}
      />
      <Item
        icon={Handshake}
        label={t('Handovers...')}
        count={stats?.open_handovers}
        onClick={choose('handovers')}
      />
      {mayWrite && <Item icon={LogOut} label={t('End Shift...')} onClick={choose('end_shift')} />}
    </>
  );
}

interface ItemProps extends ComponentProps<typeof PanelButton> {
  count?: number | undefined;
}

function Item({ count = 0, ...button }: ItemProps) {
  return (
    <PanelButton {...button}>
      {count > 0 && (
        <span className="ms-auto min-w-5 rounded-full bg-accent px-1.5 text-center text-badge font-semibold text-white tabular-nums">
          {formatCount(count)}
        </span>
      )}
    </PanelButton>
  );
}

interface TeamDialogsProps {
  dialog: TeamDialog;
  onClose: () => void;
  onOpen: (conversationId: string, noteId?: string) => void;
}

const draftOf = (conversationId: string) => readDraft(conversationId)?.text.trim() || null;

/** Continues a teammate's draft and keeps the message that is already being replied to. */
const takeDraft = (conversationId: string, text: string) =>
  writeDraft(conversationId, { text, replyTo: readDraft(conversationId)?.replyTo ?? null });

/** The chosen dialog. */
export function TeamDialogs({ dialog, onClose, onOpen }: TeamDialogsProps) {
  if (dialog === 'end_shift') return <EndShiftDialog draftOf={draftOf} onClose={onClose} />;
  const open = (conversationId: string, noteId?: string) => {
    onClose();
    onOpen(conversationId, noteId);
  };
  return dialog === 'mentions' ? (
    <MentionsDialog onClose={onClose} onOpen={({ note }) => open(note.conversation_id, note.id)} />
  ) : (
    <HandoversDialog
      draftOf={draftOf}
      onUseDraft={(id, text) => {
        takeDraft(id, text);
        open(id);
      }}
      onClose={onClose}
      onOpen={(id) => open(id)}
    />
  );
}
