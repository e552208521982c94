import { formatMoney } from '@stagedoor/browser/money';
import { useQuery } from '@tanstack/react-query';
import { ShoppingBag } from 'lucide-react';
import { relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { languageNames } from '../../lib/text/language-names.ts';
import { useNow } from '../../lib/use-now.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { fanFactsOptions } from './queries.ts';

/** The maximum number of languages shown. Screen readers get all languages. */
const SHOWN_LANGUAGES = 2;

interface FanGlanceProps {
  conversationId: string;
  onOpen: (opener: HTMLElement) => void;
}

/**
 * A summary next to the fan's name: the amount spent, the last purchase and the languages, once loaded. Wider layouts show more.
 */
export function FanGlance({ conversationId, onOpen }: FanGlanceProps) {
  const { data: facts } = useQuery(fanFactsOptions(conversationId));
  const now = useNow();
  if (!facts) return null;
  const { last_purchase: last, languages } = facts;
  const when = last === null ? '' : relativeTime(last.purchased_at, now);
  return (
    <Tooltip text={t('Show Fan Details')} describes={false}>
      <button
        type="button"
        onClick={(event) => onOpen(event.currentTarget)}
        className="touch-target inline-flex h-5 shrink-0 items-center gap-1 rounded-chip bg-surface-2 px-1.5 text-meta @max-[85px]:hidden font-medium whitespace-nowrap text-fg-2 tabular-nums transition-colors duration-80 hover:bg-hover hover:text-fg"
      >
        {last === null && facts.spent === 0 ? (
          t('No purchases')
        ) : (
          <>
            <ShoppingBag size={12} className="text-fg-3 @min-[240px]:hidden" />
            <span className="font-normal text-fg-3 @max-[240px]:sr-only">{t('Spent')}</span>
            {formatMoney(facts.spent)}
            <span className="font-normal text-fg-3 @max-[300px]:sr-only">
              {last ? (
                <>
                  <span className="@max-[400px]:sr-only">{t('· last {when}', { when })}</span>
                  <span aria-hidden="true" className="hidden @max-[400px]:inline">
                    {when}
                  </span>
                </>
              ) : (
                t('tips only')
              )}
            </span>
          </>
        )}
        {languages.length > 0 && (
          <span className="ms-0.5 border-s border-line ps-1.5 font-normal text-fg-3 @max-[440px]:sr-only">
            <span aria-hidden="true">
              {languages.slice(0, SHOWN_LANGUAGES).join(' · ').toUpperCase()}
            </span>
            <span className="sr-only">
              {t('Languages')} {languageNames(languages)}
            </span>
          </span>
        )}
      </button>
    </Tooltip>
  );
}
