import type { Mention } from '@stagedoor/contract/messaging/mentions';
import { displayName, exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classes } from '../../ui/classes.ts';
import { MentionText } from './mention-text.tsx';

interface MentionItemProps {
  mention: Mention;
  myId: string;
  /** Milliseconds. */
  now: number;
  onOpen: () => void;
}

/** A mention in the list: the fan, the author, the text, and whether it was read. */
export function MentionItem({ mention, myId, now, onOpen }: MentionItemProps) {
  const { note, fan, read_at: readAt } = mention;
  const name = displayName(fan);
  const isUnread = readAt === null;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full items-start gap-3 rounded-control px-2 py-2.5 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2"
    >
      <Avatar name={name} url={fan.avatar_url} size="medium" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className={classes('said truncate', isUnread ? 'font-semibold' : 'font-medium')}>
            {name}
          </span>
          <span
            className="said ms-auto shrink-0 text-meta text-fg-3"
            title={exactTimeOf(note.created_at)}
          >
            {relativeTime(note.created_at, now)}
          </span>
        </span>
        <span className="mt-0.5 flex items-center gap-1.5 text-meta text-fg-2">
          <span
            aria-hidden="true"
            className="size-1.5 shrink-0 rounded-full"
            style={{ background: note.author.display_color }}
          />
          <span className="said truncate">{note.author.codename}</span>
        </span>
        <span
          className={classes(
            'mt-0.5 line-clamp-2 text-control wrap-anywhere',
            isUnread ? 'text-fg' : 'text-fg-2',
          )}
          dir="auto"
        >
          <MentionText content={note.content} people={note.mentions} myId={myId} />
        </span>
      </span>
      <span className="flex h-5 w-2 shrink-0 items-center">
        {isUnread && (
          <span
            role="img"
            aria-label={t('Unread', 'mention')}
            className="size-2 rounded-full bg-accent"
          />
        )}
      </span>
    </button>
  );
}
