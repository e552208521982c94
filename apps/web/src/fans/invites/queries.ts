import {
  type BenefitType,
  createInvites,
  type Invite,
  type InviteState,
  listInvites,
  resendInvite,
} from '@stagedoor/contract/fans/invites';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';
import { t } from '../../lib/text/i18n.ts';

/** The result for each invited address. */
export interface InviteOutcome {
  readonly success: readonly { readonly email: string; readonly id: string }[];
  readonly errors: readonly { readonly email: string; readonly reason: string }[];
}

/** The benefits and their labels, in the form's order. */
export const BENEFITS: readonly { readonly type: BenefitType; readonly label: string }[] = [
  { type: '1_month_free', label: t('1 Month Free') },
  { type: '3_months_free', label: t('3 Months Free') },
  { type: '24_hours_free', label: t('24 Hours Free') },
  { type: 'full_subscription', label: t('Full Subscription (No Trial)') },
];

const PAGE_SIZE = 50;
/** The refetch interval while emails are being sent. Milliseconds. */
const UNDER_WAY_MS = 3_000;

/**
 * Returns the query for invitations, newest first, page by page.
 * @param state null for all states
 */
export const invitesOptions = (state: InviteState | null) =>
  infiniteQueryOptions({
    queryKey: ['invites', state],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(state === null ? {} : { state }), ...pageParam };
      return call(listInvites, { query, signal });
    },
    ...byCursor,
    select: ({ pages }): Invite[] => pages.flatMap((page) => page.data),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some((invite) => invite.state === 'queued'))
        ? UNDER_WAY_MS
        : false,
  });

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { emails: string[]; benefitType: BenefitType }): Promise<InviteOutcome> =>
      call(createInvites, { body }),
    onSettled: () => void client.invalidateQueries({ queryKey: ['invites'] }),
  });
}

export function useResend(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(resendInvite, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['invites'] }),
  });
}
