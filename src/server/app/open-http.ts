import type { Trading } from '#server/app/open-trading.ts'
import type { Opening } from '#server/app/opening.ts'
import { limitMessages } from '#server/users/accounts/limit-messages.ts'
import { createStrangerGate } from '#server/platform/http/stranger-gate.ts'
import { StaffSocket } from '#server/back-office/socket/staff-socket.ts'
import { createIsOwnDevice } from '#server/app/own-device.ts'
import type { FastifyRequest } from 'fastify'
import { createAuthenticate } from '#server/users/sessions/authenticate.ts'
import { loadSiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { watchConnections } from '#server/platform/faults/watch-connections.ts'
import { createDemoKey } from '#server/platform/http/demo-key.ts'
import { type Answered, buildApp } from '#server/platform/http/build-app.ts'
import { callerLanguage } from '#server/platform/http/language.ts'
import { isOwnOrigin } from '#server/platform/http/origin.ts'
import type { RateLimit } from '#server/platform/http/rate-limit.ts'
import { CONNECTION_LIMITS } from '#server/platform/http/server-limits.ts'
import type { WebFolders } from '#server/platform/http/web-app.ts'
import { clientAddressReader } from '#server/platform/http/client-address.ts'
import { createPages } from '#server/app/create-pages.ts'
import { createSockets } from '#server/sockets/create-sockets.ts'
import { createMessenger } from '#server/platform/messenger/create-messenger.ts'
import { createOutboxMessenger } from '#server/platform/messenger/messenger.ts'
import { createLiabilities } from '#server/proof/liabilities/create-liabilities.ts'
import { BINANCE_ERRORS } from '#server/market-data/wire/binance.routes.ts'
import { marketStatus } from '#server/market-data/hours/market-status.ts'
import { meterOrders } from '#server/app/meters/meter-orders.ts'
import { createResetCodes } from '#server/users/password-reset/send-reset-code.ts'
import { allRoutes } from '#server/app/routes.ts'
import { connectionLimits, openFileLimit } from '#server/app/open-files.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { createReadiness } from '#server/app/health/readiness.ts'
import { createLogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { explainListenError } from '#server/platform/runtime/startup-error.ts'
import { loadTextOverrides } from '#server/site/text-overrides/text-overrides.ts'
import { createUploads } from '#server/platform/uploads/uploads.ts'
import { createSitePictures } from '#server/platform/uploads/site-pictures.ts'
import type { Platform } from '#server/app/open-platform.ts'
import type { MarketData } from '#server/app/open-market-data.ts'

const WEB_FOLDERS: WebFolders = {
  web: projectFile('dist/web/'),
  admin: projectFile('dist/back-office/'),
}

/** 5 s worth of calls: a page sends several calls together and is then quiet. */
const BURST_SECONDS = 5

/** Opens calls, the web apps and sockets for users and staff. The server listens after the start. */
export async function openHttp(
  { config, overrides, lifecycle }: Opening,
  { ctx, database, metrics, errors, faults }: Platform,
  { settings, passwords, catalogue, ticks, candlePages }: MarketData,
  { engine, receipts, takesOrders, settles }: Trading,
) {
  const words = { announcements: await loadSiteAnnouncements(ctx), textOverrides: await loadTextOverrides(ctx.db) }
  const liabilities = await createLiabilities(ctx)
  const uploads = createUploads(ctx, config.dataDir)
  const sitePictures = createSitePictures(ctx, config.dataDir)
  const outgoing = createMessenger(config, { outbox: createOutboxMessenger(ctx), clock: ctx.clock })
  const messenger = limitMessages(ctx, outgoing, { smsPerDay: config.smsPerDay })
  const signIns = createLogInRecorder({ ctx, messenger, settings })
  lifecycle.opened('sign-ins', () => signIns.idle())
  const resetCodes = createResetCodes({ ctx, passwords, messenger, settings, publicUrl: config.publicUrl ?? null })
  lifecycle.opened('reset codes', () => resetCodes.idle())
  const authenticate = createAuthenticate(ctx)
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
    languages,
    isReady: () => readiness.reason() === null,
    webFolders,
    trustedProxies: config.trustedProxies,
    perAddress: overrides.perAddress ?? rate(config.callsPerAddress),
    perAccount: overrides.perAccount ?? rate(config.callsPerAccount),
    takeStrangerCall,
    connectionLimits:
      overrides.connectionLimits ?? (database ? connectionLimits(openFileLimit(), database) : CONNECTION_LIMITS),
    checksReplies: overrides.checksReplies ?? false,
    ...((metrics !== null || config.logLevel === 'debug' || config.logLevel === 'trace') && {
      onAnswered(answered: Answered) {
        const { route, status, tookMs } = answered
        metrics?.httpSeconds.observe({ route, status: `${Math.floor(status / 100)}xx` }, tookMs / 1000)
        ctx.log.debug(answered, 'answered a call')
      },
    }),
    prepared: (url) => candlePages.find(url),
    unreadable: (url) => (url.startsWith('/api/v3/') ? BINANCE_ERRORS.notFound : null),
    routes: allRoutes({
      ctx,
      readsDb: database?.readsDb ?? ctx.db,
      mode: config.mode,
      publicUrl: config.publicUrl ?? null,
      settings,
      ...words,
      catalogue,
      ticks,
      candlePages,
      liabilities,
      engine,
      receipts,
      uploads,
      sitePictures,
      passwords,
      messenger,
      signIns,
      resetCodes,
      signUpsPerHour,
      takeStrangerCall,
      errors,
      faults,
      languageOf,
      checksReplies: overrides.checksReplies ?? false,
    }),
  })

  lifecycle.opened('calls', () => http.close())
  lifecycle.opened('connection watch', watchConnections(ctx, faults, http.server))

  const site = { publicUrl: config.publicUrl ?? null, mode: config.mode }
  const live = createSockets({
    ctx,
    ticks,
    engine: metrics === null ? engine : meterOrders(engine, metrics),
    catalogue,
    authenticate,
    endpoints: [new StaffSocket(ctx)],
    marketStatus: () => marketStatus(catalogue, ctx.now()),
    isOwnOrigin: (origin, host) => isOwnOrigin(origin, host, site),
    defaultLanguage: settings.current.defaultLanguage,
    addressOf: clientAddressReader(config.trustedProxies),
    ...(overrides.flushMs !== undefined && { flushMs: overrides.flushMs }),
  })
  lifecycle.opened('sockets', () => live.stop())
  live.attach(http.server)

  const listen = async (): Promise<string> => {
    const { host, port } = config
    return http.listen({ host, port }).catch((error: unknown) => {
      throw explainListenError(error, { host, port })
    })
  }
  return { http, routes, demoKey, uploads, words, liabilities, readiness, live, listen }
}

function rate(perSecond: number): RateLimit {
  return { perSecond, burst: perSecond * BURST_SECONDS }
}
