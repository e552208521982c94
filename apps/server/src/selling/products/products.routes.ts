import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import * as api from '@stagedoor/contract/selling/products';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { folderNotFound, productNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { MediaLinks, StaffAudience } from '../../media/media-links.ts';
import { bundleForStaff, onlyFile } from '../../media/present-attachment.ts';
import { deleteFolder, insertFolder, listFolders, updateFolder } from './folders.store.ts';
import * as store from './products.store.ts';
import { receiveProduct } from './receive-product.ts';

/** Binds the catalog: every admin can read it, and those who manage admins can change it. */
export function bindProductRoutes(
  router: Router,
  { db, storage, pictures, links, requireConversation }: Core,
): void {
  router.bind(api.listProducts, async ({ actor, query }) => {
    const folderId = query.folder_id || null;
    const rows =
      folderId === null || isUuid(folderId) ? await store.listProducts(db, folderId) : [];
    return reply(200, { data: rows.map((row) => present(row, actor, links)) });
  });

  router.bind(api.createProduct, async ({ actor, parts }) => {
    const row = await receiveProduct({ db, storage, pictures }, parts, actor.admin.id);
    return reply(201, { data: present(row, actor, links) });
  });

  router.bind(api.updateProduct, async ({ actor, params, body }) => {
    const { price, description, ...change } = body;
    if (!isUuid(params.id)) throw productNotFound();
    if (change.folder_id != null && !isUuid(change.folder_id)) throw folderNotFound();
    const row = await store.updateProduct(db, actor.admin.id, params.id, {
      ...change,
      ...(description !== undefined && { description: description?.trim() || null }),
      ...(price !== undefined && { price_cents: toCents(price) }),
    });
    if (row === 'no product') throw productNotFound();
    if (row === 'no folder') throw folderNotFound();
    return reply(200, { data: present(row, actor, links) });
  });

  router.bind(api.deleteProduct, async ({ actor, params }) => {
    const found = isUuid(params.id) && (await store.deleteProduct(db, actor.admin.id, params.id));
    if (!found) throw productNotFound();
    return reply(200, { data: { deleted: true } });
  });

  router.bind(api.listOffers, async ({ params }) => {
    await requireConversation(params.id);
    return reply(200, { data: await store.listOffers(db, params.id) });
  });

  router.bind(api.listFolders, async () => reply(200, { data: await listFolders(db) }));

  router.bind(api.createFolder, async ({ actor, body }) => {
    const description = body.description?.trim() || null;
    const folder = await insertFolder(db, actor.admin.id, { name: body.name, description });
    return reply(201, { data: folder });
  });

  router.bind(api.updateFolder, async ({ actor, params, body }) => {
    const { name, description } = body;
    const folder = isUuid(params.id)
      ? await updateFolder(db, actor.admin.id, params.id, {
          name,
          ...(description !== undefined && { description: description?.trim() || null }),
        })
      : null;
    if (folder === null) throw folderNotFound();
    return reply(200, { data: folder });
  });

  router.bind(api.deleteFolder, async ({ actor, params }) => {
    const found = isUuid(params.id) && (await deleteFolder(db, actor.admin.id, params.id));
    if (!found) throw folderNotFound();
    return reply(200, { data: { deleted: true } });
  });
}

function present(row: store.ProductRow, audience: StaffAudience, links: MediaLinks): api.Product {
  const picture = { key: row.full_key, mime_type: row.mime_type, filename: null };
  const webp = (key: string) =>
    links.forStaff(audience, { key, mime_type: 'image/webp', filename: null });
  const image_url = links.forStaff(audience, picture);
  const thumbnail_url = row.thumbnail_key === null ? null : webp(row.thumbnail_key);
  const small_url = thumbnail_url ?? image_url;
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    price: toUsd(row.price_cents),
    folder_id: row.folder_id,
    image_url,
    thumbnail_url,
    preview_url: webp(row.preview_key),
    preview_s3_key: row.preview_key,
    full_s3_key: row.full_key,
    product_type: row.product_type,
    is_active: row.is_active,
    media:
      row.media.length > 0
        ? bundleForStaff(row.media, small_url, audience, links)
        : [onlyFile(row, { id: row.id, url: image_url, preview_url: small_url })],
    times_sent: row.times_sent,
    times_purchased: row.times_purchased,
    created_at: row.created_at.toISOString(),
  };
}
