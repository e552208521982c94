import { exportPayslip } from '@stagedoor/contract/selling/earnings';
import { saveCsv } from '../../lib/save-csv.ts';
import { call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { showProblem } from '../../ui/overlay/toast.ts';

/** Downloads a period's pay slip as CSV. @param adminId the admin; omit it to download everyone's */
export async function savePayslip(periodId: string, adminId?: string): Promise<void> {
  try {
    const query = adminId === undefined ? {} : { admin_id: adminId };
    const csv = await call(exportPayslip, { params: { id: periodId }, query });
    saveCsv(`pay-slip-${periodId}`, csv);
  } catch (error) {
    showProblem({
      key: 'payslip',
      text: errorText(error, t('Couldn’t download the pay slip')),
    });
  }
}
