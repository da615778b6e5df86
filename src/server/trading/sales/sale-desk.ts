import { sessionAt } from '#core/markets/calendar/sessions.ts'
import { type Money, money } from '#core/money/money.ts'
import {
  type SaleMoment,
  type SaleOrder,
  type SaleRefusal,
  type SaleValue,
  valueNow,
} from '#core/orders/sale/sale-rule.ts'
import { salePauses } from '#core/markets/terms/sale-pauses.ts'
import { readSaleTerms, type SaleTerms } from '#core/orders/sale/sale-terms.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { checkSaleReport } from '#server/market-data/catalogue/sale-reports.queries.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { loadSaleLines, readLogEnd } from '#server/trading/sales/sale-lines.queries.ts'
import {
  findOpenOrder,
  insertRequest,
  listRequests,
  type OpenOrder,
  type StoredRequest,
} from '#server/trading/sales/sale-requests.queries.ts'

export interface SaleParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'terms' | 'pauseOf' | 'areTermsLogged'>
  readonly ticks: Pick<Ticks, 'doubt'>
}

/** The terms of sale of an order at a moment, with their number in the history. */
interface OfferedSale {
  readonly terms: SaleTerms
  readonly n: number
}

type Offered = SaleMoment & { readonly termsN: number } & SaleValue
export type QuoteRefusal = SaleRefusal | 'not_found' | 'sale_off' | 'sale_running'

/** 10 requests a minute for one order. */
const MAX_REQUESTS = 10
/**
 * A request must be stored within 0.5 s. Its price is decided by a tick at least 1 s after the request, so no person
 * knows that tick when the request is stored.
 */
const MAX_STORING_MS = SECOND_MS / 2

/**
 * Returns the amount for which the order could be sold at the newest price. The site only shows this amount: a later
 * tick decides the price of a sale.
 */
export async function quoteSale(
  parts: SaleParts,
  userId: string,
  orderId: string,
): Promise<Result<Offered & { readonly order: SaleOrder }, QuoteRefusal>> {
  const order = await findOpenOrder(parts.ctx.db, { userId, orderId })
  if (order === null) return refuse('not_found')
  return order.selling === null ? await offer(parts, order, parts.ctx.now()) : refuse('sale_running')
}

async function offer(
  parts: SaleParts,
  { facts: order }: OpenOrder,
  requestedAt: Instant,
): Promise<Result<Offered, QuoteRefusal>> {
  const { ctx, catalogue, ticks } = parts
  const symbol = order && catalogue.byId(order.symbolId)
  const sale = symbol && (await offeredSale(parts, symbol.code, requestedAt))
  if (!order || !symbol || !sale || catalogue.pauseOf(symbol.id, requestedAt) !== null) return refuse('sale_off')
  const session = sessionAt(symbol.marketType, requestedAt)
  if (session === null) return refuse('sale_not_now')
  if (ticks.doubt(symbol.id) !== null || !ctx.clock.isTrusted())
    return refuse('price_stale', { params: { symbol: symbol.code } })
  const end = await readLogEnd(ctx.db)
  const lines = await loadSaleLines(ctx.db, requestedAt, requestedAt, end?.q ?? 0)
  const pauses = salePauses(catalogue.terms, symbol)
  const moment = { order, requestedAt, terms: sale.terms, session, pauses }
  const value = valueNow(moment, lines(symbol.id))
  if (value.kind === 'refused') return refuse(value.code, { params: { symbol: symbol.code } })
  return ok({ ...moment, ...value, termsN: sale.n })
}

/**
 * Returns the terms of sale in force, if the register contains them and the newest calibration on the installation's
 * own log allows them.
 */
async function offeredSale({ ctx, catalogue }: SaleParts, code: string, at: Instant): Promise<OfferedSale | null> {
  const entry = catalogue.terms.inForce('sale', code, at)
  const terms = entry && readSaleTerms(entry.value)
  if (!entry || !terms || !catalogue.areTermsLogged(at)) return null
  return (await checkSaleReport(ctx.db, code, terms, at)).ok ? { terms, n: entry.n } : null
}

export interface SaleOrderRequest {
  readonly userId: string
  readonly orderId: string
  readonly clientSaleId: string
  readonly least: Money
}

export type RequestRefusal = QuoteRefusal | 'rate_limited' | 'amount_invalid' | 'busy'

/**
 * Stores a request to sell an order. The sale happens later, at a tick that no person knows yet. Repeating a request
 * with the same client id returns the first one.
 */
export async function requestSale(
  parts: SaleParts,
  { userId, orderId, clientSaleId, least }: SaleOrderRequest,
): Promise<Result<StoredRequest, RequestRefusal>> {
  const { ctx } = parts
  const requestedAt = ctx.now()
  const known = (await listRequests(ctx.db, userId, orderId)).find((one) => one.clientSaleId === clientSaleId)
  if (known !== undefined) return ok(known)
  const order = await findOpenOrder(ctx.db, { userId, orderId })
  if (order === null) return refuse('not_found')
  if (order.selling !== null) return refuse('sale_running')
  const offered = await offer(parts, order, requestedAt)
  if (!offered.ok) return offered
  if (least < 1n || least > maxPayment(offered.value.order)) return refuse('amount_invalid', { field: 'least' })
  try {
    return await storeRequest(
      ctx,
      { userId, orderId, clientSaleId, least },
      { requestedAt, termsN: offered.value.termsN },
    )
  } catch (error) {
    // The database refuses the request if the tick log may have its price by now, or if the terms have changed.
    if (isCheckViolation(error)) return refuse('busy')
    throw error
  }
}

/**
 * Stores a request under the lock of its order, unless the request is a repeat or another request of the order is
 * undecided.
 */
async function storeRequest(
  ctx: Ctx,
  { userId, orderId, clientSaleId, least }: SaleOrderRequest,
  { requestedAt, termsN }: Pick<StoredRequest, 'requestedAt' | 'termsN'>,
): Promise<Result<StoredRequest, RequestRefusal>> {
  return await ctx.db.transaction().execute(async (tx) => {
    const locked = await findOpenOrder(tx, { userId, orderId, lock: true })
    const requests = await listRequests(tx, userId, orderId)
    const same = requests.find((one) => one.clientSaleId === clientSaleId)
    if (same !== undefined) return ok(same)
    if (locked === null) return refuse('not_found')
    if (locked.selling !== null) return refuse('sale_running')
    const recent = requests.filter((one) => one.requestedAt > later(requestedAt, -MINUTE_MS))
    if (recent.length >= MAX_REQUESTS) return refuse('rate_limited', { params: { seconds: MINUTE_MS / SECOND_MS } })
    const head = await readLogEnd(tx)
    if (ctx.now() > later(requestedAt, MAX_STORING_MS)) return refuse('busy')
    const request = {
      n: (requests[0]?.n ?? 0) + 1,
      clientSaleId,
      requestedAt,
      least,
      termsN,
      headQ: head?.q ?? 0,
    }
    await insertRequest(tx, locked, request)
    return ok({ ...request, end: null })
  })
}

/**
 * Returns the largest minimum amount that a request may name: the stake and the profit, plus one minor unit for
 * rounding.
 */
function maxPayment({ stake, payout }: Pick<SaleOrder, 'stake' | 'payout'>): Money {
  return money(stake + (stake * BigInt(payout)) / 10_000n + 1n)
}
