import type { BenefitType, InviteState } from '@stagedoor/contract/fans/invites';
import type { FanProfile } from '@stagedoor/contract/fans/profile';
import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import type {
  ConversationStatus,
  InboxFilter,
  InboxSort,
} from '@stagedoor/contract/inbox/conversations';
import type { AttachmentType } from '@stagedoor/contract/media';
import type { DeliveryState, WebhookType } from '@stagedoor/contract/platform/webhooks';
import type { AdminRole } from '@stagedoor/contract/team/auth';
import type { FanMessageNotices } from '@stagedoor/contract/team/notifications';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** An instant that defaults to the database's current time. */
type DefaultedTime = ColumnType<Date, Date | undefined, Date>;

/**
 * The columns of each table, for the query builder; the migrations explain them. Code that locks rows of several tables follows
 * the order in docs/ARCHITECTURE.md, "In which order are rows locked?".
 */
export interface Tables {
  creators: {
    id: Generated<string>;
    display_name: string;
    avatar_key: string | null;
    singleton: Generated<boolean>;
    created_at: DefaultedTime;
  };
  admins: {
    id: Generated<string>;
    email: string;
    codename: string;
    role: AdminRole;
    display_color: string;
    can_manage_messages: Generated<boolean>;
    is_active: Generated<boolean>;
    /** Rounded to the minute. */
    last_active_at: Date | null;
    /** Increases with each change that is emitted to others. */
    version: Generated<number>;
    /** Number of passkeys, maintained by a trigger. */
    passkeys: Generated<number>;
    /** The language in which they used the console last; null until then. */
    language: string | null;
    created_at: DefaultedTime;
  };
  codenames: {
    /** The codename in the normalised form that the trigger filling this table produces. */
    key: string;
    admin_id: string;
  };
  avatar_uploads: {
    storage_key: string;
    admin_id: string;
    linked_at: Date | null;
    created_at: DefaultedTime;
  };
  sessions: {
    id: Generated<string>;
    admin_id: string;
    token_hash: Buffer;
    cookie_hash: Buffer;
    media_cookie_hash: Buffer | null;
    user_agent: string | null;
    /** The passkey that opened or last confirmed the session; also null once that passkey is deleted. */
    passkey_id: string | null;
    /** When a passkey was last used for the session; null: never, it was opened with a code alone. */
    confirmed_at: Date | null;
    created_at: DefaultedTime;
    last_used_at: DefaultedTime;
  };
  passkeys: {
    id: Generated<string>;
    admin_id: string;
    name: string;
    /** The authenticator's own id for it, in base64url. */
    credential_id: string;
    /** In COSE format. */
    public_key: Buffer;
    /** How often it was used, according to the authenticator; many don't count, and report 0. */
    counter: number;
    transports: string[];
    synced: boolean;
    created_at: DefaultedTime;
    last_used_at: Date | null;
  };
  passkey_roles: {
    role: AdminRole;
    since: DefaultedTime;
  };
  pending_sign_ins: {
    id: Generated<string>;
    admin_id: string;
    token_hash: Buffer;
    step: 'passkey' | 'enrol';
    user_agent: string | null;
    tries: Generated<number>;
    created_at: DefaultedTime;
    consumed_at: Date | null;
  };
  passkey_challenges: {
    challenge: string;
    purpose: 'sign_in' | 'enrol' | 'add' | 'confirm';
    pending_id: string | null;
    session_id: string | null;
    created_at: DefaultedTime;
  };
  login_codes: {
    id: Generated<string>;
    email: string;
    code_hash: Buffer;
    tries: Generated<number>;
    consumed_at: Date | null;
    created_at: DefaultedTime;
  };
  sign_in_failures: {
    email: string;
    /** Consecutive wrong codes. */
    failures: number;
    last_at: Date;
  };
  fans: FanProfile & {
    id: Generated<string>;
    external_id: string;
    created_at: DefaultedTime;
    search_text: GeneratedAlways<string>;
    dob: Generated<string>;
    location: Generated<string>;
    marital_status: Generated<string>;
    years_of_support: Generated<string>;
    notes: Generated<string>;
    /** Increases with each save of the notes. */
    notes_version: Generated<number>;
    /** ISO 639-1 codes. */
    languages: Generated<string[]>;
  };
  global_tags: {
    id: Generated<string>;
    label: string;
    color: string;
    created_at: DefaultedTime;
  };
  fan_tags: {
    id: Generated<string>;
    fan_id: string;
    position: number;
    label: string | null;
    color: string | null;
    global_tag_id: string | null;
  };
  conversations: {
    id: Generated<string>;
    fan_id: string;
    creator_id: string;
    status: Generated<ConversationStatus>;
    claimed_by: string | null;
    /** Includes the one that a manual 'unread' mark adds. */
    unread_count: Generated<number>;
    marked_unread: Generated<boolean>;
    last_seq: Generated<number>;
    version: Generated<number>;
    first_message_at: Date | null;
    last_message_at: DefaultedTime;
    last_message_content: string | null;
    last_message_search: GeneratedAlways<string | null>;
    /** `Infinity` if the fan isn't waiting. */
    waiting_since: ColumnType<Date | number, Date | undefined, Date>;
    /** When the fan's wait began that the last reply ended; null if that reply ended no wait. */
    answered_since: Date | null;
    /** `Infinity` until the fan writes; null: not snoozed. */
    snoozed_until: ColumnType<Date | number | null, Date | null | undefined, Date | null>;
    /** The admin who wrote last, and that message's `seq`; null if none has written since this is recorded. */
    last_staff_id: string | null;
    last_staff_seq: number | null;
    /** The `seq` of the newest staff message by someone other than `last_staff_id`. */
    other_staff_seq: number | null;
    /** When the claimant claimed it or last wrote; maintained by a trigger. */
    claim_active_at: Date | null;
    created_at: DefaultedTime;
  };
  snoozes: {
    conversation_id: string;
    wakes_at: Date;
  };
  saved_views: {
    id: Generated<string>;
    admin_id: string;
    name: string;
    filter: InboxFilter;
    sort: InboxSort;
    tag: string | null;
    search: Generated<string>;
    created_at: DefaultedTime;
  };
  pins: {
    admin_id: string;
    conversation_id: string;
    pinned_at: DefaultedTime;
  };
  messages: {
    id: string;
    conversation_id: string;
    seq: number;
    from_fan: boolean;
    author_id: string;
    client_message_id: string;
    payload_hash: Buffer;
    content: string;
    reply_to_message_id: string | null;
    created_at: Date;
    read_at: Date | null;
    /** An array of StoredAttachment. */
    attachments: Generated<unknown>;
  };
  fan_statements: {
    id: string;
    conversation_id: string;
    text: string;
    message_id: string | null;
    due_at: Date | null;
    done_at: Date | null;
    done_by: string | null;
    admin_id: string;
    version: Generated<number>;
    created_at: DefaultedTime;
  };
  message_tallies: {
    conversation_id: string;
    up_to_seq: number;
    from_fan: number;
    from_creator: number;
    fan_wrote_at: Date | null;
    creator_wrote_at: Date | null;
  };
  reactions: {
    id: Generated<string>;
    message_id: string;
    user_id: string;
    emoji: string;
    created_at: DefaultedTime;
  };
  staff_notes: {
    id: Generated<string>;
    conversation_id: string;
    author_id: string;
    client_id: string;
    payload_hash: Buffer;
    /** Mentions refer to teammates by their ids. */
    content: string;
    version: Generated<number>;
    created_at: DefaultedTime;
    edited_at: Date | null;
  };
  staff_note_mentions: {
    note_id: string;
    admin_id: string;
    /** When the note was written. */
    at: Date;
    is_self: Generated<boolean>;
    read_at: Date | null;
  };
  handovers: {
    id: Generated<string>;
    from_id: string;
    to_id: string | null;
    client_id: string;
    payload_hash: Buffer;
    brief: string;
    created_at: DefaultedTime;
    accepted_at: Date | null;
  };
  handover_items: {
    handover_id: string;
    conversation_id: string;
    position: number;
    brief: string;
    draft: string | null;
  };
  outbox: {
    id: GeneratedAlways<number>;
    event: string;
    payload: unknown;
    created_at: DefaultedTime;
  };
  uploads: {
    id: string;
    conversation_id: string;
    owner_id: string;
    type: AttachmentType;
    storage_key: string;
    thumbnail_key: string | null;
    filename: string;
    size: number;
    mime_type: string;
    width: number | null;
    height: number | null;
    message_id: string | null;
    created_at: DefaultedTime;
  };
  storage_garbage: {
    storage_key: string;
    created_at: DefaultedTime;
    delete_after: DefaultedTime;
  };
  folders: {
    id: Generated<string>;
    name: string;
    description: string | null;
    created_at: DefaultedTime;
  };
  products: {
    id: Generated<string>;
    title: string;
    description: string | null;
    price_cents: number;
    folder_id: string | null;
    product_type: Generated<'message_attachment' | 'standalone'>;
    is_active: Generated<boolean>;
    full_key: string;
    preview_key: string;
    mime_type: string;
    size: number;
    width: number;
    height: number;
    created_at: DefaultedTime;
    deleted_at: Date | null;
    thumbnail_key: string | null;
    times_sent: Generated<number>;
    times_purchased: Generated<number>;
  };
  product_sends: {
    attachment_id: string;
    message_id: string;
    conversation_id: string;
    fan_id: string;
    product_id: string;
    admin_id: string;
    price_cents: number;
    sent_at: Date;
  };
  purchases: {
    id: Generated<string>;
    attachment_id: string;
    message_id: string;
    conversation_id: string;
    fan_id: string;
    product_id: string;
    admin_id: string;
    amount_cents: number;
    payment_reference: string;
    payload_hash: Buffer;
    purchased_at: Date;
    refunded_at: Date | null;
    created_at: DefaultedTime;
  };
  owned_products: {
    fan_id: string;
    product_id: string;
    /** The payment through which the fan owns it. */
    purchase_id: string;
    purchased_at: Date;
  };
  double_payments: {
    purchase_id: string;
    refund_requested_at: Date | null;
  };
  open_checkouts: {
    session_id: string;
    fan_id: string;
    product_id: string;
    created_at: DefaultedTime;
  };
  give_backs: {
    payment_intent: string;
    refusals: Generated<number>;
  };
  returned_payments: {
    payment_reference: string;
    returned_at: Date;
  };
  audit_log: {
    id: GeneratedAlways<number>;
    at: DefaultedTime;
    admin_id: string | null;
    action: string;
    /** The part of the action before the dot. */
    thing: GeneratedAlways<string>;
    target_id: string;
    details: Generated<unknown>;
  };
  invites: {
    id: string;
    seq: GeneratedAlways<number>;
    email: string;
    benefit_type: BenefitType;
    /** Expiry is not stored: it follows from the time. */
    state: Generated<Exclude<InviteState, 'expired'>>;
    error: string | null;
    token_version: Generated<number>;
    token_hash: Buffer;
    invited_by: string;
    created_at: DefaultedTime;
    sent_at: Date | null;
    opened_at: Date | null;
    expires_at: Date;
    accepted_at: Date | null;
    accepted_by: string | null;
    benefit_ends_at: Date | null;
  };
  invite_mails: {
    id: GeneratedAlways<number>;
    invite_id: string;
    admin_id: string;
    at: DefaultedTime;
  };
  fan_benefits: {
    fan_id: string;
    status: SubscriptionStatus;
    /** From the newest invitation that granted it; null if the platform reported it. */
    benefit_type: BenefitType | null;
    started_at: Date;
    ends_at: Date | null;
  };
  fan_links: {
    id: Generated<string>;
    fan_id: string;
    link_hash: Buffer;
    checkout_url: string | null;
    created_at: DefaultedTime;
    expires_at: Date;
  };
  fan_sessions: {
    id: Generated<string>;
    fan_id: string;
    link_id: string | null;
    token_hash: Buffer;
    checkout_url: string | null;
    created_at: DefaultedTime;
    last_used_at: DefaultedTime;
  };
  webhook_endpoint: {
    singleton: Generated<boolean>;
    /** Without user and password; null: no webhook. */
    url: string | null;
  };
  webhook_events: {
    id: GeneratedAlways<number>;
    event_id: Generated<string>;
    type: WebhookType;
    conversation_id: string | null;
    lane: string;
    place: Generated<number>;
    ref: Generated<unknown>;
    created_at: DefaultedTime;
    queued_at: DefaultedTime;
    relayed: Generated<boolean>;
    state: Generated<DeliveryState>;
    attempts: Generated<number>;
    settled_at: Date | null;
  };
  webhook_attempts: {
    id: GeneratedAlways<number>;
    event: number;
    at: DefaultedTime;
    duration_ms: number;
    status: number | null;
    answer: string;
    succeeded: boolean;
  };
  webhook_lanes: {
    lane: string;
  };
  platform_keys: {
    id: Generated<string>;
    name: string;
    hint: string;
    key_hash: Buffer;
    created_by: string | null;
    created_at: DefaultedTime;
    /** Rounded to the minute. */
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  team_settings: {
    one: Generated<boolean>;
    version: Generated<number>;
    claim_on_first_reply: Generated<boolean>;
    /** Null: never. */
    release_claims_after_hours: number | null;
    reopen_on_fan_message: Generated<boolean>;
  };
  drafts: {
    admin_id: string;
    conversation_id: string;
    text: string;
    /** A DraftReply. */
    reply_to: unknown;
    version: number;
    edited_at: Date;
  };
  installation: {
    one: Generated<boolean>;
    id: Generated<string>;
    /** Digest of the keys in the nodes' data directories; null until there are several nodes. */
    keys_digest: string | null;
    /** Content of a marker file next to the stored files, which shows whether a node shares them. */
    files_mark: string | null;
  };
  key_requests: {
    id: Generated<string>;
    /** The public key of the node that requests the keys. */
    sealed_for: string;
    sealed: string | null;
    created_at: DefaultedTime;
  };
  ended_fan_sessions: {
    session_id: string;
    ended_at: DefaultedTime;
  };
  templates: {
    id: Generated<string>;
    maker_id: string;
    is_shared: boolean;
    name: string;
    content: string;
    /** Empty if it is in no folder. */
    folder: string;
    product_id: string | null;
    price_cents: number | null;
    uses: Generated<number>;
    version: Generated<number>;
    updated_at: DefaultedTime;
  };
  template_files: {
    id: string;
    owner_id: string;
    /** Null until the file is attached to a template. */
    template_id: string | null;
    place: Generated<number>;
    type: AttachmentType;
    storage_key: string;
    thumbnail_key: string | null;
    filename: string;
    size: number;
    mime_type: string;
    width: number | null;
    height: number | null;
    created_at: DefaultedTime;
  };
  scheduled_messages: {
    id: Generated<string>;
    conversation_id: string;
    admin_id: string;
    client_id: string;
    /** Null for messages that the previous version scheduled. */
    payload_hash: Buffer | null;
    content: string;
    /** An array of attachments as in the contract's ScheduledMessage. */
    attachments: Generated<unknown>;
    send_at: Date;
    due_at: Date;
    attempts: Generated<number>;
    taken_until: Date | null;
    is_follow_up: boolean;
    after_seq: number;
    state: Generated<'waiting' | 'sent' | 'cancelled' | 'failed'>;
    reason: string | null;
    message_id: string | null;
    version: Generated<number>;
    created_at: DefaultedTime;
    settled_at: Date | null;
  };
  guard_rails: {
    one: Generated<boolean>;
    banned_words: Generated<string[]>;
    price_min_cents: number | null;
    price_max_cents: number | null;
    version: Generated<number>;
  };
  notification_settings: {
    admin_id: string;
    fan_messages: FanMessageNotices;
    sales: boolean;
    mentions: boolean;
    shows_text: boolean;
    /** Minutes since midnight in the admin's time zone; both are set, or neither. */
    quiet_from: number | null;
    quiet_to: number | null;
    time_zone: string;
  };
  push_subscriptions: {
    session_id: string;
    endpoint: string;
    public_key: Buffer;
    auth: Buffer;
    created_at: DefaultedTime;
  };
  inbox_counters: {
    shard: number;
    conversations: number;
    unread: number;
    archived: number;
  };
}
