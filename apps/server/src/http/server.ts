import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import fastifySwagger from '@fastify/swagger';
import { schemaNames } from '@stagedoor/contract/primitives';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
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

/** Maximum size of a request body in bytes, except for uploads. */
const BODY_LIMIT = 256 * 1024;
/** Timeouts for slow and silent clients. Milliseconds. */
export interface Patience {
  /** For the headers of a request to be complete, and also for its body, except for uploads. */
  readonly request: number;
  /** For an upload's body: 600 MB over a slow line. */
  readonly upload: number;
  /** For a connection without any traffic in the middle of a request. */
  readonly idle: number;
  /**
   * For a connection that waits for its next request. Longer than proxies' own timeout, so that they don't reuse a connection
   * that is being closed.
   */
  readonly keepAlive: number;
  /** For a new socket to authenticate. */
  readonly handshake: number;
  /** For a request that is in progress while the server closes, such as a download. */
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
/** The number of times that Node checks for late requests within one request timeout. */
const CHECKS = 12;

interface HttpOptions {
  readonly log: FastifyBaseLogger;
  readonly trustProxy: ProxyTrust;
  /** Whether browsers reach the server over TLS. Enables HSTS. */
  readonly secure: boolean;
  /** The folder of the built web client; null leaves it out. */
  readonly webRoot: string | null;
  /** Counts calls across all nodes. Without a broker, each process counts separately. */
  readonly broker?: Pick<Broker, 'count'> | null;
  /** Overrides the defaults, for tests. */
  readonly patience?: Partial<Patience> | undefined;
}

/** Creates the HTTP server with everything that applies to all routes: limits, headers, documentation, error replies. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  // Loads the error messages, which Zod's small build doesn't include.
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
    // During shutdown, a request on an open connection is still answered; then the connection closes.
    return503OnClosing: false,
    connectionTimeout: patience.idle,
    keepAliveTimeout: patience.keepAlive,
    // Long enough for uploads; `acceptUploads` sets a shorter limit for all other bodies.
    requestTimeout: patience.upload,
    http: {
      headersTimeout: patience.request,
      connectionsCheckingInterval: Math.ceil(patience.request / CHECKS),
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerUnreadable,
    // Errors before a route is found, such as a path that can't be decoded.
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
    transform: createJsonSchemaTransform({ schemaRegistry: schemaNames }),
    transformObject: createJsonSchemaTransformObject({ schemaRegistry: schemaNames }),
  });
  serveDocumentation(app);
  await serveWeb(app, options.webRoot);
  return app;
}

/**
 * Serializes a reply to JSON and checks it against the endpoint's schema. The type provider's compiler also encodes, which only
 * schemas with different input and output need. None of ours do, and parsing alone takes a quarter of the time.
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
        // The platform hosts avatars anywhere; browsers load them, the server never does.
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        // 'blob:' is a file that was picked but not sent yet.
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Our pages never turn text into markup or scripts; this blocks anything that tries to.
        requireTrustedTypesFor: ["'script'"],
        // The only exception: the service worker's URL, which the console checks.
        trustedTypes: ['service-worker'],
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  };
}

/** Browser features that our pages don't use, denied to injected code too. */
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

/** Keeps caches from storing API replies, which are for the caller alone; files and pictures override the header. */
function keepRepliesPrivate(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}

/** Treats an empty body with a JSON content type as no body. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, String(body), done);
  });
}

/** Leaves multipart bodies to the upload handlers, which get more time. All other bodies must arrive within `requestMs`. */
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

/** Logs one line per request: its route, never its query or body, which can contain a fan's text. */
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
    // The build writes compressed copies next to its files.
    preCompressed: true,
    // Otherwise each compressed copy would get a route, too.
    globIgnore: ['**/*.{br,gz}'],
    // Built files have a content hash in their names; index.html does not.
    setHeaders: (reply, file) => {
      const hashed = path.relative(webRoot, file).startsWith(`assets${path.sep}`);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  // The console routes every path outside the API and the fan client.
  app.setNotFoundHandler((request, reply) => {
    const page = request.method === 'GET' || request.method === 'HEAD';
    const outside = !/^\/+(api|socket\.io|dev|assets|fan|invite)([/?]|$)/i.test(request.url);
    if (page && outside) return reply.sendFile('index.html');
    return notFound(request, reply);
  });
}
