import {
  EARNINGS_PAGE_MAX,
  type EarningLine,
  type EarningTotals,
  listEarnings,
} from '@stagedoor/contract/selling/earnings';
import { call } from '../../lib/server/api.ts';
import { whenAllowed } from '../../lib/server/when-allowed.ts';
import type { EarningsRange } from './queries.ts';

/** A printed pay slip. */
export interface PaySlip {
  printedAt: string;
  /** Newest first. */
  lines: readonly EarningLine[];
  /** The totals of all lines in the period. */
  totals: EarningTotals;
}

/** Loads all lines in a range. @throws ApiError, or the signal's reason */
export async function loadPaySlip(range: EarningsRange, signal: AbortSignal): Promise<PaySlip> {
  const load = (cursor: string | null) => {
    const query = { ...range, limit: EARNINGS_PAGE_MAX, ...(cursor === null ? {} : { cursor }) };
    return whenAllowed(() => call(listEarnings, { query, signal }), signal);
  };
  let page = await load(null);
  const { totals } = page;
  const lines = [...page.data];
  while (page.next_cursor !== null) {
    page = await load(page.next_cursor);
    lines.push(...page.data);
  }
  return { printedAt: new Date().toISOString(), lines, totals };
}
