import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import serializerOf, { type Schema } from 'fast-json-stringify'
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { BODY_MAX } from '#contract/platform/endpoint.ts'
import type { Context } from '../context.ts'
import { violatedForeignKey } from '../database/transaction.ts'
import { presentError, retryAfterOf } from '../errors.ts'
import { refuseForeignPage } from './foreign-page.ts'
import { readJsonBodies } from './json-body.ts'
import {
  answerClientError,
  answerExpectation,
  answerRoutingError,
  refuseOddRequests,
} from './protocol-errors.ts'
import { makeLimits } from './rate-limit.ts'
import { serveReferencePage } from './reference-page.ts'
import { logRefusals } from './refusals.ts'
import type { Finders, Server } from './server.ts'
import { CONNECTIONS_MAX, endSlowBodies, PATIENCE, type Patience } from './slow-clients.ts'

/** The form of a one-click unsubscribe is a single line. */
const FORM_MAX = 10_000

/** Only our own origin, no inline scripts or styles, no framing by others. */
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
 * Builds the HTTP server with what all routes share; the caller adds the domains' routes and listens. Tests lower
 * `patience` with slow clients and the number of connections.
 */
export async function buildServer(
  context: Context,
  finders: Finders,
  patience: Patience = PATIENCE,
  connectionsMax: number = CONNECTIONS_MAX,
): Promise<Server> {
  // Fastify's own type by name, so that the server's type is the plain one.
  const loggerInstance: FastifyBaseLogger = context.log
  const app: Server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX,
    trustProxy: context.config.trustedProxies,
    // Ties together the log lines of one request, whichever process wrote them.
    genReqId: () => randomUUID(),
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    http: {
      headersTimeout: patience.head,
      connectionsCheckingInterval: patience.check,
      // Refused with our own text.
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
  // Made when the first answer of its kind leaves: making those of all routes is a seventh of a start.
  app.setSerializerCompiler(({ schema }) => {
    let write: ((answer: unknown) => string) | undefined
    return (answer) => (write ??= serializerOf(schema as Schema))(answer)
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = presentError(error)
    const retryAfter = retryAfterOf(error)
    if (retryAfter !== undefined) void reply.header('Retry-After', retryAfter)
    // A deletion at the same moment is nobody's fault, but a key that we never wrote would look the same.
    const level = status >= 500 ? 'error' : violatedForeignKey(error) === null ? null : 'warn'
    if (level !== null)
      request.log[level](
        { err: error, method: request.method, url: request.url.split('?')[0] },
        'request failed',
      )
    return reply.code(status).send(body)
  })
  readJsonBodies(app)
  // One-click unsubscribe (RFC 8058) comes as a form; its content adds nothing to what the address says.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { bodyLimit: FORM_MAX, parseAs: 'string' },
    (_, __, done) => done(null, undefined),
  )
  app.addHook('onRequest', refuseOddRequests)
  app.addHook('onRequest', refuseForeignPage)
  app.addHook('onSend', async (_, reply) => {
    // Personal data is never cached; pages and files set their own lifetime.
    if (!reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-store')
    // While stopping, a connection that has just been answered must not be kept for the next call.
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
  app.decorate('howl', { context, ...finders, limits: makeLimits(app, context) })
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
