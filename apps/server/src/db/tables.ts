import type { InboxFilter, InboxSort } from '@stagedoor/contract/inbox/conversations';
import type { LanguageCode } from '@stagedoor/contract/language-codes';
import type { DraftReply } from '@stagedoor/contract/messaging/drafts';
import type { ScheduledMessage } from '@stagedoor/contract/messaging/scheduled';
import type { WebhookType } from '@stagedoor/contract/platform/webhooks';
import type { CampaignState } from '@stagedoor/contract/selling/campaign-state';
import type { CampaignExclusions } from '@stagedoor/contract/selling/campaigns';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import type { ColumnType, Generated, SelectType, Transaction } from 'kysely';
import type { StoredAttachment } from '../media/stored-attachment.ts';
import type { Language } from '../texts.ts';
import type { Schema } from './schema.ts';

/** A JSON column: parsed when read, written as text. */
type Json<T> = ColumnType<T, string | undefined, string>;

/** The types that the schema can't express, keyed by table and column. */
interface ColumnTypes {
  'admins.language': Language | null;
  'audit_log.details': Json<Record<string, unknown>>;
  'campaigns.exclude': Json<CampaignExclusions>;
  'campaigns.rule': Json<SegmentRule>;
  'campaigns.state': ColumnType<CampaignState, CampaignState | undefined>;
  'campaign_variants.attachments': Json<StoredAttachment[]>;
  /** `Infinity` if the fan isn't waiting. */
  'conversations.waiting_since': ColumnType<Date | number, Date | undefined, Date>;
  /** `Infinity` until the fan writes; null: not snoozed. */
  'conversations.snoozed_until': ColumnType<Date | number | null, Date | null | undefined>;
  'drafts.reply_to': Json<DraftReply | null>;
  'fans.languages': Generated<LanguageCode[]>;
  'messages.attachments': Json<StoredAttachment[]>;
  'saved_views.filter': InboxFilter;
  'saved_views.sort': InboxSort;
  'scheduled_messages.attachments': Json<ScheduledMessage['attachments']>;
  'segments.rule': Json<SegmentRule>;
  'webhook_events.type': WebhookType;
}

/** The columns of each table, for the query builder; the migrations explain them. */
export type Tables = {
  [T in keyof Schema]: {
    [C in keyof Schema[T]]: `${T}.${C & string}` extends infer Key extends keyof ColumnTypes
      ? ColumnTypes[Key]
      : Schema[T][C];
  };
};

/** A table's row, or only the given columns of it, as a statement returns them. */
export type Row<T extends keyof Tables, C extends keyof Tables[T] = keyof Tables[T]> = {
  readonly [K in C]: SelectType<Tables[T][K]>;
};

/** A transaction of the query builder. */
export type Tx = Transaction<Tables>;
