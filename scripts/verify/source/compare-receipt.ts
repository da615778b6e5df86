import { isFartherThan, MIN_SPIKE_LIMIT } from '#core/markets/sources/price-distance.ts'
import { readQuotePrice } from '#core/markets/sources/read-quote.ts'
import { price } from '#core/money/price.ts'
import { type GroupResult, isOfGroup } from '#core/proof/check-line.ts'
import { resultBy } from '#core/proof/check-receipt.ts'
import type { AmendedFacts, ReceiptFacts, RecordFacts, TickFacts } from '#core/proof/receipt-facts.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { COULD_NOT_CHECK, DIFFERS, MATCHES } from '../check-verdict.ts'
import { describe, recordOf } from './check-source-log.ts'
import { compareSource, differs } from './compare-source.ts'
import { providerOf, type ReadPage, readTrades, type RecordedTrade } from './provider-record.ts'

/** The part of a trade that receipts and records share. */
interface NamedTrade {
  readonly ref?: number | null
  readonly price: number
  readonly time_ms: number
}

interface Compared {
  readonly exitCode: number
  readonly lines: readonly string[]
}

/**
 * Compares the receipts of an order with the public record of its source: the trades that they name, and that no later
 * trade was the last before the expiry.
 */
export async function compareReceipt(
  facts: ReceiptFacts,
  amended: AmendedFacts | null,
  read: ReadPage,
): Promise<Compared> {
  const named = await compareNamed(facts, amended, read)
  if (named.exitCode !== MATCHES || facts.kind !== 'result' || !isOfGroup(facts)) return named
  const fault = await findLaterTrade(facts, amended, read)
  return fault === null ? named : { exitCode: DIFFERS, lines: [...named.lines, fault] }
}

async function compareNamed(facts: ReceiptFacts, amended: AmendedFacts | null, read: ReadPage): Promise<Compared> {
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

/** Describes a trade of the record that should have decided the order, and that no receipt names. Null without one. */
async function findLaterTrade(
  facts: GroupResult,
  amended: AmendedFacts | null,
  read: ReadPage,
): Promise<string | null> {
  const provider = providerOf(facts.source)
  const { symbol, decimals, expires_ms: expiresMs, max_tick_age_ms: ageMs, entry, evidence } = facts
  if (provider === undefined || evidence !== 'ids' || typeof entry.ref !== 'number') return null
  const claimed = amended === null ? facts.exit : amended.record.last
  const span = { fromMs: claimed?.time_ms ?? expiresMs - ageMs, throughMs: expiresMs, knownRef: entry.ref }
  const later = lastPrice(await readTrades(provider, symbol, span, read), { claimed, decimals })
  if (later === null) return null
  const { ref, price: text, timeMs } = later
  const trade = `${text} at ${toIso(instant(timeMs))} (${ref})`
  if (claimed !== null) return `  a later trade before the expiry: ${trade}`
  const exitPrice = readQuotePrice(text, decimals)
  // The rule takes nothing back: a void order that would have lost stays void.
  if (exitPrice === null || resultBy(facts, { kind: 'price', exitPrice }) !== 'win') return null
  return `  void, and won by the record: ${trade}. The site owes the difference.`
}

/** Finds the last price among ascending trades, if it is later than the claimed one. No configuration leaves it out as a spike. */
function lastPrice(
  trades: readonly RecordedTrade[],
  { claimed, decimals }: { readonly claimed: RecordFacts | TickFacts | null; readonly decimals: number },
): RecordedTrade | null {
  let last: RecordedTrade | null = null
  let lastUnits = claimed === null ? null : price(claimed.price)
  let newestMs = 0
  for (const trade of trades) {
    const units = readQuotePrice(trade.price, decimals)
    if (trade.ref <= (claimed?.ref ?? 0) || units === null || trade.timeMs < newestMs) continue
    newestMs = trade.timeMs
    if (lastUnits !== null && isFartherThan(units, lastUnits, MIN_SPIKE_LIMIT)) continue
    last = trade
    lastUnits = units
  }
  return last
}
