import type { PlacedLine } from '#core/markets/log-text.ts'
import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import { SALE_LOOK_MS } from '#core/orders/sale/sale-rule.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { isResult, type ReceiptFacts } from '#core/proof/receipt-facts.ts'
import type { SaleFacts } from '#core/proof/sale-facts.ts'

/** The piece of the tick log from which the end of an order is computed, as its receipt names it. */
interface Needed {
  /** The first place that the receipt names. Null when the receipt names none. */
  readonly from: number | null
  readonly to: number
  /** The piece begins before `from`, and before the first line that was received at this time. */
  readonly sinceMs: number
  /**
   * Whether the piece has to begin with a price of the order's source. Its numbers are followed from one price to the
   * next, and the price before a quiet time can be old.
   */
  readonly isByNumbers: boolean
}

/** Returns what is needed for a receipt of a result or of a sale. Null for an order that has not ended. */
function neededBy(facts: ReceiptFacts, sale: SaleFacts | null): Needed | null {
  if (sale !== null) {
    const sinceMs = sale.requested_ms - SALE_LOOK_MS
    return { from: null, to: sale.decided_head.q, sinceMs, isByNumbers: false }
  }
  if (!isResult(facts)) return null
  const { exit, next, late, evidence, decided_head: head } = facts
  const isByNumbers = evidence === 'ids'
  // Before this time, no exit price was possible.
  const possibleMs = facts.expires_ms - facts.max_tick_age_ms - MAX_CLOCK_SKEW_MS
  if (exit === null) return { from: null, to: head.q, sinceMs: possibleMs, isByNumbers }
  const from = Math.min(exit.q, next?.q ?? exit.q)
  // The log has late evidence after the prices that followed it. The notes about left-out trades between the exit and
  // the next price have no place, and can stand before both.
  return { from, to: head.q, sinceMs: late === true ? possibleMs : Infinity, isByNumbers }
}

/** Collects the piece of the tick log from which the end of an order is computed. */
export class ExitPiece {
  readonly batches: LogBatch[] = []
  readonly #facts: ReceiptFacts
  readonly #needed: Needed | null
  /** Where the newest batch stands that the piece could begin with. */
  #beginning = 0

  constructor(facts: ReceiptFacts, sale: SaleFacts | null) {
    this.#facts = facts
    this.#needed = neededBy(facts, sale)
  }

  /** The places that the piece must reach. Null for an order that has not ended. */
  get needed(): Pick<Needed, 'from' | 'to'> | null {
    return this.#needed
  }

  /**
   * Adds the next batch of the log. Late evidence can show that the newest price before the end was out of order. So the
   * piece begins one batch earlier than the latest possible batch.
   */
  add(batch: LogBatch, read: () => readonly PlacedLine[]): void {
    const needed = this.#needed
    if (needed === null || batch.first_seq > needed.to) return
    if (this.#isBeginning(batch, read, needed)) {
      this.batches.splice(0, this.#beginning)
      this.#beginning = this.batches.length
    }
    this.batches.push(batch)
  }

  #isBeginning({ first_seq: first }: LogBatch, read: () => readonly PlacedLine[], needed: Needed): boolean {
    if (first > (needed.from ?? needed.to)) return false
    const lines = read()
    const before = needed.isByNumbers ? lines.find((line) => this.#isOwnPrice(line)) : lines[0]
    return before !== undefined && before.receivedMs < needed.sinceMs
  }

  #isOwnPrice({ kind, symbolId, source, ref }: PlacedLine): boolean {
    return kind === 't' && symbolId === this.#facts.symbol_id && source === this.#facts.source && ref !== null
  }
}
