import type { Price } from '#core/money/price.ts'
import { groupText, type PriceGroup } from '#core/orders/rules/price-group.ts'
import { endText, groupFactsText, headText, symbolText, tickText } from '#core/proof/receipt-facts.ts'
import type { WrittenPrice } from '#server/trading/engine/due-order.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { KnownHeads } from '#server/proof/receipts/known-heads.ts'
import { groupFacts, symbolFacts, tickFacts } from '#server/proof/receipts/order-facts.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'

/**
 * Caches texts that occur in the facts of several orders of one tree. The orders of a tree are settled together, by few
 * prices.
 */
export class CommonTexts {
  readonly #symbols: Pick<MarketCatalogue, 'byId' | 'termsHash'>
  readonly #known: KnownHeads
  readonly #ofSymbols = new Map<number, string>()
  readonly #ofTicks = new Map<number, string>()
  readonly #ofNumberedTicks = new Map<number, string>()
  readonly #ofGroups = new Map<string, string>()
  readonly #ofHeads = new Map<number, string>()
  readonly #ofEnds = new Map<WrittenPrice, string>()

  constructor(symbols: Pick<MarketCatalogue, 'byId' | 'termsHash'>, known: KnownHeads) {
    this.#symbols = symbols
    this.#known = known
  }

  symbol(id: number): string {
    const written = this.#ofSymbols.get(id)
    if (written !== undefined) return written
    const text = symbolText(symbolFacts(this.#symbols, id))
    this.#ofSymbols.set(id, text)
    return text
  }

  /** Returns the text of a tick. Its sequence number identifies it. */
  tick(seq: number, price: Price, time: number): string {
    const written = this.#ofTicks.get(seq)
    if (written !== undefined) return written
    const text = tickText({ q: seq, price: Number(price), time_ms: time })
    this.#ofTicks.set(seq, text)
    return text
  }

  /** Returns the text of a tick in version 2 of the facts, with the provider's trade number. */
  numberedTick(seq: number, price: Price, time: number, ref: number | null): string {
    const written = this.#ofNumberedTicks.get(seq)
    if (written !== undefined) return written
    const text = tickText({ q: seq, price: Number(price), time_ms: time, ref })
    this.#ofNumberedTicks.set(seq, text)
    return text
  }

  /** Returns the text of the facts that only version 2 has: the price group and the trade terms. */
  group(group: PriceGroup, termsN: number | null): string {
    const name = `${termsN} ${groupText(group)}`
    const written = this.#ofGroups.get(name)
    if (written !== undefined) return written
    const text = groupFactsText(groupFacts(this.#symbols, group, termsN))
    this.#ofGroups.set(name, text)
    return text
  }

  head(head: LogHead): string {
    return this.#ofHeads.get(head.lastSeq) ?? this.headAt(head.lastSeq, this.#known.hashOf(head))
  }

  headAt(seq: number, hash: string): string {
    const written = this.#ofHeads.get(seq)
    if (written !== undefined) return written
    const text = headText({ q: seq, hash })
    this.#ofHeads.set(seq, text)
    return text
  }

  end(price: WrittenPrice): string {
    const written = this.#ofEnds.get(price)
    if (written !== undefined) return written
    const text = endText({
      void: price.voidReason,
      max_tick_age_ms: price.maxTickAgeMs,
      exit: price.exit === null ? null : tickFacts(price.exit, price.group !== undefined),
      next: price.next === null ? null : tickFacts(price.next, price.group !== undefined),
      ...(price.group && { late: price.isLate ?? false }),
      watermark_ms: price.watermark ?? 0,
      decided_ms: price.decidedAt,
      decided_head: { q: price.head.lastSeq, hash: this.#known.hashOf(price.head) },
    })
    this.#ofEnds.set(price, text)
    return text
  }
}
