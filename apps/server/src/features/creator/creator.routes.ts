import {
  getCreatorProfile,
  updateAvatar as updateAvatarEndpoint,
  uploadAvatar,
} from '@stagedoor/contract/creator';
import { invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { FileStores } from '../media/new-objects.ts';
import { avatarUrl, findCreator, linkAvatar, presentCreator } from './creator.store.ts';
import { notTheCreator, receiveAvatar } from './receive-avatar.ts';

interface CreatorRoutes extends FileStores {
  readonly publicUrl: string | null;
  readonly webhooks: { wake(): void };
}

/** The creator as fans see them: a fixed name, and a picture that those who manage admins set. */
export function bindCreatorRoutes(
  router: Router,
  { db, storage, publicUrl, webhooks }: CreatorRoutes,
): void {
  router.bind(getCreatorProfile, async () =>
    reply(200, { data: presentCreator(await findCreator(db.kysely), publicUrl) }),
  );

  router.bind(uploadAvatar, async ({ actor, parts }) => {
    const key = await receiveAvatar({ db, storage }, parts, actor.admin.id);
    return reply(200, { avatar: { s3_key: key, url: avatarUrl(key, publicUrl) } });
  });

  router.bind(updateAvatarEndpoint, async ({ actor, body }) => {
    const { id } = await findCreator(db.kysely);
    if (body.userId !== id) throw notTheCreator();
    const creator = await linkAvatar(db, actor.admin.id, body.avatarUrl);
    if (creator === null)
      throw invalidRequest({ avatarUrl: 'Must be a picture that you uploaded' });
    webhooks.wake();
    return reply(200, { data: presentCreator(creator, publicUrl) });
  });
}
