import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { EyeOff, Pencil, Trash2 } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { classes } from '../../ui/classes.ts';
import { Dot } from '../../ui/dot.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Menu, type MenuItem } from '../../ui/overlay/menu.tsx';
import { MentionText } from './mention-text.tsx';
import { markMentionsRead, removeNote } from './queries.ts';

interface NoteRowProps {
  note: StaffNote;
  rowKey: string;
  isHighlighted: boolean;
  /** Whether this is the row that Tab reaches. */
  isTabStop: boolean;
  onEdit: (note: StaffNote) => void;
}

/** A staff note among the messages. Its full width and warning color set it apart from them. */
export const NoteRow = memo(function NoteRow(props: NoteRowProps) {
  const { note, rowKey, isHighlighted, isTabStop, onEdit } = props;
  const { author, content, created_at: createdAt, edited_at: editedAt } = note;
  const client = useQueryClient();
  const admin = useAdmin();
  const isMine = author.id === admin.id;
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const namesMe = note.mentions.some(({ id }) => id === admin.id);
  useEffect(() => {
    if (namesMe) mentionWasSeen(client, note.id);
  }, [client, namesMe, note.id]);

  const remove = () => {
    setProblem(null);
    removeNote(client, note).catch((error: unknown) =>
      setProblem(errorText(error, t('Couldn’t delete the note'))),
    );
  };
  const items: MenuItem[] = [
    ...(isMine ? [{ label: t('Edit Note'), icon: Pencil, onSelect: () => onEdit(note) }] : []),
    { label: t('Delete Note'), icon: Trash2, onSelect: () => setAsking(true) },
  ];
  return (
    <article
      data-row={rowKey}
      aria-label={t('Staff note by {name}, {time}', {
        name: author.codename,
        time: clockTime(createdAt),
      })}
      tabIndex={isTabStop ? 0 : -1}
      className="group/note px-4 pt-3 pb-1 focus-visible:outline-none max-md:px-3"
    >
      <div
        className={classes(
          'mx-auto w-full max-w-[600px] rounded-card border border-warn/30 bg-warn-bg py-2 pe-2 ps-3 outline-offset-2',
          'transition-shadow duration-180 group-focus-visible/note:outline-2 group-focus-visible/note:outline-accent-text',
          isHighlighted && 'ring-3 ring-accent/55',
        )}
      >
        <header className="flex min-h-7 items-center gap-1.5 text-meta text-warn">
          <Dot color={author.display_color} />
          <span className="truncate font-semibold">{author.codename}</span>
          <EyeOff size={13} className="ms-1" />
          <span className="truncate">{t('Only staff can see this')}</span>
          <span className="ms-auto flex shrink-0 items-center gap-1.5 text-badge tabular-nums">
            {editedAt !== null && <span title={exactTimeOf(editedAt)}>{t('edited')}</span>}
            <time dateTime={createdAt} title={exactTimeOf(createdAt)}>
              {clockTime(createdAt)}
            </time>
          </span>
          {(isMine || admin.permissions.can_manage_admins) && (
            <Menu label={t('Note Actions')} items={items} className="text-warn" />
          )}
        </header>
        <p
          dir="auto"
          className="pe-1 pb-0.5 text-message wrap-anywhere whitespace-pre-wrap text-fg"
        >
          <MentionText content={content} people={note.mentions} myId={admin.id} hasLinks />
        </p>
        {problem !== null && (
          <div className="mt-1.5 me-1">
            <ErrorBox text={problem} onRetry={remove} />
          </div>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('Delete this note?')}
          text={t('It will be deleted for everyone. This can’t be undone.')}
          confirmLabel={t('Delete')}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  );
});

/** How long mentions that become visible are collected, to mark them as read in one call. Milliseconds. */
const GATHER_MS = 400;

interface Seen {
  /** Notes that were already reported as seen. */
  reported: Set<string>;
  waiting: string[];
}

const seenBy = new WeakMap<QueryClient, Seen>();

/** Marks a mention that is visible in the thread as read. */
function mentionWasSeen(client: QueryClient, noteId: string): void {
  const seen = seenBy.get(client) ?? { reported: new Set(), waiting: [] };
  seenBy.set(client, seen);
  if (document.visibilityState === 'hidden' || seen.reported.has(noteId)) return;
  seen.reported.add(noteId);
  seen.waiting.push(noteId);
  if (seen.waiting.length > 1) return;
  setTimeout(() => {
    const ids = seen.waiting.splice(0);
    markMentionsRead(client, { note_ids: ids }).catch((error: unknown) => {
      for (const id of ids) seen.reported.delete(id);
      console.error('Failed to mark mentions as read', error);
    });
  }, GATHER_MS);
}
