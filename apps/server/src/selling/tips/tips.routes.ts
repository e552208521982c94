import { recordTip } from '@stagedoor/contract/platform/platform';
import { listTips } from '@stagedoor/contract/selling/tips';
import type { Core } from '../../domain.ts';
import { type Router, reply } from '../../http/route.ts';
import type { TipsService } from './tips.service.ts';
import { findTipsOf } from './tips.store.ts';

/** Binds the platform's reports of tips, and the list of a conversation's tips for staff. */
export function bindTipRoutes(
  router: Router,
  { db, requireConversation }: Core,
  tips: TipsService,
): void {
  router.bind(recordTip, async ({ body }) => {
    const { tip, created } = await tips.record(body, { notifyPlatform: false });
    return reply(created ? 201 : 200, { data: tip });
  });

  router.bind(listTips, async ({ params: { id } }) => {
    await requireConversation(id);
    return reply(200, { data: await findTipsOf(db, id) });
  });
}
