import { type Attachment, uploadFiles } from '@stagedoor/contract/media';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { getToken } from '../../lib/server/session.ts';
import { upload } from '../../lib/server/upload.ts';
import { t } from '../../lib/text/i18n.ts';
import {
  type ChosenFile,
  changeFile,
  changeStrip,
  filesSent,
  noteUpload,
  removeFile,
  stripOf,
} from '../attachments/chosen-files.ts';
import { noteLocalPicture } from '../attachments/local-pictures.ts';
import { takeFile } from '../templates/queries.ts';
import {
  addPending,
  type Guard,
  isSending,
  newTempId,
  type OutgoingAttachment,
  removePending,
} from './outbox.ts';
import { outboxIn, updateOutbox } from './queries.ts';
import type { ReplyTarget } from './reply-target.ts';
import type { Outgoing, Sender } from './sender.ts';
import { noteSending } from './unsent.ts';

const FAILED_TO_UPLOAD = t('Failed to upload files. Please try again.');

/** The number of concurrent uploads. */
const AT_ONCE = 2;

interface WithFiles {
  client: QueryClient;
  sender: Pick<Sender, 'send'>;
  conversationId: string;
  content: string;
  replyTo: ReplyTarget | null;
  guard: Guard;
}

async function uploadOne(conversationId: string, key: string): Promise<void> {
  const chosen = stripOf(conversationId).files.find((file) => file.key === key);
  if (!chosen || chosen.uploaded) return;
  const controller = new AbortController();
  noteUpload(key, controller);
  changeFile(conversationId, key, { status: 'uploading', progress: 0, error: null });
  try {
    const uploaded = await uploadOrCopy(conversationId, chosen, controller.signal);
    if (chosen.file && chosen.picture !== null) noteLocalPicture(uploaded.id, chosen.picture);
    changeFile(conversationId, key, { status: 'uploaded', progress: 1, uploaded });
  } catch (error) {
    if (controller.signal.aborted) return;
    console.error('Failed to upload files. Please try again.', error);
    changeFile(conversationId, key, {
      status: 'failed',
      error: isGone(error) ? t('No longer in the template') : errorText(error, t('Not uploaded')),
    });
  } finally {
    noteUpload(key, null);
  }
}

/** Returns whether the template or its file no longer exists. Only copying a template's file can fail with these codes. */
const isGone = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === 'invalid_attachment' || error.code === 'template_not_found');

/** Uploads a file. A template's file is already on the server and is copied there. */
async function uploadOrCopy(
  conversationId: string,
  { key, file, template }: ChosenFile,
  signal: AbortSignal,
): Promise<Attachment> {
  if (template) return takeFile(template, conversationId, signal);
  if (!file) throw new Error('There is no file to upload');
  const form = new FormData();
  form.append('conversation_id', conversationId);
  form.append('files', file);
  const { attachments } = await upload(uploadFiles, form, {
    signal,
    onProgress: (progress) => changeFile(conversationId, key, { progress }),
  });
  const [uploaded] = attachments;
  if (!uploaded) throw new Error('The upload returned no attachment');
  return uploaded;
}

async function uploadAll(conversationId: string, keys: readonly string[]): Promise<void> {
  const waiting = [...keys];
  const work = async () => {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift())
      await uploadOne(conversationId, key);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * Uploads the files in the strip and leaves them there.
 * @throws ApiError if one of the files could not be uploaded
 */
export async function uploadChosen(conversationId: string): Promise<{ key: string; id: string }[]> {
  const keys = stripOf(conversationId).files.map(({ key }) => key);
  await uploadAll(conversationId, keys);
  const files = stripOf(conversationId).files.flatMap(({ key, uploaded }) =>
    uploaded && keys.includes(key) ? [{ key, id: uploaded.id }] : [],
  );
  if (files.length < keys.length) throw new ApiError({ status: 0, message: FAILED_TO_UPLOAD });
  return files;
}

/** Resolves when no message of the conversation is being sent. */
function whenFree(client: QueryClient, conversationId: string): Promise<void> {
  const isFree = () => !isSending(outboxIn(client, conversationId));
  return new Promise((resolve) => {
    if (isFree()) return resolve();
    const stop = client.getQueryCache().subscribe(() => {
      if (!isFree()) return;
      stop();
      resolve();
    });
  });
}

/** Sends a message after the conversation's current message is sent. Shows it as pending until then. */
export async function sendInTurn(
  client: QueryClient,
  sender: Pick<Sender, 'send'>,
  message: Outgoing & { tempId: string },
): Promise<void> {
  const token = getToken();
  const { conversation_id: conversationId, attachments = [] } = message;
  while (!sender.send(message)) {
    const created_at = new Date().toISOString();
    updateOutbox(client, conversationId, (outbox) =>
      addPending(outbox, { ...message, attachments, created_at, status: 'uploading', error: null }),
    );
    await whenFree(client, conversationId);
    if (getToken() !== token) return;
  }
}

/** Returns the attachment to show while a file is being uploaded, from its local data. */
function shownMeanwhile({ key, type, picture, name, ...file }: ChosenFile): OutgoingAttachment {
  const shown = file.uploaded ?? {
    id: key,
    type,
    url: picture,
    thumbnail_url: null,
    filename: name,
    size: file.size,
    mime_type: null,
    width: file.width,
    height: file.height,
    is_paid: false,
    product_id: null,
    price: null,
    title: null,
    description: null,
    preview_url: null,
    preview_s3_key: null,
    full_s3_key: null,
    purchased_at: null,
  };
  return { input: { id: shown.id }, shown };
}

/** Removes a file from the strip, and from the pending message that it is being uploaded for. */
export function removeFromPending(client: QueryClient, conversationId: string, key: string): void {
  removeFile(conversationId, key);
  updateOutbox(client, conversationId, (outbox) => ({
    ...outbox,
    pending: outbox.pending.map((message) => ({
      ...message,
      attachments: message.attachments.filter(({ shown }) => shown.id !== key),
    })),
  }));
}

/**
 * Uploads the files in the strip and sends them with the text as one message. If an upload fails, the text is sent alone and the
 * files stay for a retry. Always uses the conversation that it was started in.
 */
export async function sendWithFiles(message: WithFiles): Promise<void> {
  const { client, sender, conversationId, content, replyTo, guard } = message;
  if (stripOf(conversationId).sending !== null) return;
  const token = getToken();
  const tempId = newTempId();
  const chosen = stripOf(conversationId).files;
  const keys = chosen.map(({ key }) => key);
  changeStrip(conversationId, { sending: { tempId, keys }, problem: null, canRetry: false });
  const text = { tempId, conversation_id: conversationId, content, replyTo, ...guard };
  // The text has left the draft by now, so store it here.
  if (content !== '') noteSending({ ...text, attachments: [] });
  updateOutbox(client, conversationId, (outbox) =>
    addPending(outbox, {
      ...text,
      attachments: chosen.map(shownMeanwhile),
      created_at: new Date().toISOString(),
      status: 'uploading',
      error: null,
    }),
  );
  await uploadAll(conversationId, keys);
  if (getToken() !== token) return;

  const files = stripOf(conversationId).files.filter(({ key }) => keys.includes(key));
  const isFailed = files.some(({ status }) => status === 'failed');
  const attachments = isFailed
    ? []
    : files.flatMap(({ uploaded }): OutgoingAttachment[] =>
        uploaded ? [{ input: { id: uploaded.id }, shown: uploaded }] : [],
      );
  if (content !== '' || attachments.length > 0)
    await sendInTurn(client, sender, { ...text, attachments });
  else updateOutbox(client, conversationId, (outbox) => removePending(outbox, tempId));
  if (getToken() !== token) return;
  if (!isFailed) filesSent(conversationId, new Set(keys));
  changeStrip(conversationId, {
    sending: null,
    ...(isFailed && { problem: FAILED_TO_UPLOAD, canRetry: true }),
  });
}
