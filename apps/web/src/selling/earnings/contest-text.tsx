import { rich } from '@stagedoor/browser/rich-text';
import type { EarningContest } from '@stagedoor/contract/selling/earnings';
import { t } from '../../lib/text/i18n.ts';

/** A contest's reason and answer. Names and reasons keep their own writing direction. */
export function ContestText({ contest }: { contest: EarningContest }) {
  const { state, answer, admin_codename: name, reason } = contest;
  if (state === 'open')
    return rich('Contested by {name}: {reason}', {
      name: <bdi>{name}</bdi>,
      reason: <bdi>{reason}</bdi>,
    });
  const answered = { reason: <bdi>{answer}</bdi> };
  if (state === 'rejected') return rich('Contest rejected: {reason}', answered);
  return answer ? rich('Contest accepted: {reason}', answered) : t('Contest accepted');
}
