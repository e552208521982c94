import { listMentions, listTeammates, readMentions } from '@stagedoor/contract/messaging/mentions';
import * as api from '@stagedoor/contract/messaging/staff-notes';
import { type Router, reply } from '../../http/route.ts';
import type { MentionsService } from './mentions.service.ts';
import type { StaffNotesService } from './staff-notes.service.ts';

export function bindStaffNotesRoutes(
  router: Router,
  staffNotes: StaffNotesService,
  mentions: MentionsService,
): void {
  router.bind(api.listStaffNotes, async ({ params, query }) =>
    reply(200, await staffNotes.list(params.id, query)),
  );

  router.bind(api.createStaffNote, async ({ actor, params, body }) => {
    const { note, created } = await staffNotes.create(actor, params.id, body);
    return created ? reply(201, { data: note }) : reply(200, { data: note });
  });

  router.bind(api.updateStaffNote, async ({ actor, params, body }) =>
    reply(200, { data: await staffNotes.update(actor, params, body.content) }),
  );

  router.bind(api.deleteStaffNote, async ({ actor, params }) => {
    await staffNotes.remove(actor, params);
    return reply(204, null);
  });

  router.bind(listTeammates, async () => reply(200, { data: await mentions.teammates() }));

  router.bind(listMentions, async ({ actor, query }) =>
    reply(200, await mentions.list(actor, query)),
  );

  router.bind(readMentions, async ({ actor, body }) =>
    reply(200, { data: { unread_mentions: await mentions.read(actor, body) } }),
  );
}
