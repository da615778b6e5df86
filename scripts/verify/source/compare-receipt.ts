import { isFartherThan, MIN_SPIKE_LIMIT, type PriceDistance } from '#core/markets/sources/price-distance.ts'
import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { readQuotePrice } from '#core/markets/sources/read-quote.ts'
import { type Price, price } from '#core/money/price.ts'
import { type GroupResult, isOfGroup } from '#core/proof/check-line.ts'
import { resultBy } from '#core/proof/check-receipt.ts'
import {
  type AmendedFacts,
  type ReceiptFacts,
  type RecordFacts,
  type TickFacts,
  isResult,
} from '#core/proof/receipt-facts.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { type Checked, COULD_NOT_CHECK, DIFFERS, MATCHES } from '../check-verdict.ts'
import { describe, recordOf } from './check-source-log.ts'
import { compareSource, differs } from './compare-source.ts'
import { providerOf, type ReadPage, readTrades, type RecordedTrade } from './provider-record.ts'
import { spikeOf } from './published-spike.ts'

/** The part of a trade that receipts and records share. */
interface NamedTrade {
  readonly ref?: number | null
  readonly price: number
  readonly time_ms: number
}

interface Known {
  readonly amended: AmendedFacts | null
  /** The limit from which a price is a spike, in the source configuration that the tick log names. */
  readonly spike: PriceDistance
}

/**
 * Compares the receipts of an order with the public record of its source. The record must contain the trades that the
 * receipts name, and no later trade before the expiry.
 */
export async function compareReceipt(
  facts: ReceiptFacts,
  { amended, sources }: { readonly amended: AmendedFacts | null; readonly sources: readonly string[] },
  read: ReadPage,
): Promise<Checked> {
  const named = await compareNamed(facts, amended, read)
  if (named.exitCode !== MATCHES || !isResult(facts) || !isOfGroup(facts)) return named
  const [text] = sources
  const spike = text === undefined ? MIN_SPIKE_LIMIT : spikeOf(JSON.parse(text) as SourceConfiguration, facts.symbol)
  const fault = await findLaterTrade(facts, { amended, spike }, read)
  return fault === null ? named : { exitCode: DIFFERS, lines: [...named.lines, fault] }
}

async function compareNamed(facts: ReceiptFacts, amended: AmendedFacts | null, read: ReadPage): Promise<Checked> {
  const { symbol, source = '', decimals, entry } = facts
  const ends = isResult(facts) ? [facts.exit, facts.next] : []
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

/** Describes a trade of the record that should have decided the order, and that no receipt names. Null without one. */
async function findLaterTrade(facts: GroupResult, { amended, spike }: Known, read: ReadPage): Promise<string | null> {
  const provider = providerOf(facts.source)
  const { symbol, decimals, expires_ms: expiresMs, max_tick_age_ms: ageMs, entry, evidence } = facts
  if (provider === undefined || evidence !== 'ids' || typeof entry.ref !== 'number') return null
  const claimed = amended === null ? facts.exit : amended.record.last
  const span = { fromMs: claimed?.time_ms ?? expiresMs - ageMs, throughMs: expiresMs, knownRef: entry.ref }
  const trades = pricesOf(await readTrades(provider, symbol, span, read), { claimed, expiresMs, decimals })
  const last = trades.at(-1)
  const before = trades.at(-2)?.units ?? (claimed === null ? null : price(claimed.price))
  if (last === undefined) return null
  const { ref, timeMs, text, units } = last
  const trade = `${text} at ${toIso(instant(timeMs))} (${ref})`
  // A single trade that is farther from the trade before it than the configured limit is a spike, not a price.
  if (before !== null && isFartherThan(units, before, spike)) return null
  if (claimed !== null) return `  a later trade before the expiry: ${trade}`
  // A later correction never takes money from a user: a void order that would have lost by the record stays void.
  if (resultBy(facts, { kind: 'price', exitPrice: units }) !== 'win') return null
  return `  void, and won by the record: ${trade}. The site owes the difference.`
}

interface JudgedTrade {
  readonly ref: number
  readonly timeMs: number
  readonly text: string
  readonly units: Price
}

/**
 * Returns the trades after the claimed exit price, up to the first trade after the expiry. Leaves out a trade whose
 * time is before that of an earlier number, because such a trade is not a price.
 */
function pricesOf(
  trades: readonly RecordedTrade[],
  {
    claimed,
    expiresMs,
    decimals,
  }: {
    readonly claimed: RecordFacts | TickFacts | null
    readonly expiresMs: number
    readonly decimals: number
  },
): JudgedTrade[] {
  const found: JudgedTrade[] = []
  let newestMs = claimed?.time_ms ?? 0
  for (const { ref, price: text, timeMs } of trades) {
    if (timeMs > expiresMs) break
    const units = readQuotePrice(text, decimals)
    if (ref <= (claimed?.ref ?? 0) || units === null || timeMs < newestMs) continue
    newestMs = timeMs
    found.push({ ref, timeMs, text, units })
  }
  return found
}
