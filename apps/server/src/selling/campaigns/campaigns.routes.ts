import * as api from '@stagedoor/contract/selling/campaigns';
import { type Router, reply } from '../../http/route.ts';
import type { CampaignsService } from './campaigns.service.ts';
import type { RecipientsService } from './recipients.service.ts';

export function bindCampaignRoutes(
  router: Router,
  campaigns: CampaignsService,
  recipients: RecipientsService,
): void {
  router.bind(api.createCampaign, async ({ actor, body }) =>
    reply(201, { data: await campaigns.create(actor, body) }),
  );

  router.bind(api.updateCampaign, async ({ actor, params, body }) =>
    reply(200, { data: await campaigns.update(actor, params.id, body) }),
  );

  router.bind(api.previewUnsavedCampaign, async ({ actor, body }) =>
    reply(200, { data: await campaigns.previewUnsaved(actor, body) }),
  );

  router.bind(api.uploadCampaignFiles, async ({ actor, parts }) =>
    reply(200, { attachments: await campaigns.upload(actor, parts) }),
  );

  router.bind(api.listCampaigns, async ({ actor, query }) =>
    reply(200, await campaigns.list(actor, query.limit, query.cursor)),
  );

  router.bind(api.getCampaign, async ({ actor, params }) =>
    reply(200, { data: await campaigns.get(actor, params.id) }),
  );

  router.bind(api.previewCampaign, async ({ actor, params }) =>
    reply(200, { data: await campaigns.preview(actor, params.id) }),
  );

  router.bind(api.startCampaign, async ({ actor, params, body }) =>
    reply(200, { data: await campaigns.start(actor, params.id, body?.version) }),
  );

  router.bind(api.pauseCampaign, async ({ actor, params }) =>
    reply(200, { data: await campaigns.pause(actor, params.id) }),
  );

  router.bind(api.resumeCampaign, async ({ actor, params }) =>
    reply(200, { data: await campaigns.resume(actor, params.id) }),
  );

  router.bind(api.cancelCampaign, async ({ actor, params }) =>
    reply(200, { data: await campaigns.cancel(actor, params.id) }),
  );

  router.bind(api.unsendCampaign, async ({ actor, params }) =>
    reply(200, { data: await campaigns.unsend(actor, params.id) }),
  );

  router.bind(api.listRecipients, async ({ actor, params, query }) =>
    reply(200, await recipients.list(actor, params.id, query)),
  );

  router.bind(api.exportRecipients, async ({ actor, params, query }) =>
    reply(200, await recipients.csv(actor, params.id, query)),
  );
}
