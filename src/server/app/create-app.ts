import { limitMessages } from '#server/users/accounts/limit-messages.ts'
import { createStrangerGate, type TakeStrangerCall } from '#server/platform/http/stranger-gate.ts'
import { StaffSocket } from '#server/back-office/socket/staff-socket.ts'
import { createIsOwnDevice } from '#server/app/own-device.ts'
import { availableParallelism } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { startControlServer } from '#server/operator-cli/control-server.ts'
import { createAuthenticate } from '#server/users/sessions/authenticate.ts'
import { createPasswords, type HashCost, type Passwords } from '#server/platform/credentials/passwords.ts'
import type { Config } from '#server/app/config/config.ts'
import { createCandlePages } from '#server/market-data/candles/candle-pages.ts'
import { loadSiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { closeToOthers } from '#server/app/close-to-others.ts'
import { TrustedClock } from '#server/platform/clock/trusted-clock.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log, MachineClock } from '#server/platform/runtime/ports.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { createEngine, type RunningEngine } from '#server/trading/engine/create-engine.ts'
import { createEngineStore } from '#server/trading/engine/engine-store.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { createFaultWatch } from '#server/platform/faults/create-fault-watch.ts'
import { watchConnections } from '#server/platform/faults/watch-connections.ts'
import { FaultBook } from '#server/platform/faults/fault-book.ts'
import { feedOrRefusal } from '#server/app/open-feed.ts'
import { createDemoKey, type DemoKey } from '#server/platform/http/demo-key.ts'
import { type Answered, buildApp } from '#server/platform/http/build-app.ts'
import { callerLanguage } from '#server/platform/http/language.ts'
import { isOwnOrigin } from '#server/platform/http/origin.ts'
import type { RateLimit } from '#server/platform/http/rate-limit.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from '#server/platform/http/server-limits.ts'
import type { WebFolders } from '#server/platform/http/web-app.ts'
import { clientAddressReader } from '#server/platform/http/client-address.ts'
import { startJobs } from '#server/app/jobs/jobs.ts'
import { Lifecycle } from '#server/app/lifecycle.ts'
import { createLive } from '#server/sockets/create-sockets.ts'
import { createMessenger } from '#server/platform/messenger/create-messenger.ts'
import { createOutboxMessenger } from '#server/platform/messenger/messenger.ts'
import { createLiabilities } from '#server/proof/liabilities/create-liabilities.ts'
import { BINANCE_ERRORS } from '#server/market-data/wire/binance.routes.ts'
import { loadCatalogue } from '#server/market-data/catalogue/load-catalogue.ts'
import { watchMarketTimes } from '#server/market-data/hours/watch-market-times.ts'
import { marketStatus } from '#server/market-data/hours/market-status.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { countLines } from '#server/platform/metrics/count-lines.ts'
import { meterFaults } from '#server/app/meters/meter-faults.ts'
import { meterOrders } from '#server/app/meters/meter-orders.ts'
import { meterServer } from '#server/app/meters/meter-server.ts'
import { meterStore } from '#server/app/meters/meter-store.ts'
import { meterTicks } from '#server/app/meters/meter-ticks.ts'
import { createMetrics } from '#server/platform/metrics/metrics.ts'
import { type OpsServer, startOpsServer } from '#server/app/health/ops-server.ts'
import { catalogueMark } from '#server/market-data/catalogue/catalogue-fingerprint.ts'
import { despiteOthers } from '#server/platform/database/retry-on-conflict.ts'
import { joinNodes, placeOf } from '#server/app/cluster/join-cluster.ts'
import { oneAtATime } from '#server/platform/cluster/leases.ts'
import { relayNews } from '#server/app/cluster/relay-events.ts'
import { seekSettleShares } from '#server/trading/engine/settle-shares.ts'
import { createResetCodes } from '#server/users/password-reset/send-reset-code.ts'
import { allRoutes } from '#server/app/routes.ts'
import { connectionLimits, openFileLimit } from '#server/app/open-files.ts'
import { projectFile } from '#server/platform/runtime/project-files.ts'
import { createReadiness } from '#server/app/health/readiness.ts'
import { requireSameKey, takeIntoUse } from '#server/proof/receipts/signing-keys.queries.ts'
import { createReceiptMaker, type ReceiptMaker } from '#server/proof/receipts/make-receipts.ts'
import { openSigningKey, type SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { reseal } from '#server/operator-cli/rotate-encryption-key.ts'
import { openVault } from '#server/platform/encryption/data-keys.ts'
import { createSignIns } from '#server/users/sessions/record-log-in.ts'
import { seed } from '#server/seed/seed.ts'
import { loadSettings, type Settings } from '#server/settings/site-settings.ts'
import { createErrorBook } from '#server/platform/runtime/recent-errors.ts'
import { explainListenError } from '#server/platform/runtime/startup-error.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { loadOwnTexts } from '#server/site/text-overrides/text-overrides.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { createUploads, type Uploads } from '#server/platform/uploads/uploads.ts'
import { createSitePictures } from '#server/platform/uploads/site-pictures.ts'

const WEB_FOLDERS: WebFolders = {
  web: projectFile('dist/web/'),
  admin: projectFile('dist/back-office/'),
}

/** Parts that a test or a simulation supplies instead of the real ones. */
export interface AppOverrides {
  readonly clock?: MachineClock
  /** A context with its database. When it is given, no other database is opened, migrated or closed. */
  readonly ctx?: Ctx
  readonly connections?: number
  readonly feed?: Feed
  readonly signUpsPerHour?: number
  readonly takeStrangerCall?: TakeStrangerCall
  /** The cost of a password hash. Tests lower it, because they create thousands. */
  readonly hashCost?: HashCost
  /** Wraps the password hashing, so that tests can count hashes. */
  readonly aroundPasswords?: (passwords: Passwords) => Passwords
  readonly perAddress?: RateLimit
  readonly perAccount?: RateLimit
  readonly connectionLimits?: ConnectionLimits
  readonly checksReplies?: boolean
  readonly flushMs?: number
  /** The key that signs receipts, instead of the one in the data folder. */
  readonly signingKey?: SigningKeyPair
  /** The folders of the built web apps. Default: those in `dist`. */
  readonly webFolders?: WebFolders
  /** The lifecycle that closes the parts. A test passes one that makes a part fail. */
  readonly lifecycle?: Lifecycle
  /** Ends the process with exit code 1, so that a service manager starts a new one. */
  readonly onDead?: () => void
}

/**
 * The whole server. After `createApp` it holds the database and answers injected calls. After `start` it listens and
 * accepts orders.
 */
export interface App {
  readonly http: FastifyInstance
  /** All routes, in the form `GET /api/user/profile`. */
  readonly routes: readonly string[]
  readonly ctx: Ctx
  /** The key for the person at a demo's machine. Null in live mode. */
  readonly demoKey: DemoKey | null
  readonly settings: Settings
  readonly uploads: Uploads
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly engine: RunningEngine
  readonly receipts: ReceiptMaker
  /** Starts reading prices, settles orders that expired during the outage, and accepts orders. */
  startMarkets(): Promise<void>
  /**
   * Starts the markets and listens. Returns the address, e.g. `http://127.0.0.1:3000`, or null when this server answers
   * no calls.
   */
  start(): Promise<string>
  /** The address of `/metrics` after the start. Null when metrics are off. */
  opsAddress(): string | null
  /**
   * Stops accepting orders, finishes the accepted ones, closes the sockets, then the database.
   * Closes all parts, even when some fail, and rejects when one failed. A failure is expected when the database is
   * lost.
   */
  stop(): Promise<void>
  /** The part that is being closed now, or null. */
  closing(): string | null
}

/** 5 s worth of calls: a page sends several calls together and is then quiet. */
const BURST_SECONDS = 5

/**
 * Builds the server from its configuration. Throws a `StartUpError` when it cannot run, and closes everything it
 * opened.
 */
export async function createApp(config: Config, log: Log, overrides: AppOverrides = {}): Promise<App> {
  const lifecycle = overrides.lifecycle ?? new Lifecycle(log)
  try {
    return await wire(config, log, overrides, lifecycle)
  } catch (error) {
    await lifecycle.closeAll()
    throw error
  }
}

async function wire(config: Config, log: Log, overrides: AppOverrides, lifecycle: Lifecycle): Promise<App> {
  const database = overrides.ctx ? null : await openDatabase(config, log)
  lifecycle.opened('database', () => database?.close())
  if (database) closeToOthers(config.dataDir, log)
  const machineClock = overrides.clock ?? systemClock
  const given = overrides.ctx ?? contextOn(config, database, log, new TrustedClock(machineClock))
  const metrics = config.metrics === undefined ? null : createMetrics()
  const errors = createErrorBook(metrics === null ? given.log : countLines(given.log, metrics), given.clock)
  const ctx: Ctx = { ...given, log: errors.log }
  const faults = new FaultBook(ctx)
  const watch = createFaultWatch({
    ctx,
    faults,
    health: database?.health ?? null,
    // The leases use a connection of their own, because a wait on the shared ones says nothing about the database.
    db: database?.leasesDb ?? ctx.db,
    logAheadMs: () => ticks.aheadMs(),
    onDead: overrides.onDead ?? (() => {}),
  })
  lifecycle.opened('fault watch', () => watch.stop())
  let ops: OpsServer | null = null
  lifecycle.opened('metrics', () => ops?.stop())
  const settings = await loadSettings(ctx.db)
  // Encrypts rows that were stored before there was a key.
  await reseal(ctx, 'unsealed')
  const feed = await feedOrRefusal(config, ctx, settings.current, overrides.feed)
  const ownPasswords = createPasswords((count) => ctx.randomBytes(count), overrides.hashCost)
  const passwords = overrides.aroundPasswords?.(ownPasswords) ?? ownPasswords
  await despiteOthers(ctx, () => seed({ ctx, passwords, mode: config.mode, feed }))
  await settings.reload()
  const catalogue = await loadCatalogue(ctx)
  const words = { announcements: await loadSiteAnnouncements(ctx), ownTexts: await loadOwnTexts(ctx.db) }
  // The embedded database belongs to one process. On PostgreSQL, several servers may share the database.
  const nodes = database?.kind === 'postgres' ? await joinNodes(ctx, config, database.leasesDb) : null
  lifecycle.opened('bus', () => nodes?.bus.stop())
  lifecycle.opened('leases', () => nodes?.leases.stop())
  const ticks = createTicks({
    ctx,
    feed,
    ...(nodes && { shared: nodes.sharedTicks }),
    // Includes symbols that are no longer listed, because orders on them may still be open.
    symbols: catalogue.known,
    splitsOf: (symbolId) => catalogue.byId(symbolId)?.splits ?? [],
    ...(overrides.flushMs !== undefined && { flushMs: overrides.flushMs }),
  })
  lifecycle.opened('prices', () => ticks.stop())
  const candlePages = createCandlePages({ ctx, ticks, catalogue })
  const liabilities = await createLiabilities(ctx)
  // On a machine with two cores, a second statement that inserts orders only takes the core of the server itself.
  const connections =
    overrides.connections ?? Math.min(database?.connections ?? 1, Math.ceil(availableParallelism() / 2))
  const signingKey = overrides.signingKey ?? (await openSigningKey(config.dataDir, config.signingKey))
  const receipts = createReceiptMaker(ctx, catalogue, signingKey, {
    among: nodes && { makesUp: () => nodes.leases.fenceOf('jobs') !== null },
  })
  const settles = config.roles.has('settle')
  const shares = nodes && settles ? seekSettleShares(nodes.leases, () => engine.takeOver()) : null
  const store = createEngineStore(ctx, () => shares?.guard() ?? null, database ?? undefined)
  const engine: RunningEngine = createEngine({
    ctx,
    ticks,
    catalogue,
    connections,
    ...(!settles ? { settles: false } : shares && { settles: shares }),
    store: metrics === null ? store : meterStore(ctx, store, metrics),
    onCommitted: (committed) => receipts.made(committed),
    pressure: () => receipts.pressure(),
    isFaulty: () => faults.stopping !== null,
  })
  const uploads = createUploads(ctx, config.dataDir)
  const sitePictures = createSitePictures(ctx, config.dataDir)
  const outgoing = createMessenger(config, { outbox: createOutboxMessenger(ctx), clock: ctx.clock })
  const messenger = limitMessages(ctx, outgoing, { smsPerDay: config.smsPerDay })
  const signIns = createSignIns({ ctx, messenger, settings })
  lifecycle.opened('sign-ins', () => signIns.idle())
  const resetCodes = createResetCodes({ ctx, passwords, messenger, settings, publicUrl: config.publicUrl ?? null })
  lifecycle.opened('reset codes', () => resetCodes.idle())
  const authenticate = createAuthenticate(ctx)
  const takeStrangerCall = overrides.takeStrangerCall ?? createStrangerGate(createIsOwnDevice(ctx.db))
  const signUpsPerHour = overrides.signUpsPerHour ?? config.signUpsPerHour

  const languages = () => ({ default: settings.current.defaultLanguage, offered: settings.current.languages })
  const languageOf = ({ headers }: FastifyRequest) => callerLanguage(headers, languages())

  const takesOrders = config.roles.has('api')
  const readiness = createReadiness({
    ctx,
    faults,
    isAtWork: () => !(takesOrders || settles) || engine.takesOrders(),
    pricesHeardAt: () => ticks.heardAt(),
  })
  const demoKey = config.mode === 'demo' ? createDemoKey(ctx) : null
  const { http, routes } = await buildApp({
    demoKey,
    ctx,
    mode: config.mode,
    publicUrl: config.publicUrl ?? null,
    authenticate,
    languages,
    isReady: () => readiness.reason() === null,
    webFolders: overrides.webFolders ?? WEB_FOLDERS,
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
  const live = createLive({
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

  if (metrics !== null) {
    meterTicks(ctx, { ticks, catalogue }, metrics)
    meterServer({ engine, live, receipts, readiness, database, nodes }, metrics)
    meterFaults({ faults, watch, ticks }, metrics)
  }

  const reload = async (): Promise<void> => {
    const before = catalogueMark(catalogue)
    await Promise.all([settings.reload(), catalogue.reload(), words.announcements.reload(), words.ownTexts.reload()])
    for (const symbol of catalogue.known) await ticks.add(symbol)
    if (catalogueMark(catalogue) !== before) ctx.announce({ kind: 'markets-changed' })
  }
  const relay = nodes && relayNews({ ctx, ...nodes, reload })
  lifecycle.opened('relay', () => relay?.stop())
  nodes?.leases.onChange(() => relay?.missed())

  const jobs = () => startJobs({ ctx, config, settings, uploads, liabilities, passwords, engine, catalogue })
  const startMarkets = async (): Promise<void> => {
    await ticks.start()
    await nodes?.leases.start()
    if (takesOrders || settles) {
      // A new key retires the current one, so no other server may be signing with it.
      const isAlone = nodes?.leases.others().every(({ roles }) => roles.every((role) => role === 'feed')) ?? true
      if (!isAlone) await requireSameKey(ctx.db, signingKey)
      await takeIntoUse(ctx.db, signingKey, ctx.now())
      lifecycle.opened('receipts', () => receipts.stop())
      await receipts.start()
      lifecycle.opened('engine', () => engine.stop())
      await engine.start()
    }
    if (takesOrders) lifecycle.opened('market times', watchMarketTimes(ctx, catalogue, ticks))
    if (nodes === null) lifecycle.opened('jobs', await jobs())
    else if (settles) nodes.leases.want(oneAtATime('jobs', 'settle', jobs))
  }
  const start = async (): Promise<string> => {
    const { host, port } = config
    const address = takesOrders
      ? await http.listen({ host, port }).catch((error: unknown) => {
          throw explainListenError(error, { host, port })
        })
      : ''
    if (config.metrics !== undefined && metrics !== null) {
      ops = await startOpsServer(config.metrics, { metrics, readiness })
    }
    // Written before the server is ready, because the demo's user may run commands from then on. A given context has no
    // data folder.
    if (database) {
      const hasOwnDataKey = config.dataKey !== undefined
      const control = await startControlServer({
        ctx,
        settings,
        catalogue,
        dataDir: config.dataDir,
        hasOwnDataKey,
        copyDatabase: database.copyTo,
      })
      lifecycle.opened('admin commands', () => control.stop())
    }
    const run = nodes?.run ?? ctx.newId()
    // Nothing that depends on the clock starts before the clock is right.
    await watch.start({ run, name: placeOf(config, run) })
    await startMarkets()
    readiness.start()
    return address
  }
  return {
    http,
    routes,
    ctx,
    demoKey,
    settings,
    uploads,
    catalogue,
    ticks,
    engine,
    receipts,
    startMarkets,
    opsAddress: () => ops?.address ?? null,
    start: () =>
      start().catch(async (error: unknown) => {
        await lifecycle.closeAll()
        throw error
      }),
    closing: () => lifecycle.closing,
    async stop() {
      readiness.drain()
      watch.stopping()
      const failed = await lifecycle.closeAll()
      if (failed.length === 0) return
      if (!watch.hasGivenUp) throw new Error(`cannot close: ${failed.join(', ')}`)
      log.warn({ parts: failed }, 'stopped without the database: the next start recovers unwritten changes')
    },
  }
}

function rate(perSecond: number): RateLimit {
  return { perSecond, burst: perSecond * BURST_SECONDS }
}

function contextOn(config: Config, database: Database | null, log: Log, clock: TrustedClock): Ctx {
  if (!database) throw new Error('a server needs a database or a context')
  const { randomBytes } = createTools()
  return createContext({ db: database.db, log, clock, vault: openVault(config.dataDir, config.dataKey, randomBytes) })
}
