import type { MarketSymbol } from '#core/markets/market.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import type { ExposedOrder } from '#core/markets/caps/exposure.ts'
import { readDirection, readResult, type VoidReason } from '#core/orders/order.ts'
import { basisPoints, money, shareHalfEven } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import { type DueKey, dueKeyText } from '#server/trading/engine/due-index.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { DueOrder, PriceRow } from '#server/trading/engine/due-order.ts'
import { textOf } from './cells.ts'
import { acceptInMemory, acceptWholeInMemory } from './memory-accept.ts'
import type { MemoryDatabase } from './memory-database.ts'
import { checkMemoryLedger } from './memory-ledger.ts'
import { groupOf, priceOf } from './memory-prices.ts'
import { byExpiryAndId, settleInMemory } from './memory-settle.ts'
import type { Row } from './specs.ts'

/**
 * The engine's storage operations on the memory store. Each statement awaits `work` in the middle, while it holds its
 * locks: statements take time, and others run concurrently.
 */
export function createMemoryEngineStore(
  database: MemoryDatabase,
  work: () => Promise<void> = () => Promise.resolve(),
  symbols: readonly MarketSymbol[] = [BTC],
): EngineStore {
  return {
    acceptWholeUsers: (orders, maxOpenOrders) =>
      database.transaction((tx) => acceptWholeInMemory(tx, orders, { maxOpenOrders, work })),
    acceptBatch: (orders, maxOpenOrders) =>
      database.transaction((tx) => acceptInMemory(tx, orders, { maxOpenOrders, work })),
    settleBatch: (orders, now) => database.transaction((tx) => settleInMemory(tx, orders, { now, work })),
    async findByClientOrderId(userId, clientOrderId) {
      const key = `${userId}|${clientOrderId}|`
      const tx = database.begin()
      const row = tx.find(database.table('open_order'), key, 1) ?? tx.find(database.table('order_history'), key, 1)
      const balance = tx.find(database.table('balance'), `${userId}|USDT|`)
      tx.rollback()
      if (row === null) return null
      return {
        orderId: String(row['id']),
        trx: String(row['trx']),
        clientOrderId,
        symbolId: Number(row['symbol_id']),
        tradeSettingId: Number(row['trade_setting_id']),
        direction: readDirection(Number(row['direction'])),
        stake: money(row['stake'] as bigint),
        payout: basisPoints(Number(row['profit_basis_points'])),
        seconds: Number(row['seconds']),
        entrySeq: Number(row['entry_seq']),
        entryPrice: price(row['entry_price'] as bigint),
        entryTime: instant(row['entry_time_ms'] as bigint),
        openedAt: instant(row['opened_ms'] as bigint),
        expiresAt: instant(row['expires_ms'] as bigint),
        balance: money(balance?.['cash'] as bigint),
      }
    },
    // No user of the simulation takes a break or sets a limit.
    findClosedRefusal: () => Promise.resolve(null),
    noteLimitReached: () => Promise.resolve(null),
    // Like the table lock of the real statement, this waits for all statements that still insert orders.
    readExposure: async () => {
      await database.whenIdle()
      return openExposure(database, symbols)
    },
    // No auditor reads the numbers of refused orders.
    addCapRefusals: () => Promise.resolve(),
    openExpiries: () => Promise.resolve(openExpiries(database)),
    overdueExpiries: (until, perSymbol) => Promise.resolve(overdueExpiries(database, until, perSymbol)),
    writeSettlementPrices: (rows, now) =>
      database.transaction(async (tx) => {
        const written: DueKey[] = []
        for (const row of rows) {
          const table = tx.table(row.group === undefined ? 'settlement_price' : 'decided_price')
          const isNew = await tx.tryInsert(table, priceRow(row, now))
          if (isNew) written.push({ symbolId: row.symbolId, expiresAt: row.expiresAt, group: row.group })
        }
        return written
      }),
    loadDueOrders: (keys, limit) => Promise.resolve(dueOrders(database, keys, limit)),
    findSettled(keys) {
      const orderIds = new Set(keys.map(({ orderId }) => orderId))
      const rows = database.rows('order_history').filter((row) => orderIds.has(String(row['id'])))
      return Promise.resolve(
        rows
          .toSorted(byExpiryAndId)
          .map((row) => ({ order: toSettled(row), settledAt: instant(row['settled_ms'] as bigint) })),
      )
    },
    checkLedger: () => Promise.resolve(checkMemoryLedger(database)),
    // Checks of the ledger store nothing here, so each check reads everything.
    recountLedger: () => Promise.resolve(null),
    endChecks: () => Promise.resolve(),
  }
}

function openExposure(database: MemoryDatabase, symbols: readonly MarketSymbol[]): ExposedOrder[] {
  return database.rows('open_order').map((row) => {
    const symbol = symbols.find(({ id }) => id === Number(row['symbol_id']))
    assert(symbol, 'an open order names a symbol of the site')
    return {
      orderId: String(row['id']),
      code: symbol.code,
      marketType: symbol.marketType,
      direction: readDirection(Number(row['direction'])),
      profit: shareHalfEven(money(row['stake'] as bigint), basisPoints(Number(row['profit_basis_points']))),
      expiresAt: instant(row['expires_ms'] as bigint),
      isBot: false,
    }
  })
}

function overdueExpiries(database: MemoryDatabase, until: number, perSymbol: number): DueKey[] {
  const overdue = openExpiries(database).filter(({ expiresAt }) => expiresAt < until)
  const symbols = new Set(overdue.map(({ symbolId }) => symbolId))
  const soonest = overdue.toSorted((a, b) => a.expiresAt - b.expiresAt)
  return [...symbols].flatMap((own) => soonest.filter(({ symbolId }) => symbolId === own).slice(0, perSymbol))
}

function openExpiries(database: MemoryDatabase): DueKey[] {
  const keys = new Map<string, DueKey>()
  for (const row of database.rows('open_order')) {
    const expiresAt = instant(row['expires_ms'] as bigint)
    const key = { symbolId: Number(row['symbol_id']), expiresAt, group: groupOf(row) }
    keys.set(dueKeyText(key), key)
  }
  return [...keys.values()]
}

function priceRow(row: PriceRow, now: Instant): Row {
  const { group } = row
  return {
    ...(group && {
      source: group.source,
      rule: group.rule,
      evidence: group.evidence,
      exit_ref: row.exit?.ref ?? null,
      next_ref: row.next?.ref ?? null,
      since_seq: row.sinceSeq ?? null,
      is_late: row.isLate ?? false,
    }),
    symbol_id: row.symbolId,
    expires_ms: row.expiresAt,
    exit_seq: row.exit?.seq ?? null,
    exit_price: row.exit?.price ?? null,
    exit_time_ms: row.exit?.time ?? null,
    next_seq: row.next?.seq ?? null,
    next_price: row.next?.price ?? null,
    next_time_ms: row.next?.time ?? null,
    watermark_ms: row.watermark ?? 0,
    void_reason: row.voidReason,
    decided_ms: now,
    head_seq: row.head.lastSeq,
    max_tick_age_ms: row.maxTickAgeMs,
  }
}

function dueOrders(database: MemoryDatabase, keys: readonly DueKey[], limit: number): DueOrder[] {
  const wanted = new Set(keys.map(({ symbolId, expiresAt }) => `${symbolId}|${expiresAt}|`))
  const due: { order: Row; found: Row }[] = []
  for (const order of database.rows('open_order')) {
    const key = `${String(order['symbol_id'])}|${String(order['expires_ms'])}|`
    if (!wanted.has(key) || typeof order['selling'] === 'number') continue
    const { table, key: priceKey } = priceOf(order)
    const found = database.table(table).having(priceKey)[0]?.committed
    if (found) due.push({ order, found })
  }
  return due
    .toSorted((a, b) => byExpiryAndId(a.order, b.order))
    .slice(0, limit)
    .map(({ order, found }) => ({
      userId: String(order['user_id']),
      orderId: String(order['id']),
      trx: String(order['trx']),
      clientOrderId: String(order['client_order_id']),
      symbolId: Number(order['symbol_id']),
      facts: {
        ruleVersion: Number(order['rule_version']),
        direction: readDirection(Number(order['direction'])),
        stake: money(order['stake'] as bigint),
        payout: basisPoints(Number(order['profit_basis_points'])),
        entryPrice: price(order['entry_price'] as bigint),
        expiresAt: instant(order['expires_ms'] as bigint),
      },
      group: groupOf(order),
      price:
        found['exit_price'] === null
          ? { kind: 'void', reason: (found['void_reason'] ?? 'no_tick_before_expiry') as VoidReason }
          : { kind: 'price', exitPrice: price(found['exit_price'] as bigint) },
      openedAt: instant(order['opened_ms'] as bigint),
      entrySeq: Number(order['entry_seq']),
      entryTime: instant(order['entry_time_ms'] as bigint),
      entryRef: order['entry_ref'] === null ? null : Number(order['entry_ref']),
      termsN: order['terms_n'] === null ? null : Number(order['terms_n']),
      headSeq: order['head_seq'] === null ? null : Number(order['head_seq']),
    }))
}

function toSettled(row: Row): SettledOrder {
  return {
    userId: String(row['user_id']),
    orderId: String(row['id']),
    trx: String(row['trx']),
    clientOrderId: String(row['client_order_id']),
    symbolId: Number(row['symbol_id']),
    direction: readDirection(Number(row['direction'])),
    stake: money(row['stake'] as bigint),
    entryPrice: price(row['entry_price'] as bigint),
    exitPrice: row['exit_price'] === null ? null : price(row['exit_price'] as bigint),
    result: readResult(Number(row['result'])),
    resultAmount: money(row['result_amount'] as bigint),
    balanceAfter: money(row['balance_after'] as bigint),
    voidReason: row['void_reason'] === null ? null : textOf(row, 'void_reason'),
    resultNumber: row['result_number'] === null ? null : Number(row['result_number']),
  }
}
