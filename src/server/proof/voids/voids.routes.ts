import { calls } from '#contract/calls.ts'
import type { Voids } from '#contract/voids.ts'
import { moneyNumber, money } from '#core/money/money.ts'
import { chanceOfSplit } from '#core/orders/void-limits.ts'
import { VOID_REASONS } from '#core/orders/order.ts'
import { DAY_MS, instant, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { firstDayOf, LATE, sumOrderEnds } from '#server/proof/voids/order-ends.queries.ts'
import { readPauses } from '#server/market-data/catalogue/pauses.queries.ts'
import { listWaiting, sumPaid } from '#server/proof/made-good/made-good.queries.ts'
import { countUnread } from '#server/proof/records/record-checks.queries.ts'
import { sumVoidStands } from '#server/proof/voids/void-stands.queries.ts'

interface VoidsParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId'>
}

const SHOWN_DAYS = 90
const STAND_DAYS = [7, 30, 90] as const

/** `GET /api/proof/voids`: void orders by cause or by day. Needs no account. */
export function voidsRoutes(register: Register, parts: VoidsParts): void {
  const { ctx } = parts
  const last = new Map<Voids['by'], { readonly at: number; readonly voids: Voids }>()

  register(calls.proofVoids, async ({ query: { by } }) => {
    const now = ctx.now()
    const known = last.get(by)
    // The counts change at most once a minute, so requests within a minute share one reply.
    if (known !== undefined && now < known.at + MINUTE_MS) return answer({ voids: known.voids })
    const voids = await readVoids(parts, by)
    last.set(by, { at: now, voids })
    return answer({ voids })
  })
}

async function readVoids({ ctx, catalogue }: VoidsParts, by: Voids['by']): Promise<Voids> {
  const now = ctx.now()
  const firstDay = firstDayOf(now, SHOWN_DAYS)
  const causes = await sumOrderEnds(ctx.db, 'cause', firstDay)
  const lines = by === 'cause' ? causes.filter(isVoid) : await sumOrderEnds(ctx.db, 'day', firstDay)
  const pauses = await readPauses(ctx.db, later(now, -SHOWN_DAYS * DAY_MS))
  return {
    by,
    since: toIso(instant(firstDay * DAY_MS)),
    orders: causes.reduce((sum, { orders }) => sum + orders, 0),
    late: causes.find(({ of }) => of === LATE)?.orders ?? 0,
    lines: lines.map(({ whileDown, ...line }) => ({ ...line, while_down: whileDown })),
    without_record: await Promise.all(STAND_DAYS.map((days) => readStand(ctx, days))),
    pauses: pauses
      .filter(({ from }) => from <= now)
      .map(({ symbolId, why, from, until }) => ({
        symbol: catalogue.byId(symbolId)?.code ?? String(symbolId),
        why,
        from: toIso(from),
        until: until && toIso(until),
      })),
    made_good: await readMadeGood(ctx),
  }
}

async function readMadeGood(ctx: Ctx): Promise<Voids['made_good']> {
  const { db } = ctx
  const now = ctx.now()
  const paid = await sumPaid(db, later(now, -SHOWN_DAYS * DAY_MS))
  const waiting = await listWaiting(db, now)
  return {
    orders: paid.orders,
    amount: moneyNumber(paid.amount),
    unread: await countUnread(db),
    waiting: waiting.map(({ source, orders, amount, paysAt }) => ({
      source,
      orders,
      amount: moneyNumber(amount),
      pays_at: toIso(paysAt),
    })),
  }
}

async function readStand(ctx: Ctx, days: number): Promise<Voids['without_record'][number]> {
  const stands = await sumVoidStands(ctx.db, later(ctx.now(), -days * DAY_MS))
  return {
    days,
    would_win: stands.wouldWin,
    would_lose: stands.wouldLose,
    would_draw: stands.wouldDraw,
    missed_by_users: moneyNumber(money(stands.missedByUsers)),
    kept_by_users: moneyNumber(money(stands.savedByUsers)),
    against_users: stands.againstUsers,
    against_site: stands.againstSite,
    chance: chanceOfSplit(stands.againstUsers, stands.againstSite),
  }
}

function isVoid({ of }: { readonly of: string }): boolean {
  return VOID_REASONS.some((reason) => reason === of)
}
