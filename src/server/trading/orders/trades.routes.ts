import { calls } from '#contract/calls.ts'
import type { TickOut } from '#contract/trades.ts'
import { type Price, priceNumber } from '#core/money/price.ts'
import { SOLD } from '#core/orders/order.ts'
import { refuse } from '#core/result.ts'
import { type Instant, later, SECOND_MS } from '#core/time/instant.ts'
import { accountOf } from '#server/ledger/practice-accounts.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { readerOf } from '#server/platform/http/signed-in.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { tickAt } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { firstTickAfter } from '#server/trading/orders/first-tick-after.ts'
import { ticksAround } from '#server/trading/orders/order-ticks.ts'
import { findOwnOrder, type OwnOrder, recentOrders } from '#server/trading/orders/own-orders.ts'
import { symbolOf, toOwnTrade } from '#server/trading/orders/trade-reply.ts'

/** 50 settled orders: as many as the screens list. Every open order is shown beside these. */
const RECENT = 50
/** Ticks up to 5 s before and after the expiry are shown beside the ticks that decided the order. */
const AROUND_MS = 5 * SECOND_MS
const MAX_TICKS_AROUND = 200

export function tradesRoutes(register: Register, parts: MarketParts): void {
  const { ctx, catalogue } = parts
  const takeTicks = createRateLimiter(READ_LIMITS.order_ticks)

  register(calls.recentTrades, async ({ user, query }) => {
    const account = await accountOf(ctx.db, user.userId, query.account)
    if (!account.ok) return account
    const orders = await recentOrders(ctx.db, account.value, RECENT)
    return answer({ trades: orders.map((order) => toOwnTrade(order, catalogue, ctx.now())) })
  })
  register(calls.ownTrade, async ({ user, params, query }) => {
    const account = await accountOf(ctx.db, user.userId, query.account)
    if (!account.ok) return account
    const order = await findOwnOrder(ctx.db, account.value, params.id)
    if (!order) return refuse('not_found')
    return answer({ trade: toOwnTrade(order, catalogue, ctx.now()), ticks: await decidingTicks(parts, order) })
  })
  register(calls.tradeTicks, async ({ user, params, query }) => {
    const seconds = takeTicks(readerOf(user), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const account = await accountOf(ctx.db, user.userId, query.account)
    if (!account.ok) return account
    const order = await findOwnOrder(ctx.db, account.value, params.id)
    return order ? answer(await ticksAround(parts, order, query.from)) : refuse('not_found')
  })
  // A legacy path of the specification. The server ignores a price sent with the request.
  register(calls.tradeResult, async ({ user, body }) => {
    const account = await accountOf(ctx.db, user.userId, body.account)
    if (!account.ok) return account
    const order = await findOwnOrder(ctx.db, account.value, body.game_log_id)
    return order ? answer({ trade: toOwnTrade(order, catalogue, ctx.now()) }) : refuse('not_found')
  })
}

/**
 * Returns the ticks that opened and settled an order, with the ticks around the expiry, so that users can check the
 * result.
 */
async function decidingTicks({ ctx, catalogue, ticks }: MarketParts, order: OwnOrder) {
  const { decimals } = symbolOf(order, catalogue)
  const { symbolId, expiresAt, outcome } = order
  const isSold = outcome?.result === SOLD
  const endsAt = (isSold && outcome.exit?.time) || expiresAt
  const from = later(endsAt, -AROUND_MS)
  const around = ctx.now() < from ? [] : await ticks.between(symbolId, from, later(endsAt, AROUND_MS), MAX_TICKS_AROUND)
  const sources = new Map(around.map(({ seq, source }) => [seq, source]))
  const out = async (tick: {
    readonly seq: number
    readonly price: Price
    readonly time: Instant
  }): Promise<TickOut> => ({
    q: tick.seq,
    price: priceNumber(tick.price, decimals),
    time_ms: tick.time,
    // Late evidence is no tick of the log. Its source is always that of the entry.
    source: sources.get(tick.seq) ?? (await tickAt(ctx.db, tick.seq))?.source ?? order.entrySource,
  })
  const next = outcome && !isSold && (await firstTickAfter({ ctx, ticks }, { orderId: order.id, symbolId, expiresAt }))
  return {
    entry: {
      q: order.entrySeq,
      price: priceNumber(order.entryPrice, decimals),
      time_ms: order.entryTime,
      source: order.entrySource,
    },
    exit: outcome?.exit ? await out(outcome.exit) : null,
    next: next ? await out(next) : null,
    around: await Promise.all(around.map(out)),
  }
}
