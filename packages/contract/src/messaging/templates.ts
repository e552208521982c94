import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import { ATTACHMENTS_MAX, Attachment } from '../media.ts';
import {
  byId,
  dataOf,
  lookupId,
  namedObject,
  priceUsd,
  requiredText,
  text,
  timestamp,
} from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

export const TEMPLATE_NAME_MAX_CHARS = 100;
export const TEMPLATE_TEXT_MAX_CHARS = 4_000;
export const TEMPLATE_FOLDER_MAX_CHARS = 60;
/** The maximum number of shared templates, and of private templates per admin. */
export const SHARED_TEMPLATES_MAX = 500;
export const OWN_TEMPLATES_MAX = 200;

/** Variables for the fan's data in a template, filled in when the template is used. */
export const TEMPLATE_VARIABLES = ['first_name', 'name', 'username'] as const;
export type TemplateVariable = (typeof TEMPLATE_VARIABLES)[number];

/** A saved reply. */
export const Template = namedObject('Template', {
  id: z.string(),
  name: z.string(),
  /** May contain variables such as `{first_name}`. */
  content: z.string(),
  /** The name of its folder; empty for none. */
  folder: z.string(),
  /** Whether all staff can use it, or only its author. */
  is_shared: z.boolean(),
  /** The product that it offers; null for none or if the product was deleted. */
  product: z.nullable(
    z.object({
      id: z.string(),
      title: z.string(),
      /** The default price of the offer, in USD. */
      price: z.number(),
      /** Whether it can currently be sold. */
      is_active: z.boolean(),
    }),
  ),
  /** Its files. `takeTemplateFile` copies one into a conversation. */
  attachments: z.array(Attachment),
  uses: z.int(),
  maker: StaffMember,
  /** Rises with each change. */
  version: z.int(),
  updated_at: timestamp,
});
export type Template = z.infer<typeof Template>;

const fields = {
  name: requiredText(TEMPLATE_NAME_MAX_CHARS, 'Please enter a name'),
  content: text(TEMPLATE_TEXT_MAX_CHARS),
  folder: text(TEMPLATE_FOLDER_MAX_CHARS).check(z.trim()),
  product: z.nullable(z.strictObject({ id: lookupId, price: priceUsd })),
  /** Uploads that no template uses yet, and files of this template; in sending order. */
  attachments: z.array(z.strictObject({ id: lookupId })).check(z.maxLength(ATTACHMENTS_MAX)),
};

const one = z.object({ data: Template });
const path = '/api/messages/admin/templates';

export const listTemplates = get(path, {
  summary: 'The shared templates and the caller’s own, most used first; at most 700.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Template) }) },
});

export const createTemplate = post(path, {
  summary: 'Save a reply as a template with a text, a product, files, or any combination.',
  auth: 'admin',
  permission: 'can_manage_messages',
  body: z.strictObject({
    name: fields.name,
    content: z._default(fields.content, ''),
    folder: z._default(fields.folder, ''),
    product: z._default(fields.product, null),
    attachments: z._default(fields.attachments, []),
    is_shared: z.boolean(),
  }),
  replies: { 201: one },
  errors: ['invalid_attachment', 'product_not_found', 'too_many_templates'],
});

export const updateTemplate = patch(`${path}/{id}`, {
  summary:
    'Update the given fields of a template: the caller’s own or, with can_manage_admins, any shared one. `version` is the one the caller last read.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.strictObject({
    version: z.int(),
    name: z.optional(fields.name),
    content: z.optional(fields.content),
    folder: z.optional(fields.folder),
    product: z.optional(fields.product),
    attachments: z.optional(fields.attachments),
    is_shared: z.optional(z.boolean()),
  }),
  replies: { 200: one },
  errors: [
    'invalid_attachment',
    'template_not_found',
    'product_not_found',
    'permission_required',
    'edit_conflict',
    'too_many_templates',
  ],
});

export const deleteTemplate = del(`${path}/{id}`, {
  summary: 'Delete your own template. Admins who can manage admins may delete any shared template.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  replies: { 200: dataOf({ deleted: z.literal(true) }) },
  errors: ['template_not_found', 'permission_required'],
});

export const noteTemplateUse = post(`${path}/{id}/uses`, {
  summary: 'Record that a template was used.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  replies: { 200: dataOf({ uses: z.int() }) },
  errors: ['template_not_found'],
});

/** Multipart: repeated `files`. If one file is refused, none is stored. */
export const uploadTemplateFiles = post(`${path}/files`, {
  summary:
    'Upload files for a template: multipart with repeated `files`. They are deleted if no template uses them within a day.',
  auth: 'admin',
  permission: 'can_manage_messages',
  upload: true,
  replies: { 200: z.object({ attachments: z.array(Attachment) }) },
  errors: ['invalid_file', 'payload_too_large', 'storage_full'],
});

export const takeTemplateFile = post(`${path}/{id}/files`, {
  summary:
    'Copy a file of a template into a conversation, as if the caller had uploaded it there. The template keeps its own copy.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.strictObject({ conversation_id: lookupId, attachment_id: lookupId }),
  replies: { 201: z.object({ attachment: Attachment }) },
  errors: ['template_not_found', 'invalid_attachment', 'conversation_not_found', 'storage_full'],
});
