import { readDirection } from '#core/orders/order.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { refillBot } from '#server/seed/bot-accounts.ts'
import type { Engine, OrderRequest } from '#server/trading/engine/engine.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

/** A bot order every 4 to 16 seconds over all of them: enough that the public list lives, little enough to overlook. */
const SHORTEST_PAUSE_MS = 4_000
const PAUSE_SPREAD_MS = 12_000
/** Each symbol is given this many orders when the bots start, so that no public list begins empty. */
const FIRST_ORDERS = 3
/** 150 ms: three for each of some 32 symbols are there within half a minute, and no burst meets the engine. */
const FIRST_PAUSE_MS = 150
/** Bots take short expiries, so that each is seen to end. */
const LONGEST_EXPIRY_S = 300

export interface BotsOptions {
  readonly ctx: Ctx
  readonly engine: Engine
  readonly catalogue: MarketCatalogue
  readonly botIds: readonly string[]
}

/**
 * Lets the demo's bots trade, through the same door as everyone and by the same rules: a coin toss on a random symbol.
 * The answer stops them.
 */
export function runBots({ ctx, engine, catalogue, botIds }: BotsOptions): () => Promise<void> {
  const pick = <T>(items: readonly T[]): T | undefined => items[draw(ctx) % Math.max(1, items.length)]

  /** Codes of symbols whose list is still to begin; one that has no price yet, or is closed, comes again later. */
  const due = Array.from({ length: FIRST_ORDERS }, () => catalogue.symbols.map(({ code }) => code)).flat()
  let patience = due.length * 5

  const trade = async () => {
    const userId = pick(botIds)
    const first = due.shift()
    const symbol = catalogue.symbols.find(({ code }) => code === first) ?? pick(catalogue.symbols)
    const setting = pick(catalogue.settings.filter(({ seconds }) => seconds <= LONGEST_EXPIRY_S))
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
    }
    const answer = await engine.place(request)
    if (first !== undefined && !answer.ok && patience-- > 0) due.push(first)
    if (!answer.ok && answer.refusal === 'insufficient_balance') await refillBot(ctx, userId)
  }
  if (botIds.length === 0) return () => Promise.resolve()
  return repeat(ctx, {
    pauseMs: () => (due.length > 0 ? FIRST_PAUSE_MS : SHORTEST_PAUSE_MS + (draw(ctx) % PAUSE_SPREAD_MS)),
    run: trade,
    failure: 'a demo bot could not trade',
  })
}

/** A random whole number below 2^24. */
function draw(ctx: Ctx): number {
  const [a = 0, b = 0, c = 0] = ctx.randomBytes(3)
  return (a << 16) | (b << 8) | c
}
