import { MessageSquareLock, Paperclip } from 'lucide-react';
import { memo } from 'react';
import { displayName, exactTimeOf, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Link } from '../../ui/link.tsx';
import { type Hit, hitId } from './queries.ts';

interface HitRowProps {
  hit: Hit;
  to: string;
  /** Milliseconds. */
  now: number;
  isTabStop: boolean;
  onOpen: () => void;
}

/** A found message or staff note, linked to its position in the conversation. */
export const HitRow = memo(function HitRow({ hit, to, now, isTabStop, onOpen }: HitRowProps) {
  const { fan, created_at, excerpt } = hit;
  const name = displayName(fan);
  return (
    <li className="[contain-intrinsic-size:auto_65px] [content-visibility:auto]">
      <Link
        to={to}
        data-hit={hitId(hit)}
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
            {hit.kind === 'note' && (
              <span className="inline-flex h-5 shrink-0 items-center gap-1 self-center rounded-chip bg-warn-bg px-1.5 text-meta font-medium text-warn">
                <MessageSquareLock size={12} />
                {t('Staff note')}
              </span>
            )}
            <span className="min-w-0 shrink-0 truncate text-meta text-fg-3">{authorOf(hit)}</span>
            {hit.kind === 'message' && hit.has_attachment && (
              <Paperclip
                role="img"
                aria-label={t('With an attachment')}
                size={12}
                className="self-center text-fg-3"
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

const authorOf = (hit: Hit): string =>
  hit.kind === 'message' && hit.from === 'fan' ? t('Fan') : (hit.author?.codename ?? t('Creator'));

function Marked({ text, marks }: Pick<Hit['excerpt'], 'text' | 'marks'>) {
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
