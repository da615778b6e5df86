import { isPracticeId } from '#core/accounts/practice.ts'
import { receiptResult } from '#core/proof/receipt-facts.ts'
import { acceptedText, resultText } from '#core/proof/receipt-facts.ts'
import { readDecidedResult } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { ClosedOrder } from '#server/trading/engine/due-order.ts'
import type { CommonTexts } from '#server/proof/receipts/common-texts.ts'
import { directionWord, ownerHash } from '#server/proof/receipts/order-facts.ts'

/** Returns the facts of an accepted order, exactly as `factsText` writes them from its row. */
export function acceptedOrderText(order: PlannedOrder, texts: CommonTexts): string {
  const { symbol, terms, entry, openedAt, expiresAt } = order.placement
  return acceptedText(
    {
      trx: order.trx,
      direction: directionWord(order.direction),
      payout_bp: Number(terms.payout),
      rule: terms.rule,
      opened_ms: openedAt,
      expires_ms: expiresAt,
      owner: ownerHash(order),
    },
    {
      symbol: texts.symbol(symbol.id),
      entry:
        order.group === undefined
          ? texts.tick(entry.seq, entry.price, entry.time)
          : texts.numberedTick(entry.seq, entry.price, entry.time, entry.ref ?? null),
      head: texts.head(order.head),
      group: order.group && texts.group(order.group, terms.termsN),
    },
    isPracticeId(order.userId),
  )
}

/**
 * Returns the facts of a settled order. Null when the price must be read from the database, or when the order is older
 * than the first receipts.
 */
export function settledOrderText(
  { order, due, price }: ClosedOrder,
  hashes: ReadonlyMap<number, string>,
  texts: CommonTexts,
): string | null {
  if (price === null || due.headSeq === null) return null
  const hash = hashes.get(due.headSeq)
  assert(hash !== undefined, `the tick log must have a batch that ends at ${due.headSeq}`)
  return resultText(
    {
      trx: order.trx,
      direction: directionWord(order.direction),
      payout_bp: Number(due.facts.payout),
      rule: due.facts.ruleVersion,
      opened_ms: due.openedAt,
      expires_ms: due.facts.expiresAt,
      owner: ownerHash(order),
      result: receiptResult(readDecidedResult(order.result)),
    },
    {
      symbol: texts.symbol(order.symbolId),
      entry:
        due.group === undefined
          ? texts.tick(due.entrySeq, order.entryPrice, due.entryTime)
          : texts.numberedTick(due.entrySeq, order.entryPrice, due.entryTime, due.entryRef),
      head: texts.headAt(due.headSeq, hash),
      group: due.group && texts.group(due.group, due.termsN),
    },
    { end: texts.end(price), isPractice: isPracticeId(order.userId) },
  )
}
