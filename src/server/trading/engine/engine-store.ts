import type { Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type AcceptRow, acceptBatch, findByClientOrderId } from '#server/trading/engine/accept.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { acceptWhole } from '#server/trading/engine/accept-whole-users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import {
  type CreditedOrder,
  type DueOrder,
  loadDueOrders,
  openExpiries,
  overdueExpiries,
  type PriceRow,
  settleBatch,
  type SettledRow,
  type SettleGuard,
  writeSettlementPrices,
} from '#server/trading/engine/settle.queries.ts'
import { findSettled, type OrderKey } from '#server/trading/engine/settled-orders.queries.ts'
import type { CheckKind } from '#server/ledger/reconciliation/reconcile.ts'
import type { CheckParts } from '#server/ledger/reconciliation/check-parts.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { recountPortion } from '#server/ledger/reconciliation/full-reconcile.ts'
import { checkAndSave } from '#server/ledger/reconciliation/save-result.ts'

/** All that the engine asks of the store: each call is one statement (or one snapshot), whole or not at all. */
export interface EngineStore {
  /**
   * Takes all orders of each user who may have all of them: the cash after each, null for those left. See `acceptWhole`.
   * What goes by the same lane is executed in the order it came.
   */
  acceptWhole(orders: readonly PlannedOrder[], mostOpenOrders: number, lane: number): Promise<(Money | null)[]>
  /** Decides each: takes what its user can pay for; one row per order, in the order given. See `acceptBatch`. */
  acceptBatch(orders: readonly PlannedOrder[], mostOpenOrders: number, lane: number): Promise<AcceptRow[]>
  /** The order a client id was first used for, open or settled; null when there is none. */
  findByClientOrderId(
    userId: string,
    clientOrderId: string,
  ): Promise<(AcceptedOrder & { readonly tradeSettingId: number }) | null>
  /** The expiries of all open orders. */
  openExpiries(): Promise<DueKey[]>
  /** Of those that are before `until`, of each symbol the soonest `most`. */
  overdueExpiries(until: Instant, most: number): Promise<DueKey[]>
  /** First writer wins: a price that is there stays as it is. Answers which ones were written. */
  writeSettlementPrices(rows: readonly PriceRow[], now: Instant): Promise<DueKey[]>
  /** Open orders of these expiries with their stored price, at most `limit`. */
  loadDueOrders(keys: readonly DueKey[], limit: number): Promise<DueOrder[]>
  /** Settles those that are still open, all of users of this lane, and answers which these were. See `settleBatch`. */
  settleBatch(orders: readonly SettledRow[], now: Instant, lane: number): Promise<CreditedOrder[]>
  /** Those of these orders that have ended, and when they were settled. */
  findSettled(keys: readonly OrderKey[]): Promise<{ readonly order: SettledOrder; readonly settledAt: Instant }[]>
  /** Checks the books and keeps what was found. See `checkBooks`. */
  checkLedger(kind: CheckKind): Promise<LedgerReport>
  /**
   * Reads the next portion of the books anew, where that is due. Answers how long to rest until the next one, in ms; null when
   * there is none before the next check. See `recountPortion`.
   */
  recountLedger(): Promise<number | null>
  /** Ends checks that are under way, which then fail, and lets none begin: a server that stops has no time to read everything. */
  endChecks(): Promise<void>
}

/** A check of the books, or a portion of one, with the session of the database that is at it. */
interface RunningCheck {
  pid: number | null
}

/**
 * With `guard`, settles only what is ours at that moment, and has the database see to it. `own` are the connections that orders
 * are taken and settled by where they have their own.
 */
export function createEngineStore(
  ctx: Pick<Ctx, 'db' | 'now' | 'log'>,
  guard: () => SettleGuard | null = () => null,
  own: Pick<Database, 'ordersDb' | 'orderLanes' | 'cancel'> = { ordersDb: ctx.db, orderLanes: [ctx.db] },
): EngineStore {
  const { ordersDb: db, orderLanes } = own
  const running = new Set<RunningCheck>()
  let isEnding = false
  const laneDb = (lane: number): Db => orderLanes[lane % orderLanes.length] ?? db

  async function unlessEnding<T>(work: (parts: CheckParts) => Promise<T>): Promise<T> {
    const check: RunningCheck = { pid: null }
    running.add(check)
    const onSession = (pid: number | null): void => {
      if (isEnding && pid !== null) throw new Error('the server stops')
      check.pid = pid
    }
    try {
      return await work({ db: ctx.db, now: () => ctx.now(), log: ctx.log, onSession })
    } finally {
      running.delete(check)
    }
  }

  return {
    acceptWhole: (orders, mostOpenOrders, lane) => acceptWhole(laneDb(lane), orders, mostOpenOrders),
    acceptBatch: (orders, mostOpenOrders, lane) => acceptBatch(laneDb(lane), orders, mostOpenOrders),
    findByClientOrderId: (userId, clientOrderId) => findByClientOrderId(db, userId, clientOrderId),
    // All of them: nothing is looked up by a key.
    openExpiries: () => openExpiries(ctx.db),
    overdueExpiries: (until, most) => overdueExpiries(db, until, most),
    writeSettlementPrices: (rows, now) => writeSettlementPrices(db, rows, now, guard()),
    loadDueOrders: (keys, limit) => loadDueOrders(db, keys, limit),
    settleBatch: (orders, now, lane) => settleBatch(laneDb(lane), orders, now, guard()),
    findSettled: (keys) => findSettled(db, keys),
    checkLedger: (kind) => unlessEnding((parts) => checkAndSave(parts, kind)),
    recountLedger: () => unlessEnding(recountPortion),
    async endChecks() {
      isEnding = true
      for (const { pid } of running) if (pid !== null) await own.cancel?.(pid)
    },
  }
}
