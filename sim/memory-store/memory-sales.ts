import { currencyOf } from '#core/ledger/transfer.ts'
import { SOLD } from '#core/orders/order.ts'
import { lockBalances } from './memory-balances.ts'
import type { StoredRow } from './memory-table.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import type { Row, TableName, TableSpec } from './specs.ts'
import { SPECS } from './specs.ts'

/** The tables of early sales. Only simulations with sellers have these tables. */
export const SALE_SPECS: Readonly<Partial<Record<TableName, TableSpec>>> = {
  ...SPECS,
  open_order: { ...(SPECS.open_order as TableSpec), defaults: { selling: null } },
  terms_entry: { key: ['n'], int8: ['n', 'announced_ms', 'applies_ms'] },
  sale_request: {
    key: ['order_id', 'n'],
    unique: [['order_id', 'client_sale_id']],
    int8: ['requested_ms', 'least', 'terms_n', 'head_seq'],
  },
  sale_end: {
    key: ['order_id', 'n'],
    int8: ['tick_seq', 'tick_ref', 'received_ms', 'left_ms', 'win', 'same', 'stake', 'gross', 'fee', 'paid'].concat(
      'decided_ms',
      'head_seq',
    ),
    defaults: { reason: null, movement: null },
  },
}

type Parameters = readonly unknown[]

/** The statements of early sales. A planted bug replaces one of these statements for one simulation. */
export const SALE_STATEMENTS = {
  sell: (tx: MemoryTransaction, parameters: Parameters): Promise<Row[]> => sellInMemory(tx, parameters, 'gone'),
  lapse: lapseInMemory,
}

/** Undecided requests from before an instant, oldest first. */
export function undecidedRequests(tx: MemoryTransaction, parameters: Parameters): Row[] {
  const [, before, limit] = parameters
  const orders = [...tx.table('open_order').rows].map((stored) => tx.see(stored))
  const found = orders.flatMap((order) => {
    if (order === null || typeof order['selling'] !== 'number') return []
    const request = tx.find(tx.table('sale_request'), `${String(order['id'])}|${order['selling']}|`)
    return request !== null && Number(request['requested_ms']) < Number(before) ? [{ ...order, ...request }] : []
  })
  return found.toSorted((a, b) => byTime(a, b) || (String(a['id']) < String(b['id']) ? -1 : 1)).slice(0, Number(limit))
}

function byTime(a: Row, b: Row): number {
  return Number(a['requested_ms']) - Number(b['requested_ms'])
}

/** The calibration of the simulated site: always fair, and with the minimum fee. */
export function newestSaleReport(): Row[] {
  return [{ is_recent: true, is_fair: true, days: 20, min_fee: 200 }]
}

/** Locks an order that is being sold by a request. Null when another statement has ended the request first. */
async function lockSelling(
  tx: MemoryTransaction,
  parameters: Parameters,
): Promise<{ stored: StoredRow; order: Row } | null> {
  const [orderId, userId, n] = parameters
  const table = tx.table('open_order')
  const stored = table.having(`${String(userId)}|${String(orderId)}|`).find((one) => tx.see(one) !== null)
  if (stored === undefined) return null
  await tx.lock(table, stored)
  const order = tx.see(stored)
  return order !== null && order['selling'] === n ? { stored, order } : null
}

/** The parameters of `sellOrder` after those of the request. */
function readSale(parameters: Parameters) {
  const [q, ref, receivedMs, movement, leftMs, win, same, gross, fee, paid, decidedMs, headQ] = parameters.slice(9)
  const [unitPrice, timeMs] = parameters.slice(26)
  const tick = { tick_seq: q, tick_ref: ref, received_ms: receivedMs }
  const value = { movement: String(movement), left_ms: leftMs, win, same, gross, fee, paid }
  return { end: { ...tick, ...value, decided_ms: decidedMs, head_seq: headQ }, unitPrice, timeMs }
}

/**
 * `sellOrder` on the memory store. `becomes`: the state of the open order afterwards. A planted bug does not delete the
 * order.
 */
export async function sellInMemory(
  tx: MemoryTransaction,
  parameters: Parameters,
  becomes: 'gone' | 'open' | 'selling',
): Promise<Row[]> {
  const locked = await lockSelling(tx, parameters)
  if (locked === null) return []
  const { stored, order } = locked
  const userId = String(order['user_id'])
  const balance = (await lockBalances(tx, [{ userId }])).get(userId)
  if (balance === undefined) return []
  const { end, unitPrice, timeMs } = readSale(parameters)
  const stake = order['stake'] as bigint
  const [gross, fee, paid] = [end.gross, end.fee, end.paid] as bigint[]
  if (gross === undefined || fee === undefined || paid === undefined) return []
  if (becomes === 'gone') tx.remove(stored)
  else if (becomes === 'open') tx.update(tx.table('open_order'), stored, { selling: null })
  const { row } = balance
  const cash = (row['cash'] as bigint) + paid
  const results = (row['results'] as bigint) + 1n
  tx.update(balance.table, balance.stored, {
    cash,
    results,
    staked: (row['staked'] as bigint) - stake,
    open_orders: Number(row['open_orders']) - 1,
    net_total: (row['net_total'] as bigint) + paid - stake,
    stake_total: (row['stake_total'] as bigint) + stake,
  })
  const moved = { user_id: userId, ref: order['id'], currency: currencyOf(userId), created_ms: end.decided_ms }
  for (const [step, kind, from, to, amount] of [
    ['close', 'order_sold', 'staked', 'house:trading', stake],
    ['sale', 'order_sale', 'house:trading', 'cash', gross],
    ['sale_fee', 'order_sale_fee', 'cash', 'house:fees', fee],
  ] as const) {
    if (amount > 0n)
      await tx.insert(tx.table('transfer'), { ...moved, step, kind, from_account: from, to_account: to, amount })
  }
  await tx.insert(tx.table('sale_end'), { order_id: order['id'], n: parameters[2], user_id: userId, stake, ...end })
  const { selling: _, ...kept } = order
  const closed = {
    ...kept,
    result: SOLD,
    result_amount: paid - stake,
    balance_after: cash,
    exit_seq: end.tick_seq,
    exit_price: unitPrice,
    exit_time_ms: timeMs,
    void_reason: null,
    settled_ms: end.decided_ms,
    result_number: results,
  }
  await tx.insert(tx.table('order_history'), closed)
  return [tx.table('order_history').toStored(closed)]
}

/** `lapseRequest` on the memory store. */
async function lapseInMemory(tx: MemoryTransaction, parameters: Parameters): Promise<Row[]> {
  const locked = await lockSelling(tx, parameters)
  if (locked === null) return []
  const [orderId, userId, n, , reason, decidedMs, headQ] = parameters
  tx.update(tx.table('open_order'), locked.stored, { selling: null })
  const end = { order_id: orderId, n, user_id: userId, reason, decided_ms: decidedMs, head_seq: headQ }
  await tx.insert(tx.table('sale_end'), end)
  return []
}
