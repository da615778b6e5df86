import type { Trading } from '#server/app/open-trading.ts'
import type { Opening } from '#server/app/opening.ts'
import { createStrangerGate } from '#server/platform/http/stranger-gate.ts'
import { createIsOwnDevice } from '#server/app/own-device.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/app/config/config.ts'
import { isApiKey } from '#core/accounts/api-keys.ts'
import type { Authenticate } from '#server/platform/http/signed-in.ts'
import { createKeyLimits } from '#server/platform/http/key-limits.ts'
import { createKeyAuthentication } from '#server/users/keys/authenticate-key.ts'
import { createKeyOrders } from '#server/users/keys/key-orders.ts'
import { createAuthenticate } from '#server/users/sessions/authenticate.ts'
import { watchConnections } from '#server/platform/faults/watch-connections.ts'
import { createDemoKey } from '#server/platform/http/demo-key.ts'
import { type Answered, buildApp } from '#server/platform/http/build-app.ts'
import { callerLanguage } from '#server/platform/http/language.ts'
import type { RateLimit } from '#server/platform/http/rate-limit.ts'
import { CONNECTION_LIMITS } from '#server/platform/http/server-limits.ts'
import type { WebFolders } from '#server/platform/http/web-app.ts'
import { createPages } from '#server/app/create-pages.ts'
import { BINANCE_ERRORS } from '#server/market-data/wire/binance.routes.ts'
import { allRoutes } from '#server/app/routes.ts'
import { connectionLimits, openFileLimit } from '#server/app/open-files.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { createReadiness } from '#server/app/health/readiness.ts'
import { explainListenError } from '#server/platform/runtime/startup-error.ts'
import type { Platform } from '#server/app/open-platform.ts'
import type { MarketData } from '#server/app/open-market-data.ts'
import type { SocketKeys } from '#server/sockets/create-sockets.ts'
import { openSockets } from '#server/app/open-sockets.ts'
import { openUserServices } from '#server/app/open-user-services.ts'

const WEB_FOLDERS: WebFolders = {
  web: projectFile('dist/web/'),
  admin: projectFile('dist/back-office/'),
}

/**
 * A burst may have as many calls as 5 s at the sustained rate, because a page sends several calls together and is then
 * quiet.
 */
const BURST_SECONDS = 5

/** Registers the calls, the web apps and the sockets. The server does not listen before it starts. */
export async function openHttp(opening: Opening, platform: Platform, market: MarketData, trading: Trading) {
  const { config, overrides, lifecycle } = opening
  const { ctx, database, errors, faults } = platform
  const { settings, passwords, catalogue, ticks, candlePages } = market
  const { engine, receipts, signingKey, takesOrders, settles } = trading
  const services = await openUserServices(opening, platform, market)
  const { words, liabilities, messenger, countries } = services
  const { authenticate, keys } = openAuthentication(opening, platform)
  const takeStrangerCall = overrides.takeStrangerCall ?? createStrangerGate(createIsOwnDevice(ctx.db))
  const signUpsPerHour = overrides.signUpsPerHour ?? config.signUpsPerHour

  const languages = () => ({ default: settings.current.defaultLanguage, offered: settings.current.languages })
  const languageOf = ({ headers }: FastifyRequest) => callerLanguage(headers, languages())

  const readiness = createReadiness({
    ctx,
    faults,
    isAtWork: () => !(takesOrders || settles) || engine.takesOrders(),
    lastPriceReportAt: () => ticks.lastMessageAt(),
  })
  const demoKey = config.mode === 'demo' ? createDemoKey(ctx) : null
  const webFolders = overrides.webFolders ?? WEB_FOLDERS
  const shared = { ctx, mode: config.mode, settings, messenger, catalogue, liabilities, ...words }
  const { http, routes } = await buildApp({
    renderPage: createPages({ ...shared, folder: webFolders.web, publicUrl: config.publicUrl ?? null, ticks }),
    demoKey,
    ctx,
    mode: config.mode,
    publicUrl: config.publicUrl ?? null,
    authenticate,
    keyLimits: keys.limits,
    onKeyShown: keys.onShown,
    languages,
    isReady: () => readiness.reason() === null,
    webFolders,
    trustedProxies: config.trustedProxies,
    countryOf: countries.of,
    perAddress: overrides.perAddress ?? rate(config.callsPerAddress),
    perAccount: overrides.perAccount ?? rate(config.callsPerAccount),
    takeStrangerCall,
    connectionLimits:
      overrides.connectionLimits ?? (database ? connectionLimits(openFileLimit(), database) : CONNECTION_LIMITS),
    checksReplies: overrides.checksReplies ?? false,
    ...observeReplies(opening, platform),
    prepared: (url) => candlePages.find(url),
    unreadable: (url) => (url.startsWith('/api/v3/') ? BINANCE_ERRORS.notFound : null),
    routes: allRoutes({
      ctx,
      readsDb: database?.readsDb ?? ctx.db,
      mode: config.mode,
      publicUrl: config.publicUrl ?? null,
      settings,
      ...words,
      ...services,
      catalogue,
      ticks,
      candlePages,
      engine,
      receipts,
      signingKey,
      passwords,
      signUpsPerHour,
      pushHosts: config.pushHosts,
      takeStrangerCall,
      errors,
      faults,
      install: { folder: webFolders.web, offlineStart: config.offlineStart },
      languageOf,
      checksReplies: overrides.checksReplies ?? false,
    }),
  })

  lifecycle.opened('calls', () => http.close())
  lifecycle.opened('connection watch', watchConnections(ctx, faults, http.server))

  const live = openSockets(opening, platform, market, { engine, authenticate, keys, countries, server: http.server })

  const listen = () => listenOn(http, config)
  return { ...services, http, routes, demoKey, readiness, live, listen }
}

/** Opens the checks of session tokens and of API keys. HTTP calls and sockets share the rate limits of an API key. */
function openAuthentication({ config }: Opening, { ctx }: Platform) {
  const ofSession = createAuthenticate(ctx)
  const ofKey = createKeyAuthentication({ ctx, mode: config.mode })
  const authenticate: Authenticate = (token, from) =>
    isApiKey(token) ? ofKey.authenticate(token, from) : ofSession(token, from)
  const keys: SocketKeys = {
    limits: createKeyLimits(),
    orders: createKeyOrders(ctx),
    onShown(key) {
      ofKey.endShown(key).catch((error: unknown) => {
        ctx.log.error({ err: error, keyId: key.id }, 'cannot end a key that an address contained')
      })
    },
  }
  return { authenticate, keys }
}

export type Site = Awaited<ReturnType<typeof openHttp>>

function listenOn(http: FastifyInstance, { host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  return http.listen({ host, port }).catch((error: unknown) => {
    throw explainListenError(error, { host, port })
  })
}

function rate(perSecond: number): RateLimit {
  return { perSecond, burst: perSecond * BURST_SECONDS }
}

/** Measures and logs every reply, if metrics or debug logs are on. */
function observeReplies({ config }: Opening, { ctx, metrics }: Platform) {
  if (metrics === null && config.logLevel !== 'debug' && config.logLevel !== 'trace') return {}
  return {
    onAnswered(answered: Answered) {
      const { route, status, tookMs } = answered
      metrics?.httpSeconds.observe({ route, status: `${Math.floor(status / 100)}xx` }, tookMs / 1000)
      ctx.log.debug({ ...answered, tookMs: Math.round(tookMs) }, 'answered a call')
    },
  }
}
