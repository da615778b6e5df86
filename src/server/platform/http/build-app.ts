import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, { errorCodes, type FastifyError, type FastifyInstance } from 'fastify'
import type { Failure } from '#contract/call.ts'
import { type ApiKeyText, keyInAddress } from '#core/accounts/api-keys.ts'
import { refuse } from '#core/result.ts'
import type { Authenticate } from '#server/platform/http/signed-in.ts'
import { BusyError } from '#server/platform/limits/fair-queue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type DemoKey, readDemoKeys } from '#server/platform/http/demo-key.ts'
import { createPreRouting, type PreRouting } from '#server/platform/http/pre-routing.ts'
import type { PreparedReply } from '#server/platform/http/prepared-reply.ts'
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
  SERVER_LIMITS,
} from '#server/platform/http/server-limits.ts'
import { sendSecurityHeaders } from '#server/platform/http/security-headers.ts'
import { callerLanguage, type OfferedLanguages } from '#server/platform/http/language.ts'
import { registerApiDocs } from '#server/platform/http/api-docs.ts'
import type { KeyLimits } from '#server/platform/http/key-limits.ts'
import { createRateLimiter, type RateLimit, type TakeCall } from '#server/platform/http/rate-limit.ts'
import type { TakeStrangerCall } from '#server/platform/http/stranger-gate.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { callerOf, createRegister, type Register } from '#server/platform/http/register-call.ts'
import { type FailureReply, faultReply, refusalReply } from '#server/platform/http/replies.ts'
import { registerWebApps, type RenderPage, type WebFolders } from '#server/platform/http/web-app.ts'
import { clientAddressReader } from '#server/platform/http/client-address.ts'

const MAX_BODY_BYTES = 65_536
const BARE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export interface Answered {
  readonly requestId: string
  readonly method: string
  /** The pattern of the address, because the address itself may contain user data. */
  readonly route: string
  readonly status: number
  readonly tookMs: number
}

export interface HttpOptions {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly publicUrl: string | null
  /** The key of a demo; null for other modes. */
  readonly demoKey: DemoKey | null
  readonly authenticate: Authenticate
  /** The languages currently offered. */
  readonly languages: () => OfferedLanguages
  /** Whether this process accepts orders: `/readyz`. */
  readonly isReady: () => boolean
  /** The folders of the built web apps. Without them only calls are served. */
  readonly webFolders: WebFolders
  /** Null when the trading app is not built. */
  readonly renderPage: RenderPage | null
  /** Addresses whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies: readonly string[]
  /** Returns the country of a request's address. */
  readonly countryOf: (request: IncomingMessage) => string | null
  readonly perAddress: RateLimit
  readonly perAccount: RateLimit
  readonly keyLimits: KeyLimits
  /** Called with an API key that the address of a request contained, so that the key can be ended. */
  readonly onKeyShown: (key: ApiKeyText) => void
  readonly takeStrangerCall: TakeStrangerCall
  /** The maximum number of open connections. */
  readonly connectionLimits?: ConnectionLimits
  readonly checksReplies?: boolean
  /** Returns the prepared reply at an address. Null when there is none. */
  readonly prepared?: (url: string) => PreparedReply | null
  /** The reply for an address that cannot be decoded. With null, the server sends its usual refusal. */
  readonly unreadable?: (url: string) => { readonly status: number; readonly body: object } | null
  /** A function that is called after every reply. */
  readonly onAnswered?: (answered: Answered) => void
  /** Registers the calls with `register`, and all other routes on `app`. */
  readonly routes: (register: Register, app: FastifyInstance, takeByAddress: TakeCall) => void
}

export interface BuiltApp {
  readonly http: FastifyInstance
  /** Every registered route, such as `GET /api/user/profile`. */
  readonly routes: readonly string[]
}

/** Builds the HTTP server: calls under `/api`, the web app everywhere else. It does not listen yet. */
export async function buildApp(options: HttpOptions): Promise<BuiltApp> {
  const { ctx, languages } = options
  const takeByAddress = createRateLimiter(options.perAddress)
  const addressOf = clientAddressReader(options.trustedProxies)
  const preRouting = createPreRouting({
    find: options.prepared ?? (() => null),
    addressOf: (request) => subnetOf(addressOf(request)),
    takeByAddress,
    now: () => ctx.now(),
    refuseKey({ url = '', headers }) {
      const { isNamed, key } = keyInAddress(url)
      if (!isNamed) return null
      if (key !== null) options.onKeyShown(key)
      return refusalReply(refuse('key_in_address'), callerLanguage(headers, languages()))
    },
  })
  const app = createFastify(options, preRouting)
  app.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw)
    },
  })
  app.decorateRequest('clientCountry', {
    getter() {
      return options.countryOf(this.raw)
    },
  })
  if (options.onAnswered !== undefined) reportReplies(app, options.onAnswered)
  const routes = collectRoutes(app)
  const isHttps = options.publicUrl?.startsWith('https:') ?? false
  sendSecurityHeaders(app, { isHttps })
  preRouting.watch(app)
  await app.register(compress, { threshold: 1_024 })
  await app.register(cookie)
  readDemoKeys(app, options.demoKey, isHttps)
  await app.register(multipart, {
    // A file that is too large is refused with a specific code after its call has read it.
    throwFileSizeLimit: false,
    limits: { fieldSize: 8_192, fields: 40, fileSize: MAX_BODY_BYTES, files: 10, parts: 50, headerPairs: 50 },
  })
  readJsonOnly(app)
  answerFailures(app, options)
  registerHealth(app, options.isReady)
  const register = createRegister(app, {
    ctx,
    authenticate: options.authenticate,
    site: options,
    language: (request) => callerLanguage(request.headers, languages()),
    takeByAddress,
    takeByAccount: createRateLimiter(options.perAccount),
    keyLimits: options.keyLimits,
    takeStrangerCall: options.takeStrangerCall,
    checksReplies: options.checksReplies ?? false,
  })
  options.routes(register, app, takeByAddress)
  await registerApiDocs(app)
  await registerWebApps(app, options.webFolders, options.renderPage, ({ raw }) => {
    return takeByAddress(subnetOf(addressOf(raw)), ctx.now()) === 0
  })
  return { http: app, routes }
}

function createFastify(options: HttpOptions, preRouting: PreRouting): FastifyInstance {
  return fastify({
    logger: false,
    serverFactory: (handler) => {
      const server = preRouting.serve(handler, SERVER_LIMITS)
      limitConnections(server, options.connectionLimits ?? CONNECTION_LIMITS, options.trustedProxies)
      return server
    },
    genReqId: () => options.ctx.newId(),
    // A HEAD request uses the route of GET, and Node leaves out the body. By default Fastify registers separate HEAD
    // routes, which doubles the time to register routes.
    exposeHeadRoutes: false,
    rewriteUrl: headAsGet,
    bodyLimit: MAX_BODY_BYTES,
    // A stop closes idle keep-alive connections. Running calls may finish.
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // An undecodable address matches no route and no hook runs for it, so its headers are set here.
    frameworkErrors: (_error, request, reply) => {
      const refused = refusalReply({ ok: false, refusal: 'not_found' }, options.languages().default)
      const { status, body } = options.unreadable?.(request.url) ?? refused
      reply.raw.writeHead(status, { 'content-type': 'application/json', ...BARE_HEADERS }).end(JSON.stringify(body))
    },
  })
}

function headAsGet(request: IncomingMessage): string {
  if (request.method === 'HEAD') request.method = 'GET'
  return request.url ?? '/'
}

function reportReplies(app: FastifyInstance, onAnswered: (answered: Answered) => void): void {
  app.addHook('onResponse', async ({ id, method, routeOptions }, { statusCode, elapsedTime }) => {
    const route = routeOptions.url ?? 'none'
    onAnswered({ requestId: id, method, route, status: statusCode, tookMs: elapsedTime })
  })
}

/** Returns a list to which every later route is added. */
function collectRoutes(app: FastifyInstance): readonly string[] {
  const routes: string[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config !== undefined && 'refusesAll' in config) return
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url}`)
  })
  return routes
}

function registerHealth(app: FastifyInstance, isReady: () => boolean): void {
  app.get('/healthz', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    return { status: 'ok' }
  })
  app.get('/readyz', async (_request, reply) => {
    const ready = isReady()
    void reply.code(ready ? 200 : 503).header('cache-control', 'no-store')
    return { status: ready ? 'ready' : 'not ready' }
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly bodyIgnored?: boolean
  }
}

/**
 * Accepts JSON bodies only (multipart has its own parser). A form of another site cannot send JSON. Calls that ignore
 * their body accept the form that mail programs send.
 */
function readJsonOnly(app: FastifyInstance): void {
  app.removeContentTypeParser(['text/plain', 'application/json'])
  // A key `__proto__` is dropped, like any key that no schema knows.
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    // Clients set the content type on calls without a body too.
    if (text.trim() === '') done(null, undefined)
    else void parse(request, text, done)
  })
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, _text, done) => {
      if (request.routeOptions.config.bodyIgnored === true) done(null, undefined)
      else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('a form'), undefined)
    },
  )
}

function answerFailures(app: FastifyInstance, { ctx, languages }: HttpOptions): void {
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const language = callerLanguage(request.headers, languages())
    void reply.header('cache-control', 'no-store')
    const fail = (status: number, { headers, body }: FailureReply): Failure => {
      void reply.code(status).headers(headers)
      return body
    }
    if (error instanceof BusyError) {
      const busy = refusalReply({ ok: false, refusal: 'busy' }, language)
      return fail(busy.status, busy)
    }
    const { statusCode = 500 } = error
    if (statusCode >= 400 && statusCode < 500) {
      const unreadable = refusalReply({ ok: false, refusal: 'bad_request' }, language)
      return fail(statusCode === 413 || statusCode === 415 ? statusCode : unreadable.status, unreadable)
    }
    const facts = { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url }
    ctx.log.error({ ...facts, address: callerOf(request).address }, 'a call failed')
    return fail(500, faultReply(request.id, language))
  })
}
