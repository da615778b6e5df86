import { refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { Acceptor } from '#server/trading/engine/acceptor.ts'
import { LoadShedder } from '#server/trading/engine/load-shedding.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import type { Engine } from '#server/trading/engine/engine.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import { Settler } from '#server/trading/engine/settler.ts'
import { reconcilePeriodically } from '#server/ledger/reconciliation/reconcile-periodically.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

export interface EngineOptions {
  readonly ctx: Ctx
  readonly ticks: Ticks
  readonly catalogue: MarketCatalogue
  /** Statements that the database runs at the same time; the engine uses at most two for orders. */
  readonly connections: number
  readonly limits?: Partial<EngineLimits>
  /** Where orders and money are stored. Default: the database of the context. */
  readonly store?: EngineStore
  /** False when this node does not settle; else which symbols it settles when several nodes share them. Default: all symbols. */
  readonly settles?: false | { owns(symbolId: number): boolean }
  /** Called for receipts with orders that one statement has just accepted or settled. Must return immediately. */
  readonly onCommitted?: (committed: CommittedBatch) => void
  /** Load of the work that follows each order, such as receipts: at 0 or less no order is refused, at 1 all are. */
  readonly pressure?: () => number
  /** Whether a fault of the database or the clock keeps the node from accepting orders. */
  readonly isFaulty?: () => boolean
}

export interface EngineLimits {
  /** Orders in one statement. Above a few hundred, latency grows and throughput does not. */
  readonly maxBatchSize: number
  readonly maxQueueLength: number
  /** Open orders that one user may have at the same time. */
  readonly maxOpenOrders: number
  readonly ledgerCheckMs: number
}

const LIMITS: EngineLimits = { maxBatchSize: 500, maxQueueLength: 5_000, maxOpenOrders: 100, ledgerCheckMs: 60_000 }
const SETTLE_TICK_MS = 250
const SWEEP_MS = 5_000
/** While settling is more than 5 s behind, no orders are accepted: each would delay results further. */
const MAX_SETTLEMENT_LAG_MS = 5_000
/** From 2.5 s a growing share of orders is refused. */
const EASILY_BEHIND_MS = 2_500
/** Another node may accept orders that this node settles and crash before it announces them, so this node searches once a second. */
const SHARED_SWEEP_MS = 1_000

export interface LastCheck {
  readonly at: Instant
  readonly clean: boolean
  /** When all transfers were last read, by this check or by the one that made the sums it started from. */
  readonly wholeAt: Instant
}

export interface RunningEngine extends Engine {
  /** Settles orders that expired while the server was down, checks the ledger, then accepts orders. */
  start(): Promise<void>
  /** Refuses new orders, finishes accepted ones, and stops settling. */
  stop(): Promise<void>
  /** Reads the whole ledger, in addition to the periodic check, and accepts orders only if it reconciles. */
  checkLedgerNow(): Promise<void>
  /** The last check of the ledger; null before the first one. */
  lastCheck(): LastCheck | null
  /** Orders waiting for a lane, orders held because of delayed prices, and expiries to come. */
  load(): { readonly waiting: number; readonly held: number; readonly expected: number }
  /** Call when this node has acquired more symbols to settle. */
  takeOver(): Promise<void>
  /** Settles everything that is due and can be decided now. For tests and the simulation. */
  settleDue(): Promise<void>
}

/** Accepts orders in batches, settles them at their expiry, and stops accepting orders when the ledger does not reconcile. */
export function createEngine(options: EngineOptions): RunningEngine {
  const {
    ctx,
    ticks,
    catalogue,
    store = createEngineStore(options.ctx),
    onCommitted = () => {},
    pressure = () => 0,
    isFaulty = () => false,
  } = options
  const limits = { ...LIMITS, ...options.limits }
  const { settles } = options
  let state: 'starting' | 'running' | 'paused' | 'stopping' = 'starting'
  let stopWatching: (() => Promise<void>) | null = null
  let stopHearing: (() => void) | null = null
  let lastCheck: LastCheck | null = null

  const lanes = Math.min(2, options.connections)
  const admission = new LoadShedder()
  const settler = new Settler({
    ctx,
    store,
    ticks,
    catalogue,
    maxBatchSize: limits.maxBatchSize,
    lanes,
    tickMs: SETTLE_TICK_MS,
    sweepMs: settles ? SHARED_SWEEP_MS : SWEEP_MS,
    ...(settles && { owns: (symbolId: number) => settles.owns(symbolId) }),
    onSettled: (orders) => onCommitted({ kind: 'result', orders }),
  })
  const acceptor = new Acceptor({
    ctx,
    store,
    ticks,
    catalogue,
    lanes,
    maxBatchSize: limits.maxBatchSize,
    maxQueueLength: limits.maxQueueLength,
    maxOpenOrders: limits.maxOpenOrders,
    closed,
    onBatch: (orders) => onCommitted({ kind: 'accepted', orders }),
    onAccepted: (order, userId) => {
      const { orderId, symbolId, expiresAt } = order
      if (settles !== false) settler.watch({ symbolId, expiresAt })
      ctx.log.debug({ orderId, userId, symbolId }, 'an order was accepted')
      ctx.publish({ kind: 'order-accepted', userId, orderId, symbolId, expiresAt })
    },
  })

  function closed() {
    if (state === 'paused') return 'trading_paused'
    if (state !== 'running') return 'restarting'
    if (isFaulty() || !ctx.clock.isTrusted()) return 'trading_paused'
    // Punctual results have priority over new orders.
    return settler.settlementLagMs > MAX_SETTLEMENT_LAG_MS ? 'busy' : null
  }

  function isTooBusy(): boolean {
    const bySettling = (settler.settlementLagMs - EASILY_BEHIND_MS) / (MAX_SETTLEMENT_LAG_MS - EASILY_BEHIND_MS)
    return admission.refuses(Math.max(bySettling, pressure()))
  }

  function applyReport({ clean, mismatches, sumOfAll, unknownAccounts, sums }: LedgerReport): void {
    const at = ctx.now()
    lastCheck = { at, clean, wholeAt: sums?.wholeAt ?? at }
    if (!clean)
      ctx.log.error({ mismatches, sumOfAll, unknownAccounts }, 'the ledger does not reconcile: no orders are accepted')
    if (state === 'running' || state === 'paused') state = clean ? 'running' : 'paused'
  }

  async function endChecks(): Promise<void> {
    try {
      await store.endChecks()
    } catch (error) {
      ctx.log.warn({ err: error }, 'a ledger check could not be cancelled: waiting for it to finish')
    }
  }

  return {
    takesOrders: () => state === 'running' && !isFaulty() && ctx.clock.isTrusted(),
    lastCheck: () => lastCheck,
    place(request) {
      const refusal = closed() ?? (isTooBusy() ? 'busy' : null)
      return refusal === null ? acceptor.place(request) : Promise.resolve(refuse(refusal))
    },
    async start() {
      if (settles !== false) {
        await settler.recover()
        settler.start()
      }
      if (settles) {
        // Watches orders that other nodes accepted.
        stopHearing = ctx.subscribe((event) => {
          if (event.kind === 'order-accepted') settler.watch(event)
        })
      }
      const report = await store.checkLedger('quick')
      if (state === 'starting') state = 'paused'
      applyReport(report)
      stopWatching = reconcilePeriodically({
        ctx,
        check: () => store.checkLedger('usual'),
        recount: () => store.recountLedger(),
        everyMs: limits.ledgerCheckMs,
        onReport: applyReport,
      })
    },
    async checkLedgerNow() {
      applyReport(await store.checkLedger('whole'))
    },
    async stop() {
      state = 'stopping'
      await Promise.all([stopWatching?.(), endChecks()])
      stopHearing?.()
      await acceptor.stop()
      await settler.stop()
    },
    settleDue: () => settler.settleDue(),
    takeOver: () => settler.takeOver(),
    load: () => ({ waiting: acceptor.waiting, held: acceptor.held, expected: settler.expected }),
  }
}
