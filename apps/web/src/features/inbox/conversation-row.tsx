import type { Conversation, SearchHit } from '@stagedoor/contract/conversations';
import { Archive, Flag, PencilLine } from 'lucide-react';
import { memo } from 'react';
import { displayName, exactTimeOf, relativeTime } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, CountBadge } from '../../ui/badge.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classes } from '../../ui/classes.ts';
import { Link } from '../../ui/link.tsx';
import { useHasDraft } from '../conversation/drafts.ts';
import { highlight } from './highlight.ts';
import { excerptOf, previewOf, rowLabel } from './row-text.ts';

/** Tags that a row shows; of the others it tells how many they are. */
const TAGS_SHOWN = 2;

interface ConversationRowProps {
  conversation: Conversation | SearchHit;
  to: string;
  top: number;
  height: number;
  isSelected: boolean;
  isTabStop: boolean;
  /** Place in the whole list, from 1, and how long that is. */
  position: number;
  total: number;
  /** Milliseconds. */
  now: number;
  /** What was searched for, to be marked. */
  searched: string | null;
}

/** A conversation in the list: a link to it that says who, what last, when, and what is to be done. */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, isSelected, now } = props;
  const { id, fan, status, unread_count: unread, last_message_at: lastAt } = conversation;
  const hasDraft = useHasDraft(id);
  const isFlagged = status === 'flagged';
  return (
    <li
      aria-posinset={props.position}
      aria-setsize={props.total}
      className="absolute inset-x-0"
      style={{ top: props.top, height: props.height }}
    >
      <Link
        to={props.to}
        data-row={id}
        draggable={false}
        tabIndex={props.isTabStop ? 0 : -1}
        aria-current={isSelected || undefined}
        aria-label={rowLabel(conversation, { hasDraft, now })}
        className={classes(
          'relative flex h-full items-start gap-3 px-3 transition-colors duration-80 select-none focus-visible:-outline-offset-2',
          // The hairline starts where the texts do.
          'after:absolute after:right-0 after:bottom-0 after:left-16 after:h-px after:bg-line focus-visible:after:hidden',
          fan.admin_tags.length > 0 ? 'py-2.5' : 'py-[15px]',
          rowColors(isSelected, isFlagged),
        )}
      >
        {/* The name says it all in one order; what is seen need not be heard again. */}
        <span aria-hidden="true" className="contents">
          {isFlagged && <span className="absolute inset-y-0 left-0 w-[3px] bg-danger" />}
          <Avatar name={displayName(fan)} url={fan.avatar_url} />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="flex items-center gap-1.5">
              <span
                className={classes(
                  'truncate',
                  unread > 0 ? 'font-semibold' : 'font-medium',
                  isFlagged && 'text-danger-text',
                )}
              >
                <Marked text={displayName(fan)} query={props.searched} />
              </span>
              <StatusMarks conversation={conversation} />
              <time
                dateTime={lastAt ?? undefined}
                title={exactTimeOf(lastAt)}
                className={classes(
                  'ml-auto shrink-0 pl-1 text-meta tabular-nums',
                  unread > 0 && !isFlagged ? 'font-medium text-accent-text' : 'text-fg-3',
                )}
              >
                {relativeTime(lastAt, now)}
              </time>
            </span>
            <span className="mt-0.5 flex items-center gap-2">
              <Preview conversation={conversation} hasDraft={hasDraft} searched={props.searched} />
              {unread > 0 && <CountBadge count={unread} />}
            </span>
            <Tags conversation={conversation} />
          </span>
        </span>
      </Link>
    </li>
  );
});

function rowColors(isSelected: boolean, isFlagged: boolean): string {
  if (isFlagged) return isSelected ? 'bg-flagged-selected' : 'bg-flagged hover:bg-flagged-hover';
  return isSelected ? 'bg-selected' : 'hover:bg-hover';
}

function StatusMarks({ conversation }: { conversation: Conversation }) {
  const { status, claimed_by, claimant } = conversation;
  return (
    <>
      {status === 'flagged' && (
        <Flag
          aria-hidden="true"
          size={14}
          strokeWidth={2}
          className="shrink-0 fill-current text-danger-text"
        />
      )}
      {status === 'archived' && (
        <Archive aria-hidden="true" size={14} strokeWidth={1.75} className="shrink-0 text-fg-3" />
      )}
      {claimed_by !== null && (
        <Badge title={claimant ? `Claimed by ${claimant.codename}` : undefined}>👤 Claimed</Badge>
      )}
    </>
  );
}

interface PreviewProps {
  conversation: Conversation | SearchHit;
  hasDraft: boolean;
  searched: string | null;
}

function Preview({ conversation, hasDraft, searched }: PreviewProps) {
  const { last_message_content, status, unread_count } = conversation;
  const color =
    status === 'flagged'
      ? 'text-danger-text'
      : unread_count > 0
        ? 'text-fg'
        : last_message_content === null
          ? 'text-fg-3'
          : 'text-fg-2';
  return (
    <span className={classes('min-w-0 flex-1 truncate text-control', color)}>
      {hasDraft && (
        <span className="mr-1.5 font-medium text-accent-text">
          <PencilLine
            aria-hidden="true"
            size={12}
            strokeWidth={2}
            className="mr-1 inline align-[-1px]"
          />
          Draft
        </span>
      )}
      <Marked text={excerptOf(conversation) ?? previewOf(last_message_content)} query={searched} />
    </span>
  );
}

function Tags({ conversation }: { conversation: Conversation }) {
  const tags = conversation.fan.admin_tags;
  if (tags.length === 0) return null;
  return (
    <span className="mt-1 flex min-w-0 items-center gap-1">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Chip key={tag.id} label={tag.label} color={tag.color} />
      ))}
      {tags.length > TAGS_SHOWN && (
        <span className="shrink-0 pl-0.5 text-meta text-fg-3 tabular-nums">
          +{tags.length - TAGS_SHOWN}
        </span>
      )}
    </span>
  );
}

function Marked({ text, query }: { text: string; query: string | null }) {
  if (query === null) return text;
  return highlight(text, query).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity but their place
    part.found ? <mark key={index}>{part.text}</mark> : part.text,
  );
}
