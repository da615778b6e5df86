import { indicatorOf, warmUpOf } from '#core/indicators/create-indicator.ts'
import {
  indicatorName,
  type IndicatorSettings,
  INDICATORS,
  readIndicators,
} from '#core/indicators/indicator-settings.ts'
import { sessionStarts } from '#core/indicators/session-starts.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { Bar } from '#web/chart/bar.ts'
import { merged } from '#web/chart/bar-window.ts'
import { loadPastBars, MissingCandles } from '#web/chart/candle-data.ts'
import { readingOf } from '#web/chart/indicator-reading.ts'

/** A column of the table: one value of an indicator. */
export interface IndicatorColumn {
  readonly name: string
  /** The text of each bar, by the time of the bar. Bars without a value have no entry. */
  readonly texts: ReadonlyMap<number, string>
}

interface ColumnQuery {
  readonly productId: string
  readonly marketType: MarketType
  readonly interval: ChartInterval
  readonly decimals: number
  readonly stored: readonly unknown[]
  /** The bars of the table. */
  readonly bars: readonly Bar[]
}

const DAY_MS = 86_400_000

/** Loads the bars that the indicators need before the bars of the table, and returns the columns of all values. */
export async function loadIndicatorColumns(query: ColumnQuery, signal: AbortSignal): Promise<IndicatorColumn[]> {
  const { productId, interval, marketType, stored, bars } = query
  const indicators = readIndicators(stored)
  const sessionBars = Math.ceil(DAY_MS / intervalMs(interval))
  const wanted = Math.max(0, ...indicators.map((settings) => warmUpOf(settings, sessionBars)))
  let known = bars
  let hasOldest = false
  while (known.length < bars.length + wanted && !hasOldest) {
    const before = known[0]?.time
    if (before === undefined) break
    const now = bars.at(-1)?.time ?? before
    const older = await olderBars({ symbol: productId, marketType, interval, limit: 1000, before, now }, signal)
    // The columns begin later while a source does not reply.
    if (older === null) break
    hasOldest = older.length === 0
    known = merged(older, known)
  }
  const sessionStart = sessionStarts(marketType)
  return indicators.flatMap((settings) => {
    const warmUp = hasOldest ? 0 : warmUpOf(settings, sessionBars)
    return columnsOf(settings, { known, warmUp, sessionStart, decimals: query.decimals })
  })
}

/** Null while a source does not return the bars. */
async function olderBars(...query: Parameters<typeof loadPastBars>): Promise<readonly Bar[] | null> {
  try {
    return await loadPastBars(...query)
  } catch (error) {
    if (error instanceof MissingCandles) return null
    throw error
  }
}

interface Computation {
  readonly known: readonly Bar[]
  readonly warmUp: number
  readonly sessionStart: (time: number) => number
  readonly decimals: number
}

function columnsOf(
  settings: IndicatorSettings,
  { known, warmUp, sessionStart, decimals }: Computation,
): IndicatorColumn[] {
  const indicator = indicatorOf(settings, sessionStart)
  const name = indicatorName(settings)
  const { values: names } = INDICATORS[settings.kind]
  const texts = Array.from({ length: Math.max(1, names.length) }, () => new Map<number, string>())
  for (const [index, bar] of known.entries()) {
    const { values } = readingOf(settings, indicator.close(bar), decimals)
    if (index < warmUp) continue
    for (const [at, text] of (values ?? []).entries()) texts[at]?.set(bar.time, text)
  }
  return texts.map((column, at) => ({ name: names.length > 1 ? `${name} ${names[at] ?? ''}` : name, texts: column }))
}
