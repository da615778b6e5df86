import { decideSale, type SaleDecision, type SaleRequest, valueNow } from '#core/orders/sale/sale-rule.ts'
import { ALWAYS } from '#core/markets/calendar/sessions.ts'
import type { LogLine } from '#core/markets/log-text.ts'
import { money } from '#core/money/money.ts'
import { readSaleTerms } from '#core/orders/sale/sale-terms.ts'
import { ok, refuse } from '#core/result.ts'
import { later } from '#core/time/instant.ts'
import { readTermsHistory } from '#server/market-data/catalogue/terms.queries.ts'
import type { DecideParts } from '#server/trading/sales/decide-sales.ts'
import { loadSaleLines, readLogEnd } from '#server/trading/sales/sale-lines.queries.ts'
import { findOpenOrder, insertRequest, listUndecided } from '#server/trading/sales/sale-requests.queries.ts'
import { lapseRequest, sellOrder } from '#server/trading/sales/sell-order.queries.ts'
import { SALE_SPECS, SALE_STATEMENTS, sellInMemory } from '../memory-store/memory-sales.ts'
import { type Parts, UNMODIFIED } from '../simulation/injection-points.ts'
import type { Mutant } from './mutant.ts'

/** Bugs in the handling of early sales, which the simulations must find. */
export const SALE_MUTANTS: Readonly<Record<string, Mutant>> = {
  'sold-and-settled': {
    bug: 'a sale leaves its order open, and the expiry settles it once more',
    isOfSales: true,
    parts: () => selling('open'),
  },
  'sold-twice': {
    bug: 'a sale leaves its request open, and the next round sells the order once more',
    isOfSales: true,
    parts: () => selling('selling'),
  },
  'sale-fee-lost': {
    bug: 'the fee of a sale is not posted',
    isOfSales: true,
    parts: () => ({
      specs: {
        ...SALE_SPECS,
        transfer: { ...at('transfer'), onInsert: (row) => (row['kind'] === 'order_sale_fee' ? null : row) },
      },
    }),
  },
  'sale-at-newest-price': {
    bug: 'a sale is carried out at the newest price of the log, in place of the first one after a second',
    isOfSales: true,
    parts: () => ({ decideSales: deciding({ decide: atNewestPrice, waitMs: 0 }) }),
  },
  'sale-of-coming-terms': {
    bug: 'a sale is computed with the newest announced terms, in place of those in force at the request',
    isOfSales: true,
    parts: () => ({ decideSales: deciding({ hasComingTerms: true }) }),
  },
  'sale-of-other-model': {
    bug: 'the scale of the model is not applied to the movement',
    isOfSales: true,
    parts: () => ({
      decideSales: deciding({ change: (request) => ({ ...request, terms: { ...request.terms, scale: 100 } }) }),
    }),
  },
  'sale-after-expiry': {
    bug: 'an order can be sold for as long as it is open, after its expiry too',
    isOfSales: true,
    parts: () => ({
      requestSale: untilSettled,
      decideSales: deciding({
        change: ({ order, ...request }) => {
          const isLast = request.requestedAt >= order.expiresAt - 30_000
          return { ...request, order: isLast ? { ...order, expiresAt: later(order.expiresAt, 60_000) } : order }
        },
      }),
    }),
  },
  'sale-below-least': {
    bug: 'the least amount of the user does not count',
    isOfSales: true,
    parts: () => ({ decideSales: deciding({ change: (request) => ({ ...request, least: money(1n) }) }) }),
  },
}

function at(table: 'transfer' | 'sale_end' | 'order_history') {
  const spec = SALE_SPECS[table]
  if (spec === undefined) throw new Error(`the store has no table ${table}`)
  return spec
}

/**
 * The bug that a sale leaves its order in the state `becomes` instead of closing it. The store lacks the unique keys
 * that would refuse a second sale.
 */
function selling(becomes: 'open' | 'selling'): Pick<Parts, 'specs' | 'patch'> {
  return {
    specs: {
      ...SALE_SPECS,
      transfer: { ...at('transfer'), notEnforced: [0] },
      sale_end: { ...at('sale_end'), notEnforced: [0] },
      order_history: { ...at('order_history'), notEnforced: [0, 1] },
    },
    patch: () => {
      const { sell } = SALE_STATEMENTS
      SALE_STATEMENTS.sell = (tx, parameters) => sellInMemory(tx, parameters, becomes)
      return () => {
        SALE_STATEMENTS.sell = sell
      }
    },
  }
}

interface Deciding {
  readonly change?: (request: SaleRequest) => SaleRequest
  readonly decide?: (request: SaleRequest, lines: readonly LogLine[], isOver: boolean) => SaleDecision
  readonly hasComingTerms?: boolean
  /** The age in ms from which a request may be decided. */
  readonly waitMs?: number
}

/** Decides requests as the product does, with one change. */
function deciding({
  change = (request) => request,
  decide = decideSale,
  hasComingTerms = false,
  waitMs = 1_000,
}: Deciding) {
  return async ({ ctx }: DecideParts): Promise<void> => {
    const end = await readLogEnd(ctx.db)
    if (end === null) return
    const terms = await readTermsHistory(ctx.db)
    for (const { order, ...request } of await listUndecided(ctx.db, later(ctx.now(), -waitMs), 500)) {
      const entry = hasComingTerms ? terms.newest : terms.byNumber(request.termsN)
      const saleTerms = entry && readSaleTerms(entry.value)
      if (!saleTerms) continue
      const { orderId, userId, facts } = order
      const lines = (await loadSaleLines(ctx.db, request.requestedAt, request.requestedAt, end.q))(facts.symbolId)
      const isOver = end.writtenAt > request.requestedAt + 30_000
      const wanted = change({ ...request, order: facts, terms: saleTerms, session: ALWAYS, pauses: [] })
      const decision = decide(wanted, lines, isOver)
      const decided = { orderId, userId, n: request.n, decidedAt: ctx.now(), headQ: end.q }
      if (decision.kind === 'lapsed') await lapseRequest(ctx.db, decided, decision.reason)
      if (decision.kind !== 'sold') continue
      const sold = await sellOrder(ctx.db, decided, { ...decision, direction: facts.direction })
      if (sold !== null) ctx.publish({ kind: 'order-settled', order: sold })
    }
  }
}

function atNewestPrice(request: SaleRequest, lines: readonly LogLine[], isOver: boolean): SaleDecision {
  const value = valueNow(request, lines)
  return value.kind === 'refused' ? decideSale(request, lines, isOver) : { ...value, kind: 'sold' }
}

/** Accepts requests to sell until the order is settled. The product accepts them only until 30 s before the expiry. */
const untilSettled: Parts['requestSale'] = async (parts, request) => {
  const { ctx } = parts
  const requestedAt = ctx.now()
  const order = await findOpenOrder(ctx.db, request)
  const { expiresAt = null } = order?.facts ?? {}
  if (order === null || expiresAt === null || requestedAt < expiresAt - 30_000)
    return await UNMODIFIED.requestSale(parts, request)
  if (order.selling !== null) return refuse('sale_running')
  const end = await readLogEnd(ctx.db)
  const entry = parts.catalogue.terms.inForce('sale', 'BTC', requestedAt)
  const { clientSaleId, least } = request
  const stored = { n: 90, clientSaleId, requestedAt, least, termsN: entry?.n ?? 1, headQ: end?.q ?? 0 }
  await ctx.db.transaction().execute((tx) => insertRequest(tx, order, stored))
  return ok({ ...stored, end: null })
}
