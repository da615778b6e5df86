import type { OrderRow } from '#contract/back-office/orders.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { money, moneyNumber, basisPoints, percentNumber } from '#core/money/money.ts'
import { price, priceNumber } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import { readTrxStart } from '#core/orders/trx.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { readPeriod } from '#server/platform/database/period.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { findUserId } from '#server/users/accounts/users.queries.ts'
import {
  findDecision,
  findOrder,
  listOrders,
  orderState,
  type StaffOrder,
} from '#server/back-office/orders/orders.queries.ts'

/** Registers the calls that show orders to staff. No call here may ever change an order. */
export function staffOrdersRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx }: { readonly ctx: Ctx },
): void {
  registerList(staffCalls.staffOrders, async ({ filters: { state, symbol, search, from, to }, after, limit }) => {
    const sought = await readSearch(ctx.db, search)
    if (sought === null) return []
    const filters = { state: state ?? null, symbol: symbol ?? null, ...sought, period: readPeriod({ from, to }) }
    const orders = await listOrders(ctx.db, filters, { after, limit })
    return orders.map((order) => ({ row: toRow(order), cursor: [Number(order.opened_ms), order.id] }))
  })

  register(staffCalls.staffOrder, async ({ params: { trx } }) => {
    const order = await findOrder(ctx.db, trx.toUpperCase())
    if (!order) return refuse('not_found')
    const decision = await findDecision(ctx.db, order.id)
    const tick = (q: bigint | null, units: bigint | null, at: bigint | null) =>
      q === null || units === null || at === null
        ? null
        : { q: Number(q), price: priceNumber(price(units), order.decimals), at: toIso(instant(at)) }
    return ok({
      ...toRow(order),
      id: order.id,
      client_order_id: order.client_order_id,
      rule_version: order.rule_version,
      source: order.entry_source,
      entry: {
        q: Number(order.entry_seq),
        price: priceNumber(price(order.entry_price), order.decimals),
        at: toIso(instant(order.entry_time_ms)),
      },
      exit: tick(order.exit_seq, order.exit_price, order.exit_time_ms),
      next: decision ? tick(decision.next_seq, decision.next_price, decision.next_time_ms) : null,
      decided_at: decision ? toIso(instant(decision.decided_ms)) : null,
      watermark_at: decision ? toIso(instant(decision.watermark_ms)) : null,
      void_reason: order.void_reason,
      balance_after: order.balance_after === null ? null : moneyNumber(money(order.balance_after)),
    })
  })
}

/**
 * Parses a search for an exact username or the start of a reference. Names are tried first, because a name can look like
 * the start of a reference. Returns null when the text is neither.
 */
async function readSearch(
  db: Db,
  search: string | undefined,
): Promise<{ userId: string | null; trx: string | null } | null> {
  if (search === undefined) return { userId: null, trx: null }
  const userId = await findUserId(db, search)
  if (userId !== null) return { userId, trx: null }
  const trx = readTrxStart(search)
  return trx === null ? null : { userId: null, trx }
}

function toRow(order: StaffOrder): OrderRow {
  const { decimals } = order
  return {
    trx: order.trx,
    state: orderState(order),
    user_id: order.user_id,
    username: order.username,
    symbol: order.symbol,
    decimals,
    direction: order.direction === BUY ? 'buy' : 'sell',
    stake: moneyNumber(money(order.stake)),
    payout_percent: percentNumber(basisPoints(order.profit_basis_points)),
    seconds: order.seconds,
    entry_price: priceNumber(price(order.entry_price), decimals),
    exit_price: order.exit_price === null ? null : priceNumber(price(order.exit_price), decimals),
    result: order.result_amount === null ? null : moneyNumber(money(order.result_amount)),
    opened_at: toIso(instant(order.opened_ms)),
    expires_at: toIso(instant(order.expires_ms)),
    settled_at: order.settled_ms === null ? null : toIso(instant(order.settled_ms)),
  }
}
