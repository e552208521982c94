import * as api from '@stagedoor/contract/messaging/templates';
import { type Router, reply } from '../../http/route.ts';
import type { TemplatesService } from './templates.service.ts';

export function bindTemplateRoutes(router: Router, templates: TemplatesService): void {
  router.bind(api.listTemplates, async ({ actor }) =>
    reply(200, { data: await templates.list(actor) }),
  );

  router.bind(api.createTemplate, async ({ actor, body }) =>
    reply(201, { data: await templates.create(actor, body) }),
  );

  router.bind(api.updateTemplate, async ({ actor, params, body }) =>
    reply(200, { data: await templates.update(actor, params.id, body) }),
  );

  router.bind(api.deleteTemplate, async ({ actor, params }) => {
    await templates.remove(actor, params.id);
    return reply(200, { data: { deleted: true } });
  });

  router.bind(api.noteTemplateUse, async ({ actor, params }) =>
    reply(200, { data: { uses: await templates.noteUse(actor, params.id) } }),
  );

  router.bind(api.uploadTemplateFiles, async ({ actor, parts }) =>
    reply(200, { attachments: await templates.upload(actor, parts) }),
  );

  router.bind(api.takeTemplateFile, async ({ actor, params, body }) =>
    reply(201, { attachment: await templates.takeFile(actor, params.id, body) }),
  );
}
