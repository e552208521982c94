import {
  OWN_TEMPLATES_MAX,
  SHARED_TEMPLATES_MAX,
  type Template,
} from '@stagedoor/contract/templates';
import type { Transaction } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { type Database, isUuid } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import {
  AppError,
  editConflict,
  invalidRequest,
  permissionRequired,
  productNotFound,
  templateNotFound,
} from '../../errors.ts';
import type { AdminActor, AdminWith } from '../../http/route.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { toCents } from '../products/cents.ts';
import {
  countTemplates,
  countUse,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  isInCatalogue,
  listTemplates,
  lockTemplate,
  lockTemplates,
  type StoredTemplate,
  updateTemplate,
} from './templates.store.ts';

type Tx = Transaction<Tables>;
type Writer = AdminWith<'can_manage_messages'>;
type Product = { readonly id: string; readonly price: number } | null;

/** What somebody decides about a template. */
interface Details {
  readonly name: string;
  readonly content: string;
  readonly folder: string;
  readonly product: Product;
  readonly is_shared: boolean;
}

type Changes = { readonly [F in keyof Details]?: Details[F] | undefined };

interface TemplatesDependencies {
  readonly db: Database;
  readonly publish: Pick<Publisher, 'sharedUpdated'>;
}

export type TemplatesService = ReturnType<typeof createTemplatesService>;

/** Saved replies: shared ones, which their makers and managers change, and everybody's own. */
export function createTemplatesService({ db, publish }: TemplatesDependencies) {
  const change = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.kysely.transaction().execute(work);

  /** Tells those who have a template, or had it, that there is something new. */
  function tell(makerId: string, ...shared: readonly boolean[]): void {
    publish.sharedUpdated({ what: 'templates' }, shared.includes(true) ? null : makerId);
  }

  async function read(id: string): Promise<Template> {
    const template = await findTemplate(db, id);
    if (template === null) throw templateNotFound();
    return template;
  }

  return {
    /** The shared ones and the actor's own, the most used first. */
    list: ({ admin }: AdminActor): Promise<Template[]> => listTemplates(db, admin.id),

    /** @throws AppError 400 for one with nothing in it, 404 for the product, 409 `too_many_templates` */
    async create({ admin }: Writer, details: Details): Promise<Template> {
      const { product, ...texts } = details;
      requireSomething(details.content, product !== null);
      const id = await change(async (tx) => {
        await requireRoom(tx, admin.id, details.is_shared);
        const made = await insertTemplate(tx, {
          ...texts,
          ...(await columnsOf(tx, product)),
          maker_id: admin.id,
        });
        if (details.is_shared) await note(tx, admin.id, 'template.create', made, details.name);
        return made;
      });
      tell(admin.id, details.is_shared);
      return read(id);
    },

    /**
     * @param changes with the version at which the template was read
     * @throws AppError 400 for one that would have nothing in it, 403 for a colleague's shared one, 404, 409
     * `edit_conflict` with what is stored now, or `too_many_templates`
     */
    async update(
      actor: Writer,
      id: string,
      { version, product, ...texts }: Changes & { readonly version: number },
    ): Promise<Template> {
      const before = await change(async (tx) => {
        const stored = await requireOwn(tx, actor, id);
        if (stored.version !== version) return stored;
        const sharing = texts.is_shared ?? stored.is_shared;
        if (sharing !== stored.is_shared) await requireRoom(tx, stored.maker_id, sharing);
        const offers = product === undefined ? stored.product_id !== null : product !== null;
        requireSomething(texts.content ?? stored.content, offers);
        const columns = product === undefined ? {} : await columnsOf(tx, product);
        await updateTemplate(tx, stored.id, { ...texts, ...columns });
        if (sharing || stored.is_shared)
          await note(tx, actor.admin.id, 'template.update', stored.id, texts.name ?? stored.name);
        return stored;
      });
      const template = await read(before.id);
      if (before.version !== version) throw editConflict(template);
      tell(before.maker_id, before.is_shared, template.is_shared);
      return template;
    },

    /** @throws AppError 403 for a colleague's shared one, 404 */
    async remove(actor: Writer, id: string): Promise<void> {
      const stored = await change(async (tx) => {
        const found = await requireOwn(tx, actor, id);
        await deleteTemplate(tx, found.id);
        if (found.is_shared)
          await note(tx, actor.admin.id, 'template.delete', found.id, found.name);
        return found;
      });
      tell(stored.maker_id, stored.is_shared);
    },

    /** Counts a use. @returns how often it was used by now @throws AppError 404 */
    async noteUse({ admin }: Writer, id: string): Promise<number> {
      const uses = isUuid(id) ? await countUse(db, id, admin.id) : null;
      if (uses === null) throw templateNotFound();
      return uses;
    },
  };
}

/** A template that the actor may change, locked. */
async function requireOwn(tx: Tx, { admin }: Writer, id: string): Promise<StoredTemplate> {
  const stored = isUuid(id) ? await lockTemplate(tx, id) : null;
  const isOwn = stored?.maker_id === admin.id;
  // Of colleagues' own ones nobody knows.
  if (stored === null || !(isOwn || stored.is_shared)) throw templateNotFound();
  if (!(isOwn || admin.permissions.can_manage_admins)) throw permissionRequired();
  return stored;
}

/** Waits for whoever else adds one, so that no two take the last place. */
async function requireRoom(tx: Tx, makerId: string, isShared: boolean): Promise<void> {
  await lockTemplates(tx);
  const most = isShared ? SHARED_TEMPLATES_MAX : OWN_TEMPLATES_MAX;
  if ((await countTemplates(tx, isShared ? null : makerId)) >= most)
    throw new AppError('too_many_templates');
}

function requireSomething(content: string, offers: boolean): void {
  if (content.trim() === '' && !offers)
    throw invalidRequest({ content: 'Please write a text or choose a product' });
}

async function columnsOf(tx: Tx, product: Product) {
  if (product === null) return { product_id: null, price_cents: null };
  if (!(isUuid(product.id) && (await isInCatalogue(tx, product.id)))) throw productNotFound();
  return { product_id: product.id, price_cents: toCents(product.price) };
}

const note = (tx: Tx, adminId: string, action: string, targetId: string, name: string) =>
  writeAudit(tx, { adminId, action, targetId, details: { name } });
