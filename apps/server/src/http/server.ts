import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import fastifySwagger from '@fastify/swagger';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  ResponseSerializationError,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import type { Broker } from '../realtime/broker.ts';
import { type ProxyTrust, proxyTrust } from './client-address.ts';
import { serveDocumentation } from './documentation.ts';
import { answerUnreadable, notFound, replyWithError } from './error-reply.ts';
import { sharedLimits } from './shared-limits.ts';

/** Bytes of a request's body, uploads apart. */
const BODY_LIMIT = 256 * 1024;
/** How long slow and silent clients are waited for. Milliseconds. */
export interface Patience {
  /** The head of a request must be complete within this, and so must its body, uploads apart. */
  readonly request: number;
  /** An upload's body: 600 MB over a slow line. */
  readonly upload: number;
  /** A connection on which nothing moves in the middle of a request. */
  readonly idle: number;
  /** One that waits for its next request. Longer than proxies keep theirs, which would use one that is just closing. */
  readonly keepAlive: number;
  /** A socket's connection that has not said whose it is. */
  readonly handshake: number;
  /** A request that is under way while the server closes, such as a download. */
  readonly closing: number;
}

export const PATIENCE: Patience = {
  request: 60_000,
  upload: 60 * 60_000,
  idle: 60_000,
  keepAlive: 72_000,
  handshake: 20_000,
  closing: 4_000,
};
/** Heads that don't come to their end are looked for so many times within the time that they have. */
const LOOKS = 12;

interface HttpOptions {
  readonly log: FastifyBaseLogger;
  readonly trustProxy: ProxyTrust;
  /** Whether browsers reach us over TLS: then they are told to keep to it. */
  readonly secure: boolean;
  /** The built web client's folder; null leaves it out. */
  readonly webRoot: string | null;
  /** Where calls are counted for all nodes together; without it each process counts its own. */
  readonly broker?: Pick<Broker, 'count'> | null;
  /** Other than usual, for tests. */
  readonly patience?: Partial<Patience> | undefined;
}

/** The HTTP server with everything that holds for all routes: limits, headers, documentation, error replies. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  // Zod's small build comes without messages.
  z.config(z.locales.en());
  const patience = { ...PATIENCE, ...options.patience };
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: proxyTrust(options.trustProxy),
    bodyLimit: BODY_LIMIT,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    forceCloseConnections: 'idle',
    // While shutting down: what came in on an open connection is still answered, and then the connection closes.
    return503OnClosing: false,
    connectionTimeout: patience.idle,
    keepAliveTimeout: patience.keepAlive,
    // The most that any request may take.
    requestTimeout: patience.upload,
    http: {
      headersTimeout: patience.request,
      connectionsCheckingInterval: Math.ceil(patience.request / LOOKS),
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerUnreadable,
    // What fails before a route is found, such as a path that can't be decoded.
    frameworkErrors: (error, request, reply) => {
      void replyWithError(error, request, reply);
    },
  });
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler<z.core.$ZodType>(checkedJson);
  app.setErrorHandler(replyWithError);
  acceptEmptyJson(app);
  acceptUploads(app, patience.request);
  logRequests(app);
  denyDevices(app);
  keepRepliesPrivate(app);

  await app.register(fastifyHelmet, helmetOptions(options.secure));
  await app.register(fastifyRateLimit, {
    global: false,
    ...(options.broker && { store: sharedLimits(options.broker) }),
    errorResponseBuilder: (_request, context) =>
      new AppError('rate_limited', { retryAfter: Math.ceil(context.ttl / 1000) }),
    addHeaders: { 'retry-after': false },
  });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Stagedoor',
        version: '1',
        description:
          'Every error has the body `{ "error": "human text", "code": "machine_code" }`.',
      },
      components: {
        securitySchemes: {
          admin: { type: 'http', scheme: 'bearer', description: 'The token of a signed-in admin' },
          avatar_cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: 'stagedoor_avatar',
            description: 'The cookie of a manager’s sign-in, for the creator’s picture only',
          },
          platform: { type: 'http', scheme: 'bearer', description: 'The platform’s key' },
          fan: { type: 'http', scheme: 'bearer', description: 'The token of a fan’s session' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  serveDocumentation(app);
  await serveWeb(app, options.webRoot);
  return app;
}

/**
 * A reply as JSON, which must be of the shape that its endpoint tells. The provider's own compiler encodes, for schemas that
 * read one thing and write another; none of ours does, and parsing takes a quarter of the time.
 */
const checkedJson: FastifySerializerCompiler<z.core.$ZodType> =
  ({ schema, method, url }) =>
  (data) => {
    const result = z.safeParse(schema, data);
    if (!result.success) {
      throw new ResponseSerializationError(method, url, { cause: result.error });
    }
    return JSON.stringify(result.data);
  };

function helmetOptions(secure: boolean) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        // Avatars are wherever the platform keeps them; they are shown, never fetched by the server.
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        // 'blob:' is what someone picked and has not sent yet.
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Nothing in the pages makes markup or scripts of texts: what tries to, is stopped.
        requireTrustedTypesFor: ["'script'"],
        // Besides the address of the service worker, which the console vouches for.
        trustedTypes: ['service-worker'],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  };
}

/** What none of our pages asks for, nor may anything that got into one. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

function denyDevices(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS_POLICY);
  });
}

/** What the API answers is for its caller alone, and no cache keeps it; files and pictures say so differently. */
function keepRepliesPrivate(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}

/** A JSON content type with nothing after it counts as no body, which calls without a body may send. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, String(body), done);
  });
}

/** Multipart bodies are left to the handlers of uploads; those get time to arrive, all others' bodies do not. */
function acceptUploads(app: FastifyInstance, requestMs: number): void {
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (request.routeOptions.config.upload) done(null, undefined);
    else done(new AppError('unsupported_media_type'), undefined);
  });
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (raw.method === 'GET' || raw.method === 'HEAD' || routeOptions.config.upload) return;
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy();
    }, requestMs);
    raw.once('close', () => clearTimeout(timer));
  });
}

/** One line a request: its route, never its query or body, which may hold what a fan wrote. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
}

async function serveWeb(app: FastifyInstance, webRoot: string | null): Promise<void> {
  if (webRoot === null || !existsSync(path.join(webRoot, 'index.html'))) {
    app.setNotFoundHandler(notFound);
    return;
  }
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    index: false,
    // The build lays compressed copies beside its files.
    preCompressed: true,
    // Built files carry a hash of their content in their names; the page that names them does not.
    setHeaders: (reply, file) => {
      const hashed = file.includes(`${path.sep}assets${path.sep}`);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // Every path outside the API, and outside the fan client, is the console's to route.
  app.setNotFoundHandler((request, reply) => {
    const page = request.method === 'GET' || request.method === 'HEAD';
    const outside = !/^\/(api|socket\.io|dev|assets|fan|invite)([/?]|$)/.test(request.url);
    if (page && outside) return reply.sendFile('index.html');
    return notFound(request, reply);
  });
}
