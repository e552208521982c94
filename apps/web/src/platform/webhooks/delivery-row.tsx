import type { Delivery } from '@stagedoor/contract/platform/webhooks';
import { memo } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { classes } from '../../ui/classes.ts';
import { StateMark } from './delivery-state.tsx';
import { answerInWords, timeInWords, triesInWords } from './words.ts';

/** The list's columns on wider screens. */
export const COLUMNS = 'grid md:grid-cols-[minmax(0,170px)_110px_130px_90px_minmax(0,1fr)] gap-x-4';

interface DeliveryRowProps {
  delivery: Delivery;
  onOpen: (delivery: Delivery) => void;
}

/** A delivery in one line, or two on a phone. Clicking it opens the details. */
export const DeliveryRow = memo(function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const now = useNow();
  const { type, state, created_at, attempts, last_attempt: last } = delivery;
  const answer = last === null ? null : answerInWords(last);
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        data-delivery={delivery.id}
        aria-haspopup="dialog"
        onClick={() => onOpen(delivery)}
        className={classes(
          COLUMNS,
          'min-h-10 w-full items-center gap-y-0.5 px-4 py-2 text-start text-control transition-colors duration-80 hover:bg-bg focus-visible:-outline-offset-2',
          'max-md:grid-cols-[minmax(0,1fr)_auto]',
        )}
      >
        <span className="said truncate font-mono text-meta text-fg">{type}</span>
        <span className="said max-md:justify-self-end">
          <StateMark state={state} />
        </span>
        <time
          dateTime={created_at}
          title={exactTimeOf(created_at)}
          className="said text-meta text-fg-2 tabular-nums"
        >
          {timeInWords(created_at, now)}
        </time>
        <span className="said text-meta text-fg-2 tabular-nums max-md:justify-self-end">
          {triesInWords(attempts)}
        </span>
        {answer !== null && (
          <span
            title={last?.answer}
            className={classes(
              'truncate text-meta tabular-nums max-md:col-span-2',
              state === 'delivered' ? 'text-fg-2' : 'text-danger-text',
            )}
          >
            {answer}
          </span>
        )}
      </button>
    </li>
  );
});
