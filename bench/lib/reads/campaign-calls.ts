import { previewUnsavedCampaign } from '@stagedoor/contract/selling/campaigns';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import type { Call, Get } from './calls.ts';

/** Returns the calls that preview campaigns to all fans, a common tag and a rare tag, with all exclusions and two variants. */
export async function campaignCalls(get: Get): Promise<Call[]> {
  const { data } = (await get('/api/products')) as { data: { id: string }[] };
  const offer = { product_id: data[0]?.id ?? '', is_paid: true, price: 9 };
  const variants = [
    { content: 'Hi {first_name|there}', attachments: [offer], share: 50 },
    { content: 'For you, {username}', attachments: [offer], share: 50 },
  ];
  const exclude = {
    offered_within_days: 30,
    messaged_within_hours: 24,
    unread: true,
    in_conversation: true,
  };
  const tagged = (value: string): SegmentRule => ({ all: [{ field: 'tag', op: 'has', value }] });
  const audiences: Readonly<Record<string, SegmentRule>> = {
    everyone: { all: [] },
    'a common tag': tagged('VIP'),
    'a rare tag': tagged('wedding'),
  };
  return Object.entries(audiences).map(([name, rule]) => ({
    name: `campaign preview: ${name}`,
    paths: [previewUnsavedCampaign.path],
    body: { variants, audience: { rule }, exclude },
  }));
}
