import type { Attachment } from '@stagedoor/contract/media';
import {
  createTemplate,
  listTemplates,
  noteTemplateUse,
  type Template,
  takeTemplateFile,
  updateTemplate,
} from '@stagedoor/contract/messaging/templates';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The shared templates and the viewer's own, most used first. An event refreshes them. */
export const templatesOptions = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }): Promise<Template[]> => (await call(listTemplates, { signal })).data,
});

/** The editable fields of a template. */
export interface TemplateDetails {
  name: string;
  content: string;
  folder: string;
  /** USD. */
  product: { id: string; price: number } | null;
  attachments: { id: string }[];
  is_shared: boolean;
}

/** Creates a template, or updates one at the version that was read. */
export async function saveTemplate(
  before: Pick<Template, 'id' | 'version'> | null,
  details: TemplateDetails,
): Promise<Template> {
  if (before === null) return (await call(createTemplate, { body: details })).data;
  const { id, version } = before;
  return (await call(updateTemplate, { params: { id }, body: { version, ...details } })).data;
}

/** Counts a use of a template, by which the list is sorted. A failure is only logged. */
export function noteUse(id: string): void {
  call(noteTemplateUse, { params: { id } }).catch((error: unknown) =>
    console.error('Failed to count the use of a template', error),
  );
}

/** Copies a template's file to the uploads of a conversation. */
export async function takeFile(
  template: { id: string; fileId: string },
  conversationId: string,
  signal: AbortSignal,
): Promise<Attachment> {
  const body = { conversation_id: conversationId, attachment_id: template.fileId };
  const params = { id: template.id };
  return (await call(takeTemplateFile, { params, body, signal })).attachment;
}
