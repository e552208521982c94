// Generated from the migrated schema by `npm run db:types`. Don't edit.
import type { Generated, GeneratedAlways } from 'kysely';

/** The columns of each table. A list of values in a check becomes a union. */
export interface Schema {
  admins: {
    id: Generated<string>;
    email: string;
    codename: string;
    role: 'support' | 'moderator' | 'manager' | 'creator';
    display_color: string;
    can_manage_messages: Generated<boolean>;
    is_active: Generated<boolean>;
    created_at: Generated<Date>;
    last_active_at: Date | null;
    version: Generated<number>;
    passkeys: Generated<number>;
    language: string | null;
  };
  analytics_admin_days: {
    day: Date;
    admin_id: string;
    messages: Generated<number>;
    sends: Generated<number>;
    purchases: Generated<number>;
    cents: Generated<number>;
    tips: Generated<number>;
    tip_cents: Generated<number>;
  };
  analytics_product_days: {
    day: Date;
    product_id: string;
    sends: Generated<number>;
    purchases: Generated<number>;
    cents: Generated<number>;
  };
  analytics_progress: {
    singleton: Generated<boolean>;
    summed_up_to: Date;
  };
  analytics_quarters: {
    quarter: Date;
    messages: Generated<number>;
    sends: Generated<number>;
    purchases: Generated<number>;
    cents: Generated<number>;
    mass_messages: Generated<number>;
    mass_sends: Generated<number>;
    mass_purchases: Generated<number>;
    mass_cents: Generated<number>;
    tips: Generated<number>;
    tip_cents: Generated<number>;
  };
  analytics_waits: {
    days: 1 | 32;
    day: Date;
    admin_id: string;
    bucket: number;
    answers: number;
  };
  audit_log: {
    id: GeneratedAlways<number>;
    at: Generated<Date>;
    admin_id: string | null;
    action: string;
    target_id: string;
    details: Generated<unknown>;
    thing: GeneratedAlways<string>;
  };
  avatar_uploads: {
    storage_key: string;
    admin_id: string;
    linked_at: Date | null;
    created_at: Generated<Date>;
  };
  campaign_files: {
    id: string;
    owner_id: string;
    campaign_id: string | null;
    type: 'image' | 'video' | 'audio' | 'file';
    storage_key: string;
    thumbnail_key: string | null;
    filename: string;
    size: number;
    mime_type: string;
    width: number | null;
    height: number | null;
    created_at: Generated<Date>;
  };
  campaign_recipients: {
    campaign_id: string;
    fan_id: string;
    conversation_id: string;
    variant: number;
    state: Generated<'pending' | 'sent' | 'skipped' | 'unsent'>;
    reason: string | null;
    message_id: string | null;
    due_at: Date;
    sent_at: Date | null;
    was_read: Generated<boolean>;
    has_replied: Generated<boolean>;
    planned_at: Date | null;
  };
  campaign_variants: {
    campaign_id: string;
    variant: number;
    content: string;
    attachments: unknown;
    share: number;
    audience: Generated<number>;
    sent: Generated<number>;
    skipped: Generated<number>;
    unsent: Generated<number>;
  };
  campaigns: {
    id: Generated<string>;
    name: string;
    state: Generated<'draft' | 'scheduled' | 'running' | 'paused' | 'finished' | 'canceled'>;
    rule: unknown;
    segment_id: string | null;
    exclude: unknown;
    send_at: Date | null;
    fan_local_time: boolean;
    per_minute: number | null;
    expires_at: Date | null;
    created_by: string;
    created_at: Generated<Date>;
    started_by: string | null;
    started_at: Date | null;
    begin_at: Date | null;
    audience_at: Date | null;
    paced_at: Date | null;
    finished_at: Date | null;
    unsent_at: Date | null;
    unsent_by: string | null;
    is_unsending: Generated<boolean>;
    unsent_up_to: string | null;
    version: Generated<number>;
    paused_reason: string | null;
    quiet_hours: string | null;
  };
  clocks: {
    id: Generated<string>;
    admin_id: string;
    started_at: Generated<Date>;
    last_act_at: Generated<Date>;
    ended_at: Date | null;
    stopped_by: 'admin' | 'idle' | 'removed' | null;
  };
  codenames: {
    key: string;
    admin_id: string;
  };
  conversations: {
    id: Generated<string>;
    fan_id: string;
    creator_id: string;
    status: Generated<'active' | 'archived' | 'flagged'>;
    claimed_by: string | null;
    unread_count: Generated<number>;
    last_seq: Generated<number>;
    version: Generated<number>;
    first_message_at: Date | null;
    last_message_at: Generated<Date>;
    last_message_content: string | null;
    last_message_search: GeneratedAlways<string | null>;
    waiting_since: Generated<Date>;
    created_at: Generated<Date>;
    answered_since: Date | null;
    marked_unread: Generated<boolean>;
    snoozed_until: Date | null;
    last_staff_id: string | null;
    last_staff_seq: number | null;
    other_staff_seq: number | null;
    claim_active_at: Date | null;
    fan_wrote_at: Generated<Date | null>;
    creator_wrote_at: Generated<Date | null>;
    mass_message_at: Date | null;
    mass_messages_on_day: number | null;
  };
  creators: {
    id: Generated<string>;
    display_name: string;
    singleton: Generated<boolean>;
    created_at: Generated<Date>;
    avatar_key: string | null;
    configured_name: string | null;
  };
  double_payments: {
    purchase_id: string;
    refund_requested_at: Date | null;
  };
  drafts: {
    admin_id: string;
    conversation_id: string;
    text: string;
    reply_to: unknown;
    version: number;
    edited_at: Date;
  };
  earning_contests: {
    id: Generated<string>;
    line_id: string;
    admin_id: string;
    reason: string;
    created_at: Generated<Date>;
    state: Generated<'open' | 'accepted' | 'rejected'>;
    answer: string | null;
    answered_by: string | null;
    answered_at: Date | null;
  };
  earning_heads: {
    chain: 'lines' | 'rules' | 'periods';
    length: number;
    hash: string;
  };
  earning_lines: {
    seq: number;
    id: string;
    admin_id: string;
    at: Date;
    kind: 'sale' | 'refund' | 'hours' | 'adjustment';
    source: 'sale' | 'refund' | 'hours' | 'contest';
    fact_id: string;
    amount_cents: number;
    base_cents: number;
    rate_hundredths: number | null;
    rule_version: number | null;
    purchase_id: string | null;
    message_id: string | null;
    shift_id: string | null;
    adjusts: string | null;
    shared_by: Generated<number>;
    seconds: number | null;
    note: string | null;
    previous_hash: string;
    hash: string;
  };
  earning_payslips: {
    period_id: string;
    admin_id: string;
    amount_cents: number;
    base_cents: number;
    seconds: number;
  };
  earning_periods: {
    id: string;
    starts_at: Date;
    ends_at: Date;
    closed_at: Generated<Date>;
    closed_by: string;
    last_seq: number;
    last_hash: string;
    hash: Generated<string>;
  };
  earning_queue: {
    id: GeneratedAlways<number>;
    source: string;
    fact_id: string;
  };
  earning_rules: {
    version: GeneratedAlways<number>;
    admin_id: string | null;
    role: 'support' | 'moderator' | 'manager' | 'creator' | null;
    percent_hundredths: number;
    hourly_cents: number;
    credit: 'sender' | 'shift';
    effective_at: Date;
    created_by: string;
    created_at: Generated<Date>;
    hash: Generated<string>;
  };
  ended_fan_sessions: {
    session_id: string;
    ended_at: Generated<Date>;
  };
  fan_benefits: {
    fan_id: string;
    benefit_type: '1_month_free' | '3_months_free' | '24_hours_free' | 'full_subscription' | null;
    started_at: Date;
    ends_at: Date | null;
    status: 'trial' | 'subscribed';
  };
  fan_links: {
    id: Generated<string>;
    fan_id: string;
    link_hash: Buffer;
    checkout_url: string | null;
    created_at: Generated<Date>;
    expires_at: Date;
  };
  fan_sessions: {
    id: Generated<string>;
    fan_id: string;
    link_id: string | null;
    token_hash: Buffer;
    checkout_url: string | null;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
  };
  fan_spending: {
    fan_id: string;
    cents: number;
    purchases: number;
    last_purchase_at: Date | null;
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
    created_at: Generated<Date>;
  };
  fan_tags: {
    id: Generated<string>;
    fan_id: string;
    position: number;
    label: string | null;
    color: string | null;
    global_tag_id: string | null;
  };
  fans: {
    id: Generated<string>;
    external_id: string;
    first_name: string | null;
    last_name: string | null;
    username: string | null;
    email: string | null;
    avatar_url: string | null;
    timezone: string | null;
    created_at: Generated<Date>;
    search_text: GeneratedAlways<string>;
    dob: Generated<string>;
    location: Generated<string>;
    marital_status: Generated<string>;
    years_of_support: Generated<string>;
    notes: Generated<string>;
    notes_version: Generated<number>;
    languages: Generated<string[]>;
  };
  folders: {
    id: Generated<string>;
    name: string;
    description: string | null;
    created_at: Generated<Date>;
  };
  give_backs: {
    payment_intent: string;
    refusals: Generated<number>;
  };
  global_tags: {
    id: Generated<string>;
    label: string;
    color: string;
    created_at: Generated<Date>;
  };
  guard_rails: {
    one: Generated<boolean>;
    banned_words: Generated<string[]>;
    price_min_cents: number | null;
    price_max_cents: number | null;
    version: Generated<number>;
  };
  handover_items: {
    handover_id: string;
    conversation_id: string;
    position: number;
    brief: string;
    draft: string | null;
  };
  handovers: {
    id: Generated<string>;
    from_id: string;
    to_id: string | null;
    client_id: string;
    payload_hash: Buffer;
    brief: string;
    created_at: Generated<Date>;
    accepted_at: Date | null;
  };
  inbox_counters: {
    shard: number;
    conversations: Generated<number>;
    unread: Generated<number>;
    archived: Generated<number>;
    needs_reply: Generated<number>;
  };
  installation: {
    one: Generated<boolean>;
    id: Generated<string>;
    keys_digest: string | null;
    files_mark: string | null;
  };
  invite_mails: {
    id: GeneratedAlways<number>;
    invite_id: string;
    admin_id: string;
    at: Generated<Date>;
  };
  invites: {
    id: string;
    seq: GeneratedAlways<number>;
    email: string;
    benefit_type: '1_month_free' | '3_months_free' | '24_hours_free' | 'full_subscription';
    state: Generated<'queued' | 'sent' | 'failed' | 'opened' | 'accepted'>;
    error: string | null;
    token_version: Generated<number>;
    token_hash: Buffer;
    invited_by: string;
    created_at: Generated<Date>;
    sent_at: Date | null;
    opened_at: Date | null;
    expires_at: Date;
    accepted_at: Date | null;
    accepted_by: string | null;
    benefit_ends_at: Date | null;
  };
  key_requests: {
    id: Generated<string>;
    sealed_for: string;
    sealed: string | null;
    created_at: Generated<Date>;
  };
  login_codes: {
    id: Generated<string>;
    email: string;
    code_hash: Buffer;
    tries: Generated<number>;
    consumed_at: Date | null;
    created_at: Generated<Date>;
  };
  message_tallies: {
    conversation_id: string;
    up_to_seq: number;
    from_fan: number;
    from_creator: number;
    fan_wrote_at: Date | null;
    creator_wrote_at: Date | null;
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
    attachments: Generated<unknown>;
    campaign_id: string | null;
    unsent_at: Date | null;
    unsent_by: string | null;
  };
  notification_settings: {
    admin_id: string;
    fan_messages: 'all' | 'mine' | 'none';
    sales: boolean;
    shows_text: boolean;
    quiet_from: number | null;
    quiet_to: number | null;
    time_zone: string;
    mentions: Generated<boolean>;
  };
  open_checkouts: {
    session_id: string;
    fan_id: string;
    product_id: string;
    created_at: Generated<Date>;
    attachment_id: string | null;
  };
  outbox: {
    id: GeneratedAlways<number>;
    event: string;
    payload: unknown;
    created_at: Generated<Date>;
  };
  owned_products: {
    fan_id: string;
    product_id: string;
    purchase_id: string;
    purchased_at: Date;
  };
  passkey_challenges: {
    challenge: string;
    purpose: 'sign_in' | 'enrol' | 'add' | 'confirm';
    pending_id: string | null;
    session_id: string | null;
    created_at: Generated<Date>;
  };
  passkey_roles: {
    role: 'support' | 'moderator' | 'manager' | 'creator';
    since: Generated<Date>;
  };
  passkeys: {
    id: Generated<string>;
    admin_id: string;
    name: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    synced: boolean;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  pending_sign_ins: {
    id: Generated<string>;
    admin_id: string;
    token_hash: Buffer;
    step: 'passkey' | 'enrol';
    user_agent: string | null;
    tries: Generated<number>;
    created_at: Generated<Date>;
    consumed_at: Date | null;
  };
  pins: {
    admin_id: string;
    conversation_id: string;
    pinned_at: Generated<Date>;
  };
  platform_keys: {
    id: Generated<string>;
    name: string;
    hint: string;
    key_hash: Buffer;
    created_by: string | null;
    created_at: Generated<Date>;
    last_used_at: Date | null;
    revoked_at: Date | null;
    scope: Generated<'platform' | 'payroll'>;
  };
  product_media: {
    id: string;
    product_id: string;
    position: number;
    free: boolean;
    type: 'image' | 'video' | 'audio';
    storage_key: string;
    thumbnail_key: string | null;
    filename: string;
    size: number;
    mime_type: string;
    width: number | null;
    height: number | null;
    duration: number | null;
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
    campaign_id: string | null;
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
    created_at: Generated<Date>;
    deleted_at: Date | null;
    thumbnail_key: string | null;
    times_sent: Generated<number>;
    times_purchased: Generated<number>;
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
    created_at: Generated<Date>;
    campaign_id: string | null;
  };
  push_subscriptions: {
    session_id: string;
    endpoint: string;
    public_key: Buffer;
    auth: Buffer;
    created_at: Generated<Date>;
  };
  reactions: {
    id: Generated<string>;
    message_id: string;
    user_id: string;
    emoji: string;
    created_at: Generated<Date>;
  };
  returned_payments: {
    payment_reference: string;
    returned_at: Date;
  };
  saved_views: {
    id: Generated<string>;
    admin_id: string;
    name: string;
    filter: string;
    sort: string;
    tag: string | null;
    search: Generated<string>;
    created_at: Generated<Date>;
    segment: string | null;
    lost_segment: string | null;
  };
  scheduled_messages: {
    id: Generated<string>;
    conversation_id: string;
    admin_id: string;
    client_id: string;
    content: string;
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
    created_at: Generated<Date>;
    settled_at: Date | null;
    payload_hash: Buffer | null;
  };
  segments: {
    id: Generated<string>;
    name: string;
    rule: unknown;
    created_by: string;
    updated_at: Generated<Date>;
  };
  sent_messages: {
    admin_id: string;
    sent_at: Date;
    waited_since: Date | null;
    campaign_id: string | null;
    message_id: string | null;
    conversation_id: string | null;
  };
  sessions: {
    id: Generated<string>;
    admin_id: string;
    token_hash: Buffer;
    cookie_hash: Buffer;
    user_agent: string | null;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
    media_cookie_hash: Buffer | null;
    passkey_id: string | null;
    confirmed_at: Date | null;
  };
  shift_extensions: {
    id: Generated<string>;
    admin_id: string;
    asked_at: Generated<Date>;
    granted_by: string | null;
    until: Date | null;
  };
  shifts: {
    id: Generated<string>;
    admin_id: string;
    starts_at: Date;
    ends_at: Date;
    note: Generated<string>;
    series_id: string | null;
    created_at: Generated<Date>;
  };
  sign_in_failures: {
    email: string;
    failures: number;
    last_at: Date;
  };
  snoozes: {
    conversation_id: string;
    wakes_at: Date;
  };
  staff_note_mentions: {
    note_id: string;
    admin_id: string;
    at: Date;
    is_self: Generated<boolean>;
    read_at: Date | null;
  };
  staff_notes: {
    id: Generated<string>;
    conversation_id: string;
    author_id: string;
    client_id: string;
    payload_hash: Buffer;
    content: string;
    version: Generated<number>;
    created_at: Generated<Date>;
    edited_at: Date | null;
  };
  storage_garbage: {
    storage_key: string;
    created_at: Generated<Date>;
    delete_after: Generated<Date>;
  };
  team_settings: {
    one: Generated<boolean>;
    version: Generated<number>;
    claim_on_first_reply: Generated<boolean>;
    release_claims_after_hours: number | null;
    reopen_on_fan_message: Generated<boolean>;
    mass_messages_a_day: Generated<number>;
    quiet_from_hour: number | null;
    quiet_until_hour: number | null;
    time_zone: Generated<string>;
    clock_idle_minutes: Generated<number>;
    access_only_on_shift: Generated<boolean>;
    earning_period: Generated<'weekly' | 'two_weekly' | 'monthly'>;
  };
  template_files: {
    id: string;
    owner_id: string;
    template_id: string | null;
    place: Generated<number>;
    type: 'image' | 'video' | 'audio' | 'file';
    storage_key: string;
    thumbnail_key: string | null;
    filename: string;
    size: number;
    mime_type: string;
    width: number | null;
    height: number | null;
    created_at: Generated<Date>;
  };
  templates: {
    id: Generated<string>;
    maker_id: string;
    is_shared: boolean;
    name: string;
    content: string;
    folder: string;
    product_id: string | null;
    price_cents: number | null;
    uses: Generated<number>;
    version: Generated<number>;
    updated_at: Generated<Date>;
  };
  tips: {
    id: Generated<string>;
    conversation_id: string;
    fan_id: string;
    admin_id: string | null;
    amount_cents: number;
    message: string | null;
    payment_reference: string;
    payload_hash: Buffer;
    tipped_at: Date;
    refunded_at: Date | null;
  };
  uploads: {
    id: string;
    conversation_id: string;
    owner_id: string;
    type: 'image' | 'video' | 'audio' | 'file';
    storage_key: string;
    thumbnail_key: string | null;
    filename: string;
    size: number;
    mime_type: string;
    width: number | null;
    height: number | null;
    message_id: string | null;
    created_at: Generated<Date>;
  };
  webhook_attempts: {
    id: GeneratedAlways<number>;
    event: number;
    at: Generated<Date>;
    duration_ms: number;
    status: number | null;
    answer: string;
    succeeded: boolean;
  };
  webhook_endpoint: {
    singleton: Generated<boolean>;
    url: string | null;
  };
  webhook_events: {
    id: GeneratedAlways<number>;
    event_id: Generated<string>;
    type: string;
    conversation_id: string | null;
    lane: string;
    place: Generated<number>;
    ref: Generated<unknown>;
    created_at: Generated<Date>;
    queued_at: Generated<Date>;
    relayed: Generated<boolean>;
    state: Generated<'waiting' | 'delivered' | 'failed'>;
    attempts: Generated<number>;
    settled_at: Date | null;
  };
  webhook_lanes: {
    lane: string;
  };
}
