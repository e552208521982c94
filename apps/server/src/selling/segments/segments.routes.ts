import {
  createSegment,
  deleteSegment,
  explainSegment,
  listSegments,
  previewSegment,
  updateSegment,
} from '@stagedoor/contract/selling/segments';
import { type Router, reply } from '../../http/route.ts';
import type { SegmentsService } from './segments.service.ts';

export function bindSegmentRoutes(
  router: Router,
  { segments }: { readonly segments: SegmentsService },
): void {
  router.bind(listSegments, async () => reply(200, { data: await segments.list() }));

  router.bind(createSegment, async ({ actor, body }) =>
    reply(201, { data: await segments.create(actor, body) }),
  );

  router.bind(updateSegment, async ({ actor, params, body }) =>
    reply(200, { data: await segments.update(actor, params.id, body) }),
  );

  router.bind(deleteSegment, async ({ actor, params }) => {
    await segments.remove(actor, params.id);
    return reply(200, { data: { deleted: true } });
  });

  router.bind(previewSegment, async ({ body }) =>
    reply(200, { data: await segments.preview(body.rule, body.limit) }),
  );

  router.bind(explainSegment, async ({ body }) =>
    reply(200, { data: await segments.explain(body.rule, body.conversation_id) }),
  );
}
