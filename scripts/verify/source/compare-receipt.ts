import { MIN_SPIKE_LIMIT } from '#core/markets/sources/price-distance.ts'
import type { AmendedFacts, ReceiptFacts } from '#core/proof/receipt-facts.ts'
import { COULD_NOT_CHECK, DIFFERS, MATCHES } from '../check-verdict.ts'
import { describe, recordOf } from './check-source-log.ts'
import { compareSource, differs } from './compare-source.ts'
import type { ReadPage } from './provider-record.ts'

/** The part of a trade that receipts and records share. */
interface NamedTrade {
  readonly ref?: number | null
  readonly price: number
  readonly time_ms: number
}

/** Compares the trades that the receipts of an order name with the public record of their source. */
export async function compareReceipt(
  facts: ReceiptFacts,
  amended: AmendedFacts | null,
  read: ReadPage,
): Promise<{ readonly exitCode: number; readonly lines: readonly string[] }> {
  const { symbol, source = '', decimals, entry } = facts
  const ends = facts.kind === 'result' ? [facts.exit, facts.next] : []
  const all: readonly (NamedTrade | null)[] = [
    entry,
    ...ends,
    amended?.record.entry ?? null,
    amended?.record.last ?? null,
    amended?.record.next ?? null,
  ]
  const prices = new Map<number, { readonly price: number; readonly timeMs: number }>()
  for (const trade of all)
    if (typeof trade?.ref === 'number') prices.set(trade.ref, { price: trade.price, timeMs: trade.time_ms })
  const ranges = [...prices].map(([ref, { timeMs }]) => ({ from: ref, to: ref, fromMs: timeMs }))
  const log = { prices, leftOut: [], ranges }
  const record = ranges.length === 0 ? null : await recordOf(source, { symbol, archive: undefined }, log, read)
  if (record === null) return { exitCode: COULD_NOT_CHECK, lines: ['No public record is known of its source.'] }
  const found = compareSource(log, record, { decimals, spike: MIN_SPIKE_LIMIT })
  return { exitCode: differs(found) ? DIFFERS : MATCHES, lines: describe(symbol, source, found) }
}
