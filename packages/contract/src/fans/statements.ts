import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import {
  basedOn,
  byId,
  dataOf,
  lookupId,
  namedObject,
  requiredText,
  timestamp,
} from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';
import { FanCaption } from './profile.ts';

/** The maximum number per fan of statements without a due time. The same limit applies to open promises. */
export const STATEMENTS_MAX = 50;
/** The maximum number of done promises in a list. */
export const DONE_PROMISES_LISTED = 20;
/** The maximum length of a statement, in UTF-16 units. */
export const STATEMENT_MAX_CHARS = 1_000;
/** The maximum number of promises in the caller's list; the soonest due come first. */
export const PROMISES_LISTED = 100;

/** A statement that the creator made to a fan. A statement with a due time is a promise. */
export const FanStatement = namedObject('FanStatement', {
  id: z.string(),
  conversation_id: z.string(),
  text: z.string(),
  /** The message that contains the statement; null if none was given. */
  message_id: z.nullable(z.string()),
  /** Null if it isn't a promise. */
  due_at: z.nullable(timestamp),
  /** When the promise was marked as done, and the admin who marked it. */
  done_at: z.nullable(timestamp),
  done_by: z.nullable(StaffMember),
  /** The admin who recorded it. */
  author: StaffMember,
  created_at: timestamp,
  /** Rises with each change. */
  version: z.int(),
});
export type FanStatement = z.infer<typeof FanStatement>;

export const OpenPromise = namedObject('OpenPromise', {
  ...FanStatement.shape,
  fan: FanCaption,
});
export type OpenPromise = z.infer<typeof OpenPromise>;

const statementText = requiredText(STATEMENT_MAX_CHARS, 'Enter the statement');
const dueTime = z.iso.datetime({ offset: true, abort: true }).check(
  z.refine((value) => Date.parse(value) >= Date.UTC(2000), 'Must be in 2000 or later'),
  z.refine((value) => Date.parse(value) < Date.UTC(2200), 'Must be before 2200'),
);
const statementReply = z.object({ data: FanStatement });

export const StatementInput = z.strictObject({
  /** A UUID chosen by the caller. A retry returns the same statement; another statement with this id is refused. */
  id: z.optional(z.uuid().check(z.toLowerCase())),
  text: statementText,
  message_id: z.optional(z.nullable(lookupId)),
  due_at: z.optional(z.nullable(dueTime)),
});
export type StatementInput = z.infer<typeof StatementInput>;

export const StatementChange = z.strictObject({
  text: z.optional(statementText),
  /** Only for a promise. */
  due_at: z.optional(dueTime),
  /** Only for a promise: whether it is done. */
  done: z.optional(z.boolean()),
  version: basedOn,
});
export type StatementChange = z.infer<typeof StatementChange>;

export const listStatements = get('/api/messages/admin/conversation/{id}/statements', {
  summary: `The statements and promises made to the conversation’s fan: all current ones, and the last ${DONE_PROMISES_LISTED} promises marked as done.`,
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: z.array(FanStatement) }) },
  errors: ['conversation_not_found'],
});

export const createStatement = post('/api/messages/admin/conversation/{id}/statements', {
  isAct: true,
  summary: 'Save a statement or, with `due_at`, a promise.',
  auth: 'admin',
  params: byId,
  body: StatementInput,
  replies: { 200: statementReply, 201: statementReply },
  errors: [
    'conversation_not_found',
    'message_not_found',
    'too_many_statements',
    'idempotency_conflict',
    'statement_conflict',
  ],
});

export const updateStatement = patch('/api/messages/admin/statements/{id}', {
  isAct: true,
  summary:
    'Update the given fields. If `version` is older than the stored one: 409 with the current statement.',
  auth: 'admin',
  params: byId,
  body: StatementChange,
  replies: { 200: statementReply },
  errors: ['statement_not_found', 'statement_conflict', 'too_many_statements'],
});

export const deleteStatement = del('/api/messages/admin/statements/{id}', {
  isAct: true,
  summary: 'Permanently remove a statement or promise.',
  auth: 'admin',
  params: byId,
  replies: { 200: dataOf({ deleted: z.literal(true) }) },
  errors: ['statement_not_found'],
});

export const listPromises = get('/api/messages/admin/promises', {
  summary: `Open promises that the caller has to keep: their own, those in conversations they have claimed, and those of removed admins in unclaimed conversations. Earliest due date first; at most ${PROMISES_LISTED}.`,
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(OpenPromise) }) },
});
