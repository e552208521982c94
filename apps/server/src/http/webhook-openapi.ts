import {
  WEBHOOK_TYPES,
  type WebhookType,
  webhookData,
} from '@stagedoor/contract/platform/webhooks';
import { schemaNames } from '@stagedoor/contract/primitives';
import * as z from 'zod/mini';

/** When each event is sent. */
const SUMMARIES: Record<WebhookType, string> = {
  'message.created':
    'The creator sent a message to a fan. Shows the message as the fan sees it now.',
  'message.deleted':
    'The creator unsent a message that the fan had neither read nor bought. Delete it.',
  'message.read': 'Staff read the fan’s messages, up to and including this one.',
  'reaction.toggled':
    'The creator added or removed a reaction. A message can have several reactions by the creator.',
  'invite.created': 'Staff invited someone by email.',
  'invite.accepted': 'Someone joined on the welcome page: a fan that the platform did not create.',
  'purchase.recorded': 'A fan paid without going through the platform.',
  'purchase.refunded': 'A payment that did not go through the platform was refunded.',
  'tip.recorded': 'A fan tipped without going through the platform.',
  'tip.refunded': 'A tip that did not go through the platform was refunded.',
  'creator.updated': 'The display name or the picture that fans see has changed.',
  'period.closed': 'A manager closed a pay period. A closed period never changes.',
  'earning.adjusted':
    'An earning was corrected: by an accepted contest, or a late sale, refund or hours of a closed period.',
  'webhook.test': 'A manager sent a test event.',
};

const HEADERS = [
  ['webhook-id', 'The same for every attempt, so that a receiver can recognize duplicates.'],
  [
    'webhook-timestamp',
    'When it was sent, in seconds since 1970. Reject it if it is older than five minutes.',
  ],
  [
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` with the secret as the key; several signatures, separated by spaces, while the secret is being changed.',
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
      const {
        $schema: _dialect,
        $defs,
        ...schema
      } = z.toJSONSchema(event, { reused: 'inline', metadata: schemaNames });
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
        description: 'Accepted. Any other response, or none, is retried for three days.',
      },
    },
  };
}

/** Rewrites references so that they point to the document's named schemas. */
function referring<T extends object>(schema: T): T {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as T;
}
