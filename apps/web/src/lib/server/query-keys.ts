const key = <const Parts extends readonly unknown[]>(...parts: Parts) => parts;

/** The keys of all cached data. Any other key does not compile. */
export const queryKeys = {
  inbox: {
    all: key('inbox'),
    lists: key('inbox', 'list'),
    list: (params: object) => key('inbox', 'list', params),
    searches: key('inbox', 'search'),
    search: (query: string) => key('inbox', 'search', query),
    stats: key('inbox', 'stats'),
    /** The admin's pinned conversations. */
    pins: key('inbox', 'pins'),
  },
  views: key('views'),
  messageSearch: (query: object | null) => key('message search', query),
  /** A conversation and, below it, all that its thread shows. */
  conversation: {
    all: key('conversation'),
    one: (id: string) => key('conversation', id),
    thread: (id: string) => key('conversation', id, 'messages'),
    outbox: (id: string) => key('conversation', id, 'outbox'),
    /** Messages around one that was jumped to. */
    spans: (id: string) => key('conversation', id, 'span'),
    span: (id: string, messageId: string) => key('conversation', id, 'span', messageId),
    /** The staff notes among the newest messages, and below it those around other messages. */
    notes: (id: string) => key('conversation', id, 'staff-notes'),
    notesAround: (id: string, messageId: string) =>
      key('conversation', id, 'staff-notes', messageId),
  },
  failedAction: (conversationId: string) => key('failed_action', conversationId),
  notice: key('conversation-notice'),
  mentions: key('mentions'),
  teammates: key('colleagues'),
  handovers: {
    all: key('handovers'),
    shift: key('handovers', 'shift'),
    received: key('handovers', 'received'),
  },
  templates: key('templates'),
  guardRails: key('guard_rails'),
  scheduled: {
    all: key('scheduled'),
    of: (conversationIdOrScope: string) => key('scheduled', conversationIdOrScope),
  },
  fan: {
    all: key('fan'),
    one: (conversationId: string) => key('fan', conversationId),
    facts: (conversationId: string) => key('fan', conversationId, 'facts'),
    offers: (conversationId: string, kind: string) => key('fan', conversationId, 'offers', kind),
  },
  profileNotes: (conversationId: string) => key('notes', conversationId),
  statements: {
    all: key('statements'),
    of: (conversationId: string) => key('statements', 'of', conversationId),
    promises: key('statements', 'promises'),
  },
  tags: key('global-tags'),
  invites: { all: key('invites'), list: (state: string | null) => key('invites', state) },
  products: key('products'),
  folders: key('folders'),
  offers: (conversationId: string) => key('offers', conversationId),
  analytics: {
    all: key('analytics'),
    overview: (query: object) => key('analytics', 'overview', query),
    sales: (query: object) => key('analytics', 'sales', query),
    doublePayments: key('analytics', 'double-payments'),
  },
  admins: key('admins'),
  fruits: key('fruits'),
  auth: {
    me: key('auth', 'me'),
    /** The admin of one session. */
    admin: (token: string | null) => key('auth', 'me', token),
    passkeys: key('auth', 'passkeys'),
    requirements: key('auth', 'passkey-requirements'),
    sessions: key('auth', 'sessions'),
  },
  creator: key('creator'),
  notifications: key('notifications'),
  settings: key('settings'),
  audit: (filter: object) => key('audit', filter),
  platformKeys: key('platform', 'keys'),
  webhook: {
    all: key('platform', 'webhook'),
    health: key('platform', 'webhook', 'health'),
    deliveries: key('platform', 'webhook', 'deliveries'),
    list: (state: string | null) => key('platform', 'webhook', 'deliveries', 'list', state),
    delivery: (id: string) => key('platform', 'webhook', 'deliveries', 'one', id),
  },
  /** Whether the page shows data stored for offline use. */
  kept: key('kept'),
};

/** The keys of changes. Changes with the same key are saved in the order in which they were made. */
export const changeKeys = {
  /** Claims, status, snooze and pin of a conversation. */
  conversation: (id: string) => key('conversation', id),
  bulk: key('bulk'),
  next: key('next'),
  views: key('views'),
  fanTags: (conversationId: string) => key('fan tags', conversationId),
  statements: key('statements'),
  product: (id: string) => key('product', id),
  privileges: key('admins', 'privileges'),
};

type KeysIn<Table> = Table extends readonly unknown[]
  ? Table
  : Table extends (...parts: never[]) => infer Key
    ? Key
    : { [Name in keyof Table]: KeysIn<Table[Name]> }[keyof Table];

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: KeysIn<typeof queryKeys>;
    mutationKey: KeysIn<typeof changeKeys>;
  }
}
