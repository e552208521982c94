import { uploadFiles } from '@stagedoor/contract/media';
import type { Core } from '../domain.ts';
import { invalidRequest } from '../errors.ts';
import { type Router, reply } from '../http/route.ts';
import { attachmentForStaff } from './present-attachment.ts';
import { receiveFiles } from './uploads.service.ts';

export function bindMediaRoutes(
  router: Router,
  { db, storage, pictures, links, requireConversation }: Core,
): void {
  router.bind(uploadFiles, async ({ actor, parts }) => {
    const by = { kind: 'staff', id: actor.admin.id } as const;
    const files = await receiveFiles(
      { db, storage, pictures },
      parts,
      by,
      async ({ name, value }) => {
        if (name !== 'conversation_id')
          throw invalidRequest({ [name.slice(0, 50)]: 'Not a field of this form' });
        await requireConversation(value);
        return { conversationId: value, ownerId: actor.admin.id };
      },
    );
    const attachments = files.map((file) =>
      attachmentForStaff({ ...file, purchased_at: null }, actor, links),
    );
    return reply(200, { attachments });
  });
}
