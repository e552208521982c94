import { formatMoney } from '@stagedoor/browser/money';
import type { EarningContest } from '@stagedoor/contract/selling/earnings';
import type { ReactNode } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { contestText, kindLabel } from './earning-words.ts';

/** A contest in a list: who contested what, and the answer. */
export function ContestRow({
  contest,
  children,
}: {
  contest: EarningContest;
  children?: ReactNode;
}) {
  const { line, state, admin_codename: name, reason, answered_at } = contest;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <p className="wrap-break-word">{t('Contested by {name}: {reason}', { name, reason })}</p>
        {line && (
          <p className="text-control text-fg-2">
            {kindLabel(line.kind)} · {line.admin_codename} · {formatMoney(line.amount)}
          </p>
        )}
        <p className="text-control wrap-break-word">
          {state === 'open' ? t('Waiting for an answer') : contestText(contest)}
          {answered_at && <span className="text-fg-3"> · {exactTimeOf(answered_at)}</span>}
        </p>
      </div>
      {children}
    </li>
  );
}
