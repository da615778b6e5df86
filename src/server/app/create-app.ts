import type { Opening } from '#server/app/opening.ts'
import type { FastifyInstance } from 'fastify'
import { alertsLease, watchAlerts } from '#server/price-alerts/watch-alerts.ts'
import { startControlServer } from '#server/operator-cli/control-server.ts'
import type { Config } from '#server/app/config/config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { RunningEngine } from '#server/trading/engine/create-engine.ts'
import type { DemoKey } from '#server/platform/http/demo-key.ts'
import { erasingParts, startJobs } from '#server/app/jobs/jobs.ts'
import { eraseAgain } from '#server/site/erasing/erase-accounts.ts'
import { decideSalesPeriodically } from '#server/trading/sales/decide-sales.ts'
import { collectEvidence, EVIDENCE_WAITS } from '#server/trading/evidence/collect-evidence.ts'
import { Lifecycle } from '#server/app/lifecycle.ts'
import { watchClocks } from '#server/market-data/clock/watch-clocks.ts'
import { watchMarketTimes } from '#server/market-data/hours/watch-market-times.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { meterFaults } from '#server/app/meters/meter-faults.ts'
import { meterServer } from '#server/app/meters/meter-server.ts'
import { meterTicks } from '#server/app/meters/meter-ticks.ts'
import { catalogueFingerprint } from '#server/market-data/catalogue/catalogue-fingerprint.ts'
import { placeOf } from '#server/app/cluster/join-cluster.ts'
import { oneAtATime } from '#server/platform/cluster/lease-request.ts'
import { readRecords, RECORD_WAITS } from '#server/proof/made-good/read-records.ts'
import { relayEvents } from '#server/app/cluster/relay-events.ts'
import type { ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import type { RegisterParts } from '#server/register/close-minute.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import type { AppOverrides } from '#server/app/opening.ts'
import { type Platform, openPlatform } from '#server/app/open-platform.ts'
import { type MarketData, openMarketData } from '#server/app/open-market-data.ts'
import { openRegister } from '#server/app/open-register.ts'
import { openTrading, type Trading } from '#server/app/open-trading.ts'
import { applyAndMail } from '#server/back-office/changes/watch-changes.ts'
import { openHttp, type Site } from '#server/app/open-http.ts'

/**
 * The whole server. Once created, it holds the database and replies to injected calls. Once started, it listens and
 * accepts orders.
 */
export interface App {
  readonly http: FastifyInstance
  /** All routes that the server answers, each with its method, e.g. `GET /api/user/profile`. */
  readonly routes: readonly string[]
  readonly ctx: Ctx
  /** The key that opens the demo to the user of the machine that it runs on. Null in live mode. */
  readonly demoKey: DemoKey | null
  readonly settings: Settings
  readonly uploads: Uploads
  readonly catalogue: MarketCatalogue
  readonly ticks: TickService
  readonly engine: RunningEngine
  readonly receipts: ReceiptWorker
  /** The current faults of the server, such as a silent database. */
  readonly faults: FaultRegistry
  /** The parts with which this server adds entries to the register. Null when this server does not settle orders. */
  readonly register: RegisterParts | null
  /** Puts all waiting changes in force whose time has come. A periodic job does the same. */
  applyChanges(): Promise<void>
  /** Reads prices, settles the orders that became due while the server was down, then accepts orders. */
  startMarkets(): Promise<void>
  /**
   * Runs `startMarkets` and listens. Returns the address, e.g. `http://127.0.0.1:3000`, or an empty text when this
   * server takes no calls.
   */
  start(): Promise<string>
  /** The address of `/metrics`. Null before the start and when metrics are off. */
  opsAddress(): string | null
  /**
   * Accepts no more orders, completes accepted ones, closes the sockets with a reason, and closes the database. Closes
   * every part even when another part fails to close, and then rejects. If the database did not reply during the stop,
   * it only logs the parts that failed.
   */
  stop(): Promise<void>
  /** The part that is being closed at this moment. */
  closing(): string | null
}

/**
 * Builds the server from its configuration. Throws a `StartUpError` when it cannot run, and closes everything it
 * opened.
 */
export async function createApp(config: Config, log: Log, overrides: AppOverrides = {}): Promise<App> {
  const lifecycle = overrides.lifecycle ?? new Lifecycle(log)
  try {
    return await open({ config, log, overrides, lifecycle })
  } catch (error) {
    await lifecycle.closeAll()
    throw error
  }
}

async function open(opening: Opening): Promise<App> {
  const { config, log, lifecycle } = opening
  const platform: Platform = await openPlatform(opening, {
    logLeadMs: () => market.ticks.aheadOfClockMs(),
    isReady: () => site.readiness.reason() === null,
  })
  const register = await openRegister(opening, platform)
  const market = await openMarketData(opening, platform)
  const trading = await openTrading(opening, platform, market)
  const site = await openHttp(opening, platform, market, trading)
  const { ctx, database, faults, watch } = platform
  const { settings, passwords, catalogue, nodes, ticks } = market
  const { engine, receipts, signingKey, takesOrders, settles } = trading
  const { uploads, records, messenger, readiness } = site
  // Before the server takes calls, because a restored backup may contain users who were erased later.
  await eraseAgain(erasingParts({ ctx, config, settings, uploads, records, passwords, catalogue }))

  meterParts(platform, market, trading, site)
  relayBetweenNodes(opening, platform, market, site)

  const changes = { settings, mode: config.mode, messenger, publicUrl: config.publicUrl ?? null }
  const jobs = () =>
    startJobs({ ...platform, config, ...market, ...site, engine, signingKey, changes, register: register.parts })
  const startMarkets = async (): Promise<void> => {
    await register.start()
    await ticks.start()
    await nodes?.leases.start()
    await trading.start()
    followMarkets(opening, platform, market)
    if (settles) lifecycle.opened('sales', decideSalesPeriodically({ ctx, catalogue, owns: trading.owns }))
    if (nodes === null) lifecycle.opened('price alerts', watchAlerts({ ctx, ticks, catalogue }, null))
    else if (settles) nodes.leases.register(alertsLease({ ctx, ticks, catalogue }))
    if (nodes === null) lifecycle.opened('jobs', await jobs())
    else if (settles) nodes.leases.register(oneAtATime('jobs', 'settle', jobs))
    // The register job adds entries that were announced before the start. The next line reads what the register has.
    await catalogue.refreshLogged()
  }
  const start = async (): Promise<string> => {
    const address = takesOrders ? await site.listen() : ''
    await platform.startOps(readiness)
    if (database) await openControl(opening, platform, market, database)
    const run = nodes?.run ?? ctx.newId()
    // The clock must be right before any part that depends on it starts.
    await watch.start({ run, name: placeOf(config, run) })
    await startMarkets()
    readiness.start()
    return address
  }
  return {
    http: site.http,
    routes: site.routes,
    ctx,
    demoKey: site.demoKey,
    settings,
    uploads,
    catalogue,
    ticks,
    engine,
    receipts,
    faults,
    register: register.parts,
    applyChanges: () => applyAndMail({ ctx, ...changes }),
    startMarkets,
    opsAddress: platform.opsAddress,
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

/**
 * Begins to compare clocks, to collect late evidence, and to follow the trading hours, as far as the roles of this
 * server need it.
 */
function followMarkets({ config, overrides, lifecycle }: Opening, { ctx, faults }: Platform, market: MarketData): void {
  const { catalogue, clocks, ticks } = market
  lifecycle.opened('clocks', watchClocks({ ctx, clocks, faults }))
  if (config.roles.has('feed')) {
    const waits = overrides.evidenceWaits ?? EVIDENCE_WAITS[config.mode]
    lifecycle.opened('late evidence', collectEvidence({ ctx, ticks, waits }))
    lifecycle.opened('records', readRecords({ ctx, ticks, catalogue, waits: RECORD_WAITS[config.mode] }))
  }
  if (config.roles.has('api')) lifecycle.opened('market times', watchMarketTimes(ctx, catalogue, ticks))
}

function meterParts(platform: Platform, market: MarketData, trading: Trading, site: Site): void {
  const { ctx, database, metrics, faults, watch } = platform
  const { catalogue, nodes, ticks } = market
  if (metrics === null) return
  meterTicks(ctx, { ticks, catalogue }, metrics)
  meterServer({ ...trading, ...site, database, nodes }, metrics)
  meterFaults({ faults, watch, ticks }, metrics)
}

/** Exchanges events with the other servers, and reloads settings, markets and texts when events were missed. */
function relayBetweenNodes(
  { lifecycle }: Opening,
  { ctx }: Platform,
  { settings, catalogue, nodes, ticks }: MarketData,
  { words }: Site,
): void {
  const reload = async (): Promise<void> => {
    const before = catalogueFingerprint(catalogue)
    await Promise.all([
      settings.reload(),
      catalogue.reload(),
      words.announcements.reload(),
      words.textOverrides.reload(),
    ])
    for (const symbol of catalogue.known) await ticks.add(symbol)
    if (catalogueFingerprint(catalogue) !== before) ctx.publish({ kind: 'markets-changed' })
  }
  const relay = nodes && relayEvents({ ctx, ...nodes, reload })
  lifecycle.opened('relay', () => relay?.stop())
  nodes?.leases.onChange(() => relay?.onEventsMissed())
}

/**
 * Accepts operator commands. This starts before the server is ready, because the user of a demo may run commands as
 * soon as it is ready.
 */
async function openControl(
  { config, lifecycle }: Opening,
  { ctx }: Platform,
  { settings, catalogue }: MarketData,
  database: Database,
): Promise<void> {
  const control = await startControlServer({
    ctx,
    settings,
    catalogue,
    dataDir: config.dataDir,
    hasOwnDataKey: config.dataKey !== undefined,
    copyDatabase: database.copyTo,
  })
  lifecycle.opened('admin commands', () => control.stop())
}
