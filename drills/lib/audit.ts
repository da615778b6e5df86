import { resultCode } from '#contract/wire.ts'
import { readResult } from '#core/orders/order.ts'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { readPrices } from './logged-prices.ts'
import { expectedEnd, type StoredOrder, transfersOf } from './expected-end.ts'
import { ordersWithReceipt } from './wait-for-receipts.ts'

/** The driver's own record: every acknowledged order, and the result it received. */
export interface Witness {
  readonly userId: string
  readonly orders: readonly { readonly clientOrderId: string; readonly id?: string }[]
  readonly results: ReadonlyMap<string, readonly { readonly result: number; readonly amount: number }[]>
}

export interface Audit {
  readonly acknowledged: number
  /** Acknowledged orders that are missing. */
  readonly lost: number
  /** Orders that exist or were paid more than once. */
  readonly doubled: number
  readonly voided: number
  /** The differences found, limited in number. */
  readonly wrong: readonly string[]
}

const MAX_REPORTED = 30

/**
 * Compares the database with the witnesses' records, by its own rules instead of the product's.
 * Every acknowledged order exists once, was settled by the rules on the stored prices, was paid once, and its user
 * received the result. No other order exists.
 * Each balance equals the deposits plus the order results. Ledger, tick log and receipts are complete.
 * Call it when nothing is running and all orders are settled.
 */
export async function auditCrowd(db: Db, witnesses: readonly Witness[], paidIn: number): Promise<Audit> {
  const wrong: string[] = []
  const ledger = await checkLedger(db)
  if (!ledger.clean) wrong.push(`the ledger: ${JSON.stringify(ledger.mismatches, (_, value) => String(value))}`)
  const chain = await verifyTickChain(db)
  if (!chain.ok) wrong.push(`the tick log, from ${chain.firstSeq}: ${chain.why}`)
  const users = [...new Set(witnesses.map(({ userId }) => userId))]
  const stored = await storedOrders(db, users)
  const stillOpen = await db.selectFrom('open_order').select('id').where('user_id', 'in', users).execute()
  for (const { id } of stillOpen) wrong.push(`${id} is not settled`)

  const prices = await readPrices(db)
  const moved = await transfersByOrder(db, users)
  const receipts = { accepted: await ordersWithReceipt(db, 'accepted'), result: await ordersWithReceipt(db, 'result') }
  const change = new Map(users.map((userId) => [userId, 0n]))
  let doubled = 0
  for (const order of stored.values()) {
    const expected = expectedEnd(order, prices)
    change.set(order.userId, (change.get(order.userId) ?? 0n) + expected.change)
    if (order.result !== expected.result || order.resultAmount !== expected.change)
      wrong.push(
        `${order.clientOrderId}: ended as ${order.result}, ${order.resultAmount} instead of ${resultText(expected)}`,
      )
    if (order.ownMaxAgeMs !== order.maxAgeMs) wrong.push(`${order.clientOrderId}: settled by another maximum price age`)
    const found = (moved.get(order.id) ?? []).toSorted()
    const due = transfersOf(order, expected).toSorted()
    if (found.join() !== due.join()) {
      wrong.push(`${order.clientOrderId}: the transfers are ${found.join('; ')} instead of ${due.join('; ')}`)
      if (found.length > due.length) doubled += 1
    }
    for (const kind of ['accepted', 'result'] as const)
      if (!receipts[kind].has(order.id)) wrong.push(`${order.clientOrderId}: no receipt of kind ${kind}`)
  }

  let lost = 0
  const known = new Set<string>()
  for (const { userId, orders, results } of witnesses) {
    for (const { clientOrderId, id = '' } of orders) {
      const order = stored.get(id)
      known.add(id)
      if (order?.clientOrderId !== clientOrderId || order.userId !== userId) {
        lost += 1
        wrong.push(`${clientOrderId} was acknowledged as ${id} and is missing`)
        continue
      }
      const deliveries = results.get(id) ?? []
      if (deliveries.length === 0) wrong.push(`${clientOrderId}: its user never received the result`)
      for (const { result, amount } of deliveries)
        if (result !== resultCode(readResult(order.result)) || Math.round(amount * 100) !== Number(order.resultAmount))
          wrong.push(`${clientOrderId}: its user received ${result}, ${amount}`)
    }
  }
  for (const { id, clientOrderId } of stored.values()) {
    if (known.has(id)) continue
    doubled += 1
    wrong.push(`${clientOrderId} also exists as ${id} without an acknowledgement`)
  }

  const balances = await db
    .selectFrom('balance')
    .select(['user_id', 'cash', 'staked', 'open_orders'])
    .where('user_id', 'in', users)
    .execute()
  for (const { user_id, cash, staked, open_orders } of balances) {
    const own = BigInt(paidIn) + (change.get(user_id) ?? 0n)
    if (cash !== own || staked !== 0n || open_orders !== 0)
      wrong.push(`user ${user_id}: has ${cash} + ${staked} in ${open_orders} orders instead of ${own}`)
  }
  if (balances.length !== users.length) wrong.push(`${balances.length} of ${users.length} users have a balance`)

  const voided = [...stored.values()].filter(({ voidReason }) => voidReason !== null).length
  const acknowledged = witnesses.reduce((sum, { orders }) => sum + orders.length, 0)
  return { acknowledged, lost, doubled, voided, wrong: wrong.slice(0, MAX_REPORTED) }
}

/** Reads all settled orders of these users with the decision about their price, by id. */
export async function storedOrders(db: Db, users: readonly string[]): Promise<Map<string, StoredOrder>> {
  const rows = await db
    .selectFrom('order_history as o')
    .leftJoin('settlement_price as p', (join) =>
      join
        .onRef('p.symbol_id', '=', 'o.symbol_id')
        .onRef('p.expires_ms', '=', 'o.expires_ms')
        .on('o.rule_version', '=', 1),
    )
    .leftJoin('decided_price as d', (join) =>
      join
        .onRef('d.symbol_id', '=', 'o.symbol_id')
        .onRef('d.expires_ms', '=', 'o.expires_ms')
        .onRef('d.source', '=', 'o.entry_source')
        .onRef('d.max_tick_age_ms', '=', 'o.max_tick_age_ms')
        .onRef('d.rule', '=', 'o.rule_version')
        .onRef('d.evidence', '=', 'o.evidence'),
    )
    .selectAll('o')
    .select(({ fn }) => [
      fn.coalesce('d.head_seq', 'p.head_seq').as('decided_head'),
      fn.coalesce('d.decided_ms', 'p.decided_ms').as('decided_ms'),
      fn.coalesce('d.max_tick_age_ms', 'p.max_tick_age_ms').as('decided_age'),
    ])
    .where('o.user_id', 'in', users)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        userId: row.user_id,
        id: row.id,
        clientOrderId: row.client_order_id,
        symbolId: row.symbol_id,
        isUp: row.direction === 1,
        stake: row.stake,
        payoutBasisPoints: BigInt(row.profit_basis_points),
        entryPrice: Number(row.entry_price),
        expiresMs: Number(row.expires_ms),
        source: row.evidence === null || row.evidence === 'none' ? null : row.entry_source,
        maxAgeMs: row.decided_age ?? 0,
        ownMaxAgeMs: row.max_tick_age_ms ?? 0,
        decidedHead: Number(row.decided_head),
        decidedMs: Number(row.decided_ms),
        result: row.result,
        resultAmount: row.result_amount,
        voidReason: row.void_reason,
      },
    ]),
  )
}

async function transfersByOrder(db: Db, users: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ ref: string; moves: string[] }>`
    select ref, array_agg(from_account || ' > ' || to_account || ' ' || amount) as moves
    from transfer where user_id = any(${users}::uuid[]) and kind like 'order%' group by ref`.execute(db)
  return new Map(rows.map(({ ref, moves }) => [ref, moves]))
}

function resultText({ result, change }: { result: number; change: bigint }): string {
  return `${result}, ${change}`
}
