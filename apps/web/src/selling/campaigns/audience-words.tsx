import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { useQuery } from '@tanstack/react-query';
import { segmentsOptions } from '../segments/queries.ts';
import { RuleWords } from '../segments/rule-words.tsx';

/** Whom a campaign addresses: its segment's name, '…' while it is unknown, or its rule in words. */
export function AudienceWords({ audience }: Pick<Campaign, 'audience'>) {
  const { data: segments = [] } = useQuery({
    ...segmentsOptions,
    enabled: 'segment_id' in audience,
  });
  return 'rule' in audience ? (
    <RuleWords rule={audience.rule} />
  ) : (
    (segments.find(({ id }) => id === audience.segment_id)?.name ?? '…')
  );
}
