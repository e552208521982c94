import { STATUS_CODES } from 'node:http';
import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { type ErrorCode, errorCatalogue } from '@stagedoor/contract/errors';
import * as z from 'zod/mini';
import { webhookOperations } from './webhook-openapi.ts';

/** Part of an OpenAPI document. Loosely typed, because it is only copied; the validator checks its shape. */
export interface OpenApiPart {
  [key: string]: unknown;
}

const DESCRIPTION = `What a platform does on behalf of its fans: it creates them, sends and reads their messages, reports purchases, and signs them
in to the fan client. Authenticate with \`Authorization: Bearer <platform key>\`. Every error has the body
\`{ "error": "human text", "code": "machine_code" }\`; codes are stable. Send ids and names as the replies have
them. Times are ISO 8601 in UTC, money is USD with at most two decimals. The webhooks at the end report what the creator does.`;

/** Errors that any call can return. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
];

/**
 * Builds the platform's OpenAPI document from the complete one, and adds what the routes don't declare: forms, error codes,
 * webhooks.
 * @param whole the OpenAPI document of all endpoints; not modified
 */
export function platformOpenApi(whole: OpenApiPart): OpenApiPart {
  const platform = Object.entries(endpoints).filter(([, { auth }]) => auth === 'platform');
  const all = whole.paths as Record<string, Record<string, OpenApiPart>>;
  const paths: Record<string, Record<string, OpenApiPart>> = {};
  for (const [name, endpoint] of platform) {
    const method = endpoint.method.toLowerCase();
    const documented = all[endpoint.path]?.[method] ?? {};
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [method]: operation(name, endpoint, documented),
    };
  }
  const webhooks = webhookOperations();
  const schemas = {
    ...(whole.components as { schemas: Record<string, OpenApiPart> }).schemas,
    Error: errorSchema(platform.map(([, endpoint]) => endpoint)),
    ...webhooks.schemas,
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Stagedoor platform API', version: '1', description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ platform: [] }],
    tags: [{ name: 'Platform', description: 'Calls that the platform makes' }],
    paths,
    webhooks: open(webhooks.operations),
  };
  return withoutTimePatterns({
    ...document,
    components: {
      securitySchemes: {
        platform: { type: 'http', scheme: 'bearer', description: 'A platform key' },
      },
      schemas: open(reachable(document, schemas)),
    },
  }) as OpenApiPart;
}

function operation(name: string, endpoint: Endpoint, documented: OpenApiPart): OpenApiPart {
  const { tags, summary, requestBody, responses, ...rest } = documented;
  return {
    operationId: name,
    tags,
    summary,
    ...rest,
    ...(requestBody !== undefined && {
      requestBody: { ...(requestBody as OpenApiPart), required: needsBody(endpoint) },
    }),
    ...(endpoint.upload && { requestBody: FILES }),
    responses: open(
      Object.fromEntries(
        Object.entries((responses ?? {}) as Record<string, OpenApiPart>).map(
          ([status, response]) => [
            status,
            { ...response, description: statusText(endpoint, Number(status)) },
          ],
        ),
      ),
    ),
  };
}

const needsBody = ({ body }: Endpoint) =>
  body !== undefined && !z.safeParse(body, undefined).success;

const FILES = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          files: { type: 'array', items: { type: 'string', format: 'binary' }, maxItems: 20 },
        },
        required: ['files'],
      },
    },
  },
};

/** Describes a status: its name, and for an error the codes that are specific to the call. */
function statusText({ errors = [] }: Endpoint, status: number): string {
  const codes = errors.filter((code) => errorCatalogue[code].status === status);
  const text = STATUS_CODES[status] ?? String(status);
  return codes.length === 0 ? text : `${text}: ${codes.map((code) => `\`${code}\``).join(', ')}`;
}

/** Returns the error schema without the fields that only staff receive. */
function errorSchema(platform: readonly Endpoint[]): OpenApiPart {
  const codes = new Set([...COMMON_ERRORS, ...platform.flatMap(({ errors }) => errors ?? [])]);
  return {
    type: 'object',
    properties: {
      error: { type: 'string', description: 'For people' },
      code: { type: 'string', enum: [...codes], description: 'For programs; stable' },
      fields: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'With `invalid_request`: a field’s dotted path to what is wrong with it',
      },
    },
    required: ['error', 'code'],
  };
}

/** Returns the schemas that a document refers to, directly or through other schemas. */
function reachable(document: OpenApiPart, schemas: Record<string, OpenApiPart>) {
  const found = new Map<string, OpenApiPart>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name];
      if (schema === undefined || found.has(name)) continue;
      found.set(name, schema);
      visit(schema);
    }
  };
  visit(document);
  return Object.fromEntries([...found].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Removes the 300-character pattern from times, which repeats what their format already says. */
const withoutTimePatterns = (document: object): unknown =>
  JSON.parse(JSON.stringify(document), (_key, part: OpenApiPart | null) => {
    if (part?.format === 'date-time') delete part.pattern;
    return part;
  });

/** Lets objects have fields that the document doesn't list: a later version may add fields to replies and events. */
const open = <Part extends object>(part: Part): Part =>
  JSON.parse(JSON.stringify(part), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  ) as Part;
