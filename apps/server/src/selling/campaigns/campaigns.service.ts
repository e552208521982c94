import type { Attachment } from '@stagedoor/contract/media';
import type { CampaignState } from '@stagedoor/contract/selling/campaign-state';
import { unknownVariable } from '@stagedoor/contract/selling/campaign-text';
import type {
  Campaign,
  CampaignInput,
  CampaignPreview,
  UnsavedCampaign,
} from '@stagedoor/contract/selling/campaigns';
import { writeAudit } from '../../db/audit.ts';
import { isUuid, violates } from '../../db/database.ts';
import { limitedSegmentSearch } from '../../db/searches.ts';
import type { Tx } from '../../db/tables.ts';
import { knownZones } from '../../db/zones.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import { pageOf, timeCursors } from '../../http/cursor.ts';
import type { Upload } from '../../http/multipart.ts';
import { readerOf } from '../../http/reader.ts';
import { type AdminActor, type Manager, requirePermission } from '../../http/route.ts';
import type { StaffAudience } from '../../media/media-links.ts';
import { attachmentForStaff } from '../../media/present-attachment.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { receiveFiles } from '../../media/uploads.service.ts';
import { readSettings } from '../../team/settings/settings.store.ts';
import { requireRule } from '../segments/segments.service.ts';
import { findSegment } from '../segments/segments.store.ts';
import { insertCampaignFiles } from './campaign-files.store.ts';
import { createCampaignJob, deliveryOf, ruleOf } from './campaign-job.ts';
import {
  buildMessages,
  buildOffers,
  findHindrance,
  nameAttachment,
  type RefusalOf,
  renewMessages,
  requireAllowed,
} from './campaign-messages.ts';
import * as store from './campaigns.store.ts';
import { presentCampaign } from './present-campaign.ts';
import { findMessagesOf, previewCampaign } from './recipients.store.ts';
import { sumResults } from './results.store.ts';
import { type Progress, queueProgress } from './send-batch.store.ts';
import type { UnsendMessages } from './unsend-batch.store.ts';
import { requireVisible } from './visible-campaign.ts';

export interface CampaignsDependencies extends Core {
  readonly refusalOf: RefusalOf;
  readonly unsend: UnsendMessages;
  /** Shows new messages to connected fans, and removes unsent messages from their screens. */
  readonly showNew: (
    messages: readonly { readonly conversation_id: string; readonly message_id: string }[],
  ) => Promise<void>;
}

const campaignCursors = timeCursors(3);

export type CampaignsService = ReturnType<typeof createCampaignsService>;

/** Manages mass messages. A mass message goes from the creator to many fans, in each fan's own conversation. */
export function createCampaignsService(dependencies: CampaignsDependencies) {
  const { db, log, links, publish, outbox, webhooks, refusalOf, showNew, unsend } = dependencies;
  const search = limitedSegmentSearch(db, { stale: true });
  const zones = knownZones(db);

  /** Emits a campaign's progress to staff, and the messages to their fans. */
  async function emitProgress({ started_by = null, ...progress }: Progress): Promise<void> {
    publish.campaignProgress(progress, started_by);
    const listening = progress.conversation_ids.filter((id) => publish.mayListen(id));
    if (listening.length > 0)
      await showNew(await findMessagesOf(db, progress.campaign_id, listening));
  }
  let emitting = Promise.resolve();
  /** Starts emitting a step's event once the previous event is emitted, so that the job can't run ahead of its events. */
  async function progressed({ id, payload }: { id: number; payload: Progress }): Promise<void> {
    if (payload.conversation_ids.length > 0) webhooks.wake();
    await emitting;
    emitting = outbox.emit([id], () => emitProgress(payload));
  }
  const job = createCampaignJob({ db, log, refusalOf, zones, unsend, progressed });

  const shown = (file: StoredAttachment, audience: StaffAudience): Attachment =>
    attachmentForStaff({ ...file, purchased_at: null }, audience, links);

  async function present(
    campaigns: readonly store.StoredCampaign[],
    audience: StaffAudience,
  ): Promise<Campaign[]> {
    const sent = campaigns.filter(({ audience_at }) => audience_at !== null);
    const results =
      sent.length > 0
        ? await sumResults(
            db,
            sent.map(({ id }) => id),
          )
        : [];
    return campaigns.map((campaign) => presentCampaign(campaign, results, shown, audience));
  }

  async function presentOne(id: string, audience: StaffAudience): Promise<Campaign> {
    const found = await store.findCampaign(db, id);
    const [campaign] = await present(found === null ? [] : [found], audience);
    if (campaign === undefined) throw errors.campaignNotFound();
    return campaign;
  }

  /** Changes a campaign and its state, writes the action to the audit log, and emits the progress. */
  async function transition(
    actor: Manager,
    id: string,
    action: 'update' | 'start' | 'pause' | 'resume' | 'cancel' | 'unsend',
    from: readonly CampaignState[],
    work: (tx: Tx, campaign: store.LockedCampaign) => Promise<CampaignState>,
  ): Promise<Campaign> {
    const { admin } = requirePermission(actor, 'can_manage_messages');
    const event = await db.kysely.transaction().execute(async (tx) => {
      const campaign = isUuid(id) ? await store.lockCampaign(tx, id) : null;
      if (campaign === null) throw errors.campaignNotFound();
      if (!from.includes(campaign.state)) throw wrongState();
      const state = await work(tx, campaign);
      await store.updateCampaign(tx, id, { state, paused_reason: null });
      const { name } = campaign;
      await audit(tx, admin.id, `campaign.${action}`, id, name);
      return queueProgress(tx, id, []);
    });
    await progressed(event);
    return presentOne(id, actor);
  }

  /** @throws AppError 409 `edit_conflict` with the draft if it was saved since the version that the caller read */
  function requireVersion(
    actor: Manager,
    draft: store.StoredCampaign,
    version: number | undefined,
  ): void {
    // A draft has no results.
    if (version !== undefined && version !== draft.version)
      throw errors.editConflict(presentCampaign(draft, [], shown, actor));
  }

  /** Returns the columns of a draft. @throws AppError 400 for an invalid rule, 404 `segment_not_found` */
  async function columnsOf(tx: Tx, input: CampaignInput) {
    const { name, audience, exclude, fan_local_time, per_minute = null } = input;
    return {
      ...(await audienceOf(tx, audience)),
      name,
      exclude,
      send_at: dateOf(input.send_at),
      fan_local_time,
      per_minute,
      expires_at: dateOf(input.expires_at),
    };
  }

  async function audienceOf(tx: Tx, audience: CampaignInput['audience']) {
    const segment_id = 'segment_id' in audience ? audience.segment_id : null;
    const segment =
      segment_id !== null && isUuid(segment_id) ? await findSegment(tx, segment_id) : null;
    if (segment_id !== null && segment === null) throw errors.segmentNotFound();
    const rule = segment?.rule ?? requireRule('rule' in audience ? audience.rule : null);
    return { segment_id, rule };
  }

  /** Returns a draft's messages. @throws AppError 400 for an invalid variable or time, 422 for a guard rail */
  function requireMessages(input: CampaignInput) {
    const messages = namedMessages(input);
    requireValid(input);
    requireAllowed(refusalOf, messages);
    return messages;
  }

  return {
    /**
     * @throws AppError 400 for an invalid rule, attachment, variable or time, 403 without the message privilege, 404
     * `segment_not_found`, 422 for a guard rail
     */
    async create(actor: Manager, input: CampaignInput): Promise<Campaign> {
      const { admin } = requirePermission(actor, 'can_manage_messages');
      const messages = requireMessages(input);
      const id = await db.kysely.transaction().execute(async (tx) => {
        const columns = await columnsOf(tx, input);
        const made = await store
          .insertCampaign(tx, { ...columns, created_by: admin.id })
          .catch(refuseLostSegment);
        const campaign = { id: made, ownerId: admin.id };
        await store.setVariants(tx, made, await buildMessages(tx, campaign, messages));
        await audit(tx, admin.id, 'campaign.create', made, input.name);
        return made;
      });
      return presentOne(id, actor);
    },

    /** Replaces a draft. @throws AppError as `create` does, and 404, 409 */
    update: (
      actor: Manager,
      id: string,
      { version, ...input }: CampaignInput & { readonly version?: number | undefined },
    ): Promise<Campaign> =>
      transition(actor, id, 'update', ['draft'], async (tx, draft) => {
        requireVersion(actor, draft, version);
        const messages = requireMessages(input);
        const columns = await columnsOf(tx, input);
        await store
          .updateCampaign(tx, id, { ...columns, version: draft.version + 1 })
          .catch(refuseLostSegment);
        const campaign = { id, ownerId: actor.admin.id };
        const variants = await buildMessages(tx, campaign, messages);
        await store.deleteVariants(tx, id);
        await store.setVariants(tx, id, variants);
        return 'draft';
      }),

    /** @throws AppError 400 for an invalid rule or product, 404 `segment_not_found`, 422 `segment_too_slow` */
    async previewUnsaved(actor: Manager, input: UnsavedCampaign): Promise<CampaignPreview> {
      const { admin } = requirePermission(actor, 'can_manage_messages');
      const { rule, team, variants } = await db.kysely.transaction().execute(async (tx) => ({
        ...(await audienceOf(tx, input.audience)),
        team: await readSettings(tx),
        variants: await buildOffers(tx, namedMessages(input)),
      }));
      // The id decides which of two messages a fan gets. A new campaign has no id yet, so the admin's id stands in.
      const unsaved = { id: admin.id, exclude: input.exclude, variants };
      return previewCampaign(search, deliveryOf(unsaved, team, await zones()), rule);
    },

    /** @throws AppError 400 `invalid_file`, 413 `payload_too_large`, 503 `unavailable`, 507 `storage_full` */
    async upload(actor: Manager, parts: Upload): Promise<Attachment[]> {
      const { admin } = requirePermission(actor, 'can_manage_messages');
      const by = { kind: 'staff', id: admin.id } as const;
      const files = await receiveFiles(dependencies, parts, by, {
        insert: (tx, stored) => insertCampaignFiles(tx, admin.id, stored),
      });
      return files.map((file) => shown(file, actor));
    },

    /** Returns a page of the campaigns that the actor may see, newest first. */
    async list(actor: AdminActor, limit: number, cursor: string | undefined) {
      const after = cursor === undefined ? null : campaignCursors.decode(cursor);
      const found = await store.listCampaigns(db, readerOf(actor), after, limit + 1);
      const { page, next_cursor } = pageOf(found, limit, ({ created_at, id }) =>
        campaignCursors.encode({ at: created_at.toISOString(), id }),
      );
      return { data: await present(page, actor), next_cursor };
    },

    /** @throws AppError 404 */
    async get(actor: AdminActor, id: string): Promise<Campaign> {
      const [campaign] = await present([await requireVisible(db, actor, id)], actor);
      if (campaign === undefined) throw errors.campaignNotFound();
      return campaign;
    },

    /** @throws AppError 404, 422 `segment_too_slow` */
    async preview(actor: Manager, id: string): Promise<CampaignPreview> {
      requirePermission(actor, 'can_manage_messages');
      const campaign = await requireVisible(db, actor, id);
      const team = await readSettings(db.kysely);
      const delivery = deliveryOf(campaign, team, await zones());
      return previewCampaign(search, delivery, await ruleOf(db.kysely, campaign));
    },

    /** @throws AppError 400 for a product that is no longer for sale or a time that has passed, 404, 409, 422 */
    start: (actor: Manager, id: string, version: number | undefined): Promise<Campaign> =>
      transition(actor, id, 'start', ['draft'], async (tx, campaign) => {
        requireVersion(actor, campaign, version);
        const { now, send_at, expires_at, fan_local_time } = campaign;
        if (expires_at !== null && expires_at <= now) throw isPast('expires_at');
        const { time_zone } = await readSettings(tx);
        await store.setVariants(tx, id, await renewMessages(tx, refusalOf, campaign.variants));
        const waits = send_at !== null && send_at > now;
        await store.updateCampaign(tx, id, { started_by: actor.admin.id });
        await store.setBeginning(tx, id, fan_local_time, time_zone);
        if (!waits) await store.updateCampaign(tx, id, { started_at: now });
        return waits ? 'scheduled' : 'running';
      }),

    /** @throws AppError 404, 409 */
    pause: (actor: Manager, id: string): Promise<Campaign> =>
      transition(actor, id, 'pause', ['scheduled', 'running'], async () => 'paused'),

    /** @throws AppError 400 for a product that is no longer for sale, 404, 409, 422 */
    resume: (actor: Manager, id: string): Promise<Campaign> =>
      transition(actor, id, 'resume', ['paused'], async (tx, campaign) => {
        const { audience_at, started_at, started_by, variants } = campaign;
        const by = actor.admin.id;
        const hindrance = await findHindrance(tx, by, variants);
        if (hindrance !== null) throw hindrance;
        // Nothing more is sent in the name of an admin who may no longer send it.
        if ((await findHindrance(tx, started_by, variants)) !== null)
          await store.updateCampaign(tx, id, { started_by: by });
        if (audience_at !== null || started_at !== null) return 'running';
        await store.setVariants(tx, id, await renewMessages(tx, refusalOf, variants));
        return 'scheduled';
      }),

    /** @throws AppError 404, 409 */
    cancel: (actor: Manager, id: string): Promise<Campaign> =>
      transition(
        actor,
        id,
        'cancel',
        ['draft', 'scheduled', 'running', 'paused'],
        async () => 'canceled',
      ),

    /**
     * Unsends the messages that fans have neither read nor bought. Works only once; the campaign then sends no more messages.
     * @throws AppError 404, 409
     */
    unsend: (actor: Manager, id: string): Promise<Campaign> =>
      transition(
        actor,
        id,
        'unsend',
        ['running', 'paused', 'finished', 'canceled'],
        async (tx, { state, audience_at, unsent_at, now }) => {
          if (audience_at === null || unsent_at !== null) throw wrongState();
          const change = { unsent_at: now, unsent_by: actor.admin.id, is_unsending: true };
          await store.updateCampaign(tx, id, change);
          return state === 'finished' ? 'finished' : 'canceled';
        },
      ),

    work: job.work,
    stop: job.stop,
    reemitters: { campaign_progress: emitProgress },
  };
}

const dateOf = (instant: string | null | undefined): Date | null =>
  instant == null ? null : new Date(instant);

const namedMessages = ({ variants }: UnsavedCampaign) =>
  variants.map(({ attachments, ...each }) => ({
    ...each,
    attachments: attachments.map(nameAttachment),
  }));

const isPast = (field: string) => errors.invalidField(field, 'Choose a time in the future');
const wrongState = () =>
  new errors.AppError('invalid_transition', {
    message: 'The mass message’s state does not allow this',
  });

/** Rethrows an error. @throws AppError 404 if the segment was deleted after it was found */
function refuseLostSegment(error: unknown): never {
  throw violates(error, 'campaigns_segment_id_fkey') ? errors.segmentNotFound() : error;
}

function requireValid({ variants, send_at, expires_at }: CampaignInput): void {
  for (const [index, { content, attachments }] of variants.entries()) {
    const field = `variants.${index}.content`;
    if (content.trim() === '' && attachments.length === 0)
      throw errors.invalidField(field, 'Write a message or attach a file');
    const unknown = unknownVariable(content);
    if (unknown !== null) throw errors.invalidField(field, `There is no variable ${unknown}`);
  }
  const start = Math.max(Date.now(), send_at == null ? 0 : Date.parse(send_at));
  if (expires_at != null && Date.parse(expires_at) <= start) throw isPast('expires_at');
}

const audit = (tx: Tx, adminId: string, action: string, targetId: string, name: string) =>
  writeAudit(tx, { adminId, action, targetId, details: { name } });
