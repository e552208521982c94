import type { FanOffer } from '@stagedoor/contract/fans/fan-facts';
import { type ComponentProps, useState } from 'react';
import { FanTab as Facts } from '../../fans/fan-facts/fan-tab.tsx';
import { t } from '../../lib/text/i18n.ts';
import { ContestDialog } from '../../selling/earnings/contest-dialog.tsx';

/** The facts about a fan. Admins can claim a purchase as their sale, but don't see who has earned how much from it. */
export function FanTab(props: Omit<ComponentProps<typeof Facts>, 'onClaim'>) {
  const [claimed, setClaimed] = useState<FanOffer | null>(null);
  return (
    <>
      <Facts {...props} onClaim={setClaimed} />
      {claimed && (
        <ContestDialog
          id={claimed.purchase_id ?? ''}
          title={t('Claim This Sale')}
          subtitle={claimed.title}
          label={t('Why is it your sale?')}
          onClose={() => setClaimed(null)}
        />
      )}
    </>
  );
}
