import { acceptFiles, tooManyFiles, typeOf } from '@stagedoor/browser/file-rules';
import { uuid } from '@stagedoor/browser/uuid';
import { ATTACHMENTS_MAX, type Attachment } from '@stagedoor/contract/media';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';
import { getSession, getToken, subscribeSession } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { deleteKept, deleteKeptOf, type KeptFile, keepFile, readKept } from './kept-files.ts';
import { measure } from './measure.ts';

/** A file chosen for a message that is not sent yet. */
export interface ChosenFile extends Omit<KeptFile, 'admin' | 'conversationId' | 'savedAt'> {
  /** The URL of the preview, or null. */
  picture: string | null;
  status: 'chosen' | 'uploading' | 'uploaded' | 'failed';
  /** The uploaded fraction, from 0 to 1. */
  progress: number;
  error: string | null;
  /** Whether the file would survive a reload. */
  isKept: boolean;
}

/** The files chosen for a conversation. */
export interface Strip {
  files: readonly ChosenFile[];
  /** The message that is being uploaded and the keys of its files, or null. */
  sending: { tempId: string; keys: readonly string[] } | null;
  /** An error to show until the next action. */
  problem: string | null;
  /** Whether the problem is a failed upload, which can be retried. */
  canRetry: boolean;
}

const EMPTY: Strip = { files: [], sending: null, problem: null, canRetry: false };

const strips = new Map<string, Strip>();
const uploads = new Map<string, AbortController>();
const listeners = createListeners();
/** The channel on which tabs notify each other of sent and removed files, so that every tab removes these files. */
let otherTabs: BroadcastChannel | null = null;
/** The admin and token that these files belong to; null before the first use. */
let owner: { admin: string; token: string | null } | null = null;

let restored: Promise<void> = Promise.resolve();

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function set(conversationId: string, strip: Strip): void {
  if (strip.files.length === 0 && strip.sending === null && strip.problem === null)
    strips.delete(conversationId);
  else strips.set(conversationId, strip);
  const isAtRisk = [...strips.values()].some(
    ({ files, sending }) => sending !== null || files.some(({ isKept }) => !isKept),
  );
  if (isAtRisk) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  listeners.notify();
}

function release({ key, picture }: ChosenFile): void {
  uploads.get(key)?.abort();
  if (picture?.startsWith('blob:')) URL.revokeObjectURL(picture);
}

function inBackground(work: Promise<unknown>): void {
  work.catch((error: unknown) => console.error('Failed to keep files', error));
}

export function stripOf(conversationId: string): Strip {
  return strips.get(conversationId) ?? EMPTY;
}

export function changeStrip(conversationId: string, part: Partial<Strip>): void {
  set(conversationId, { ...stripOf(conversationId), ...part });
}

export function changeFile(conversationId: string, key: string, part: Partial<ChosenFile>): void {
  const strip = stripOf(conversationId);
  const files = strip.files.map((file) => (file.key === key ? { ...file, ...part } : file));
  if (strips.has(conversationId)) set(conversationId, { ...strip, files });
}

function newFile(
  part: Pick<ChosenFile, 'name' | 'size' | 'type' | 'file' | 'uploaded'> & Partial<ChosenFile>,
): ChosenFile {
  const { type, file, uploaded } = part;
  const local = file && type !== 'file' ? URL.createObjectURL(file) : null;
  return {
    key: uuid(),
    picture: local ?? uploaded?.thumbnail_url ?? null,
    width: uploaded?.width ?? null,
    height: uploaded?.height ?? null,
    template: null,
    status: uploaded ? 'uploaded' : 'chosen',
    progress: uploaded ? 1 : 0,
    error: null,
    isKept: false,
    ...part,
  };
}

async function keep(conversationId: string, chosen: ChosenFile): Promise<void> {
  if (owner === null) return;
  const { admin } = owner;
  const size =
    chosen.file && chosen.picture !== null ? await measure(chosen.type, chosen.picture) : chosen;
  const { key, name, size: bytes, type, file, uploaded, template } = chosen;
  const { width, height } = size;
  changeFile(conversationId, key, { width, height });
  const kept = { key, name, size: bytes, type, file, uploaded, template, width, height };
  const isKept = await keepFile({ ...kept, admin, conversationId, savedAt: Date.now() });
  const isWanted = stripOf(conversationId).files.some((held) => held.key === key);
  if (isWanted) changeFile(conversationId, key, { isKept });
  else await deleteKept([key]);
}

function add(conversationId: string, files: readonly ChosenFile[], part: Partial<Strip>): void {
  const strip = stripOf(conversationId);
  set(conversationId, { ...strip, files: [...strip.files, ...files], ...part });
  for (const file of files) if (!file.isKept) inBackground(keep(conversationId, file));
}

/** Adds files to a conversation's strip. Skips files that can't be sent, and shows an error. */
export function chooseFiles(conversationId: string, files: readonly File[]): void {
  followSession();
  const held = stripOf(conversationId).files.length;
  const { accepted, objections } = acceptFiles(held, files);
  const chosen = accepted.map((file) =>
    newFile({ name: file.name, size: file.size, type: typeOf(file), file, uploaded: null }),
  );
  const problem = objections.length > 0 ? objections.join(' ') : null;
  add(conversationId, chosen, { problem, canRetry: false });
}

/** Puts the uploaded files of an unsent message back into the strip. */
export function takeBackFiles(conversationId: string, attachments: readonly Attachment[]): void {
  followSession();
  const files = attachments.map((uploaded) => {
    const { filename, size, type } = uploaded;
    return newFile({ name: filename ?? 'File', size, type, file: null, uploaded });
  });
  add(conversationId, files, {});
}

/**
 * Adds a template's files to a conversation's strip. If there is no room for all, adds as many as fit and shows an error. The
 * files become uploads when the message is sent.
 */
export function chooseTemplateFiles(
  conversationId: string,
  { id, attachments }: Pick<Template, 'id' | 'attachments'>,
): void {
  if (attachments.length === 0) return;
  followSession();
  const room = Math.max(0, ATTACHMENTS_MAX - stripOf(conversationId).files.length);
  const files = attachments.slice(0, room).map((attachment) => {
    const { filename, thumbnail_url: picture, size, type, width, height } = attachment;
    const template = { id, fileId: attachment.id };
    const name = filename ?? t('File');
    return newFile({
      name,
      size,
      type,
      file: null,
      uploaded: null,
      picture,
      width,
      height,
      template,
    });
  });
  const isFull = files.length < attachments.length;
  const problem = isFull ? tooManyFiles() : null;
  add(conversationId, files, { problem, canRetry: false });
}

function forget(keys: readonly string[]): void {
  inBackground(deleteKept(keys));
  otherTabs?.postMessage(keys);
}

/** Removes a file from the strip and stops its upload. */
export function removeFile(conversationId: string, key: string): void {
  drop(conversationId, new Set([key]));
  forget([key]);
}

function drop(conversationId: string, keys: ReadonlySet<string>): void {
  const strip = stripOf(conversationId);
  for (const file of strip.files) if (keys.has(file.key)) release(file);
  const files = strip.files.filter(({ key }) => !keys.has(key));
  const isOver = files.every(({ status }) => status !== 'failed');
  set(conversationId, { ...strip, files, ...(isOver && { problem: null, canRetry: false }) });
}

/** Removes files that are now part of a message. Their previews stay, because the message still shows them. */
export function filesSent(conversationId: string, keys: ReadonlySet<string>): void {
  const strip = stripOf(conversationId);
  set(conversationId, { ...strip, files: strip.files.filter(({ key }) => !keys.has(key)) });
  forget([...keys]);
}

/** Stores the controller that can abort a file's upload. Null removes it once the upload has ended. */
export function noteUpload(key: string, controller: AbortController | null): void {
  if (controller) uploads.set(key, controller);
  else uploads.delete(key);
}

export function hasFiles(): boolean {
  return [...strips.values()].some(({ files }) => files.length > 0);
}

/** Removes all files of the signed-in admin, including stored files, and stops their uploads. */
export function removeAllFiles(): void {
  const session = getSession();
  if (session.status === 'signed_in') inBackground(deleteKeptOf(session.admin.id));
  dropAll();
}

function dropAll(): void {
  for (const [conversationId, { files }] of strips) {
    for (const file of files) release(file);
    set(conversationId, EMPTY);
  }
}

/** Restores the files that the signed-in admin chose before the page was loaded, once per session. */
export function restoreFiles(): Promise<void> {
  followSession();
  return restored;
}

/** Drops the files when the session changes, so that an admin never sends a teammate's files. */
function followSession(): void {
  if (owner === null) {
    subscribeSession(follow);
    otherTabs = new BroadcastChannel('stagedoor_chosen_files');
    otherTabs.onmessage = ({ data }: MessageEvent<string[]>) => {
      for (const [id, { sending }] of strips) if (sending === null) drop(id, new Set(data));
    };
  }
  follow();
}

function follow(): void {
  const token = getToken();
  if (owner !== null && owner.token === token) return;
  dropAll();
  const session = getSession();
  owner = { admin: session.status === 'signed_in' ? session.admin.id : '', token };
  restored = owner.admin === '' ? Promise.resolve() : restore(owner.admin);
  restored = restored.catch((error: unknown) => console.error('Failed to restore files', error));
}

async function restore(admin: string): Promise<void> {
  const kept = await readKept(admin);
  if (owner?.admin !== admin) return;
  for (const { conversationId, ...part } of kept) {
    const isHere = stripOf(conversationId).files.some(({ key }) => key === part.key);
    if (!isHere) add(conversationId, [newFile({ ...part, isKept: true })], {});
  }
}

/** Returns the files chosen for a conversation, and re-renders when they change. */
export function useStrip(conversationId: string): Strip {
  return useSyncExternalStore(listeners.subscribe, () => stripOf(conversationId));
}
