import { useQuery } from '@tanstack/react-query';
import { CircleHelp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Link } from '../../ui/link.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { checkRule, type DraftRule } from './draft-rule.ts';
import { ExplainDialog, type ExplainedFan } from './explain-dialog.tsx';
import { previewOptions } from './queries.ts';

/** Milliseconds without a change before the fans are counted again. */
const COUNT_DELAY_MS = 300;

interface AudiencePreviewProps {
  rule: DraftRule;
  /** Whether to show the count in small text, and the fans only on demand. */
  isBrief?: boolean;
}

/** How many fans match a rule now, and the first few. The old count stays while the rule is incomplete or being counted. */
export function AudiencePreview({ rule, isBrief = false }: AudiencePreviewProps) {
  const settled = useDebounced(rule, COUNT_DELAY_MS);
  const checked = checkRule(settled);
  const isComplete = 'rule' in checked;
  const [counted, setCounted] = useState(isComplete ? checked.rule : null);
  if (isComplete && checked.rule !== counted) setCounted(checked.rule);
  const preview = useQuery({
    ...previewOptions(counted ?? { all: [] }),
    enabled: counted !== null,
  });
  // Keeps the last count, which a failed request would otherwise hide.
  const [data, setData] = useState(preview.data);
  if (preview.data && preview.data !== data) setData(preview.data);
  const isOld = !isComplete || preview.isFetching || settled !== rule;
  const [asked, setAsked] = useState<ExplainedFan | 'any' | null>(null);
  const others = data ? data.total - data.fans.length : 0;
  return (
    <section aria-label={t('Matching Fans')} className="flex flex-col gap-3">
      {(data || isComplete) && (
        <p
          role="status"
          aria-busy={preview.isFetching}
          className={classes(
            'flex items-center gap-2 font-semibold',
            !isBrief && 'text-metric',
            isOld && 'text-fg-3',
          )}
        >
          {data
            ? t('{count, plural, one {# fan matches} other {# fans match}}', { count: data.total })
            : t('Counting fans...')}
          {preview.isFetching && <Spinner />}
        </p>
      )}
      {!isComplete && (
        <p className="text-control text-fg-3">{t('Fill in all conditions to update the count.')}</p>
      )}
      {preview.error && <QueryError query={preview} text={t('Couldn’t count the fans')} />}
      {data && data.fans.length > 0 && (
        <ExampleFans isFolded={isBrief}>
          <ul
            aria-label={t('Example Fans')}
            className={classes('flex flex-col', isOld && 'text-fg-3')}
          >
            {data.fans.map(({ fan_id, conversation_id, display_name }) => (
              <li key={fan_id} className="flex items-center gap-1">
                <Link
                  to={`/inbox/${encodeURIComponent(conversation_id)}`}
                  className="flex min-h-8 min-w-0 flex-1 items-center rounded-chip text-control hover:underline coarse:min-h-11"
                >
                  <span dir="auto" className="truncate">
                    {display_name}
                  </span>
                </Link>
                <IconButton
                  label={t('Why is {name} included?', { name: display_name })}
                  onClick={() => setAsked({ conversation_id, display_name })}
                  icon={<CircleHelp />}
                />
              </li>
            ))}
            {others > 0 && (
              <li className="py-1 text-meta text-fg-3">
                {t('and {count} more', { count: formatCount(others) })}
              </li>
            )}
          </ul>
        </ExampleFans>
      )}
      {counted !== null && (
        <Button size="small" onClick={() => setAsked('any')} className="self-start coarse:h-11">
          {t('Check a Fan...')}
        </Button>
      )}
      {asked !== null && counted !== null && (
        <ExplainDialog
          rule={counted}
          fan={asked === 'any' ? null : asked}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

function ExampleFans({ isFolded, children }: { isFolded: boolean; children: ReactNode }) {
  return isFolded ? <Disclosure label={t('Example Fans')}>{children}</Disclosure> : children;
}
