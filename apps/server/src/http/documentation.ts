import fastifySwaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { type OpenApiPart, platformOpenApi } from './platform-openapi.ts';

const PLATFORM_DOCUMENT = '/api/platform/openapi.json';

/**
 * The documentation of all endpoints, and that of the platform's apart: as pages at `/api/docs` and `/api/platform/docs`, and
 * as OpenAPI documents.
 */
export function serveDocumentation(app: FastifyInstance): void {
  let document: OpenApiPart | null = null;
  // All routes are known only once it is asked for.
  const platform = () => {
    document ??= platformOpenApi(app.swagger() as unknown as OpenApiPart);
    return document;
  };
  servePage(app, { routePrefix: '/api/docs', ...titled('Stagedoor API') });
  servePage(app, {
    routePrefix: '/api/platform/docs',
    ...titled('Stagedoor platform API'),
    transformSpecification: platform,
    transformSpecificationClone: false,
  });
  app.get(PLATFORM_DOCUMENT, { schema: { hide: true } }, async (_request, reply) =>
    reply.send(platform()),
  );
}

/** Each in a scope of its own: the plugin can be registered only once in one. */
function servePage(app: FastifyInstance, options: FastifySwaggerUiOptions): void {
  void app.register(async (scope) => {
    await scope.register(fastifySwaggerUi, { staticCSP: POLICY, ...options });
  });
}

/** The plugin's own policy lets in styles and fonts of other sites. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The hash is that of the one style that the page brings along in its script.
  'style-src': ["'self'", "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"],
  'img-src': ["'self'", 'data:'],
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

const titled = (title: string) => ({
  theme: {
    title,
    css: [{ filename: 'stagedoor.css', content: '.swagger-ui .topbar { display: none }' }],
  },
});
