import { currencyOf } from '#core/ledger/transfer.ts'
import { CLOSE_KINDS } from '#core/ledger/transfer-kinds.ts'
import { money } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { VOID } from '#core/orders/order.ts'
import { byUser, type CreditedOrder, type SettledRow } from '#server/trading/engine/due-order.ts'
import { findBalance, lockBalances } from './memory-balances.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import { priceOf } from './memory-prices.ts'
import type { Row } from './specs.ts'

/** An open order, with the row of the price that settles it. */
interface Open {
  readonly order: Row
  readonly price: Row
}

interface ClaimedOrder extends Open {
  readonly one: SettledRow
}

interface Options {
  readonly now: Instant
  readonly work: () => Promise<void>
}

interface Sums {
  credit: bigint
  stakes: bigint
  orders: number
  /** `net`: the sum of the results. `counted`: the stakes of orders that are not void. */
  net: bigint
  counted: bigint
}

/**
 * `settleBatch` on the memory store: returns the orders this call settled, each with the balance after it and its
 * result number.
 */
export async function settleInMemory(
  tx: MemoryTransaction,
  orders: readonly SettledRow[],
  { now, work }: Options,
): Promise<CreditedOrder[]> {
  const claimedOrders: ClaimedOrder[] = []
  for (const one of orders.toSorted(byUser)) {
    const found = await takeOpen(tx, one)
    if (found !== null) claimedOrders.push({ ...found, one })
  }
  const balances = await lockBalances(
    tx,
    claimedOrders.map(({ one }) => one),
  )
  await work()
  const sums = new Map<string, Sums>()
  const credited: CreditedOrder[] = []
  for (const { one, order, price } of claimedOrders) {
    const balance = balances.get(one.userId)
    assert(balance, 'whoever has an order that was taken has a balance')
    const { result, credit, profit, netChange } = one.settled
    const stake = order['stake'] as bigint
    const mine = sums.get(one.userId) ?? { credit: 0n, stakes: 0n, orders: 0, net: 0n, counted: 0n }
    sums.set(one.userId, mine)
    mine.credit += credit
    mine.stakes += stake
    mine.orders += 1
    mine.net += netChange
    mine.counted += result === VOID ? 0n : stake
    const { selling: _, ...kept } = order
    await close(tx, { order, settled: one, now })
    const balanceAfter = money((balance.row['cash'] as bigint) + mine.credit)
    const resultNumber = (balance.row['results'] as bigint) + BigInt(mine.orders)
    const row = {
      ...kept,
      result,
      result_amount: netChange,
      balance_after: balanceAfter,
      exit_seq: price['exit_seq'],
      exit_price: price['exit_price'],
      exit_time_ms: price['exit_time_ms'],
      void_reason: price['void_reason'],
      settled_ms: now,
      result_number: resultNumber,
    }
    await tx.insert(tx.table('order_history'), row)
    credited.push({ orderId: one.orderId, balanceAfter, resultNumber: Number(resultNumber) })
    if (profit > 0n) {
      await tx.insert(tx.table('transfer'), {
        ...moved(one, now),
        step: 'profit',
        kind: 'order_profit',
        from_account: 'house:trading',
        to_account: 'cash',
        amount: profit,
      })
    }
  }
  for (const [userId, { credit, stakes, orders: count, net, counted }] of sums) {
    const balance = balances.get(userId)
    assert(balance, 'whoever has an order that was taken has a balance')
    const { row, stored, table } = balance
    tx.update(table, stored, {
      cash: (row['cash'] as bigint) + credit,
      staked: (row['staked'] as bigint) - stakes,
      open_orders: Number(row['open_orders']) - count,
      results: (row['results'] as bigint) + BigInt(count),
      net_total: (row['net_total'] as bigint) + net,
      stake_total: (row['stake_total'] as bigint) + counted,
    })
  }
  return credited
}

export function byExpiryAndId(a: Row, b: Row): number {
  const byTime = Number(a['expires_ms']) - Number(b['expires_ms'])
  return byTime === 0 ? (String(a['id']) < String(b['id']) ? -1 : 1) : byTime
}

/** Removes an open order, if it still exists, its price is written and its user has a balance. */
async function takeOpen(tx: MemoryTransaction, { userId, orderId }: SettledRow): Promise<Open | null> {
  const table = tx.table('open_order')
  const stored = table.having(`${userId}|${orderId}|`).find((one) => tx.see(one) !== null)
  if (stored === undefined || findBalance(tx, userId) === undefined) return null
  await tx.lock(table, stored)
  const order = tx.see(stored)
  if (order === null || typeof order['selling'] === 'number') return null
  const { table: prices, key } = priceOf(order)
  const price = tx.find(tx.table(prices), key)
  if (price === null) return null
  tx.remove(stored)
  return { order, price }
}

interface Closing {
  readonly order: Row
  readonly settled: SettledRow
  readonly now: Instant
}

async function close(tx: MemoryTransaction, { order, settled, now }: Closing): Promise<void> {
  const { result, credit } = settled.settled
  await tx.insert(tx.table('transfer'), {
    ...moved(settled, now),
    step: 'close',
    kind: CLOSE_KINDS[result],
    from_account: 'staked',
    to_account: credit > 0n ? 'cash' : 'house:trading',
    amount: order['stake'],
  })
}

function moved({ userId, orderId }: SettledRow, now: Instant): Row {
  return { user_id: userId, ref: orderId, currency: currencyOf(userId), created_ms: now }
}
