import { useQuery } from '@tanstack/react-query';
import { relativeTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { formatMoney } from '../../lib/price.ts';
import { useNow } from '../../lib/use-now.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { fanFactsOptions } from './queries.ts';

interface FanGlanceProps {
  conversationId: string;
  /** Shows more of it. */
  onOpen: (opener: HTMLElement) => void;
}

/** Beside a fan's name: what they spent and when last, once that is known. The more room there is, the more it says. */
export function FanGlance({ conversationId, onOpen }: FanGlanceProps) {
  const { data: facts } = useQuery(fanFactsOptions(conversationId));
  const now = useNow();
  if (!facts) return null;
  const last = facts.last_purchase;
  return (
    <Tooltip text={t('Show what is known of this fan')} describes={false}>
      <button
        type="button"
        onClick={(event) => onOpen(event.currentTarget)}
        className="touch-target inline-flex h-5 shrink-0 items-center gap-1 rounded-chip bg-surface-2 px-1.5 text-meta font-medium whitespace-nowrap text-fg-2 tabular-nums transition-colors duration-80 hover:bg-hover hover:text-fg"
      >
        <span className="sr-only">{t('Spent')}</span>
        {formatMoney(facts.spent)}
        <span className="font-normal text-fg-3 @max-[280px]:sr-only">
          {last ? (
            <>
              <span className="@max-[400px]:sr-only">{t('· last')}</span>{' '}
              {relativeTime(last.purchased_at, now)}
            </>
          ) : (
            t('no purchases')
          )}
        </span>
      </button>
    </Tooltip>
  );
}
