import { useEffect, useState } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { formatChange } from '#ui/format.ts'
import type { Bar } from '#web/chart/bar.ts'
import type { ShownCandles } from '#web/chart/shown-candles.ts'
import type { LegendFigures } from '#web/chart/chart-bars.ts'
import { axisPrice, barTime } from '#web/chart/chart-options.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import type { IndicatorReading } from '#web/chart/indicators.ts'
import { clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { latestTick } from '#web/live/live-store.ts'
import { volumeText } from '#web/options/figures.ts'
import { volumeUnit } from '#web/options/options.ts'
import { ratioText } from '#web/symbols/split-text.ts'

/** 15 s between changes of the announced price. More frequent changes would interrupt the screen reader. */
const SAY_MS = 15_000

/** Returns the chart in words: its type, what is in view, and its indicators. Its price is at most 15 s old. */
export function useSummary(
  { code, title, decimals }: ChartSymbol,
  interval: ChartInterval,
  { screen, type }: Pick<ShownCandles, 'screen' | 'type'>,
): string {
  const price = usePriceNowAndThen(code)
  const [first, newest] = [screen?.bars[0], screen?.bars.at(-1)]
  if (screen === null || first === undefined || newest === undefined) {
    return t('chart.summary_empty', { symbol: title, interval })
  }
  const last = (screen.hasNewest ? price : null) ?? newest.close
  const text = (value: number) => axisPrice(value, decimals)
  const summary = t('chart.summary', {
    symbol: title,
    type: type === 'candles' ? t('chart.candles') : t(`desk.type_${type}`),
    interval,
    from: barTime(first.time, interval),
    to: `${barTime(newest.time, interval)} ${zoneText(newest, interval)}`,
    last: text(last),
    change: formatChange(first.open > 0 ? ((last - first.open) / first.open) * 100 : 0),
    high: text(Math.max(last, ...screen.bars.map((bar) => bar.high))),
    low: text(Math.min(last, ...screen.bars.map((bar) => bar.low))),
  })
  return [summary, ...screen.readings.map(readingText)].join('. ')
}

function zoneText({ time }: Bar, interval: ChartInterval): string {
  return interval === '1d' ? 'UTC' : clockZone(time)
}

/** Returns the newest price, updated every 15 s; null while there is none. */
export function usePriceNowAndThen(code: string): number | null {
  const [price, setPrice] = useState(() => latestTick(code)?.price ?? null)
  useEffect(() => {
    const timer = setInterval(() => setPrice(latestTick(code)?.price ?? null), SAY_MS)
    return () => clearInterval(timer)
  }, [code])
  return price
}

/** Returns a bar in words: the values that the legend shows. */
export function barText(
  { bar, split, averaged, readings }: LegendFigures,
  interval: ChartInterval,
  decimals: number,
): string {
  const price = (value: number) => axisPrice(value, decimals)
  const drawn = averaged ?? bar
  const text = t('chart.say_bar', {
    time: `${barTime(bar.time, interval)} ${zoneText(bar, interval)}`,
    open: price(drawn.open),
    high: price(drawn.high),
    low: price(drawn.low),
    close: price(drawn.close),
    volume: volumeText(bar.volume, bar.close, volumeUnit.get()),
  })
  const notes = [
    split && t('chart.split', { ratio: ratioText(split) }),
    averaged && `${t('desk.price')} ${price(bar.close)}`,
    ...readings.map(readingText),
    bar.source === undefined ? null : t('chart.from_source', { source: bar.source }),
  ]
  return [text, ...notes.filter((note) => note !== null)].join(', ')
}

/** Returns an indicator's name with its values, or with the statement that the indicator has no values yet. */
export function readingText({ name, values }: IndicatorReading): string {
  return `${name} ${values?.join(' ') ?? t('desk.not_enough')}`
}
