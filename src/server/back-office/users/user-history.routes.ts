import { resultCode } from '#contract/wire.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { TransferRow, UserOrderRow } from '#contract/back-office/users.ts'
import { isUuid } from '#core/ids/uuid.ts'
import { money, moneyNumber, percentNumber } from '#core/money/money.ts'
import { priceNumber } from '#core/money/price.ts'
import { ok } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  ALL_TRANSFERS,
  type LedgerRow,
  newestTransfers,
  placeOf,
} from '#server/back-office/ledger/newest-transfers.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { newestClosedOrders, newestOpenOrders, type OwnOrder } from '#server/trading/orders/own-orders.ts'
import { symbolOf } from '#server/trading/orders/trade-reply.ts'
import { addNote } from '#server/users/administration/add-note.ts'
import { listCodesSent, listNotes } from '#server/back-office/users/user-history.queries.ts'
import { endUserSession, endUserSessions, listUserSessions } from '#server/users/sessions/user-sessions.ts'

interface HistoryParts {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
}

/** Registers the calls for one user's history: statement, orders, sessions, codes and notes. */
export function staffUserHistoryRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, catalogue }: HistoryParts,
): void {
  registerList(staffCalls.staffUserTransfers, async ({ params: { id }, after, limit }) => {
    const rows = await newestTransfers(ctx.db, { ...ALL_TRANSFERS, userId: id }, { after, limit })
    return rows.map((row) => ({ row: toTransfer(row), cursor: placeOf(row) }))
  })

  registerList(staffCalls.staffUserOrders, async ({ params: { id }, filters: { state }, after, limit }) => {
    const [time, last] = after ?? []
    const isCursor = Number.isSafeInteger(time) && typeof last === 'string' && isUuid(last)
    if (after !== null && !isCursor) return []
    const page = { after: isCursor ? { time: Number(time), id: last } : null, limit }
    const load = state === 'open' ? newestOpenOrders : newestClosedOrders
    const orders = await load(ctx.db, id, page)
    return orders.map((order) => ({
      row: toOrder(order, catalogue),
      cursor: [order.outcome?.settledAt ?? order.openedAt, order.id],
    }))
  })

  registerList(staffCalls.staffUserCodes, async ({ params, after, limit }) => {
    const codes = await listCodesSent(ctx.db, params.id, { after, limit })
    return codes.map(({ id, kind, sentTo, at }) => ({
      row: { id, kind, sent_to: sentTo, time: toIso(at) },
      cursor: [at, id],
    }))
  })

  registerList(staffCalls.staffUserNotes, async ({ params, after, limit }) => {
    const notes = await listNotes(ctx.db, params.id, { after, limit })
    return notes.map(({ id, name, text, at }) => ({ row: { id, by: name, text, time: toIso(at) }, cursor: [at, id] }))
  })

  register(staffCalls.staffAddUserNote, async ({ params: { id: userId }, body: { text }, staff, actor }) =>
    addNote(ctx, { userId, staffId: staff.staffId, text, actor }),
  )

  register(staffCalls.staffUserSessions, async ({ params }) => {
    const sessions = await listUserSessions(ctx.db, params.id, ctx.now())
    return ok({
      sessions: sessions.map(({ id, createdAt, expiresAt, userAgent, address }) => ({
        id,
        created_at: toIso(createdAt),
        expires_at: toIso(expiresAt),
        user_agent: userAgent,
        address,
      })),
    })
  })

  register(staffCalls.staffEndUserSession, async ({ params: { id: userId, session: sessionId }, actor }) =>
    endUserSession(ctx, { userId, sessionId, actor }),
  )

  register(staffCalls.staffEndUserSessions, async ({ params: { id: userId }, actor }) =>
    endUserSessions(ctx, { userId, actor }),
  )
}

function toTransfer(transfer: LedgerRow): TransferRow {
  const { from_account: from, to_account: to, amount } = transfer
  const cash = to === 'cash' ? amount : from === 'cash' ? -amount : 0n
  return {
    time: toIso(instant(transfer.created_ms)),
    kind: transfer.kind,
    step: transfer.step,
    ref: transfer.ref,
    from,
    to,
    amount: moneyNumber(money(amount)),
    cash: moneyNumber(money(cash)),
    currency: transfer.currency,
  }
}

function toOrder(order: OwnOrder, catalogue: MarketCatalogue): UserOrderRow {
  const { code, decimals } = symbolOf(order, catalogue)
  const { outcome } = order
  return {
    id: order.id,
    trx: order.trx,
    symbol: code,
    direction: order.direction,
    stake: moneyNumber(order.stake),
    payout: percentNumber(order.payout),
    opened_at: toIso(order.openedAt),
    expires_at: toIso(order.expiresAt),
    entry: priceNumber(order.entryPrice, decimals),
    exit: outcome?.exit ? priceNumber(outcome.exit.price, decimals) : null,
    result: outcome ? resultCode(outcome.result) : 0,
    result_amount: outcome && moneyNumber(outcome.resultAmount),
    void_reason: outcome?.voidReason ?? null,
    settled_at: outcome && toIso(outcome.settledAt),
  }
}
