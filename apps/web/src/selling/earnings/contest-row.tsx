import { formatMoney } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import type { EarningContest } from '@stagedoor/contract/selling/earnings';
import type { ReactNode } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { ContestText } from './contest-text.tsx';
import { kindLabel } from './earning-words.ts';

/** The contests of a card. */
export function ContestList({ children }: { children: ReactNode }) {
  return <ul className="-mt-3 divide-y divide-line px-4 pb-1">{children}</ul>;
}

/** A contest in a list: the reason, who contested what, and the answer. */
export function ContestRow({
  contest,
  children,
}: {
  contest: EarningContest;
  children?: ReactNode;
}) {
  const { line, state, admin_codename: name, reason, answered_at } = contest;
  return (
    <li className="flex items-start gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-break-word">
          <bdi>{reason}</bdi>
        </p>
        <p className="text-control text-fg-2">
          {rich('Contested by {name}', { name: <bdi>{name}</bdi> })}
          {line && (
            <>
              {' · '}
              {kindLabel(line.kind)} · <bdi>{line.admin_codename}</bdi> · {formatMoney(line.amount)}
            </>
          )}
        </p>
        <p className="text-control wrap-break-word">
          {state === 'open' ? t('Waiting for an answer') : <ContestText contest={contest} />}
          {answered_at && <span className="text-fg-3"> · {exactTimeOf(answered_at)}</span>}
        </p>
      </div>
      {children}
    </li>
  );
}
