import type { MessageHit } from '@stagedoor/contract/inbox/message-search';
import { Paperclip } from 'lucide-react';
import { memo } from 'react';
import { displayName, exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Link } from '../../ui/link.tsx';

interface HitRowProps {
  hit: MessageHit;
  to: string;
  /** Milliseconds. */
  now: number;
  isTabStop: boolean;
  onOpen: () => void;
}

/** A found message, linked to its position in the conversation. */
export const HitRow = memo(function HitRow({ hit, to, now, isTabStop, onOpen }: HitRowProps) {
  const { fan, from, author, created_at, excerpt, has_attachment } = hit;
  const name = displayName(fan);
  return (
    <li className="[contain-intrinsic-size:auto_65px] [content-visibility:auto]">
      <Link
        to={to}
        data-hit={hit.message_id}
        draggable={false}
        tabIndex={isTabStop ? 0 : -1}
        onClick={onOpen}
        className="flex items-start gap-3 rounded-control px-2 py-2 transition-colors duration-80 hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2"
      >
        <Avatar name={name} url={fan.avatar_url} size="medium" />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span dir="auto" className="min-w-0 truncate font-medium">
              {name}
            </span>
            <span className="min-w-0 shrink-0 truncate text-meta text-fg-3">
              {from === 'fan' ? t('Fan') : (author?.codename ?? t('Creator'))}
            </span>
            {has_attachment && (
              <Paperclip
                role="img"
                aria-label={t('With an attachment')}
                size={12}
                strokeWidth={1.75}
                className="shrink-0 self-center text-fg-3"
              />
            )}
            <time
              dateTime={created_at}
              title={exactTimeOf(created_at)}
              className="ms-auto shrink-0 text-meta text-fg-3 tabular-nums"
            >
              {relativeTime(created_at, now)}
            </time>
          </span>
          <span dir="auto" className="mt-0.5 line-clamp-2 text-control wrap-anywhere text-fg-2">
            {excerpt.has_before && '…'}
            <Marked text={excerpt.text} marks={excerpt.marks} />
            {excerpt.has_after && '…'}
          </span>
        </span>
      </Link>
    </li>
  );
});

function Marked({ text, marks }: Pick<MessageHit['excerpt'], 'text' | 'marks'>) {
  return (
    <>
      {marks.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(marks[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}
