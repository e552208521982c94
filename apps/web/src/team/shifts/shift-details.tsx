import type { Shift } from '@stagedoor/contract/team/shifts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import type { Week } from './use-plan.ts';
import { spanIn } from './words.ts';

interface ShiftDetailsProps {
  shift: Shift;
  week: Week;
  /** Shows the shift's figures; null before the shift begins, or if the viewer may not see them. */
  onFigures: (() => void) | null;
  onClose: () => void;
}

/** A shift, for viewers who can't change it. */
export function ShiftDetails(props: ShiftDetailsProps) {
  const { shift, week, onFigures, onClose } = props;
  const { staff, zone } = week;
  return (
    <Dialog
      title={staff.get(shift.admin_id)?.codename ?? t('Shift')}
      subtitle={spanIn(shift, zone)}
      onClose={onClose}
      footer={
        <>
          {onFigures && <Button onClick={onFigures}>{t('Figures')}</Button>}
          <Button onClick={onClose}>{t('Close')}</Button>
        </>
      }
    >
      <p className="wrap-anywhere whitespace-pre-wrap">
        {shift.note === '' ? t('Only managers can change shifts.') : shift.note}
      </p>
    </Dialog>
  );
}
