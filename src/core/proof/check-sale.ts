import { sessionAt } from '#core/markets/calendar/sessions.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { chancesAtExpiry, paymentOfSale, winChance } from '#core/orders/sale/sale-price.ts'
import { decideSale, isTimeToSell, type SaleOrder } from '#core/orders/sale/sale-rule.ts'
import type { Sha256 } from '#core/proof/bytes.ts'
import type { ReceiptFault } from '#core/proof/check-receipt.ts'
import { type LogBatch, readLines, readLog } from '#core/proof/log-evidence.ts'
import { readSaleFacts, readSaleOwner } from '#core/proof/read-facts.ts'
import { isUnderRoot, ownerHash, type Receipt, type SignedRoot } from '#core/proof/receipt.ts'
import { type HeadFacts, withKind } from '#core/proof/receipt-facts.ts'
import type { SaleFacts } from '#core/proof/sale-facts.ts'
import { instant } from '#core/time/instant.ts'

/**
 * - `terms`: the sale is of another order than the receipt of the acceptance.
 * - `sale_tick`: by the log, the sale must be carried out at another price, or not at all.
 * - `sale_limits`: by the log or an announced pause, no sale is offered at that price.
 * - `sale_value`: the log gives another movement or another chance.
 * - `sale_amount`: the amounts are not those that the rule gives, or less than the user wanted.
 */
export type SaleFault = ReceiptFault | 'terms' | 'sale_tick' | 'sale_limits' | 'sale_value' | 'sale_amount'

export interface SaleEvidence {
  readonly sale: Receipt
  readonly accepted: Receipt | null
  /** Batches from 22 minutes before the request, to the log head when the sale was decided. */
  readonly exitLog: readonly LogBatch[]
}

/** Computes a sale again from the log. `signed` is null when the signature of its receipt is not valid. */
export function checkSale(
  sha256: Sha256,
  { sale, accepted, exitLog }: SaleEvidence,
  signed: SignedRoot | null,
): { readonly facts: SaleFacts | null; readonly faults: readonly SaleFault[] } {
  const facts = readSaleFacts(sale.facts)
  if (facts === null) return { facts, faults: ['form'] }
  const faults = new Set<SaleFault>()
  if (signed !== null && (!isUnderRoot(sha256, sale, signed) || signed.kind !== facts.kind)) faults.add('root')
  if (accepted === null || !sale.facts.startsWith(beginningOf(accepted))) faults.add('terms')
  if (!areTimesInOrder(facts, signed)) faults.add('times')
  const ticks = readLog(sha256, exitLog)
  if (!Array.isArray(ticks)) return { facts, faults: [...faults, 'log'] }
  if (!isEnd(exitLog.at(-1), facts.decided_head) || !exitLog.some((batch) => isEnd(batch, facts.requested_head)))
    faults.add('head')
  for (const fault of ruleFaults(facts, exitLog)) faults.add(fault)
  for (const fault of ownerFaults(sha256, facts, sale)) faults.add(fault)
  return { facts, faults: [...faults] }
}

/** Returns the text with which the facts of a sale must begin: the facts of the accepted order. */
function beginningOf({ facts }: Receipt): string {
  return `${withKind(facts, 'accepted', 'sale').slice(0, -1)},"model":`
}

function areTimesInOrder(facts: SaleFacts, signed: SignedRoot | null): boolean {
  const { opened_ms: openedMs, requested_ms: requestedMs, received_ms: receivedMs, decided_ms: decidedMs } = facts
  return openedMs < requestedMs && receivedMs <= decidedMs && (signed === null || signed.made_ms >= decidedMs)
}

function isEnd(batch: LogBatch | undefined, { q, hash }: HeadFacts): boolean {
  return batch?.last_seq === q && batch.hash === hash
}

function orderOf(facts: SaleFacts, stake: bigint): SaleOrder | null {
  const { source, evidence, max_tick_age_ms: maxTickAgeMs } = facts
  if (source === undefined || evidence === undefined || maxTickAgeMs === undefined) return null
  return {
    symbolId: facts.symbol_id,
    source,
    evidence,
    maxTickAgeMs,
    direction: facts.direction === 'buy' ? BUY : SELL,
    stake: money(stake),
    payout: basisPoints(facts.payout_bp),
    entryPrice: price(facts.entry.price),
    openedAt: instant(facts.opened_ms),
    expiresAt: instant(facts.expires_ms),
  }
}

/**
 * 10,000.00: a stake so large that the amount after the fee is above zero. The real amounts are checked with the
 * private part of the receipt.
 */
const ANY_STAKE = 1_000_000n

function ruleFaults(facts: SaleFacts, exitLog: readonly LogBatch[]): SaleFault[] {
  const order = orderOf(facts, ANY_STAKE)
  const requestedAt = instant(facts.requested_ms)
  const session = sessionAt(facts.market, requestedAt)
  if (order === null || session === null || !isTimeToSell(order, requestedAt)) return ['sale_limits']
  const terms = { scale: facts.c, fee: basisPoints(facts.fee_bp) }
  // The pauses are empty here, because `saleTermsFault` checks them by the published trade terms.
  const request = { order, requestedAt, terms, session, pauses: [], least: money(1), headQ: facts.requested_head.q }
  const decision = decideSale(request, readLines(exitLog), true)
  if (decision.kind !== 'sold') {
    return decision.kind === 'lapsed' && decision.reason !== 'sale_no_price' ? ['sale_limits'] : ['sale_tick']
  }
  const { tick, movement, chances } = decision
  const isTick =
    tick.q === facts.tick.q &&
    tick.price === facts.tick.price &&
    tick.timeMs === facts.tick.time_ms &&
    tick.ref === facts.tick.ref &&
    tick.receivedMs === facts.received_ms
  if (!isTick) return ['sale_tick']
  const isValue =
    String(movement) === facts.movement &&
    winChance(chances, order.direction) === BigInt(facts.win) &&
    chances.same === BigInt(facts.same)
  return isValue ? [] : ['sale_value']
}

function ownerFaults(sha256: Sha256, facts: SaleFacts, { sale_owner: text, owner }: Receipt): SaleFault[] {
  const faults: SaleFault[] = owner === undefined || ownerHash(sha256, owner) === facts.owner ? [] : ['owner']
  if (text === undefined) return faults
  const amounts = readSaleOwner(text)
  if (amounts === null || ownerHash(sha256, text) !== facts.sale_owner) return ['owner']
  const order = orderOf(facts, BigInt(amounts.stake))
  const leftMs = facts.expires_ms - facts.tick.time_ms
  const movement = BigInt(facts.movement)
  if (order === null || leftMs <= 0 || movement === 0n) return [...faults, 'sale_limits']
  const { entryPrice } = order
  const chances = chancesAtExpiry({ price: price(facts.tick.price), entryPrice, leftMs, movement, scale: facts.c })
  const { gross, fee, paid } = paymentOfSale(chances, order, basisPoints(facts.fee_bp))
  const isPaid = [gross, fee, paid].every(
    (amount, at) => String(amount) === [amounts.gross, amounts.fee, amounts.paid][at],
  )
  return isPaid && paid >= BigInt(amounts.least) ? faults : [...faults, 'sale_amount']
}
