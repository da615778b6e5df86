import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { calls } from '#contract/calls.ts'
import { thinTicks } from '#core/markets/thin-ticks.ts'
import type { Tick } from '#core/markets/tick.ts'
import { priceNumber } from '#core/money/price.ts'
import { refuse } from '#core/result.ts'
import { instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { findOwnerId } from '#server/ledger/practice-accounts.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createRateLimiter, type TakeCall } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import { evidenceOf } from '#server/proof/receipts/evidence.ts'
import { rootsInEntry } from '#server/proof/receipts/gather-receipts.ts'
import { findOrder, type FoundOrder, receiptsOf } from '#server/proof/receipts/find-receipt.ts'
import { moneyReceiptsOf } from '#server/proof/receipts/find-money-receipts.ts'
import { listMoneySteps } from '#server/proof/receipts/money-steps.queries.ts'
import { registerProofsOf } from '#server/proof/receipts/register-proof.ts'
import { findSale } from '#server/proof/receipts/sold-orders.queries.ts'
import { readSigningKeys } from '#server/proof/receipts/signing-keys.queries.ts'
import type { ReceiptWorker } from '#server/proof/receipts/receipt-worker.ts'
import { readLogDays } from '#server/proof/receipts/log-days.queries.ts'
import { createDayNoter } from '#server/proof/receipts/note-log-days.ts'
import { firstTickAfter, type NextTick } from '#server/trading/orders/first-tick-after.ts'

/** The price line has about 400 points, as many as the screen of a phone can show. */
const STEPS = 400
/** The price line begins 20 % of the order's duration before the entry, and ends 20 % after the expiry. */
const AROUND = 0.2
const MAX_TICKS = 50_000
/** 90 minutes: the longest span of the log read for one price line. Reading a whole day would delay other requests. */
const LINE_SPAN_MS = 90 * MINUTE_MS

/** Registers the calls with which anyone can check results. */
export function proofRoutes(
  register: Register,
  parts: MarketParts & { receipts: Pick<ReceiptWorker, 'idle' | 'search'> },
): void {
  const { ctx, catalogue, receipts } = parts
  const take = createRateLimiter(READ_LIMITS.receipts)
  const noteDays = createDayNoter(ctx)
  registerProofRoutes(register, ctx, take)

  register(calls.proofReceipt, async ({ params, user, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const order = await findOrder(ctx.db, params.trx)
    if (order === null) return refuse('receipt_unknown')
    const isOwner = user !== null && (await findOwnerId(ctx.db, order.userId)) === user.userId
    const find = () => receiptsOf(ctx.db, catalogue, order, isOwner)
    const found = await find()
    if (found.ok) return answer(found.value)
    // Makes queued receipts now. Otherwise this call would wait until enough orders share a tree.
    await receipts.idle()
    const receipt = await find()
    return receipt.ok ? answer(receipt.value) : receipt
  })

  register(calls.proofMoney, async ({ params, user, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const steps = await listMoneySteps(ctx.db, params.trx)
    if (steps.length === 0) return refuse('receipt_unknown')
    const find = () => moneyReceiptsOf(ctx, steps, user?.userId)
    const found = await find()
    if (found.ok && found.value.receipts.length === steps.length) return answer(found.value)
    await receipts.search()
    const receipt = await find()
    return receipt.ok ? answer(receipt.value) : receipt
  })

  register(calls.proofEvidence, async ({ params, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const order = await findOrder(ctx.db, params.trx)
    if (order === null) return refuse('receipt_unknown')
    const evidence = await evidenceOf(ctx.db, order)
    if (!evidence.ok) return evidence
    const { entryLog, exitLog, terms, sources } = evidence.value
    const isSettled = order.settledMs !== null
    const isSold = isSettled && (await findSale(ctx.db, order.orderId)) !== null
    const next =
      isSettled && !isSold ? await firstTickAfter(parts, { ...order, expiresAt: instant(order.expiresMs) }) : null
    const decimals = catalogue.byId(order.symbolId)?.decimals ?? 0
    const shown = ({ seq, price, time }: NextTick) => ({ q: seq, price: priceNumber(price, decimals), time_ms: time })
    const line = await lineOf(parts, order)
    return answer({
      entry_log: entryLog,
      exit_log: exitLog,
      terms,
      sources,
      next: next && shown(next),
      line: line.map(shown),
    })
  })

  register(calls.proofKeys, async () => {
    const keys = await readSigningKeys(ctx.db)
    const jwk = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' } as const
    return answer({ keys: keys.map((key) => ({ ...key, ...jwk })) })
  })

  register(calls.proofHeads, async () => {
    await noteDays()
    return answer({ days: await readLogDays(ctx.db) })
  })
}

/** Registers the calls with which anyone can prove that the register contains a receipt, or that an entry lacks it. */
function registerProofRoutes(register: Register, ctx: Ctx, take: TakeCall): void {
  register(calls.proofOfReceipt, async ({ params, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const order = await findOrder(ctx.db, params.trx)
    if (order === null) return refuse('receipt_unknown')
    return answer(await registerProofsOf(ctx.db, order))
  })

  register(calls.proofBatches, async ({ params, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    return answer({ roots: await rootsInEntry(ctx.db, params.index) })
  })
}

/**
 * Reads ticks from before the entry to after the expiry. For a long order, reads only the ticks around the entry and
 * around the expiry.
 */
async function lineOf({ ticks }: MarketParts, { symbolId, openedMs, expiresMs }: FoundOrder): Promise<Tick[]> {
  const around = Math.max(2 * SECOND_MS, Math.round((expiresMs - openedMs) * AROUND))
  const [from, to] = [openedMs - around, expiresMs + around]
  const reach = LINE_SPAN_MS / 4
  const pieces =
    to - from <= LINE_SPAN_MS
      ? [{ from, to }]
      : [openedMs, expiresMs].map((middle) => ({ from: middle - reach, to: middle + reach }))
  const stepMs = Math.max(1, Math.floor((to - from) / STEPS))
  const all: Tick[] = []
  for (const piece of pieces)
    all.push(...(await ticks.between(symbolId, instant(piece.from), instant(piece.to), MAX_TICKS)))
  return thinTicks(all, stepMs)
}
