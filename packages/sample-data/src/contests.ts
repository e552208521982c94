import type { Row } from './row.ts';
import type { SaleTables } from './sales.ts';

/** An admin's claim to a teammate's earnings from a sale. */
export interface SampleContest {
  readonly purchaseId: string;
  readonly adminId: string;
  readonly reason: string;
  /** The answer of a manager who gave the claimant half of the earnings; null if no manager has answered yet. */
  readonly answer: string | null;
}

const CLAIMS = [
  { reason: 'I wrote with them for a week. Only the last message isn’t mine.', answer: null },
  { reason: 'It was my offer, sent again after my shift.', answer: 'You sold it together.' },
] as const;

/** Returns an open and an accepted contest, about the newest sales. */
export function sampleContests(
  { purchases }: Pick<SaleTables, 'purchases'>,
  adminIds: readonly string[],
): SampleContest[] {
  const sold = purchases
    .filter(({ refunded_at }) => refunded_at === null)
    .toSorted((a, b) => boughtAt(b) - boughtAt(a));
  return CLAIMS.flatMap((claim, index) => {
    const sale = sold[index];
    const adminId = adminIds.find((id) => id !== sale?.admin_id);
    return sale === undefined || adminId === undefined
      ? []
      : [{ ...claim, purchaseId: String(sale.id), adminId }];
  });
}

const boughtAt = (sale: Row): number => Date.parse(String(sale.purchased_at));
