import * as api from '@stagedoor/contract/team/creator';
import type { Core } from '../../domain.ts';
import { invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import * as store from './creator.store.ts';
import { notTheCreator, receiveAvatar } from './receive-avatar.ts';

/** Returns the reemitter for changes to the creator that the originating node failed to emit. */
export const creatorReemitters = ({
  db,
  publish,
  publicUrl,
}: Pick<Core, 'db' | 'publish' | 'publicUrl'>) => ({
  async creator_updated() {
    publish.creatorUpdated({
      creator: store.presentCreator(await store.findCreator(db.kysely), publicUrl),
    });
  },
});

/** Binds the creator's public profile: a name and a picture that managers can change. */
export function bindCreatorRoutes(
  router: Router,
  { db, storage, pictures, publish, outbox, changeShared, publicUrl, webhooks }: Core,
): void {
  /** Emits a change's events. Returns the creator. */
  async function emitChange({
    creator: row,
    outboxId,
  }: store.CreatorChange): Promise<api.CreatorProfile> {
    const creator = store.presentCreator(row, publicUrl);
    if (outboxId !== null) {
      await outbox.emit([outboxId], () => publish.creatorUpdated({ creator }));
      webhooks.wake();
    }
    return creator;
  }

  router.bind(api.getCreatorProfile, async () =>
    reply(200, { data: store.presentCreator(await store.findCreator(db.kysely), publicUrl) }),
  );

  router.bind(api.updateCreator, async ({ actor, body }) => {
    const change = await store.renameCreator(changeShared, actor.admin.id, body.display_name);
    return reply(200, { data: await emitChange(change) });
  });

  router.bind(api.uploadAvatar, async ({ actor, parts }) => {
    const key = await receiveAvatar({ db, storage, pictures }, parts, actor.admin.id);
    return reply(200, { avatar: { s3_key: key, url: store.avatarUrl(key, publicUrl) } });
  });

  router.bind(api.updateAvatar, async ({ actor, body }) => {
    const { id } = await store.findCreator(db.kysely);
    if (body.userId !== id) throw notTheCreator();
    const linked = await store.linkAvatar(changeShared, actor.admin.id, body.avatarUrl);
    if (linked === null) throw invalidRequest({ avatarUrl: 'Must be a picture that you uploaded' });
    return reply(200, { data: await emitChange(linked) });
  });
}
