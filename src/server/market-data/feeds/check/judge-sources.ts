import { isOpen } from '#core/markets/calendar/sessions.ts'
import { isFartherThan } from '#core/markets/sources/price-distance.ts'
import { readQuotePrice } from '#core/markets/sources/read-quote.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import type { Instant } from '#core/time/instant.ts'
import type { ProbeResult } from '#server/market-data/feeds/check/probe-sources.ts'
import type { Limits } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import type { Quote } from '#server/market-data/feeds/providers/provider.ts'

/** The verdict on one source: its figures, problems and notes. */
export interface JudgedSource {
  readonly probe: ProbeResult
  readonly isFirst: boolean
  /** The median and minimum of receipt time minus source time; null without a price. */
  readonly latencyMs: number | null
  readonly fastestMs: number | null
  readonly pricesASecond: number
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/** A clock difference above 0.5 s is worth a note. */
const CLOCK_NOTE_MS = 500
const BASIS_POINTS = 10_000

export function judgeSources(all: readonly ProbeResult[], seconds: number, now: Instant): JudgedSource[] {
  return all.map((probe) => {
    const { planned, lagsMs } = probe
    const sorted = lagsMs.toSorted((a, b) => a - b)
    const latencyMs = sorted[Math.floor(sorted.length / 2)] ?? null
    const fastestMs = sorted[0] ?? null
    const isFirst = planned.sources[0]?.provider === probe.provider && planned.sources[0].symbol === probe.symbol
    const figures = { probe, isFirst, latencyMs, fastestMs, pricesASecond: probe.quotes / seconds }
    const other = all.find((one) => one !== probe && one.planned === planned)
    return {
      ...figures,
      problems: problemsOf(figures, isFirst ? other : undefined, now),
      notes: notesOf(figures, now),
    }
  })
}

/** The price in the log's format. */
export function storedPrice({ price }: Quote, decimals: number): string {
  const units = readQuotePrice(price, decimals)
  return units === null ? 'no price' : formatDecimal(BigInt(units), decimals)
}

type Figures = Pick<JudgedSource, 'probe' | 'latencyMs' | 'fastestMs'>

function problemsOf({ probe, fastestMs }: Figures, other: ProbeResult | undefined, now: Instant): string[] {
  const { planned, quotes, alive, troubles, last } = probe
  const { symbol, limits } = planned
  const problems = [...troubles]
  if (quotes === 0 && isOpen(symbol.marketType, now))
    problems.push(alive > 0 ? 'it is alive, but no price came' : 'no word came')
  if (last !== null && readQuotePrice(last.price, symbol.decimals) === null)
    problems.push(`${last.price} is no price in steps of ${symbol.decimals} decimals`)
  // Even the quickest price came late, so this is not a burst. An old price right after subscribing does not count.
  if (fastestMs !== null && fastestMs > limits.lateAfterMs)
    problems.push(`late: even the fastest price was ${fastestMs} ms old`)
  const distanceText = distance(last, other?.last ?? null, symbol.decimals, limits)
  if (distanceText !== null) problems.push(`${probe.provider} and ${other?.provider} are ${distanceText}`)
  return problems
}

function notesOf({ probe, fastestMs }: Figures, now: Instant): string[] {
  const { planned, last, quotes, history } = probe
  const { decimals } = planned.symbol
  const notes: string[] = []
  const finer = [...probe.first, ...(last ? [last] : [])].find(({ price }) => digitsOf(price) > decimals)
  if (finer) notes.push(`more digits than the tick size: ${finer.price} is kept as ${storedPrice(finer, decimals)}`)
  if (fastestMs !== null && fastestMs < -CLOCK_NOTE_MS)
    notes.push(`the clock of this computer is at least ${-fastestMs} ms behind that of ${probe.provider}`)
  if (quotes === 0 && !isOpen(planned.symbol.marketType, now)) notes.push('its market is closed')
  if (history.kind === 'failed') notes.push(`no history: ${history.why}`)
  return notes
}

function digitsOf(price: string): number {
  return (price.split('.')[1] ?? '').replace(/0+$/, '').length
}

/** How far two prices contradict each other, by the rules of the symbol's arbiter; null while they agree. */
function distance(one: Quote | null, other: Quote | null, decimals: number, limits: Limits): string | null {
  const [a, b] = [one, other].map((quote) => (quote === null ? null : readQuotePrice(quote.price, decimals)))
  const { divergenceBp: bp, divergenceTicks: ticks } = limits
  if (!a || !b || !isFartherThan(a, b, { bp, ticks })) return null
  const share = ((Math.abs(a - b) / Math.min(a, b)) * BASIS_POINTS).toFixed(1)
  return `${share} basis points and ${Math.abs(a - b)} tick sizes apart, more than ${bp} and ${ticks}`
}
