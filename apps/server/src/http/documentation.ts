import fastifySwaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { type OpenApiPart, platformOpenApi } from './platform-openapi.ts';

const PLATFORM_DOCUMENT = '/api/platform/openapi.json';

/**
 * Serves the documentation of all endpoints at `/api/docs` and of the platform's endpoints at `/api/platform/docs`, as pages and
 * as OpenAPI documents.
 */
export function serveDocumentation(app: FastifyInstance): void {
  let document: OpenApiPart | null = null;
  // Built on the first request: not all routes are registered before then.
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

/** Serves a page in its own scope, because the plugin can be registered only once per scope. */
function servePage(app: FastifyInstance, options: FastifySwaggerUiOptions): void {
  void app.register(async (scope) => {
    await scope.register(fastifySwaggerUi, { staticCSP: POLICY, ...options });
  });
}

/** The pages' content security policy. The plugin's default policy allows styles and fonts from other sites. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  // The hash of the one inline style in the page's script.
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
