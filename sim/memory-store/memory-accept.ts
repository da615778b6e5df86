import { currencyOf } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import type { AcceptRow, StaffLimit } from '#server/trading/engine/accept.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { textOf } from './cells.ts'
import { type LockedBalance, lockBalances } from './memory-balances.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import type { Row } from './specs.ts'

interface Options {
  readonly maxOpenOrders: number
  readonly work: () => Promise<void>
}

type Outcome = AcceptRow['outcome']

/** The state of one user while a batch is decided. The real statement computes it by window functions. */
interface Running {
  readonly cash: bigint
  readonly openOrders: number
  readonly room: bigint | null
  /**
   * Sum of the stakes, and number, of all orders of the user that have no reason of their own for a refusal. Also
   * counts orders that the user cannot afford.
   */
  total: bigint
  nth: number
  /** Sum of the stakes, and number, of the accepted orders. */
  acceptedTotal: bigint
  count: number
}

/**
 * `acceptBatch` on the memory store. Unlocked data (client ids, the user's own limits) is read as of the beginning of
 * the statement, as at READ COMMITTED. A concurrent repeat violates the batch's unique key.
 */
export async function acceptInMemory(
  tx: MemoryTransaction,
  orders: readonly PlannedOrder[],
  { maxOpenOrders, work }: Options,
): Promise<AcceptRow[]> {
  const early = orders.map((order) => refusedAtOnce(tx, order))
  const balances = await lockBalances(tx, orders)
  await work()
  const users = new Map<string, Running>()
  for (const [userId, { row }] of balances) {
    users.set(userId, runningOf(row, early))
  }
  const answers: { outcome: Outcome; totalSoFar: bigint | null }[] = []
  for (const [at, order] of orders.entries()) {
    const mine = users.get(order.userId)
    const refusal = mine === undefined && early[at]?.refusal !== 'repeated' ? 'not_verified' : early[at]?.refusal
    if (refusal !== null || mine === undefined) {
      answers.push({ outcome: refusal ?? 'not_verified', totalSoFar: null })
      continue
    }
    const outcome = decide(mine, order, maxOpenOrders)
    if (outcome === 'accepted') {
      await take(tx, order, mine)
    }
    answers.push({ outcome, totalSoFar: outcome === 'accepted' ? mine.acceptedTotal : null })
  }
  debit(tx, balances, users)
  return orders.map((order, at) => {
    const mine = users.get(order.userId)
    const { outcome, totalSoFar } = answers[at] ?? { outcome: 'not_verified', totalSoFar: null }
    const left = (mine?.cash ?? 0n) - (mine?.acceptedTotal ?? 0n)
    const { user } = early[at] ?? {}
    return {
      outcome,
      balance: money(totalSoFar === null ? left : (mine?.cash ?? 0n) - totalSoFar),
      cashLeft: money(left),
      tradeReason: textOf(user, 'trade_reason'),
      ownMaximum: staffLimit(user, 'max_stake'),
      ownOpenMaximum: staffLimit(user, 'max_open_stake'),
      own: null,
      openOrdersLeft: maxOpenOrders - (mine === undefined ? 0 : mine.openOrders + mine.count),
      openStakeLeft: limit(mine === undefined || mine.room === null ? null : mine.room - mine.acceptedTotal),
    }
  })
}

/** `acceptWholeUsers` on the memory store: accepts all of a user's orders or none. */
export async function acceptWholeInMemory(
  tx: MemoryTransaction,
  orders: readonly PlannedOrder[],
  { maxOpenOrders, work }: Options,
): Promise<(Money | null)[]> {
  const early = orders.map((order) => refusedAtOnce(tx, order))
  const refused = new Set(orders.filter((_, at) => early[at]?.refusal !== null).map(({ userId }) => userId))
  const wanted = orders.filter(({ userId }) => !refused.has(userId))
  const balances = await lockBalances(tx, wanted)
  await work()
  const users = new Map<string, Running>()
  for (const [userId, { row }] of balances) {
    const mine = runningOf(row, early)
    const own = wanted.filter((order) => order.userId === userId)
    if (own.every((order) => decide(mine, order, maxOpenOrders) === 'accepted')) users.set(userId, mine)
  }
  const cash: (Money | null)[] = []
  for (const order of orders) {
    const mine = users.get(order.userId)
    if (mine !== undefined) await take(tx, order, mine)
    cash.push(mine === undefined ? null : money(mine.cash - mine.acceptedTotal))
  }
  debit(tx, balances, users)
  return cash
}

function runningOf(balance: Row, early: readonly { readonly user: Row | null }[]): Running {
  const maxOpenStake = early.find(({ user }) => user?.['id'] === balance['user_id'])?.user?.['max_open_stake'] ?? null
  return {
    cash: balance['cash'] as bigint,
    openOrders: Number(balance['open_orders']),
    room: maxOpenStake === null ? null : (maxOpenStake as bigint) - (balance['staked'] as bigint),
    total: 0n,
    nth: 0,
    acceptedTotal: 0n,
    count: 0,
  }
}

function debit(
  tx: MemoryTransaction,
  balances: ReadonlyMap<string, LockedBalance>,
  users: ReadonlyMap<string, Running>,
): void {
  for (const [userId, { acceptedTotal, count }] of users) {
    const balance = balances.get(userId)
    if (count === 0 || balance === undefined) continue
    const { row, stored, table } = balance
    tx.update(table, stored, {
      cash: (row['cash'] as bigint) - acceptedTotal,
      staked: (row['staked'] as bigint) + acceptedTotal,
      open_orders: Number(row['open_orders']) + count,
    })
  }
}

function refusedAtOnce(tx: MemoryTransaction, order: PlannedOrder): { user: Row | null; refusal: Outcome | null } {
  const key = `${order.userId}|${order.clientOrderId}|`
  const user = tx.find(tx.table('app_user'), `${order.userId}|`)
  const isThere = ['open_order', 'order_history'].some((name) => tx.find(tx.table(name), key, 1) !== null)
  const maxStake = user?.['max_stake'] ?? null
  let refusal: Outcome | null = null
  if (isThere) refusal = 'repeated'
  else if (user === null || user['verified'] !== true) refusal = 'not_verified'
  else if (user['trade_allowed'] !== true) refusal = 'trade_off'
  else if (maxStake !== null && order.stake > (maxStake as bigint)) refusal = 'above_own_maximum'
  return { user, refusal }
}

/** An order above a cap counts in no other order's totals. */
function decide(mine: Running, { stake, isAboveCap = false }: PlannedOrder, maxOpenOrders: number): Outcome {
  const [total, nth] = [mine.total + stake, mine.nth + 1]
  if (!isAboveCap) {
    mine.total = total
    mine.nth = nth
  }
  const isAffordable = total <= mine.cash
  const hasPlace = mine.openOrders + nth <= maxOpenOrders
  if (isAffordable && hasPlace && (mine.room === null || total <= mine.room)) {
    return isAboveCap ? 'exposure_full' : 'accepted'
  }
  if (!hasPlace && isAffordable) return 'too_many_open_orders'
  return isAffordable ? 'above_own_open_stake' : 'insufficient_balance'
}

async function take(tx: MemoryTransaction, order: PlannedOrder, mine: Running): Promise<void> {
  mine.acceptedTotal += order.stake
  mine.count += 1
  const { symbol, terms, entry, openedAt, expiresAt } = order.placement
  await tx.insert(tx.table('open_order'), {
    user_id: order.userId,
    id: order.orderId,
    client_order_id: order.clientOrderId,
    trx: order.trx,
    symbol_id: symbol.id,
    trade_setting_id: terms.id,
    seconds: terms.seconds,
    direction: order.direction,
    stake: order.stake,
    profit_basis_points: terms.payout,
    rule_version: terms.rule,
    entry_seq: entry.seq,
    entry_price: entry.price,
    entry_time_ms: entry.time,
    entry_source: entry.source,
    opened_ms: openedAt,
    expires_ms: expiresAt,
    head_seq: order.head.lastSeq,
    received_ms: order.receivedAt,
    terms_n: terms.termsN,
    max_tick_age_ms: order.maxTickAgeMs,
    entry_ref: entry.ref ?? null,
    evidence: order.group?.evidence ?? null,
  })
  await tx.insert(tx.table('transfer'), {
    user_id: order.userId,
    ref: order.orderId,
    step: 'stake',
    kind: 'order_stake',
    from_account: 'cash',
    to_account: 'staked',
    currency: currencyOf(order.userId),
    amount: order.stake,
    created_ms: openedAt,
  })
}

function limit(value: unknown): Money | null {
  return value === null || value === undefined ? null : money(value as bigint)
}

function staffLimit(user: Row | null | undefined, column: 'max_stake' | 'max_open_stake'): StaffLimit | null {
  const value = limit(user?.[column])
  return value === null ? null : { value, reason: textOf(user, `${column}_reason`) }
}
