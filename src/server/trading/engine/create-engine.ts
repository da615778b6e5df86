import { refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { Acceptor } from '#server/trading/engine/acceptor.ts'
import { Admission } from '#server/trading/engine/load-shedding.ts'
import type { Committed } from '#server/trading/engine/committed-batch.ts'
import type { Engine } from '#server/trading/engine/engine.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import { Settler } from '#server/trading/engine/settler.ts'
import { watchLedger } from '#server/ledger/reconciliation/reconcile-periodically.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

export interface EngineOptions {
  readonly ctx: Ctx
  readonly ticks: Ticks
  readonly catalogue: MarketCatalogue
  /** Statements the database runs at once; the engine uses at most two for orders. */
  readonly connections: number
  readonly limits?: Partial<EngineLimits>
  /** Where orders and money are kept: the database of the context unless told. */
  readonly store?: EngineStore
  /** Whether it settles at all, and which symbols where several servers share them. It settles all unless told. */
  readonly settles?: false | { owns(symbolId: number): boolean }
  /** Told of orders that one statement has just taken, or settled, for their receipts. Returns at once. */
  readonly onCommitted?: (committed: Committed) => void
  /** How near what is made of orders is to more than can be kept: 0 or less is far from it, at 1 no more are taken. */
  readonly pressure?: () => number
  /** Whether something around the server keeps it from taking orders: its database, or its clock. */
  readonly isFaulty?: () => boolean
}

export interface EngineLimits {
  /** Orders in one statement. Beyond a few hundred the time grows and the rate does not. */
  readonly largestBatch: number
  readonly longestQueue: number
  /** Orders one user may have running at once. */
  readonly mostOpenOrders: number
  readonly ledgerCheckMs: number
}

const LIMITS: EngineLimits = { largestBatch: 500, longestQueue: 5_000, mostOpenOrders: 100, ledgerCheckMs: 60_000 }
const SETTLE_TICK_MS = 250
const SWEEP_MS = 5_000
/** While settling is behind for longer, no orders are taken: each of them would make results later still. */
const MOST_BEHIND_MS = 5_000
/** And from here on fewer and fewer. */
const EASILY_BEHIND_MS = 2_500
/** Another server takes orders that this one settles, and may die before it says so. */
const SHARED_SWEEP_MS = 1_000

export interface LastCheck {
  readonly at: Instant
  readonly clean: boolean
  /** When everything in the ledger was read last, by this check or by the one whose sums it went on from. */
  readonly wholeAt: Instant
}

export interface RunningEngine extends Engine {
  /** Settles what became due while the server was down, checks the ledger, then takes orders. */
  start(): Promise<void>
  /** Refuses new orders, finishes those that were taken, and stops settling. */
  stop(): Promise<void>
  /** Reads the whole ledger, besides the check of every minute, and takes orders only if it adds up. */
  checkLedgerNow(): Promise<void>
  /** The last check of the ledger; null before the first one. */
  lastCheck(): LastCheck | null
  /** Orders that wait to be taken, those that are held until prices have caught up, and expiries that are coming. */
  load(): { readonly waiting: number; readonly held: number; readonly expected: number }
  /** More symbols are ours to settle than before. */
  takeOver(): Promise<void>
  /** Settles everything that is due and decidable now; for tests and the simulation. */
  settleDue(): Promise<void>
}

/** Takes orders in batches, settles them when their time is up, and stops taking them when the ledger does not add up. */
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
  const admission = new Admission()
  const settler = new Settler({
    ctx,
    store,
    ticks,
    catalogue,
    largestBatch: limits.largestBatch,
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
    largestBatch: limits.largestBatch,
    longestQueue: limits.longestQueue,
    mostOpenOrders: limits.mostOpenOrders,
    closed,
    onBatch: (orders) => onCommitted({ kind: 'accepted', orders }),
    onAccepted: (order, userId) => {
      const { orderId, symbolId, expiresAt } = order
      if (settles !== false) settler.watch({ symbolId, expiresAt })
      ctx.log.debug({ orderId, userId, symbolId }, 'an order was taken')
      ctx.announce({ kind: 'order-accepted', userId, orderId, symbolId, expiresAt })
    },
  })

  function closed() {
    if (state === 'paused') return 'trading_paused'
    if (state !== 'running') return 'restarting'
    if (isFaulty() || !ctx.clock.isTrusted()) return 'trading_paused'
    // Results on time come before new orders.
    return settler.behindMs > MOST_BEHIND_MS ? 'busy' : null
  }

  function isTooBusy(): boolean {
    const bySettling = (settler.behindMs - EASILY_BEHIND_MS) / (MOST_BEHIND_MS - EASILY_BEHIND_MS)
    return admission.refuses(Math.max(bySettling, pressure()))
  }

  function heed({ clean, mismatches, sumOfAll, unknownAccounts, sums }: LedgerReport): void {
    const at = ctx.now()
    lastCheck = { at, clean, wholeAt: sums?.wholeAt ?? at }
    if (!clean)
      ctx.log.error({ mismatches, sumOfAll, unknownAccounts }, 'the ledger does not add up: no orders are taken')
    if (state === 'running' || state === 'paused') state = clean ? 'running' : 'paused'
  }

  async function endChecks(): Promise<void> {
    try {
      await store.endChecks()
    } catch (error) {
      ctx.log.warn({ err: error }, 'a check of the ledger could not be ended, and is waited for')
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
        // Those that other servers took.
        stopHearing = ctx.onAnnouncement((told) => {
          if (told.kind === 'order-accepted') settler.watch(told)
        })
      }
      const report = await store.checkLedger('quick')
      if (state === 'starting') state = 'paused'
      heed(report)
      stopWatching = watchLedger({
        ctx,
        check: () => store.checkLedger('usual'),
        recount: () => store.recountLedger(),
        everyMs: limits.ledgerCheckMs,
        onReport: heed,
      })
    },
    async checkLedgerNow() {
      heed(await store.checkLedger('whole'))
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
