import { readDirection } from '#core/orders/order.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { refillBot } from '#server/seed/bot-accounts.ts'
import type { Engine, OrderRequest } from '#server/trading/engine/engine.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 4 to 16 s between two bot orders, over all bots. The public list stays active without being crowded. */
const MIN_PAUSE_MS = 4_000
const PAUSE_SPREAD_MS = 12_000
/** Orders per symbol when the bots start, so that every public list starts with some orders. */
const FIRST_ORDERS = 6
/** 150 ms: six orders for each of about 32 symbols take half a minute, without a burst for the engine. */
const FIRST_PAUSE_MS = 150
/** In seconds. Bots choose short durations, so that visitors see orders settle. */
const MAX_DURATION_S = 300

export interface BotsOptions {
  readonly ctx: Ctx
  readonly engine: Engine
  readonly catalogue: MarketCatalogue
  readonly botIds: readonly string[]
}

/**
 * Lets the demo's bots trade through the engine by the usual rules, in a random direction, most often on the symbols
 * that visitors look at most. Returns a function that stops them.
 */
export function runBots({ ctx, engine, catalogue, botIds }: BotsOptions): () => Promise<void> {
  const pick = <T>(items: readonly T[]): T | undefined => items[draw(ctx) % Math.max(1, items.length)]
  /** The first symbols are chosen most often, because most visitors look at them. The last ones are chosen rarely. */
  const pickEarly = <T>(items: readonly T[]): T | undefined =>
    items[draw(ctx) % (1 + (draw(ctx) % Math.max(1, items.length)))]

  /** Symbol codes that still need first orders. A symbol that is closed or has no price yet is tried again later. */
  const due = Array.from({ length: FIRST_ORDERS }, () => catalogue.symbols.map(({ code }) => code)).flat()
  let patience = due.length * 5

  const trade = async () => {
    const userId = pick(botIds)
    const first = due.shift()
    const symbol = catalogue.symbols.find(({ code }) => code === first) ?? pickEarly(catalogue.symbols)
    const setting = pick(catalogue.settings.filter(({ seconds }) => seconds <= MAX_DURATION_S))
    if (userId === undefined || symbol === undefined || setting === undefined) return
    const affordable = catalogue.quickAmounts.filter((stake) => stake >= setting.minimum && stake <= setting.maximum)
    const request: OrderRequest = {
      userId,
      clientOrderId: ctx.newId(),
      direction: readDirection(1 + (draw(ctx) % 2)),
      tradeSettingId: setting.id,
      stake: pick(affordable) ?? setting.minimum,
      symbol: symbol.code,
      marketType: null,
      slippageGuard: null,
      receivedAt: ctx.now(),
      isBot: true,
    }
    const answer = await engine.place(request)
    if (first !== undefined && !answer.ok && patience-- > 0) due.push(first)
    if (!answer.ok && answer.refusal === 'insufficient_balance') await refillBot(ctx, userId)
  }
  if (botIds.length === 0) return () => Promise.resolve()
  return runPeriodically(ctx, {
    pauseMs: () => (due.length > 0 ? FIRST_PAUSE_MS : MIN_PAUSE_MS + (draw(ctx) % PAUSE_SPREAD_MS)),
    run: trade,
    failure: 'a demo bot cannot trade',
  })
}

/** Returns a random integer below 2^24. */
function draw(ctx: Ctx): number {
  const [a = 0, b = 0, c = 0] = ctx.randomBytes(3)
  return (a << 16) | (b << 8) | c
}
