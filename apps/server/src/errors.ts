import { type ErrorCode, type ErrorReply, errorCatalogue } from '@stagedoor/contract/errors';
import { isSentence } from '@stagedoor/contract/primitives';
import type { StaffMember } from '@stagedoor/contract/team/staff';

interface ErrorDetails extends Pick<ErrorReply, 'claimant' | 'current' | 'pending' | 'words'> {
  /** Replaces the catalog's text with a more specific one. */
  readonly message?: string;
  /** Maps a field's dotted path to what is wrong with it. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Seconds to wait before a retry; sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/** An error that the caller may see. Any other error becomes a generic 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  /** The fields of the reply besides its text and code. */
  readonly details: Omit<ErrorDetails, 'message' | 'retryAfter'>;

  constructor(code: ErrorCode, { message, retryAfter, ...details }: ErrorDetails = {}) {
    super(message ?? errorCatalogue[code].message);
    this.code = code;
    this.status = errorCatalogue[code].status;
    this.retryAfter = retryAfter;
    this.details = details;
  }
}

export const unauthorized = () => new AppError('unauthorized');
export const invalidCode = () => new AppError('invalid_code');
/** @param retryAfter seconds */
export const tooManyWrongCodes = (retryAfter: number) =>
  new AppError('too_many_wrong_codes', { retryAfter });
export const permissionRequired = () => new AppError('permission_required');
export const messagePrivilegeRequired = () => new AppError('message_privilege_required');
export const conversationNotFound = () => new AppError('conversation_not_found');
export const searchTooBroad = () => new AppError('search_too_broad');
export const messageNotFound = () => new AppError('message_not_found');
export const staffNoteNotFound = () => new AppError('staff_note_not_found');
export const notMessageAuthor = () => new AppError('not_message_author');
export const notNoteAuthor = () => new AppError('not_note_author');
export const handoverNotFound = () => new AppError('handover_not_found');
export const claimsChanged = () => new AppError('claims_changed');
export const teammateUnavailable = () => new AppError('colleague_unavailable');
export const fanNotFound = () => new AppError('fan_not_found');
export const tagNotFound = () => new AppError('tag_not_found');
export const productNotFound = () => new AppError('product_not_found');
export const folderNotFound = () => new AppError('folder_not_found');
export const folderExists = () =>
  new AppError('folder_exists', { fields: { name: errorCatalogue.folder_exists.message } });
export const purchaseNotFound = () => new AppError('purchase_not_found');
export const attachmentNotFound = () => new AppError('attachment_not_found');
export const adminNotFound = () => new AppError('admin_not_found');
export const adminExists = () => new AppError('admin_exists');
export const adminInactive = () => new AppError('admin_inactive');
export const codenameTaken = () => new AppError('codename_taken');
export const cannotRemoveSelf = () => new AppError('cannot_remove_self');
export const roleCeiling = () => new AppError('role_ceiling');
export const shiftNotFound = () => new AppError('shift_not_found');
export const extensionNotFound = () => new AppError('extension_not_found');
export const offShift = () => new AppError('off_shift');
export const alreadyClockedIn = () => new AppError('already_clocked_in');
export const notClockedIn = () => new AppError('not_clocked_in');
/** @param current the existing shift that overlaps */
export const shiftConflict = (current: Record<string, unknown>) =>
  new AppError('shift_conflict', {
    current,
    fields: { starts_at: errorCatalogue.shift_conflict.message },
  });
export const viewNotFound = () => new AppError('view_not_found');
export const earningNotFound = () => new AppError('earning_not_found');
export const contestNotFound = () => new AppError('contest_not_found');
export const periodNotFound = () => new AppError('period_not_found');
export const segmentNotFound = () => new AppError('segment_not_found');
export const campaignNotFound = () => new AppError('campaign_not_found');
export const tooManySegments = () => new AppError('too_many_segments');
export const segmentTooSlow = () => new AppError('segment_too_slow');
export const tooManyViews = () => new AppError('too_many_views');
export const tooManyPins = () => new AppError('too_many_pins');
export const lastManager = () => new AppError('last_manager');
export const signInExpired = () => new AppError('sign_in_expired');
/** @param pending the token that continues the sign-in */
export const passkeyRequired = (pending: string) => new AppError('passkey_required', { pending });
/** @param pending the token that continues the sign-in */
export const passkeyEnrolmentRequired = (pending: string) =>
  new AppError('passkey_enrolment_required', { pending });
/** @param message what is wrong with the passkey; by default the catalog's text */
export const invalidPasskey = (message?: string) =>
  new AppError('invalid_passkey', message === undefined ? {} : { message });
export const passkeyNotFound = () => new AppError('passkey_not_found');
export const passkeyNeeded = () => new AppError('passkey_needed');
/** @param message what has to change */
export const passkeysUnavailable = (message: string) =>
  new AppError('passkeys_unavailable', { message });
export const confirmationRequired = () => new AppError('confirmation_required');
export const originRefused = () => new AppError('origin_refused');
export const templateNotFound = () => new AppError('template_not_found');
export const scheduledNotFound = () => new AppError('scheduled_not_found');
export const scheduledSettled = () => new AppError('scheduled_settled');
/** @param message why the scheduled message could not be sent */
export const scheduledFailed = (message: string) => new AppError('scheduled_failed', { message });
export const inviteNotFound = () => new AppError('invite_not_found');
export const keyNotFound = () => new AppError('key_not_found');
/** @param message why the event can't be redelivered; by default the catalog's text */
export const deliveryNotFound = (message?: string) =>
  new AppError('delivery_not_found', message === undefined ? {} : { message });
export const sessionNotFound = () => new AppError('session_not_found');
/** @param message says what the id was used for; by default, the catalog's text for messages */
export const idempotencyConflict = (message?: string) =>
  new AppError('idempotency_conflict', message === undefined ? {} : { message });

export const paymentReused = () =>
  idempotencyConflict('This payment reference was already used for something else');

/** @param retryAfter seconds */
export const rateLimited = (retryAfter: number, message?: string) =>
  new AppError('rate_limited', message === undefined ? { retryAfter } : { retryAfter, message });

/** Returns the error for a request of the wrong shape. @param fields maps each field's dotted path to what is wrong with it */
export const invalidRequest = (fields: Record<string, string>) => {
  const [[name, text] = ['', '']] = Object.entries(fields);
  // Some texts make no sense without the field's name.
  const message = name === '' || isSentence(text) ? text : `${name}: ${text}`;
  return new AppError('invalid_request', message === '' ? { fields } : { fields, message });
};

/** Returns the error for a request that doesn't match its schema. */
export const mismatch = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  invalidRequest(
    Object.fromEntries(issues.map(({ path, message }) => [path.join('.').slice(0, 50), message])),
  );

/** Returns the error for one invalid field. @param message a sentence that makes sense without the field's name */
export const invalidField = (name: string, message: string) =>
  new AppError('invalid_request', { fields: { [name]: message }, message });

/** @param path the dotted path to the invalid part, relative to the request's `rule` */
export const invalidRule = (path: string, message: string) => {
  const name = path === '' ? 'rule' : `rule.${path}`;
  return new AppError('invalid_rule', {
    message: `${name}: ${message}`,
    fields: { [name]: message },
  });
};

export const invalidAttachment = (message: string) =>
  new AppError('invalid_attachment', { message, fields: { attachments: message } });

/** @param message names the file and says what is wrong with it */
export const invalidFile = (message: string) => new AppError('invalid_file', { message });
export const linkExpired = () => new AppError('link_expired');
export const storageFull = () => new AppError('storage_full');
/** Returns the error for a full database disk. A retry succeeds once the disk has space again. */
export const databaseFull = () =>
  new AppError('unavailable', {
    message:
      'The database’s disk is full, so nothing can be saved. Contact the person who runs this server.',
  });

export const statementNotFound = () => new AppError('statement_not_found');
export const tooManyStatements = () => new AppError('too_many_statements');

/** @param current the statement as stored now */
export const statementConflict = (current: Readonly<Record<string, unknown>>) =>
  new AppError('statement_conflict', { current });

export const teammateReplied = () => new AppError('teammate_replied');
export const notClaimant = () => new AppError('not_claimant');
export const invalidTransition = (message: string) =>
  new AppError('invalid_transition', { message });

/** @param claimant the admin who has claimed the conversation; null if the claim was released in the meantime */
export const alreadyClaimed = (claimant: StaffMember | null) =>
  new AppError(
    'already_claimed',
    claimant === null
      ? {}
      : { claimant, message: `${claimant.codename} has claimed this conversation` },
  );

/** @param current the settings as stored now */
export const settingsConflict = (current: Record<string, unknown>) =>
  new AppError('settings_conflict', { current });

/** @param current the notes as stored now, for the caller to merge with */
export const notesConflict = (current: Record<string, unknown>) =>
  new AppError('notes_conflict', { current });

/** @param current the object as stored now, for the caller to compare with */
export const editConflict = (current: Record<string, unknown>) =>
  new AppError('edit_conflict', { current });

/** Maximum number of banned words that the message lists. */
const WORDS_NAMED = 10;

/** @param words spelled as in the list of banned words, without duplicates */
export const bannedWords = (words: readonly string[]) => {
  const named = words.slice(0, WORDS_NAMED).join(', ');
  const message = `Remove these words: ${named}${words.length > WORDS_NAMED ? ', …' : ''}`;
  return new AppError('banned_words', { message, words: [...words], fields: { content: message } });
};

/** @param message states the allowed range */
export const priceOutOfBounds = (message: string) =>
  new AppError('price_out_of_bounds', { message, fields: { price: message } });
