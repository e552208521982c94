import { rich } from '@stagedoor/browser/rich-text';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CircleAlert } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { scheduledInOptions } from '../scheduled/queries.ts';

const CHIP =
  'touch-target inline-flex h-7 max-w-full items-center gap-1.5 rounded-chip px-2 text-meta font-medium transition-colors duration-80';

/** Shows, above the reply, the next message scheduled for this fan and the number of failed ones. */
export function ScheduledChip() {
  const { id: conversationId, openScheduled } = useOpenConversation();
  const { data: messages = [] } = useQuery(scheduledInOptions(conversationId));
  const now = useNow();
  const waiting = messages.filter(({ state }) => state === 'waiting');
  const failed = messages.length - waiting.length;
  const [next] = waiting;
  if (messages.length === 0) return null;
  const time = next && formatMoment(Date.parse(next.send_at), now, ownZone());
  return (
    <p className="col-span-2 mb-1.5 flex flex-wrap gap-1.5">
      {next && (
        <button
          type="button"
          onClick={openScheduled}
          className={`${CHIP} bg-surface-2 text-fg-2 hover:bg-hover hover:text-fg`}
        >
          <CalendarClock size={14} />
          <span className="truncate">
            {rich('Scheduled for {time}', { time: <time dateTime={next.send_at}>{time}</time> })}
          </span>
          {waiting.length > 1 && <span className="tabular-nums">+{waiting.length - 1}</span>}
        </button>
      )}
      {failed > 0 && (
        <button
          type="button"
          onClick={openScheduled}
          className={`${CHIP} bg-flagged text-danger-text`}
        >
          <CircleAlert size={14} />
          <span className="truncate">
            {t(
              '{count, plural, one {A scheduled message was not sent} other {# scheduled messages were not sent}}',
              { count: failed },
            )}
          </span>
        </button>
      )}
    </p>
  );
}
