import { Validator } from '@seriousme/openapi-schema-validator';
import { endpoints } from '@stagedoor/contract/endpoints';
import { WEBHOOK_TYPES } from '@stagedoor/contract/platform/webhooks';
import { beforeAll, expect, test } from 'vitest';
import { sharedApp } from '../../test/test-app.ts';

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}
interface Operation {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, { schema: OpenApiSchema }> };
  responses: Record<string, { description: string; content?: object }>;
}
interface OpenApiSchema {
  properties: Record<string, unknown>;
}

const app = await sharedApp();
let document: Document;
beforeAll(async () => {
  const reply = await app.anonymous.raw('GET', '/api/platform/openapi.json');
  expect(reply.headers.get('content-type')).toContain('application/json');
  document = JSON.parse(reply.text) as Document;
});

test('every endpoint of the platform is in its document, and no other', () => {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const platform = Object.values(endpoints).filter(({ auth }) => auth === 'platform');
  expect(listed.toSorted()).toEqual(
    platform.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  for (const { method, path, summary } of platform) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    expect(operation).toMatchObject({ summary, security: [{ platform: [] }] });
  }
  expect(Object.keys(document.components.securitySchemes)).toEqual(['platform']);
});

test('it contains exactly the schemas that it refers to', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, target = '']) => target,
  );
  const defined = Object.keys(document.components.schemas).map(
    (name) => `#/components/schemas/${name}`,
  );
  expect([...new Set(references)].toSorted()).toEqual(defined.toSorted());
  for (const staffOnly of ['AdminRecord', 'Message', 'StaffMember', 'FanSession']) {
    expect(document.components.schemas).not.toHaveProperty(staffOnly);
  }
});

test('it documents every webhook with its three headers and its data', () => {
  expect(Object.keys(document.webhooks)).toEqual(WEBHOOK_TYPES);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    expect(post.parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(post.parameters.every((header) => header.in === 'header' && header.required)).toBe(true);
    const { properties } = post.requestBody?.content['application/json']?.schema ?? {};
    expect(properties).toMatchObject({ type: { const: type }, data: expect.anything() });
  }
});

test('it documents what the shapes alone don’t: forms, optional bodies, the errors of each call', () => {
  const { paths } = document;
  const upload = paths['/api/platform/fans/{fan}/uploads']?.post;
  expect(upload?.requestBody?.content).toHaveProperty('multipart/form-data');
  expect(paths['/api/platform/fans/{fan}/sessions']?.post?.requestBody?.required).toBe(false);
  expect(paths['/api/platform/fans/{fan}']?.put?.requestBody?.required).toBe(true);
  expect(paths['/api/platform/purchases']?.post?.responses['422']?.description).toContain(
    'amount_mismatch',
  );
});

test('a third-party validator accepts it', async () => {
  const result = await new Validator().validate({ ...document });
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
});

test('every operation of both documents has a successful reply, empty replies and files included', async () => {
  const whole = JSON.parse((await app.anonymous.raw('GET', '/api/docs/json')).text) as Document;
  for (const { paths } of [document, whole]) {
    const lacking = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => !Object.keys(responses).some((status) => status < '300'))
        .map(([method]) => `${method} ${path}`),
    );
    expect(lacking).toEqual([]);
  }
  const erased = document.paths['/api/platform/fans/{fan}']?.delete?.responses['204'];
  expect(erased).toEqual({ description: 'No Content' });
  const file = whole.paths['/api/admin/audit/export']?.get?.responses['200'];
  expect(Object.keys(file?.content ?? {})).toEqual(['text/csv']);
});

test('replies and events may have further fields, request bodies may not', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const closed = (part: unknown) => JSON.stringify(part).includes('"additionalProperties":false');
  const replies = operations.map(({ responses }) => responses);
  for (const part of [...replies, document.webhooks, document.components]) {
    expect(closed(part)).toBe(false);
  }
  const bodies = operations.flatMap(
    ({ requestBody }) => requestBody?.content['application/json'] ?? [],
  );
  expect(bodies.map(closed)).toEqual(bodies.map(() => true));
});

test('every call with a body documents that it may be too large or of another type', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const { requestBody, responses } of operations) {
    if (requestBody) expect(Object.keys(responses)).toEqual(expect.arrayContaining(['413', '415']));
  }
});

test('both pages of documentation show their own document', async () => {
  for (const [page, title] of [
    ['/api/docs', 'Stagedoor API'],
    ['/api/platform/docs', 'Stagedoor platform API'],
  ] as const) {
    expect((await app.anonymous.raw('GET', `${page}/`)).text).toContain(`<title>${title}</title>`);
  }
  const shown = await app.anonymous.raw('GET', '/api/platform/docs/json');
  expect(JSON.parse(shown.text)).toEqual(document);
});
