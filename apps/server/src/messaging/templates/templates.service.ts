import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import type { Attachment } from '@stagedoor/contract/media';
import {
  type createTemplate,
  OWN_TEMPLATES_MAX,
  SHARED_TEMPLATES_MAX,
  type Template,
  type updateTemplate,
} from '@stagedoor/contract/messaging/templates';
import { toCents } from '@stagedoor/contract/selling/cents';
import { writeAudit } from '../../db/audit.ts';
import { isUuid } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { Upload } from '../../http/multipart.ts';
import type { AdminActor, Writer } from '../../http/route.ts';
import type { StaffAudience } from '../../media/media-links.ts';
import { attachmentForStaff } from '../../media/present-attachment.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { copyToUpload, receiveFiles } from '../../media/uploads.service.ts';
import type { Share } from '../../realtime/shared-updates.ts';
import * as templateFilesStore from './template-files.store.ts';
import * as store from './templates.store.ts';

/** The fields of a template that admins can edit. */
type Details = EndpointParsed<typeof createTemplate>['body'];
type Changes = EndpointParsed<typeof updateTemplate>['body'];
type Files = Details['attachments'];

export type TemplatesService = ReturnType<typeof createTemplatesService>;

/** Manages templates: shared ones, which their author and managers can change, and each admin's own. */
export function createTemplatesService(dependencies: Core) {
  const { db, links, requireConversation, changeShared } = dependencies;

  /** Queues the event for the admins who can see the template, or could see it before the change. */
  const shareChange = (share: Share, makerId: string, isShared: boolean) =>
    share({ what: 'templates' }, isShared ? null : makerId);

  const shown = (file: StoredAttachment, audience: StaffAudience): Attachment =>
    attachmentForStaff({ ...file, purchased_at: null }, audience, links);
  const present = (
    { template, files }: store.FoundTemplate,
    audience: StaffAudience,
  ): Template => ({
    ...template,
    attachments: files.map((file) => shown(file, audience)),
  });

  async function read(id: string): Promise<store.FoundTemplate> {
    const found = isUuid(id) ? await store.findTemplate(db, id) : null;
    if (found === null) throw errors.templateNotFound();
    return found;
  }

  return {
    /** Returns the shared templates and the actor's own, the most used first. */
    async list(actor: AdminActor): Promise<Template[]> {
      const found = await store.listTemplates(db, actor.admin.id);
      return found.map((each) => present(each, actor));
    },

    /** @throws AppError 400 for an empty template, or `invalid_attachment`, 404 for the product, 409 `too_many_templates` */
    async create(actor: Writer, details: Details): Promise<Template> {
      const { admin } = actor;
      const { product, attachments, ...texts } = details;
      requireSomething(details.content, product !== null, attachments.length);
      const id = await changeShared(async (tx, share) => {
        await requireRoom(tx, admin.id, details.is_shared);
        const made = await store.insertTemplate(tx, {
          ...texts,
          ...(await columnsOf(tx, product)),
          maker_id: admin.id,
        });
        await setFiles(tx, actor, made, attachments);
        if (details.is_shared) await audit(tx, admin.id, 'template.create', made, details.name);
        await shareChange(share, admin.id, details.is_shared);
        return made;
      });
      return present(await read(id), actor);
    },

    /**
     * @param changes with the version at which the template was read
     * @throws AppError 400 for a template left empty, or `invalid_attachment`, 403 for a teammate's shared template, 404, 409
     * `edit_conflict` with the stored template, or `too_many_templates`
     */
    async update(
      actor: Writer,
      id: string,
      { version, product, attachments, ...texts }: Changes,
    ): Promise<Template> {
      const done = await changeShared(async (tx, share) => {
        const stored = await requireOwn(tx, actor, id);
        if (stored.version !== version) return { id: stored.id, isStale: true };
        const sharing = texts.is_shared ?? stored.is_shared;
        if (sharing !== stored.is_shared) await requireRoom(tx, stored.maker_id, sharing);
        const offers = product === undefined ? stored.product_id !== null : product !== null;
        const files =
          attachments?.length ?? (await templateFilesStore.countTemplateFiles(tx, stored.id));
        requireSomething(texts.content ?? stored.content, offers, files);
        const columns = product === undefined ? {} : await columnsOf(tx, product);
        await store.updateTemplate(tx, stored.id, { ...texts, ...columns });
        if (attachments !== undefined) await setFiles(tx, actor, stored.id, attachments);
        if (sharing || stored.is_shared)
          await audit(tx, actor.admin.id, 'template.update', stored.id, texts.name ?? stored.name);
        await shareChange(share, stored.maker_id, sharing || stored.is_shared);
        return { id: stored.id, isStale: false };
      });
      const template = present(await read(done.id), actor);
      if (done.isStale) throw errors.editConflict(template);
      return template;
    },

    /** @throws AppError 403 for a teammate's shared template, 404 */
    remove: (actor: Writer, id: string): Promise<void> =>
      changeShared(async (tx, share) => {
        const found = await requireOwn(tx, actor, id);
        await store.deleteTemplate(tx, found.id);
        if (found.is_shared)
          await audit(tx, actor.admin.id, 'template.delete', found.id, found.name);
        await shareChange(share, found.maker_id, found.is_shared);
      }),

    /** @throws AppError 400 `invalid_file`, 413 `payload_too_large`, 503 `unavailable`, 507 `storage_full` */
    async upload(actor: Writer, parts: Upload): Promise<Attachment[]> {
      const by = { kind: 'staff', id: actor.admin.id } as const;
      const files = await receiveFiles(dependencies, parts, by, {
        insert: (tx, stored) => templateFilesStore.insertTemplateFiles(tx, actor.admin.id, stored),
      });
      return files.map((file) => shown(file, actor));
    },

    /**
     * Copies a template's file to an upload of the actor in a conversation, so that each message gets its own copy.
     * @throws AppError 400 `invalid_attachment`, 404 for the template or the conversation, 507 `storage_full`
     */
    async takeFile(
      actor: Writer,
      id: string,
      wanted: { readonly conversation_id: string; readonly attachment_id: string },
    ): Promise<Attachment> {
      const { template, files } = await read(id);
      if (!(template.is_shared || template.maker.id === actor.admin.id))
        throw errors.templateNotFound();
      const file = files.find((each) => each.id === wanted.attachment_id);
      if (file === undefined) throw noSuchFile();
      await requireConversation(wanted.conversation_id);
      const target = { conversationId: wanted.conversation_id, ownerId: actor.admin.id };
      const upload = await copyToUpload(dependencies, file, target);
      // The file was removed from the template meanwhile.
      if (upload === null) throw noSuchFile();
      return shown(upload, actor);
    },

    /** Counts a use. @returns the new number of uses @throws AppError 404 */
    async noteUse({ admin }: Writer, id: string): Promise<number> {
      const uses = isUuid(id) ? await store.countUse(db, id, admin.id) : null;
      if (uses === null) throw errors.templateNotFound();
      return uses;
    },
  };
}

/** Locks and returns a template that the actor may change. */
async function requireOwn(tx: Tx, { admin }: Writer, id: string): Promise<store.StoredTemplate> {
  const stored = isUuid(id) ? await store.lockTemplate(tx, id) : null;
  const isOwn = stored?.maker_id === admin.id;
  // A teammate's own template must look as if it doesn't exist.
  if (stored === null || !(isOwn || stored.is_shared)) throw errors.templateNotFound();
  if (!(isOwn || admin.permissions.can_manage_admins)) throw errors.permissionRequired();
  return stored;
}

/** Checks that one more template is allowed, once concurrent additions finish. @throws AppError 409 `too_many_templates` */
async function requireRoom(tx: Tx, makerId: string, isShared: boolean): Promise<void> {
  await store.lockTemplates(tx);
  const most = isShared ? SHARED_TEMPLATES_MAX : OWN_TEMPLATES_MAX;
  if ((await store.countTemplates(tx, isShared ? null : makerId)) >= most)
    throw new errors.AppError('too_many_templates');
}

function requireSomething(content: string, offers: boolean, files: number): void {
  if (content.trim() === '' && !offers && files === 0)
    throw errors.invalidField('content', 'Enter text, choose a product or add a file');
}

const noSuchFile = () => errors.invalidAttachment('File not found');

async function setFiles(tx: Tx, { admin }: Writer, id: string, files: Files): Promise<void> {
  const ids = files.map((file) => file.id);
  if (new Set(ids).size < ids.length)
    throw errors.invalidAttachment('An upload can be attached only once');
  const isDone =
    ids.every(isUuid) &&
    (await templateFilesStore.setTemplateFiles(tx, { id, takerId: admin.id }, ids));
  if (!isDone) throw noSuchFile();
}

async function columnsOf(tx: Tx, product: Details['product']) {
  if (product === null) return { product_id: null, price_cents: null };
  if (!(isUuid(product.id) && (await store.productExists(tx, product.id))))
    throw errors.productNotFound();
  return { product_id: product.id, price_cents: toCents(product.price) };
}

const audit = (tx: Tx, adminId: string, action: string, targetId: string, name: string) =>
  writeAudit(tx, { adminId, action, targetId, details: { name } });
