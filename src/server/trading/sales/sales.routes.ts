import { calls } from '#contract/calls.ts'
import { moneyNumber, percentNumber } from '#core/money/money.ts'
import { winChance } from '#core/orders/sale/sale-price.ts'
import { UNIT } from '#core/orders/sale/whole-numbers.ts'
import { refuse } from '#core/result.ts'
import { isUuid } from '#core/ids/uuid.ts'
import { accountOf } from '#server/ledger/practice-accounts.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import { readerOf } from '#server/platform/http/signed-in.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { listRequests, type StoredRequest } from '#server/trading/sales/sale-requests.queries.ts'
import { quoteSale, requestSale, type SaleParts } from '#server/trading/sales/sale-desk.ts'

export function salesRoutes(register: Register, parts: SaleParts): void {
  const { ctx } = parts
  const takeQuote = createRateLimiter(READ_LIMITS.sale_quotes)

  register(calls.saleQuote, async ({ user, params, query }) => {
    const seconds = takeQuote(readerOf(user), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    if (!isUuid(params.id)) return refuse('not_found')
    const account = await accountOf(ctx.db, user.userId, query.account)
    if (!account.ok) return account
    const [request] = await listRequests(ctx.db, account.value, params.id)
    const quote = await quoteSale(parts, account.value, params.id)
    if (quote.ok) {
      const { payment, chances, order, terms, leftMs } = quote.value
      return answer({
        offer: {
          gross: moneyNumber(payment.gross),
          fee: moneyNumber(payment.fee),
          paid: moneyNumber(payment.paid),
          win_percent: Math.round(Number((winChance(chances, order.direction) * 1_000n) / UNIT)) / 10,
          fee_percent: percentNumber(terms.fee),
          left_ms: leftMs,
        },
        why_not: null,
        request: request === undefined ? null : toRequest(request),
      })
    }
    // A sold order is no longer open. Its sale request shows the outcome.
    if (quote.refusal === 'not_found' && request === undefined) return refuse('not_found')
    const code = quote.refusal === 'not_found' ? null : quote.refusal
    return answer({ offer: null, why_not: code, request: request === undefined ? null : toRequest(request) })
  })
  register(calls.sellOrder, async ({ user, params, body }) => {
    if (!isUuid(params.id)) return refuse('not_found')
    const account = await accountOf(ctx.db, user.userId, body.account)
    if (!account.ok) return account
    const requested = await requestSale(parts, {
      userId: account.value,
      orderId: params.id.toLowerCase(),
      clientSaleId: body.clientSaleId,
      least: body.least,
    })
    return requested.ok ? answer({ request: toRequest(requested.value) }) : requested
  })
}

function toRequest({ clientSaleId, requestedAt, least, end }: StoredRequest) {
  const state = end === null ? ('selling' as const) : end.reason === null ? ('sold' as const) : ('lapsed' as const)
  return {
    clientSaleId,
    requested_ms: requestedAt,
    least: moneyNumber(least),
    state,
    reason: end?.reason ?? null,
  }
}
