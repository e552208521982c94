import type { Attachment } from '@stagedoor/contract/media';
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  noteTemplateUse,
  type Template,
  takeTemplateFile,
  updateTemplate,
} from '@stagedoor/contract/messaging/templates';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The shared templates and one's own, the most used first. An event tells when they changed. */
export const templatesOptions = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }): Promise<Template[]> => (await call(listTemplates, { signal })).data,
});

/** What a person decides about a template. */
export interface TemplateDetails {
  name: string;
  content: string;
  folder: string;
  /** USD. */
  product: { id: string; price: number } | null;
  attachments: { id: string }[];
  is_shared: boolean;
}

/** Keeps a new one, or changes one that was read at that version. */
export async function saveTemplate(
  before: Pick<Template, 'id' | 'version'> | null,
  details: TemplateDetails,
): Promise<Template> {
  if (before === null) return (await call(createTemplate, { body: details })).data;
  const { id, version } = before;
  return (await call(updateTemplate, { params: { id }, body: { version, ...details } })).data;
}

/** Deletes a template. */
export async function removeTemplate(id: string): Promise<void> {
  await call(deleteTemplate, { params: { id } });
}

/** Counts a use, by which templates are sorted; nobody has to be told where that fails. */
export function noteUse(id: string): void {
  call(noteTemplateUse, { params: { id } }).catch((error: unknown) =>
    console.error('Failed to count the use of a template', error),
  );
}

/** Makes a file of a template one that was uploaded to a conversation. */
export async function takeFile(
  template: { id: string; fileId: string },
  conversationId: string,
  signal: AbortSignal,
): Promise<Attachment> {
  const body = { conversation_id: conversationId, attachment_id: template.fileId };
  const params = { id: template.id };
  return (await call(takeTemplateFile, { params, body, signal })).attachment;
}
