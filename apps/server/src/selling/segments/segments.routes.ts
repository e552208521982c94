import * as api from '@stagedoor/contract/selling/segments';
import { type Router, reply } from '../../http/route.ts';
import type { SegmentsService } from './segments.service.ts';

export function bindSegmentRoutes(router: Router, segments: SegmentsService): void {
  router.bind(api.listSegments, async () => reply(200, { data: await segments.list() }));

  router.bind(api.createSegment, async ({ actor, body }) =>
    reply(201, { data: await segments.create(actor, body) }),
  );

  router.bind(api.updateSegment, async ({ actor, params, body }) =>
    reply(200, { data: await segments.update(actor, params.id, body) }),
  );

  router.bind(api.deleteSegment, async ({ actor, params }) => {
    await segments.remove(actor, params.id);
    return reply(200, { data: { deleted: true } });
  });

  router.bind(api.previewSegment, async ({ body }) =>
    reply(200, { data: await segments.preview(body.rule, body.limit) }),
  );

  router.bind(api.explainSegment, async ({ body }) =>
    reply(200, { data: await segments.explain(body.rule, body.conversation_id) }),
  );
}
