import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { ATTACHMENTS_MAX, Attachment } from '../media.ts';
import { lookupId, priceUsd, requiredText, text, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';

export const TEMPLATE_NAME_MAX_CHARS = 100;
export const TEMPLATE_TEXT_MAX_CHARS = 4_000;
export const TEMPLATE_FOLDER_MAX_CHARS = 60;
/** Templates that all staff share, and those that one of them keeps for themselves. */
export const SHARED_TEMPLATES_MAX = 500;
export const OWN_TEMPLATES_MAX = 200;

/** What stands in a template for something of the fan's, and is filled in where the template is used. */
export const TEMPLATE_VARIABLES = ['first_name', 'name', 'username'] as const;
export type TemplateVariable = (typeof TEMPLATE_VARIABLES)[number];

/** A reply that is kept to be used again. */
export const Template = z
  .object({
    id: z.string(),
    name: z.string(),
    /** With variables such as `{first_name}`. */
    content: z.string(),
    /** What it is kept under; empty for none. */
    folder: z.string(),
    /** Whether all staff have it, or its maker alone. */
    is_shared: z.boolean(),
    /** What is offered with it; null for nothing, and where the product is gone. */
    product: z.nullable(
      z.object({
        id: z.string(),
        title: z.string(),
        /** USD; what the offer asks unless its sender says otherwise. */
        price: z.number(),
        /** Whether it can be sold now. */
        is_active: z.boolean(),
      }),
    ),
    /** Files that go with it, each taken into a conversation by `takeTemplateFile`. */
    attachments: z.array(Attachment),
    /** How often it was used. */
    uses: z.int(),
    maker: StaffMember,
    /** Rises with each change. */
    version: z.int(),
    updated_at: timestamp,
  })
  .check(z.meta({ id: 'Template' }));
export type Template = z.infer<typeof Template>;

const fields = {
  name: requiredText(TEMPLATE_NAME_MAX_CHARS, 'Please enter a name'),
  content: text(TEMPLATE_TEXT_MAX_CHARS),
  folder: text(TEMPLATE_FOLDER_MAX_CHARS).check(z.trim()),
  product: z.nullable(z.strictObject({ id: lookupId, price: priceUsd })),
  /** Uploads that no template has yet, and those that this one has; in the order in which they are sent. */
  attachments: z.array(z.strictObject({ id: lookupId })).check(z.maxLength(ATTACHMENTS_MAX)),
};

const one = z.object({ data: Template });
const byId = z.object({ id: lookupId });
const path = '/api/messages/admin/templates';

export const listTemplates = endpoint({
  method: 'GET',
  path,
  summary: 'The shared templates and the caller’s own, most used first; at most 700.',
  auth: 'admin',
  replies: { 200: z.object({ data: z.array(Template) }) },
});

export const createTemplate = endpoint({
  method: 'POST',
  path,
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

export const updateTemplate = endpoint({
  method: 'PATCH',
  path: `${path}/{id}`,
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

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a template: one’s own, or, for those who manage admins, any shared one.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  replies: { 200: z.object({ data: z.object({ deleted: z.literal(true) }) }) },
  errors: ['template_not_found', 'permission_required'],
});

export const noteTemplateUse = endpoint({
  method: 'POST',
  path: `${path}/{id}/uses`,
  summary: 'Record that a template was used.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  replies: { 200: z.object({ data: z.object({ uses: z.int() }) }) },
  errors: ['template_not_found'],
});

/** Multipart: `files`, repeated. Refused files fail the whole upload and leave nothing. */
export const uploadTemplateFiles = endpoint({
  method: 'POST',
  path: `${path}/files`,
  summary:
    'Upload files for a template: multipart with repeated `files`. They are deleted if no template uses them within a day.',
  auth: 'admin',
  permission: 'can_manage_messages',
  upload: true,
  replies: { 200: z.object({ attachments: z.array(Attachment) }) },
  errors: ['invalid_file', 'payload_too_large', 'storage_full'],
});

export const takeTemplateFile = endpoint({
  method: 'POST',
  path: `${path}/{id}/files`,
  summary:
    'Copy a file of a template into a conversation, as if the caller had uploaded it there. The template keeps its own copy.',
  auth: 'admin',
  permission: 'can_manage_messages',
  params: byId,
  body: z.strictObject({ conversation_id: lookupId, attachment_id: lookupId }),
  replies: { 201: z.object({ attachment: Attachment }) },
  errors: ['template_not_found', 'invalid_attachment', 'conversation_not_found', 'storage_full'],
});
