import { subnetOf } from '#server/limits/subnet.ts'
import { calls } from '#contract/calls.ts'
import { priceNumber } from '#core/money/price.ts'
import { refuse } from '#core/result.ts'
import { instant, SECOND_MS } from '#core/time/instant.ts'
import { answer } from '#server/http/answer.ts'
import { createRateLimiter } from '#server/http/rate-limit.ts'
import type { Register } from '#server/http/register-call.ts'
import type { MarketParts } from '#server/markets/market-list.ts'
import { evidenceOf } from '#server/receipts/evidence.ts'
import { findOrder, type FoundOrder, receiptsOf } from '#server/receipts/find-receipt.ts'
import { readKeyBook } from '#server/receipts/key-book.queries.ts'
import type { ReceiptMaker } from '#server/receipts/make-receipts.ts'
import { readLogDays } from '#server/receipts/log-days.queries.ts'

/** A check takes two of these calls; whoever checks their whole history waits a little. */
const PER_ADDRESS = { perSecond: 4, burst: 60 }
/** Points of a line that a phone can show. */
const MOST_POINTS = 400
/** How much of the prices before the entry and after the expiry is drawn, as a part of the order's length. */
const AROUND = 0.2
const MOST_TICKS = 50_000

/** What anyone can check results with. */
export function proofRoutes(register: Register, parts: MarketParts & { receipts: Pick<ReceiptMaker, 'idle'> }): void {
  const { ctx, catalogue, receipts } = parts
  const take = createRateLimiter(PER_ADDRESS)

  register(calls.proofReceipt, async ({ params, user, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const order = await findOrder(ctx.db, params.trx)
    if (order === null) return refuse('receipt_unknown')
    const find = () => receiptsOf(ctx.db, catalogue, order, order.userId === user?.userId)
    const found = await find()
    if (found.ok) return answer(found.value)
    // It waits for others to share a tree with: nobody who asks has to.
    await receipts.idle()
    const made = await find()
    return made.ok ? answer(made.value) : made
  })

  register(calls.proofEvidence, async ({ params, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const order = await findOrder(ctx.db, params.trx)
    if (order === null) return refuse('receipt_unknown')
    const evidence = await evidenceOf(ctx.db, order)
    if (!evidence.ok) return evidence
    const { entryLog, exitLog } = evidence.value
    return answer({ entry_log: entryLog, exit_log: exitLog, line: await lineOf(parts, order) })
  })

  register(calls.proofKeys, async () => {
    const keys = await readKeyBook(ctx.db)
    const jwk = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' } as const
    return answer({ keys: keys.map((key) => ({ ...jwk, ...key })) })
  })

  register(calls.proofHeads, async () => answer({ days: await readLogDays(ctx.db) }))
}

/** Prices from before the entry to after the expiry, thinned out evenly. */
async function lineOf({ ticks, catalogue }: MarketParts, { symbolId, openedMs, expiresMs }: FoundOrder) {
  const around = Math.max(2 * SECOND_MS, (expiresMs - openedMs) * AROUND)
  const decimals = catalogue.byId(symbolId)?.decimals ?? 0
  const all = await ticks.between(symbolId, instant(openedMs - around), instant(expiresMs + around), MOST_TICKS)
  const step = Math.max(1, Math.ceil(all.length / MOST_POINTS))
  return all
    .filter((_, at) => at % step === 0 || at === all.length - 1)
    .map(({ seq, price, time }) => ({ q: seq, price: priceNumber(price, decimals), time_ms: time }))
}
