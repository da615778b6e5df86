import { isPracticeId } from '#core/accounts/practice.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { SHOWN_FOR_MS } from '#core/orders/rules/made-good-limits.ts'
import { missedByUser, priceByRecord } from '#core/orders/rules/made-good.ts'
import { later } from '#core/time/instant.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import { togetherOrEach } from '#server/platform/concurrency/together-or-each.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { findDecision } from '#server/proof/records/decisions.queries.ts'
import {
  insertOwed,
  listDue,
  listOrdersOf,
  type OwedOrder,
  sumOfIncident,
  takeDue,
  type WaitingPayments,
} from '#server/proof/made-good/made-good.queries.ts'
import { makeAmendedReceipts } from '#server/proof/made-good/amended-receipts.ts'
import { closeCheck, listUnclosed, parseReading, type ReadCheck } from '#server/proof/records/record-checks.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

export interface AmendmentParts {
  readonly ctx: Ctx
  readonly catalogue: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly signingKey: SigningKeyPair
  readonly mode: 'demo' | 'live'
  /**
   * If the sum of an incident is above this amount, its payments are announced on a public page before they are paid.
   */
  readonly shownAbove: Money
  /** Notifies the approvers of payments that wait. */
  readonly onWaiting: (payments: WaitingPayments) => Promise<void>
}

const PAYMENTS_AT_ONCE = 100
const EVERY_MS = 10_000

/**
 * Periodically pays users the amounts that they missed according to the record of a source. No API call starts, changes
 * or stops these payments. Returns a function that stops them.
 */
export function payAmendmentsPeriodically(parts: AmendmentParts): () => Promise<void> {
  return runPeriodically(parts.ctx, {
    pauseMs: () => EVERY_MS,
    run: () => payAmendments(parts),
    failure: 'results that a record contradicts could not be made good',
  })
}

/**
 * Runs one round of payments. It also continues the work of earlier rounds and of other servers. A failed payment does
 * not stop the other payments.
 */
export async function payAmendments(parts: AmendmentParts): Promise<void> {
  const { ctx } = parts
  for (const check of await listUnclosed(ctx.db)) {
    try {
      await noteOwed(parts, check)
    } catch (error) {
      const { symbolId, source, expiresAt } = check
      ctx.log.error({ err: error, symbolId, source, expiresAt }, 'what a record says is owed could not be written down')
    }
  }
  // Payments made before a crash may lack receipts. These receipts are made first, so that receipts are in the order of
  // the payments.
  await makeAmendedReceipts(parts)
  const due = await listDue(ctx.db, ctx.now())
  for (const some of chunk(due, PAYMENTS_AT_ONCE)) {
    await togetherOrEach(
      some,
      (orderIds) => pay(ctx, orderIds),
      (orderId, error) => ctx.log.error({ err: error, orderId }, 'an order could not be made good'),
    )
    await makeAmendedReceipts(parts)
  }
}

/**
 * Records the amounts that users missed by a decision that the record contradicts. The money of other users does not
 * change.
 */
async function noteOwed({ ctx, shownAbove, mode, onWaiting }: AmendmentParts, check: ReadCheck): Promise<void> {
  const { settledBy, decidedAt } = await findDecision(ctx.db, check)
  const reading = parseReading(check.reading)
  const byRecord = priceByRecord(reading, check.expiresAt, check.maxTickAgeMs)
  const entryPrices = new Map(reading.entries.map(({ of, trade }) => [of, trade.price]))
  const orders = await listOrdersOf(ctx.db, check, decidedAt)
  const owed = orders.flatMap(({ userId, orderId, facts, entry }): OwedOrder[] => {
    const missed = missedByUser(facts, settledBy, byRecord, entry ? entryPrices.get(entry.ref) : undefined)
    return missed === null ? [] : [{ userId, orderId, ...missed }]
  })
  const now = ctx.now()
  const ofMoney = owed.filter(({ userId }) => !isPracticeId(userId))
  const amount = money(ofMoney.reduce((total, one) => total + one.amount, 0n))
  const paysAt = await ctx.db.transaction().execute(async (tx) => {
    if (!(await closeCheck(tx, check, now))) return now
    const sum = amount + (await sumOfIncident(tx, check))
    const dueAt = sum > shownAbove ? later(now, SHOWN_FOR_MS[mode]) : now
    await insertOwed(tx, check, owed, { now, dueAt })
    return dueAt
  })
  if (paysAt > now && ofMoney.length > 0)
    await onWaiting({ source: check.source, orders: ofMoney.length, amount, paysAt })
}

/** Pays the missed amounts of several orders in one transaction. */
async function pay(ctx: Ctx, orderIds: readonly string[]): Promise<void> {
  const now = ctx.now()
  const paid = await ctx.db.transaction().execute(async (tx) => {
    const due = await takeDue(tx, now, orderIds)
    const transfers = due.map(({ userId, orderId, amount }) => transfer('make_good', { userId, ref: orderId, amount }))
    await postTransfers(tx, transfers, now)
    return due
  })
  for (const userId of new Set(paid.map((one) => one.userId))) ctx.publish({ kind: 'balance-changed', userId })
}
