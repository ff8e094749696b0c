import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { presentError, TooManyRequests } from '../errors.ts'
import {
  answerClientError,
  answerExpectation,
  answerRoutingError,
  refuseOddRequests,
} from './protocol-errors.ts'
import { makeLimits } from './rate-limit.ts'
import { serveReferencePage } from './reference-page.ts'
import { logRefusals } from './refusals.ts'
import type { FindCaller, Server } from './server.ts'
import { CONNECTIONS_MAX, endSlowBodies, PATIENCE, type Patience } from './slow-clients.ts'

/** The largest JSON body; uploads have limits of their own. */
const BODY_MAX = 4 * 1024 * 1024
/** The form of a one-click unsubscribe is one line. */
const FORM_MAX = 10_000

/** Nothing but our own origin, no inline script or style, nobody frames us. */
const CSP = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  frameSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

/**
 * Builds the HTTP server with what every route shares; the caller adds the domains' routes and listens. `patience` with
 * slow clients is less in tests, and so are the connections that are held at once.
 */
export async function buildServer(
  context: Context,
  findCaller: FindCaller,
  patience: Patience = PATIENCE,
  connectionsMax: number = CONNECTIONS_MAX,
): Promise<Server> {
  // Named by Fastify's own type, so that the server's type is Fastify's plain one.
  const loggerInstance: FastifyBaseLogger = context.log
  const app: Server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX,
    trustProxy: context.config.trustedProxies,
    // Lines of the log that belong together carry it, whichever process wrote them.
    genReqId: () => randomUUID(),
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    http: {
      headersTimeout: patience.head,
      connectionsCheckingInterval: patience.check,
      // Refused in our own words.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerRoutingError,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 400 },
  })
  app.server.maxConnections = connectionsMax
  app.server.on('checkExpectation', answerExpectation)
  endSlowBodies(app.server, patience)
  app.setValidatorCompiler(() => () => true)
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = presentError(error)
    if (error instanceof TooManyRequests) void reply.header('Retry-After', error.retryAfterSeconds)
    if (status >= 500)
      request.log.error(
        { err: error, method: request.method, url: request.url.split('?')[0] },
        'request failed',
      )
    return reply.code(status).send(body)
  })
  // Many clients say "JSON" also where they send nothing: a call without a body is then just that.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, String(body), done)
  })
  // One-click unsubscribe (RFC 8058) comes as a form; what stands in it says nothing that the address does not say.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { bodyLimit: FORM_MAX, parseAs: 'string' },
    (_, __, done) => done(null, undefined),
  )
  app.addHook('onRequest', refuseOddRequests)
  app.addHook('onSend', async (_, reply) => {
    // What is somebody's own stays in no cache; pages and files say themselves how long they keep.
    if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-store')
    // While we stop, a connection that has just been answered must not be kept for the next call.
    if (context.stopping.aborted) void reply.header('Connection', 'close')
  })
  logRefusals(app)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CSP },
    strictTransportSecurity: context.config.publicUrl.startsWith('https:'),
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  })
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  })
  await app.register(rateLimit, { global: false })
  app.decorateRequest('caller', null)
  app.decorate('howl', { context, findCaller, limits: makeLimits(app, context) })
  await app.register(multipart, { limits: { files: 1, fields: 10, fieldSize: 10_000 } })
  await app.register(swagger, {
    openapi: {
      info: { title: 'Howl', version: context.config.version },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  })
  serveReferencePage(app)
  return app
}
