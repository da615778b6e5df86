import { resultCode } from '#contract/wire.ts'
import { calls } from '#contract/calls.ts'
import type { TransactionOut, TransactionOutcome } from '#contract/transactions.ts'
import { moneyNumber, percentNumber } from '#core/money/money.ts'
import { priceNumber } from '#core/money/price.ts'
import { DRAW, LOSE, type OrderResult, SOLD, VOID, WIN } from '#core/orders/order.ts'
import { type Instant, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { accountOf } from '#server/ledger/practice-accounts.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { closedOrders, type ListedOrder, openOrders } from '#server/trading/orders/list-orders.queries.ts'
import { keyNamesOf } from '#server/trading/orders/key-names-of.queries.ts'
import { madeGoodOf, type PaidDifference } from '#server/trading/orders/made-good-of.queries.ts'
import { symbolOf } from '#server/trading/orders/trade-reply.ts'

export interface TransactionsParts {
  readonly ctx: Pick<Ctx, 'now'>
  readonly readsDb: Db
  readonly catalogue: MarketCatalogue
}

const RESULTS: Readonly<Record<TransactionOutcome, OrderResult>> = {
  won: WIN,
  lost: LOSE,
  draw: DRAW,
  void: VOID,
  sold: SOLD,
}

export function transactionsRoutes(register: Register, { ctx, readsDb, catalogue }: TransactionsParts): void {
  const out = (order: ListedOrder, added: Added): TransactionOut => toTransaction(order, catalogue, ctx.now(), added)

  register(calls.pendingTransactions, async ({ user, query }) => {
    const account = await accountOf(readsDb, user.userId, query.account)
    if (!account.ok) return account
    const { orders, total } = await openOrders(readsDb, account.value, sliceOf(query))
    const keys = await keyNamesOf(readsDb, account.value, orders)
    const transactions = orders.map((order) => out(order, { paid: undefined, keyName: keys.get(order.id) }))
    return answer({ transactions }, metaOf(query, total))
  })
  register(calls.closedTransactions, async ({ user, query }) => {
    const account = await accountOf(readsDb, user.userId, query.account)
    if (!account.ok) return account
    const { orders, total } = await closedOrders(readsDb, account.value, {
      ...sliceOf(query),
      result: query.outcome && RESULTS[query.outcome],
    })
    const paid = await madeGoodOf(
      readsDb,
      orders.map(({ id }) => id),
    )
    const keys = await keyNamesOf(readsDb, account.value, orders)
    const transactions = orders.map((order) => out(order, { paid: paid.get(order.id), keyName: keys.get(order.id) }))
    return answer({ transactions }, metaOf(query, total))
  })
}

/** The facts about an order that come from other tables. */
interface Added {
  readonly paid: PaidDifference | undefined
  readonly keyName: string | undefined
}

function toTransaction(
  order: ListedOrder,
  catalogue: MarketCatalogue,
  now: Instant,
  { paid, keyName }: Added,
): TransactionOut {
  const symbol = symbolOf(order, catalogue)
  const { end } = order
  return {
    id: order.id,
    trx: order.trx,
    amount: moneyNumber(order.stake),
    updated_at: toIso(order.updatedAt),
    expires_at: toIso(order.expiresAt),
    ...(keyName !== undefined && { via: 'key', key_name: keyName }),
    remainingTime: end ? 0 : Math.min(0, Math.floor((now - order.expiresAt) / SECOND_MS)),
    trade_log: {
      high_low: order.direction,
      crypto_currency: {
        name: symbol.name,
        symbol: symbol.code,
        market_type: symbol.marketType,
        decimals: symbol.decimals,
        color: symbol.color,
      },
      price_was: priceNumber(order.entryPrice, symbol.decimals),
      post_trade_price: end !== null && end.exitPrice !== null ? priceNumber(end.exitPrice, symbol.decimals) : null,
      trade_setting: { time: order.seconds },
      result: end ? resultCode(end.result) : 0,
      result_amount: end && moneyNumber(end.resultAmount),
      profitCame: percentNumber(order.payout),
      void_reason: end?.voidReason ?? null,
      made_good: paid === undefined ? null : { amount: moneyNumber(paid.amount), at: toIso(paid.at) },
    },
  }
}
