import type { FanOffer } from '@stagedoor/contract/fans/fan-facts';
import { type ComponentProps, useState } from 'react';
import { FanDetails } from '../../fans/fan-facts/fan-details.tsx';
import { t } from '../../lib/text/i18n.ts';
import { ContestDialog } from '../../selling/earnings/contest-dialog.tsx';

/** The Fan tab: the fan's details, in which admins can claim a purchase as their sale. It doesn't show who earned how much. */
export function FanTab(props: Omit<ComponentProps<typeof FanDetails>, 'onClaim'>) {
  const [claimed, setClaimed] = useState<FanOffer | null>(null);
  return (
    <>
      <FanDetails {...props} onClaim={setClaimed} />
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
