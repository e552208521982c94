import {
  WEBHOOK_TYPES,
  type WebhookType,
  webhookData,
} from '@stagedoor/contract/platform/webhooks';
import * as z from 'zod/mini';

/** When each event is sent. */
const SUMMARIES: Record<WebhookType, string> = {
  'message.created': 'The creator wrote to a fan. The message as the fan may see it now.',
  'message.read': 'Staff read the fan’s messages, up to and with this one.',
  'reaction.toggled': 'The creator reacted to a message, or took a reaction back.',
  'invite.created': 'Staff invited somebody by mail.',
  'invite.accepted': 'Somebody joined on the welcome page: a fan whom the platform did not make.',
  'purchase.recorded': 'A fan paid otherwise than through the platform.',
  'purchase.refunded': 'Such a payment was given back.',
  'creator.updated': 'The display name or the picture that fans see has changed.',
  'webhook.test': 'A manager tries the receiver.',
};

const HEADERS = [
  ['webhook-id', 'The same at every try: by it a receiver knows a repetition.'],
  [
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Older than five minutes: refuse.',
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` under the secret; several, with spaces between, where the secret is being changed.',
  ],
] as const;

interface Webhooks {
  readonly operations: Record<string, object>;
  readonly schemas: Record<string, Record<string, unknown>>;
}

/** Returns the webhooks for the OpenAPI document, and the named schemas that they refer to. */
export function webhookOperations(): Webhooks {
  const schemas: Webhooks['schemas'] = {};
  const operations = Object.fromEntries(
    WEBHOOK_TYPES.map((type) => {
      const event = z.object({
        type: z.literal(type),
        timestamp: z.iso.datetime({ precision: 3 }),
        data: webhookData[type],
      });
      const { $schema: _dialect, $defs, ...schema } = z.toJSONSchema(event, { reused: 'inline' });
      for (const [name, { id: _name, ...definition }] of Object.entries($defs ?? {})) {
        schemas[name] = referring(definition);
      }
      return [type, { post: operation(type, referring(schema)) }];
    }),
  );
  return { operations, schemas };
}

function operation(type: WebhookType, schema: object): object {
  return {
    operationId: type,
    summary: SUMMARIES[type],
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': {
        description: 'Taken. Any other answer, or none: it is tried again, for three days.',
      },
    },
  };
}

/** Rewrites references so that they point to the document's named schemas. */
function referring<T extends object>(schema: T): T {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as T;
}
