import { calls } from '#contract/calls.ts'
import { capsInForce } from '#core/markets/caps/caps.ts'
import { moneyNumber } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { toIso } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { listCapRefusals } from '#server/trading/caps/cap-use.queries.ts'

const SHOWN_DAYS = 30

/** `GET /api/proof/caps`: lists the caps and how many orders they refused. Needs no account. */
export function capsRoutes(register: Register, ctx: Ctx, catalogue: Pick<MarketCatalogue, 'terms'>): void {
  register(calls.proofCaps, async () => {
    const now = ctx.now()
    const refused = await listCapRefusals(ctx.db, now, SHOWN_DAYS)
    return answer({
      caps: [...capsInForce(catalogue.terms, now).values()].map(({ scope, key, maximum, since }) => ({
        scope,
        key,
        most: moneyNumber(maximum),
        since: toIso(since),
      })),
      refused: refused.map(({ day, code, direction, orders }) => ({
        day: toIso(day).slice(0, 10),
        symbol: code,
        direction: direction === BUY ? ('buy' as const) : ('sell' as const),
        orders,
      })),
    })
  })
}
