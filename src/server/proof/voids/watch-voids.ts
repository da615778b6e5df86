import { settleOrder } from '#core/orders/rules/rules.ts'
import { LOSE, WIN } from '#core/orders/order.ts'
import { hasTooManyVoids } from '#core/orders/void-limits.ts'
import { DAY_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { countWithoutRecord, firstDayOf } from '#server/proof/voids/order-ends.queries.ts'
import { findNewestPause, hasVoidSince, insertPause } from '#server/proof/voids/pauses.queries.ts'
import {
  insertVoidStand,
  listVoidExpiries,
  listVoidOrders,
  sumVoidStands,
} from '#server/proof/voids/void-stands.queries.ts'

export interface WatchVoidsParts {
  readonly ctx: Ctx
  readonly ticks: Pick<TickService, 'aroundInstant'>
  readonly catalogue: Pick<MarketCatalogue, 'reload'>
  readonly mode: 'demo' | 'live'
}

/** A symbol is judged by its orders of the last 7 days, including today. */
const JUDGED_DAYS = 7
const PAUSE_MS = { live: 7 * DAY_MS, demo: MINUTE_MS } as const
const EXPIRIES_AT_ONCE = 100

/**
 * Notes how void orders would have ended, and pauses symbols with too many of them. Returns a function that stops it.
 */
export function watchVoids(parts: WatchVoidsParts): () => Promise<void> {
  const run = async (): Promise<void> => {
    await noteVoidStands(parts)
    await pauseSymbols(parts)
  }
  return runPeriodically(parts.ctx, { pauseMs: () => MINUTE_MS, run, failure: 'void orders could not be counted' })
}

/**
 * For each void expiry whose source keeps no public record, stores how its orders would have ended by the first later
 * price. Pays nothing.
 */
export async function noteVoidStands({ ctx, ticks }: Pick<WatchVoidsParts, 'ctx' | 'ticks'>): Promise<void> {
  for (const expiry of await listVoidExpiries(ctx.db, EXPIRIES_AT_ONCE)) {
    const { next } = await ticks.aroundInstant(expiry.symbolId, expiry.expiresAt)
    if (next === null) continue
    const orders = await listVoidOrders(ctx.db, expiry)
    const settled = orders.map((order) => settleOrder(order, { kind: 'price', exitPrice: next.price }))
    const changes = settled.map(({ netChange }) => netChange)
    const count = (result: number): number => settled.filter((one) => one.result === result).length
    await insertVoidStand(ctx.db, {
      ...expiry,
      wouldWin: count(WIN),
      wouldLose: count(LOSE),
      wouldDraw: settled.length - count(WIN) - count(LOSE),
      missedByUsers: changes.reduce((sum, change) => (change > 0n ? sum + change : sum), 0n),
      savedByUsers: changes.reduce((sum, change) => (change < 0n ? sum - change : sum), 0n),
      firstAfterQ: next.seq,
    })
  }
}

/**
 * Pauses each symbol that had too many void orders in the last 7 days. A symbol that is paused, or had no void order
 * since its last pause began, is left out.
 */
export async function pauseSymbols({ ctx, catalogue, mode }: Omit<WatchVoidsParts, 'ticks'>): Promise<void> {
  const now = ctx.now()
  const firstDay = firstDayOf(now, JUDGED_DAYS)
  let hasPaused = false
  for (const { symbolId, orders, voids } of await countWithoutRecord(ctx.db, firstDay)) {
    const stands = await sumVoidStands(ctx.db, later(now, -JUDGED_DAYS * DAY_MS), symbolId)
    if (!hasTooManyVoids({ orders, voids, ...stands })) continue
    const newest = await findNewestPause(ctx.db, symbolId)
    // Void orders from before a pause have already led to that pause. So another pause needs at least one void order
    // after its beginning.
    if (newest !== null && (newest.until > now || !(await hasVoidSince(ctx.db, symbolId, newest.from)))) continue
    await insertPause(ctx.db, { symbolId, from: now, until: later(now, PAUSE_MS[mode]) })
    ctx.log.warn({ symbolId, orders, voids }, 'a symbol takes no orders, because too many were void')
    hasPaused = true
  }
  if (!hasPaused) return
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
}
