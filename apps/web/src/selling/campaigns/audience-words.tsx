import type { Campaign } from '@stagedoor/contract/selling/campaigns';
import { useQuery } from '@tanstack/react-query';
import { segmentsOptions } from '../segments/queries.ts';
import { RuleWords } from '../segments/rule-words.tsx';

/** A campaign's audience: the segment's name, '…' while the name is unknown, or the rule in words. */
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
