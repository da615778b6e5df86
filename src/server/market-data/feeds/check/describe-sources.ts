import { toIso } from '#core/time/instant.ts'
import { UNUSED_TRADE_REASONS, type UnusedTradeCounts } from '#core/markets/sources/unused-trade.ts'
import { type JudgedSource, storedPrice } from '#server/market-data/feeds/check/judge-sources.ts'

/** The report as lines of text. Problems begin with ✗, notes with !. */
export function describeSources(judged: readonly JudgedSource[]): string[] {
  const lines = judged.flatMap(describeSource)
  const unplaced = new Map(judged.map(({ probe }) => [probe.provider, probe.unplaced]))
  for (const [provider, counts] of unplaced) {
    const text = unusedText(counts)
    if (text !== '') lines.push(`! ${provider}: trades of no known symbol that made no price: ${text}`)
  }
  const wrong = judged.filter(({ problems }) => problems.length > 0).length
  lines.push(
    wrong === 0
      ? `All ${judged.length} sources do well.`
      : `${wrong} of ${judged.length} sources ${wrong === 1 ? 'has' : 'have'} something wrong.`,
  )
  return lines
}

function describeSource({
  probe,
  isFirst,
  latencyMs,
  fastestMs,
  pricesASecond,
  problems,
  notes,
}: JudgedSource): string[] {
  const { planned, provider, symbol, first, history, unused } = probe
  const noPrices = unusedText(unused)
  const place = isFirst ? 'first' : 'second'
  const figures = [
    `${pricesASecond.toFixed(1)} prices a second`,
    latencyMs === null ? '' : `latency ${latencyMs} ms`,
    fastestMs === null ? '' : `skew ${fastestMs} ms at most`,
    history.kind === 'bars' ? `history ${history.count} bars` : 'history none',
  ]
  return [
    `${planned.symbol.code.padEnd(8)} ${place.padEnd(6)} ${provider} ${symbol}: ${figures.filter(Boolean).join(', ')}`,
    ...first.map(
      (quote) => `    ${toIso(quote.time)}  ${storedPrice(quote, planned.symbol.decimals)}  (${quote.price})`,
    ),
    ...(noPrices === '' ? [] : [`    trades that made no price: ${noPrices}`]),
    ...problems.map((text) => `  ✗ ${text}`),
    ...notes.map((text) => `  ! ${text}`),
  ]
}

/** `3 condition, 1 spike`; empty when every trade made a price. */
function unusedText(counts: Readonly<UnusedTradeCounts>): string {
  return UNUSED_TRADE_REASONS.flatMap((reason) => {
    const count = counts[reason] ?? 0
    return count > 0 ? [`${count} ${reason}`] : []
  }).join(', ')
}
