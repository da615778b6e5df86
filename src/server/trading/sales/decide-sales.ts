import { sessionAt } from '#core/markets/calendar/sessions.ts'
import { decideSale, lastReceipt, SALE_DELAY_MS, type SaleRequest } from '#core/orders/sale/sale-rule.ts'
import { salePauses } from '#core/markets/terms/sale-pauses.ts'
import { readSaleTerms } from '#core/orders/sale/sale-terms.ts'
import { assert } from '#core/result.ts'
import { later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { splitByTime } from '#core/time/split-by-time.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { readTermsHistory } from '#server/market-data/catalogue/terms.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import type { LinesOf, LogEnd } from '#server/trading/sales/sale-lines.queries.ts'
import { loadSaleLines, readLogEnd } from '#server/trading/sales/sale-lines.queries.ts'
import { listUndecided, type OpenRequest } from '#server/trading/sales/sale-requests.queries.ts'
import { findSettled, type OrderKey } from '#server/trading/engine/settled-orders.queries.ts'
import { lapseRequest, sellOrder } from '#server/trading/sales/sell-order.queries.ts'

export interface DecideParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId'>
  /** Returns whether this server settles a symbol. */
  readonly owns: (symbolId: number) => boolean
}

const EVERY_MS = SECOND_MS / 2
const MAX_PER_ROUND = 500
/** Requests that were made within a minute are decided from one piece of the tick log. */
const PIECE_MS = MINUTE_MS
/**
 * 1 s: how far the clocks of two servers may differ. A batch written later than this after a sale's last instant has no
 * tick from before that instant.
 */
const CLOCK_MARGIN_MS = SECOND_MS

/**
 * Periodically decides requests to sell, from the tick log alone. Two servers reach the same decision, and the database
 * stores the first one. Returns a function that stops it.
 */
export function decideSalesPeriodically(parts: DecideParts): () => Promise<void> {
  return runPeriodically(parts.ctx, {
    pauseMs: () => EVERY_MS,
    run: decideSalesInRounds(parts),
    failure: 'requests to sell orders could not be decided',
  })
}

/**
 * Returns a function that decides one round of requests. A round first announces the sales of earlier rounds whose
 * statement failed for this server, but was committed.
 */
export function decideSalesInRounds(parts: DecideParts): () => Promise<void> {
  const unsure = new Map<string, OrderKey>()
  return async () => {
    await announceUnsure(parts.ctx, unsure)
    await decideSales(parts, unsure)
  }
}

async function announceUnsure(ctx: Ctx, unsure: Map<string, OrderKey>): Promise<void> {
  if (unsure.size === 0) return
  for (const { order } of await findSettled(ctx.db, [...unsure.values()])) {
    unsure.delete(order.orderId)
    ctx.publish({ kind: 'order-settled', order })
  }
}

/**
 * Decides every request that the tick log can decide. If one request fails, the others are still decided. Orders of
 * failed statements are added to `unsure`: such a statement may have been committed, or may still be running.
 */
export async function decideSales(
  { ctx, catalogue, owns }: DecideParts,
  unsure = new Map<string, OrderKey>(),
): Promise<void> {
  const due = await listUndecided(ctx.db, later(ctx.now(), -SALE_DELAY_MS), MAX_PER_ROUND)
  const own = due.filter(({ order }) => owns(order.facts.symbolId))
  const end = own.length === 0 ? null : await readLogEnd(ctx.db)
  if (end === null) return
  const terms = await readTermsHistory(ctx.db)
  for (const piece of splitByTime(own, ({ requestedAt }) => requestedAt, PIECE_MS)) {
    const [first, last] = [piece[0], piece.at(-1)]
    assert(first && last, 'a piece has a request')
    const lines = await loadSaleLines(ctx.db, first.requestedAt, last.requestedAt, end.q)
    for (const request of piece) {
      try {
        const entry = terms.byNumber(request.termsN)
        const saleTerms = entry && readSaleTerms(entry.value)
        const symbol = catalogue.byId(request.order.facts.symbolId)
        const session = symbol && sessionAt(symbol.marketType, request.requestedAt)
        assert(saleTerms && session, 'a request was stored within a session, with terms of sale')
        const pauses = salePauses(terms, symbol)
        const wanted = { ...request, order: request.order.facts, terms: saleTerms, session, pauses }
        await decide(ctx, request, { wanted, lines, end, unsure })
      } catch (error) {
        ctx.log.error({ err: error, orderId: request.order.orderId }, 'a request to sell an order could not be decided')
      }
    }
  }
}

interface Facts {
  readonly wanted: SaleRequest
  readonly lines: LinesOf
  readonly end: LogEnd
  readonly unsure: Map<string, OrderKey>
}

async function decide(ctx: Ctx, { order, n }: OpenRequest, { wanted, lines, end, unsure }: Facts): Promise<void> {
  const { orderId, userId, facts } = order
  const isOver = end.writtenAt > lastReceipt(wanted) + CLOCK_MARGIN_MS
  const decision = decideSale(wanted, lines(facts.symbolId), isOver)
  if (decision.kind === 'wait') return
  const decided = { orderId, userId, n, decidedAt: ctx.now(), headQ: end.q }
  if (decision.kind === 'lapsed') {
    if (await lapseRequest(ctx.db, decided, decision.reason)) {
      unsure.delete(orderId)
      ctx.log.debug({ orderId, userId, reason: decision.reason }, 'an order was not sold')
    }
    return
  }
  const isRepeat = unsure.has(orderId)
  unsure.set(orderId, { userId, orderId })
  const sold = await sellOrder(ctx.db, decided, { ...decision, direction: facts.direction })
  // After a failed statement, the order may have been sold by that statement, so the next round looks the order up.
  if (sold !== null || !isRepeat) unsure.delete(orderId)
  if (sold === null) return
  ctx.log.debug({ orderId, userId }, 'an order was sold back')
  ctx.publish({ kind: 'order-settled', order: sold })
}
