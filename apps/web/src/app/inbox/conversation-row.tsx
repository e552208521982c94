import { initialOf } from '@stagedoor/browser/initial-of';
import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import { Archive, Flag, PencilLine, User } from 'lucide-react';
import { type CSSProperties, createContext, memo, useContext } from 'react';
import { SubscriptionBadge } from '../../fans/subscriptions/subscription-badge.tsx';
import { highlight } from '../../inbox/list/highlight.ts';
import { excerptOf, previewOf, signedPreviewOf, stateWords } from '../../inbox/list/row-text.ts';
import { displayName, exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useDraft } from '../../messaging/composer/drafts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge, CountBadge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Link } from '../../ui/link.tsx';
import { RowTags } from './row-tags.tsx';
import { useInboxTools } from './use-inbox-tools.ts';

interface RowCommon {
  linkTo: (id: string) => string;
  /** Whether rows have two lines, with the tags in the second if there is room. */
  isCompact: boolean;
  /** Milliseconds. */
  now: number;
  searched: string | null;
  /** Codenames for the previews, by staff member's id; null for the viewer. */
  codenames: ReadonlyMap<string, string | null>;
  /** Shows how long the fan has been waiting instead of the time of the last message. */
  showsWait: boolean;
}

/** Provided by the list. The object changes only when its content does, because a change re-renders every row. */
export const RowContext = createContext<RowCommon>({
  linkTo: (id) => id,
  isCompact: false,
  now: 0,
  searched: null,
  codenames: new Map(),
  showsWait: false,
});

interface ConversationRowProps {
  conversation: Conversation | SearchHit;
  isSelected: boolean;
  isTabStop: boolean;
  isPinned: boolean;
  /** Whether the row moves too fast to be read. Then only its name and preview are rendered. */
  isPassing: boolean;
}

/** A row's padding above and below, in pixels. */
const PADDING = { compact: 5, tagged: 10, plain: 15 };

/**
 * A conversation in the list: a link with the fan's name, state, last message and time. The markup is in reading order, with a
 * comma after each part ('Ana, 3 unread, flagged, preview, time'); CSS arranges it differently.
 */
export const ConversationRow = memo(function ConversationRow(props: ConversationRowProps) {
  const { conversation, isSelected, isPassing } = props;
  const { linkTo, isCompact } = useContext(RowContext);
  const tools = useInboxTools();
  const { id, fan, status } = conversation;
  const isFlagged = status === 'flagged';
  const padding = PADDING[isCompact ? 'compact' : fan.admin_tags.length > 0 ? 'tagged' : 'plain'];
  return (
    <>
      <Link
        to={linkTo(id)}
        data-row={id}
        draggable={false}
        tabIndex={props.isTabStop ? 0 : -1}
        aria-current={isSelected || undefined}
        style={{ paddingBlock: padding }}
        className={classes(
          'relative flex h-full items-start gap-3 px-3 select-none focus-visible:-outline-offset-2',
          // The divider starts where the text starts.
          'after:absolute after:end-0 after:bottom-0 after:h-px after:bg-line focus-visible:after:hidden',
          isCompact ? 'after:start-15' : 'after:start-16',
          rowColors(isSelected, isFlagged),
          // Otherwise rows that pass under a resting pointer would flash.
          !isPassing && hoverColors(isSelected, isFlagged),
        )}
      >
        {isFlagged && <span className="absolute inset-y-0 start-0 w-[3px] bg-danger" />}
        <Avatar
          name={displayName(fan)}
          url={fan.avatar_url}
          size={isCompact ? 'medium' : 'large'}
        />
        {isPassing ? (
          <span className="min-w-0 flex-1">
            <span dir="auto" className={classes('block truncate', nameLook(conversation))}>
              {displayName(fan)}
            </span>
            <span dir="auto" className="block truncate text-control text-fg-2">
              {previewOf(conversation)}
            </span>
          </span>
        ) : (
          <RowTexts conversation={conversation} isPinned={props.isPinned} />
        )}
        {tools && !isPassing && <tools.RowPresenceText conversationId={id} />}
      </Link>
      {tools && !isPassing && <tools.RowCheck id={id} name={displayName(fan)} top={padding} />}
    </>
  );
});

type RowTextsProps = Pick<ConversationRowProps, 'conversation' | 'isPinned'>;

function RowTexts({ conversation, isPinned }: RowTextsProps) {
  const { id, fan, unread_count: unread, waiting_since: waitingSince } = conversation;
  const { isCompact, now, searched, showsWait } = useContext(RowContext);
  const tools = useInboxTools();
  return (
    <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-2">
      <span className="flex min-w-0 items-center gap-1.5">
        <span dir="auto" className={classes('said truncate', nameLook(conversation))}>
          <Marked text={displayName(fan)} query={searched} />
        </span>
        <StatusMarks conversation={conversation} />
        {tools && (isPinned || conversation.snooze !== null) && (
          <tools.QueueState conversation={conversation} isPinned={isPinned} />
        )}
      </span>
      <span
        className={classes(
          'col-span-2 col-start-1 row-start-2 mt-0.5 flex min-w-0 items-center gap-2 @max-[400px]:gap-1.5',
          isCompact && '@min-[400px]:col-span-1',
        )}
      >
        {fan.subscription && (
          <span className="order-1 inline-flex">
            <SubscriptionBadge subscription={fan.subscription} />
          </span>
        )}
        {tools && <tools.RowFaces conversationId={id} />}
        <Preview conversation={conversation} />
        {unread > 0 && (
          <span aria-hidden="true" className="order-2 inline-flex">
            {conversation.marked_unread ? (
              <span className="m-[5px] size-2 rounded-full bg-accent" />
            ) : (
              <CountBadge count={unread} />
            )}
          </span>
        )}
      </span>
      {showsWait && waitingSince !== null ? (
        <span className="said col-start-2 row-start-1 self-center text-meta text-fg-3 tabular-nums">
          {tools && <tools.Waiting since={waitingSince} />}
        </span>
      ) : (
        <Time conversation={conversation} now={now} />
      )}
      <RowTags conversation={conversation} isCompact={isCompact} />
    </span>
  );
}

function nameLook({ unread_count: unread, status }: Conversation): string {
  return classes(
    unread > 0 ? 'font-semibold' : 'font-medium',
    status === 'flagged' && 'text-danger-text',
  );
}

function rowColors(isSelected: boolean, isFlagged: boolean): string {
  if (isFlagged) return isSelected ? 'bg-flagged-selected' : 'bg-flagged';
  return isSelected ? 'bg-selected' : '';
}

function hoverColors(isSelected: boolean, isFlagged: boolean): string {
  const hover = isFlagged ? 'hover:bg-flagged-hover' : 'hover:bg-hover';
  return classes('transition-colors duration-80', !isSelected && hover);
}

/** The label's emoji and text. An initial or icon is shown instead of the emoji, which few fonts contain. */
const CLAIMED = t('👤 Claimed').split(' ');

function StatusMarks({ conversation }: { conversation: Conversation }) {
  const { status, claimed_by, claimant } = conversation;
  const words = stateWords(conversation);
  return (
    <>
      {words !== '' && <span className="said sr-only">{words}</span>}
      {status === 'flagged' && (
        <Flag size={14} strokeWidth={2} className="fill-current text-danger-text" />
      )}
      {status === 'archived' && <Archive size={14} className="text-fg-3" />}
      {claimed_by !== null && (
        <span
          title={claimant ? t('Claimed by {name}', { name: claimant.codename }) : undefined}
          className="said claim"
        >
          {claimant ? (
            // Drawn by CSS, so that the text stays '👤 Claimed'.
            <span
              aria-hidden="true"
              data-initial={initialOf(claimant.codename)}
              className="tinted before:content-[attr(data-initial)] inline-flex size-3.5 items-center justify-center rounded-full text-[9px]/3 font-semibold ring-1 ring-own"
              style={{ '--t': claimant.display_color } as CSSProperties}
            />
          ) : (
            <User size={14} strokeWidth={2} className="p-px text-neutral" />
          )}
          <Badge>
            <span className="sr-only">{CLAIMED[0]} </span>
            {CLAIMED.slice(1).join(' ')}
          </Badge>
        </span>
      )}
    </>
  );
}

/** The viewer's draft, unless there are unread messages; otherwise the search match, or the last message with its sender. */
function Preview({ conversation }: { conversation: Conversation | SearchHit }) {
  const { id, last_message_content, status, unread_count } = conversation;
  const { searched, codenames } = useContext(RowContext);
  const draft = useDraft(id);
  const color =
    status === 'flagged'
      ? 'text-danger-text'
      : unread_count > 0
        ? 'text-fg'
        : last_message_content === null
          ? 'text-fg-3'
          : 'text-fg-2';
  const showsDraft = draft !== null && draft.text.trim() !== '' && unread_count === 0;
  const text = excerptOf(conversation) ?? signedPreviewOf(conversation, codenames);
  return (
    <span className="flex min-w-0 flex-1">
      <span dir="auto" className={classes('said truncate text-control', color)}>
        {draft !== null && (
          <span className="said me-1 font-medium text-accent-text">
            <PencilLine size={12} strokeWidth={2} className="me-1 inline align-[-1px]" />
            {!showsDraft && t('Draft')}
          </span>
        )}
        {showsDraft ? (
          t('Draft: {text}', { text: draft.text })
        ) : (
          <Marked text={text} query={searched} />
        )}
      </span>
    </span>
  );
}

function Time({ conversation, now }: { conversation: Conversation; now: number }) {
  const { last_message_at: at, unread_count, status } = conversation;
  if (at === null) return null;
  return (
    <time
      dateTime={at}
      title={exactTimeOf(at)}
      className={classes(
        'said col-start-2 row-start-1 self-center text-meta tabular-nums',
        unread_count > 0 && status !== 'flagged' ? 'font-medium text-accent-text' : 'text-fg-3',
      )}
    >
      {relativeTime(at, now)}
    </time>
  );
}

function Marked({ text, query }: { text: string; query: string | null }) {
  if (query === null) return text;
  return highlight(text, query).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are identified only by their index
    part.found ? <mark key={index}>{part.text}</mark> : part.text,
  );
}
