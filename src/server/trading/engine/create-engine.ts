import { isPracticeId } from '#core/accounts/practice.ts'
import { refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { CapGate } from '#server/trading/engine/cap-gate.ts'
import { Acceptor, type AcceptorOptions } from '#server/trading/engine/acceptor.ts'
import { lagPressure, LoadShedder, MAX_SETTLEMENT_LAG_MS, PRACTICE_ROOM } from '#server/trading/engine/load-shedding.ts'
import type { CommittedBatch } from '#server/trading/engine/committed-batch.ts'
import type { Engine, OrderRequest } from '#server/trading/engine/engine.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import type { ReadHistory } from '#server/trading/engine/line-decider.ts'
import { Settler } from '#server/trading/engine/settler.ts'
import { type LastCheck, LedgerWatch } from '#server/trading/engine/ledger-watch.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

export interface EngineOptions {
  readonly ctx: Ctx
  readonly ticks: Ticks
  readonly catalogue: MarketCatalogue
  /**
   * The number of statements that the database can run at the same time. The engine uses at most two of them for
   * orders.
   */
  readonly connections: number
  readonly limits?: Partial<EngineLimits>
  /**
   * Reads the replies of a source's public history. Default: no history is requested, and computed prices are not
   * computed again.
   */
  readonly readHistory?: ReadHistory
  /** Where orders and money are stored. Default: the database of the context. */
  readonly store?: EngineStore
  /**
   * False when this node does not settle. Otherwise it tells which symbols this node settles when several nodes share
   * them. Default: all symbols.
   */
  readonly settles?: false | { owns(symbolId: number): boolean }
  /** Called for receipts with orders that one statement has just accepted or settled. Must return immediately. */
  readonly onCommitted?: (committed: CommittedBatch) => void
  /**
   * Returns the load of the work that follows each order, such as receipts. At 0 or less, no order is refused because
   * of it. At 1, every order is refused.
   */
  readonly pressure?: () => number
  /**
   * Returns whether only this server accepts orders. While a cap is in force, it accepts none if another server may
   * accept orders too. Default: true.
   */
  readonly isOnlyTaker?: () => boolean
  /** Whether a fault of the database or the clock keeps the node from accepting orders. */
  readonly isFaulty?: () => boolean
}

export interface EngineLimits {
  /** The maximum number of orders in one statement. Above a few hundred, latency grows and throughput does not. */
  readonly maxBatchSize: number
  readonly maxQueueLength: number
  /** The number of open orders that one user may have at the same time. */
  readonly maxOpenOrders: number
  readonly ledgerCheckMs: number
}

const LIMITS: EngineLimits = { maxBatchSize: 500, maxQueueLength: 5_000, maxOpenOrders: 100, ledgerCheckMs: 60_000 }
const SETTLE_TICK_MS = 250
const SWEEP_MS = 5_000
/**
 * Another node may accept an order that this node settles, and crash before it announces the order. So this node
 * searches for overdue orders once a second.
 */
const SHARED_SWEEP_MS = 1_000

export interface RunningEngine extends Engine {
  /** Settles orders that expired while the server was down, checks the ledger, then accepts orders. */
  start(): Promise<void>
  /** Refuses new orders, decides the waiting orders, and stops settling. Open orders stay open. */
  stop(): Promise<void>
  /** Reads the whole ledger, in addition to the periodic check, and accepts orders only if it reconciles. */
  checkLedgerNow(): Promise<void>
  /** The last check of the ledger; null before the first one. */
  lastCheck(): LastCheck | null
  /**
   * The numbers of orders that wait for a lane, of orders that wait because of delayed prices, and of expiries that are
   * still to come.
   */
  load(): { readonly waiting: number; readonly held: number; readonly expected: number }
  /** Call when this node has acquired more symbols to settle. */
  takeOver(): Promise<void>
  /** Counts the open profits again before the next order, while a cap is in force. */
  recountExposure(): void
  /** Settles everything that is due and can be decided now. For tests and the simulation. */
  settleDue(): Promise<void>
}

/**
 * Accepts orders in batches, settles them at their expiry, and stops accepting orders when the ledger does not
 * reconcile.
 */
export function createEngine(options: EngineOptions): RunningEngine {
  const { ctx, settles, pressure = () => -1, isFaulty = () => false, isOnlyTaker = () => true } = options
  const store = options.store ?? createEngineStore(ctx)
  const limits = { ...LIMITS, ...options.limits }
  let state: 'starting' | 'running' | 'paused' | 'stopping' = 'starting'
  let stopListening: (() => void) | null = null
  const shedder = new LoadShedder()
  const practiceShedder = new LoadShedder()
  const settler = openSettler(options, store, limits)
  const caps = new CapGate({ ctx, store, catalogue: options.catalogue, isOnlyTaker })
  const acceptor = openAcceptor(options, store, limits, { closed, settler, caps })
  const ledger = new LedgerWatch({
    ctx,
    store,
    everyMs: limits.ledgerCheckMs,
    onReport(isClean) {
      if (state === 'running' || state === 'paused') state = isClean ? 'running' : 'paused'
    },
  })

  function closed() {
    if (state === 'paused') return 'trading_paused'
    if (state !== 'running') return 'restarting'
    if (isFaulty() || !ctx.clock.isTrusted()) return 'trading_paused'
    // This server does not count the orders of another server, so the caps could be exceeded.
    if (caps.isOn() && !isOnlyTaker()) return 'restarting'
    // Punctual results have priority over new orders.
    return settler.settlementLagMs > MAX_SETTLEMENT_LAG_MS ? 'busy' : null
  }

  function isTooBusy({ userId }: OrderRequest): boolean {
    const load = Math.max(lagPressure(settler.settlementLagMs), pressure())
    return isPracticeId(userId) ? practiceShedder.refuses(load + PRACTICE_ROOM) : shedder.refuses(load)
  }

  return {
    takesOrders: () => state === 'running' && !isFaulty() && ctx.clock.isTrusted(),
    lastCheck: () => ledger.lastCheck,
    place(request) {
      const refusal = closed() ?? (isTooBusy(request) ? 'busy' : null)
      return refusal === null ? acceptor.place(request) : Promise.resolve(refuse(refusal))
    },
    async start() {
      if (settles !== false) {
        await settler.recover()
        settler.start()
      }
      if (settles) {
        // Watches orders that other nodes accepted.
        stopListening = ctx.subscribe((event) => {
          if (event.kind === 'order-accepted') settler.watch(event)
        })
      }
      const isClean = await ledger.start()
      if (state === 'starting') state = isClean ? 'running' : 'paused'
    },
    checkLedgerNow: () => ledger.checkNow(),
    async stop() {
      state = 'stopping'
      await ledger.stop()
      stopListening?.()
      await acceptor.stop()
      await caps.stop()
      await settler.stop()
    },
    recountExposure: () => caps.distrustStrays(),
    settleDue: () => settler.settleDue(),
    takeOver: () => settler.takeOver(),
    load: () => ({ waiting: acceptor.waiting, held: acceptor.held, expected: settler.expected }),
  }
}

/** The number of lanes that accept and settle orders: see `AcceptorOptions`. */
function laneCount({ connections }: EngineOptions): number {
  return Math.min(2, connections)
}

function openSettler(options: EngineOptions, store: EngineStore, { maxBatchSize }: EngineLimits): Settler {
  const { ctx, ticks, catalogue, settles, onCommitted, readHistory = null } = options
  return new Settler({
    ctx,
    store,
    ticks,
    catalogue,
    readHistory,
    maxBatchSize,
    lanes: laneCount(options),
    tickMs: SETTLE_TICK_MS,
    sweepMs: settles ? SHARED_SWEEP_MS : SWEEP_MS,
    ...(settles && { owns: (symbolId: number) => settles.owns(symbolId) }),
    onSettled: (orders) => onCommitted?.({ kind: 'result', orders }),
  })
}

function openAcceptor(
  options: EngineOptions,
  store: EngineStore,
  { maxBatchSize, maxQueueLength, maxOpenOrders }: EngineLimits,
  { closed, settler, caps }: Pick<AcceptorOptions, 'closed' | 'caps'> & { readonly settler: Settler },
): Acceptor {
  const { ctx, ticks, catalogue, settles, onCommitted } = options
  return new Acceptor({
    ctx,
    store,
    ticks,
    catalogue,
    caps,
    lanes: laneCount(options),
    maxBatchSize,
    maxQueueLength,
    maxOpenOrders,
    closed,
    onBatch: (orders) => onCommitted?.({ kind: 'accepted', orders }),
    onAccepted: (order, userId, group) => {
      const { orderId, symbolId, expiresAt } = order
      const key = { symbolId, expiresAt, group }
      if (settles !== false) settler.watch(key)
      ctx.log.debug({ orderId, userId, symbolId }, 'an order was accepted')
      ctx.publish({ kind: 'order-accepted', userId, orderId, ...key })
    },
  })
}
