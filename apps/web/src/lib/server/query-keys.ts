import type { QueryFilters } from '@tanstack/react-query';

type Id = string;

/** The keys of all cached data. Any other key does not compile; filters may also use the beginning of a key. */
interface KeyTable {
  inbox:
    | readonly ['inbox', 'list', params: object]
    | readonly ['inbox', 'search', query: string]
    | readonly ['inbox', 'stats' | 'pins'];
  views: readonly ['views'];
  messageSearch: readonly ['messageSearch', query: object | null];
  conversation:
    | readonly ['conversation', Id]
    | readonly ['conversation', Id, 'messages' | 'outbox']
    /** The loading of older messages, before the newest or around one that was jumped to. */
    | readonly ['conversation', Id, 'older', around: Id | null]
    /** Messages around one that was jumped to. */
    | readonly ['conversation', Id, 'span', messageId: Id]
    /** Staff notes, among the newest messages or around one that was jumped to. */
    | readonly ['conversation', Id, 'notes']
    | readonly ['conversation', Id, 'notes', messageId: Id];
  failedAction: readonly ['failedAction', conversationId: Id];
  notice: readonly ['notice'];
  mentions: readonly ['mentions'];
  teammates: readonly ['teammates'];
  handovers: readonly ['handovers', 'shift' | 'received'];
  templates: readonly ['templates'];
  segments:
    | readonly ['segments']
    | readonly ['segments', 'preview' | 'count', rule: object]
    | readonly ['segments', 'explain', rule: object, conversationId: Id];
  earnings: readonly ['earnings', what: string, query: object];
  campaigns:
    | readonly ['campaigns', 'list']
    | readonly ['campaigns', 'one', Id]
    | readonly ['campaigns', 'preview', Id, version: number]
    | readonly ['campaigns', 'recipients', Id, filter: object]
    | readonly ['campaigns', 'unsaved', body: object | null];
  shifts:
    | readonly ['shifts']
    | readonly ['shifts', 'now']
    | readonly ['shifts', week: string]
    | readonly ['shifts', 'figures' | 'messages', query: object];
  guard_rails: readonly ['guard_rails'];
  scheduled: readonly ['scheduled', conversationIdOrScope: string];
  fan:
    | readonly ['fan', conversationId: Id, 'facts' | 'tips']
    | readonly ['fan', conversationId: Id, 'offers', kind: string];
  profileNotes: readonly ['profileNotes', conversationId: Id];
  statements:
    | readonly ['statements', 'of', conversationId: Id]
    | readonly ['statements', 'promises'];
  tags: readonly ['tags'];
  invites: readonly ['invites', state: string | null];
  products: readonly ['products'];
  folders: readonly ['folders'];
  offers: readonly ['offers', conversationId: Id];
  analytics:
    | readonly ['analytics', 'overview' | 'sales', query: object]
    | readonly ['analytics', 'doublePayments'];
  admins: readonly ['admins'];
  fruits: readonly ['fruits'];
  auth:
    | readonly ['auth', 'me', token: string | null]
    | readonly ['auth', 'passkeys' | 'requirements' | 'sessions'];
  creator: readonly ['creator'];
  notifications: readonly ['notifications'];
  settings: readonly ['settings'];
  audit: readonly ['audit', filter: object];
  platform:
    | readonly ['platform', 'keys']
    | readonly ['platform', 'webhook', 'health']
    | readonly ['platform', 'webhook', 'deliveries', 'list', state: string | null]
    | readonly ['platform', 'webhook', 'deliveries', 'delivery', Id];
  /** Whether the page shows data stored for offline use. */
  kept: readonly ['kept'];
}

/** The keys of changes. Changes with the same key are saved in the order in which they were made. */
type ChangeKey =
  /** Claims, status, snooze and pin. */
  | readonly ['conversation', Id]
  | readonly ['unsend', messageId: Id]
  | readonly ['product', Id]
  | readonly ['shift', Id]
  | readonly ['tags' | 'languages', conversationId: Id]
  | readonly ['bulk' | 'next' | 'views' | 'statements']
  | readonly ['notifications' | 'passkeys' | 'refunds' | 'sessions' | 'settings']
  | readonly ['admins', 'privileges'];

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: KeyTable[keyof KeyTable];
    mutationKey: ChangeKey;
  }
}

/** A key, or the beginning that several keys share. */
export type KeyPrefix = NonNullable<QueryFilters['queryKey']>;
