import type { ExposedOrder } from '#core/markets/caps/exposure.ts'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import type { Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { addCapRefusals, type CapRefusals, readOpenExposure } from '#server/trading/engine/open-exposure.queries.ts'
import { type AcceptRow, acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { findByClientOrderId } from '#server/trading/engine/order-by-client-id.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { acceptWholeUsers } from '#server/trading/engine/accept-whole-users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import type { CreditedOrder, DueOrder, PriceRow, SettledRow } from '#server/trading/engine/due-order.ts'
import { loadDueOrders } from '#server/trading/engine/due-orders.queries.ts'
import { openExpiries, overdueExpiries } from '#server/trading/engine/expiries.queries.ts'
import type { SettleGuard } from '#server/trading/engine/held-shards.queries.ts'
import { settleBatch } from '#server/trading/engine/settle.queries.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import { findSettled, type OrderKey } from '#server/trading/engine/settled-orders.queries.ts'
import type { CheckKind } from '#server/ledger/reconciliation/reconcile.ts'
import type { ReconcileOptions } from '#server/ledger/reconciliation/reconcile-options.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { reconcileNextRange } from '#server/ledger/reconciliation/full-reconcile.ts'
import type { ClosedRefusal } from '#core/accounts/closing.ts'
import { findClosedRefusal } from '#server/ledger/closed-account.queries.ts'
import { tellLimitReached } from '#server/ledger/limit-reached.queries.ts'
import { listLimits } from '#server/ledger/limit-uses.queries.ts'
import { checkAndSave } from '#server/ledger/reconciliation/save-result.ts'

/** The storage operations of the engine. Each call runs one atomic statement, or reads from one snapshot. */
export interface EngineStore {
  /**
   * Accepts all orders of each user whose limits cover them. Returns the cash after each order, and null for orders not
   * accepted. See `acceptWholeUsers`. Calls of the same lane run in the order they were made.
   */
  acceptWholeUsers(orders: readonly PlannedOrder[], maxOpenOrders: number, lane: number): Promise<(Money | null)[]>
  /**
   * Decides each order and accepts the orders that their users can pay for. Returns one row per order, in the order
   * given. See `acceptBatch`.
   */
  acceptBatch(orders: readonly PlannedOrder[], maxOpenOrders: number, lane: number): Promise<AcceptRow[]>
  /**
   * Reads all open orders with the facts that caps need. With `waits`, first waits for statements that still run and
   * may open orders.
   */
  readExposure(options: { readonly waits: boolean }): Promise<ExposedOrder[]>
  /** Adds to the stored numbers of orders that a cap refused. */
  addCapRefusals(rows: readonly CapRefusals[]): Promise<void>
  /** Finds the open or settled order that first used this client order id. Null when there is none. */
  findByClientOrderId(
    userId: string,
    clientOrderId: string,
  ): Promise<(AcceptedOrder & { readonly tradeSettingId: number }) | null>
  /**
   * Returns why the user's own choice blocks every order: a break or the closure of the account. Null when nothing is
   * blocked.
   */
  findClosedRefusal(userId: string): Promise<ClosedRefusal | null>
  /**
   * Notes that an own limit refused an order. Returns when part of the limit becomes available again. Null when the
   * passing of time frees nothing.
   */
  noteLimitReached(userId: string, key: SelfLimitKey): Promise<Instant | null>
  /** Lists the expiries of all open orders. */
  openExpiries(): Promise<DueKey[]>
  /** Lists expiries of open orders before `until`: for each symbol the soonest ones, at most `limit`. */
  overdueExpiries(until: Instant, limit: number): Promise<DueKey[]>
  /**
   * Inserts settlement prices. The first writer wins: a stored price is never changed. Returns the expiries that were
   * written.
   */
  writeSettlementPrices(rows: readonly PriceRow[], now: Instant): Promise<DueKey[]>
  /** Loads at most `limit` open orders with these expiries, each with the settlement price stored for its expiry. */
  loadDueOrders(keys: readonly DueKey[], limit: number): Promise<DueOrder[]>
  /**
   * Settles the orders that are still open, and returns them. All orders belong to users of this lane. See
   * `settleBatch`.
   */
  settleBatch(orders: readonly SettledRow[], now: Instant, lane: number): Promise<CreditedOrder[]>
  /** Finds which of these orders are settled, and when they were settled. */
  findSettled(keys: readonly OrderKey[]): Promise<{ readonly order: SettledOrder; readonly settledAt: Instant }[]>
  /** Checks the ledger and stores the report. See `reconcile`. */
  checkLedger(kind: CheckKind): Promise<LedgerReport>
  /**
   * Reads the next portion of the ledger for a recount, if one is due. Returns the pause until the next portion in ms.
   * Returns null when no portion comes before the next check. See `reconcileNextRange`.
   */
  recountLedger(): Promise<number | null>
  /**
   * Cancels running checks, which then fail, and prevents new ones: a stopping server has no time to read the whole
   * ledger.
   */
  endChecks(): Promise<void>
}

/** A running ledger check, or one portion of a recount, with the database session that executes it. */
interface RunningCheck {
  pid: number | null
}

/**
 * Creates the store on the database of the context. With `guard`, it settles only symbols whose lease this node holds
 * when the statement runs. The statements themselves enforce this. `own`: separate connections for accepting and
 * settling orders, if there are any.
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

  async function unlessEnding<T>(work: (parts: ReconcileOptions) => Promise<T>): Promise<T> {
    const check: RunningCheck = { pid: null }
    running.add(check)
    const onSession = (pid: number | null): void => {
      if (isEnding && pid !== null) throw new Error('the server is stopping')
      check.pid = pid
    }
    try {
      return await work({ db: ctx.db, now: () => ctx.now(), log: ctx.log, onSession })
    } finally {
      running.delete(check)
    }
  }

  return {
    acceptWholeUsers: (orders, maxOpenOrders, lane) => acceptWholeUsers(laneDb(lane), orders, maxOpenOrders),
    acceptBatch: (orders, maxOpenOrders, lane) => acceptBatch(laneDb(lane), orders, maxOpenOrders),
    readExposure: (options) => readOpenExposure(ctx.db, options),
    addCapRefusals: (rows) => addCapRefusals(ctx.db, rows),
    findByClientOrderId: (userId, clientOrderId) => findByClientOrderId(db, userId, clientOrderId),
    findClosedRefusal: (userId) => findClosedRefusal(db, userId),
    async noteLimitReached(userId, key) {
      const freesAt = (await listLimits(ctx.db, userId)).find((limit) => limit.key === key)?.freesAt ?? null
      await tellLimitReached(ctx.db, { userId, key, freesAt })
      return freesAt
    },
    // The connections for orders forbid sequential scans. This statement reads all open orders, so it uses the ordinary
    // connection.
    openExpiries: () => openExpiries(ctx.db),
    overdueExpiries: (until, limit) => overdueExpiries(db, until, limit),
    writeSettlementPrices: (rows, now) => writeSettlementPrices(db, rows, now, guard()),
    loadDueOrders: (keys, limit) => loadDueOrders(db, keys, limit),
    settleBatch: (orders, now, lane) => settleBatch(laneDb(lane), orders, now, guard()),
    findSettled: (keys) => findSettled(db, keys),
    checkLedger: (kind) => unlessEnding((parts) => checkAndSave(parts, kind)),
    recountLedger: () => unlessEnding(reconcileNextRange),
    async endChecks() {
      isEnding = true
      for (const { pid } of running) if (pid !== null) await own.cancel?.(pid)
    },
  }
}
