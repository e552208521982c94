import { parseRule, type SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import {
  SEGMENTS_MAX,
  type Segment,
  type SegmentExplanation,
  type SegmentPreview,
} from '@stagedoor/contract/selling/segments';
import { writeAudit } from '../../db/audit.ts';
import { isUuid } from '../../db/database.ts';
import { limitedSegmentSearch } from '../../db/searches.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { Manager } from '../../http/route.ts';
import { dropSegment } from '../../inbox/views/views.store.ts';
import * as store from './segments.store.ts';

export type SegmentsService = ReturnType<typeof createSegmentsService>;

/** Saves, previews and explains segments. Rules are evaluated whenever they are used; a segment's fans are never stored. */
export function createSegmentsService({ db, changeShared }: Core) {
  const search = limitedSegmentSearch(db, { stale: true });

  /** Makes a change, writes it to the audit log, and emits its event. */
  const change = <T extends { readonly id: string; readonly name: string }>(
    { admin }: Manager,
    action: `segment.${string}`,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> =>
    changeShared(async (tx, share) => {
      const changed = await work(tx);
      const { id: targetId, name } = changed;
      await writeAudit(tx, { adminId: admin.id, action, targetId, details: { name } });
      await share({ what: 'segments' });
      return changed;
    });

  return {
    list: (): Promise<Segment[]> => store.listSegments(db),

    /** @throws AppError 400 `invalid_rule`, 409 `too_many_segments` */
    create(actor: Manager, details: { name: string; rule: unknown }): Promise<Segment> {
      const rule = requireRule(details.rule);
      return change(actor, 'segment.create', async (tx) => {
        if ((await store.countSegments(tx)) >= SEGMENTS_MAX) throw errors.tooManySegments();
        return store.insertSegment(tx, { name: details.name, rule, created_by: actor.admin.id });
      });
    },

    /** @throws AppError 400 `invalid_rule`, 404 `segment_not_found` */
    update(
      actor: Manager,
      id: string,
      { name, rule }: { name?: string | undefined; rule?: unknown },
    ): Promise<Segment> {
      const changes = { name, ...(rule !== undefined && { rule: requireRule(rule) }) };
      return change(actor, 'segment.update', async (tx) => {
        const saved = isUuid(id) ? await store.updateSegment(tx, id, changes) : null;
        if (saved === null) throw errors.segmentNotFound();
        return saved;
      });
    },

    /** @throws AppError 404 `segment_not_found` */
    remove: (actor: Manager, id: string) =>
      change(actor, 'segment.delete', async (tx) => {
        const name = isUuid(id) ? await store.deleteSegment(tx, id) : null;
        if (name === null) throw errors.segmentNotFound();
        await dropSegment(tx, id, name);
        return { id, name };
      }),

    /** @throws AppError 400 `invalid_rule`, 422 `segment_too_slow` */
    preview: (rule: unknown, limit: number): Promise<SegmentPreview> =>
      store.previewRule(search, requireRule(rule), limit),

    /** @throws AppError 400 `invalid_rule`, 404 `conversation_not_found` */
    async explain(rule: unknown, conversationId: string): Promise<SegmentExplanation> {
      const checked = requireRule(rule);
      const found = isUuid(conversationId)
        ? await store.explainRule(db, checked, conversationId)
        : null;
      if (found === null) throw errors.conversationNotFound();
      return found;
    },
  };
}

/** @throws AppError 400 `invalid_rule` with the path of the invalid part */
export function requireRule(input: unknown): SegmentRule {
  const parsed = parseRule(input);
  if ('rule' in parsed) return parsed.rule;
  throw errors.invalidRule(parsed.fault.path, parsed.fault.message);
}
