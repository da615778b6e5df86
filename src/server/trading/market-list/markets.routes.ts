import { calls } from '#contract/calls.ts'
import { maskName } from '#core/accounts/username.ts'
import { priceNumber } from '#core/money/price.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import { refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { toKlines } from '#server/market-data/candles/kline-rows.ts'
import { loadMarketList } from '#server/trading/market-list/market-list.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { flipFavorite, latestOrders } from '#server/trading/market-list/markets.queries.ts'

const CANDLES = 500
const LATEST_TRADES = 15

export function marketsRoutes(register: Register, { ctx, catalogue, ticks }: MarketParts): void {
  const parts = { ctx, catalogue, ticks }

  register(calls.currencyList, async ({ user, language }) =>
    answer(await loadMarketList(parts, user?.userId ?? null, { favoritesOnly: false, language })),
  )
  register(calls.favoriteList, async ({ user, language }) =>
    answer(await loadMarketList(parts, user.userId, { favoritesOnly: true, language })),
  )
  register(calls.favorite, async ({ user, body }) => {
    const symbol = catalogue.byId(body.crypto_currency_id)
    if (!symbol) return refuse('symbol_unknown', { field: 'crypto_currency_id' })
    const isFavorite = await flipFavorite(ctx.db, user.userId, symbol.id)
    return answer({ crypto_currency_id: symbol.id, isFavorite })
  })
  register(calls.klineHistorical, async ({ body }) => {
    const symbol = catalogue.findKnown(body.symbol)
    if (!symbol) return refuse('symbol_unknown')
    let isIncomplete = false
    const query = {
      symbolId: symbol.id,
      interval: body.interval,
      limit: body.limit ?? CANDLES,
      // Clients send `endTime` as exchanges define it, so it is inclusive. `before` is exclusive.
      ...(body.endTime !== undefined && { before: instant(Math.min(body.endTime + 1, ctx.now() + 1)) }),
    }
    const shown = await ticks.shownCandles(query, () => {
      isIncomplete = true
    })
    const { rows, meta } = toKlines(shown, { interval: body.interval, decimals: symbol.decimals, isIncomplete })
    return answer(rows, { meta })
  })
  register(calls.latestTrades, async ({ body }) => {
    const symbol =
      typeof body.currency === 'number' ? catalogue.byId(body.currency) : catalogue.findKnown(body.currency)
    if (!symbol) return refuse('symbol_unknown', { field: 'currency' })
    const count = body.count ?? LATEST_TRADES
    const orders = await latestOrders(ctx.db, symbol.id, count + 1)
    return answer({
      older_id: orders[count]?.id ?? null,
      trades: orders.slice(0, count).map((order) => ({
        id: order.id,
        user: maskName(order.username),
        is_bot: order.isBot,
        price: priceNumber(order.entryPrice, symbol.decimals),
        time: order.seconds,
        unit: unitOfSeconds(order.seconds),
        direction: order.direction,
        opened_at: toIso(order.openedAt),
      })),
    })
  })
}
