import { rich } from '@stagedoor/browser/rich-text';
import type { ShiftItem } from '@stagedoor/contract/messaging/handovers';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime, dateOf } from '../../lib/text/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { classes } from '../../ui/classes.ts';

/** A fan's open promises, one per line; due times are red. */
export function PromiseLines({ promises }: { promises: ShiftItem['promises'] }) {
  const now = useNow();
  return promises.map(({ id, text, due_at: at }) => {
    const time = t('{day}, {time}', { day: dateOf(at), time: clockTime(at) });
    const isDue = Date.parse(at) <= now;
    return (
      <p key={id} className="flex gap-2 text-control text-fg-2">
        <span title={text} className="truncate text-fg-3">
          {rich('Promised: {text}', { text: <bdi className="text-fg-2">{text}</bdi> })}
        </span>
        <time
          dateTime={at}
          title={exactTimeOf(at)}
          className={classes('shrink-0 text-meta leading-5', isDue && 'text-danger-text')}
        >
          {isDue ? t('Due {time}', { time }) : time}
        </time>
      </p>
    );
  });
}
