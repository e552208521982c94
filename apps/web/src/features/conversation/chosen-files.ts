import type { Attachment, AttachmentType } from '@stagedoor/contract/media';
import { useSyncExternalStore } from 'react';
import { getToken, subscribeSession } from '../../lib/session.ts';
import { acceptFiles, typeOf } from './file-rules.ts';

/** A file that was chosen for a message and is not sent yet. */
export interface ChosenFile {
  key: string;
  name: string;
  size: number | null;
  type: AttachmentType;
  /** Null for one that was uploaded before and taken back. */
  file: File | null;
  /** Where the browser holds it to be shown, or null. */
  picture: string | null;
  status: 'chosen' | 'uploading' | 'uploaded' | 'failed';
  /** How much of it is uploaded, of 1. */
  progress: number;
  uploaded: Attachment | null;
  error: string | null;
}

/** What was chosen for a conversation. */
export interface Strip {
  files: readonly ChosenFile[];
  /** The message that these files are uploaded for; null while nothing is. */
  sending: { tempId: string; content: string } | null;
  /** What went wrong, until something else is done. */
  problem: string | null;
  /** Whether the problem is an upload's, which can be tried again. */
  canRetry: boolean;
}

const EMPTY: Strip = { files: [], sending: null, problem: null, canRetry: false };

/** In memory only: files can't be kept over a reload, so the browser asks before one. */
const strips = new Map<string, Strip>();
const uploads = new Map<string, AbortController>();
const listeners = new Set<() => void>();
let owner: string | null = null;
let count = 0;

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function set(conversationId: string, strip: Strip): void {
  if (strip.files.length === 0 && strip.sending === null && strip.problem === null)
    strips.delete(conversationId);
  else strips.set(conversationId, strip);
  if (hasFiles()) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  for (const listener of listeners) listener();
}

function release({ key, picture }: ChosenFile): void {
  uploads.get(key)?.abort();
  if (picture?.startsWith('blob:')) URL.revokeObjectURL(picture);
}

/** What was chosen for a conversation. */
export function stripOf(conversationId: string): Strip {
  return strips.get(conversationId) ?? EMPTY;
}

/** Changes something of a conversation's strip. */
export function changeStrip(conversationId: string, part: Partial<Strip>): void {
  set(conversationId, { ...stripOf(conversationId), ...part });
}

/** Changes something of a chosen file, where it is still chosen. */
export function changeFile(conversationId: string, key: string, part: Partial<ChosenFile>): void {
  const strip = stripOf(conversationId);
  const files = strip.files.map((file) => (file.key === key ? { ...file, ...part } : file));
  if (strips.has(conversationId)) set(conversationId, { ...strip, files });
}

/** Puts files into a conversation's strip; what can't be sent is told of and left out. */
export function chooseFiles(conversationId: string, files: readonly File[]): void {
  forgetWithSession();
  const strip = stripOf(conversationId);
  const { accepted, objections } = acceptFiles(strip.files.length, files);
  const chosen = accepted.map((file): ChosenFile => {
    const type = typeOf(file);
    const isShown = type !== 'file';
    return {
      key: `file-${++count}`,
      name: file.name,
      size: file.size,
      type,
      file,
      picture: isShown ? URL.createObjectURL(file) : null,
      status: 'chosen',
      progress: 0,
      uploaded: null,
      error: null,
    };
  });
  const problem = objections.length > 0 ? `${objections.join('. ')}.` : null;
  set(conversationId, { ...strip, files: [...strip.files, ...chosen], problem, canRetry: false });
}

/** Puts files back that were uploaded for a message which was not sent. */
export function takeBackFiles(conversationId: string, attachments: readonly Attachment[]): void {
  forgetWithSession();
  const strip = stripOf(conversationId);
  const files = attachments.map(
    (uploaded): ChosenFile => ({
      key: `file-${++count}`,
      name: uploaded.filename ?? 'File',
      size: uploaded.size,
      type: uploaded.type,
      file: null,
      picture: uploaded.thumbnail_url,
      status: 'uploaded',
      progress: 1,
      uploaded,
      error: null,
    }),
  );
  set(conversationId, { ...strip, files: [...strip.files, ...files] });
}

/** Takes a file out of the strip, and stops its upload. */
export function removeFile(conversationId: string, key: string): void {
  const strip = stripOf(conversationId);
  for (const file of strip.files) if (file.key === key) release(file);
  const files = strip.files.filter((file) => file.key !== key);
  const isOver = files.every(({ status }) => status !== 'failed');
  set(conversationId, { ...strip, files, ...(isOver && { problem: null, canRetry: false }) });
}

/** These files are on their way as parts of a message; what shows them is still needed. */
export function fileSent(conversationId: string, keys: ReadonlySet<string>): void {
  const strip = stripOf(conversationId);
  set(conversationId, { ...strip, files: strip.files.filter(({ key }) => !keys.has(key)) });
}

/** Notes how to stop an upload; null when it is over. */
export function noteUpload(key: string, controller: AbortController | null): void {
  if (controller) uploads.set(key, controller);
  else uploads.delete(key);
}

/** Whether files wait anywhere to be sent. */
export function hasFiles(): boolean {
  return [...strips.values()].some(({ files }) => files.length > 0);
}

/** Forgets all files, and stops their uploads. */
export function forgetAllFiles(): void {
  for (const [conversationId, { files }] of strips) {
    for (const file of files) release(file);
    set(conversationId, EMPTY);
  }
}

/** What one session chose is nothing for the next one to send. */
function forgetWithSession(): void {
  if (owner === null) {
    subscribeSession(() => {
      if (getToken() === owner) return;
      owner = getToken();
      forgetAllFiles();
    });
  }
  owner = getToken();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was chosen for a conversation, re-rendering with it. */
export function useStrip(conversationId: string): Strip {
  return useSyncExternalStore(subscribe, () => stripOf(conversationId));
}
