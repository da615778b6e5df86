/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */
import { useQuery } from '@tanstack/react-query'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { LoadError } from '#ui/states.tsx'
import type { SplitOut } from '#contract/markets.ts'
import { loadBars } from '#web/chart/candle-data.ts'
import { axisPrice, barTime } from '#web/chart/chart-options.ts'
import type { ChartSymbol } from '#web/chart/price-chart.tsx'
import { splitBars } from '#web/chart/chart-splits.ts'
import { clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { volumeText } from '#web/options/figures.ts'
import { volumeUnit } from '#web/options/options.ts'
import { ratioText } from '#web/symbols/split-text.ts'

const SHOWN = 30
const REFRESH_MS = 5_000

/** The last thirty candles as figures, newest first: what the drawing cannot tell a screen reader. */
export function CandleTable({ symbol, interval }: { symbol: ChartSymbol; interval: ChartInterval }) {
  const { productId, decimals, title, splits } = symbol
  const unit = volumeUnit.use()
  const query = useQuery({
    queryKey: ['candle-table', productId, interval],
    queryFn: ({ signal }) => loadBars({ symbol: productId, interval, limit: SHOWN }, signal),
    refetchInterval: Math.min(REFRESH_MS, intervalMs(interval)),
  })
  if (query.isError && !query.data) {
    return (
      <LoadError
        reason={t('common.load_failed')}
        retryLabel={t('common.try_again')}
        onRetry={() => void query.refetch()}
        className="flex-1"
      />
    )
  }
  const newest = query.data?.at(-1)?.time ?? 0
  const zone = interval === '1d' ? 'UTC' : clockZone(newest)
  const price = (value: number) => axisPrice(value, decimals)
  const bars = query.data ?? []
  const firsts = splitBars(
    bars.map((bar) => bar.time),
    intervalMs(interval),
    splits,
  )
  const splitAt = new Map([...firsts].map(([index, split]) => [bars[index]?.time, split]))
  return (
    <section
      className="min-h-0 flex-1 overflow-auto px-4"
      tabIndex={0}
      aria-label={t('chart.table', { symbol: title, interval, zone })}
    >
      <table className="num w-full text-end text-caption">
        <caption className="sr-only">{t('chart.table', { symbol: title, interval, zone })}</caption>
        <thead className="sticky top-0 bg-bg text-fg-3">
          <tr>
            {(['time', 'open', 'high', 'low', 'close', 'volume'] as const).map((column) => (
              <th key={column} scope="col" className="py-1.5 font-medium first:text-start">
                {column === 'time'
                  ? t('chart.time', { zone })
                  : t(column === 'volume' && unit === 'money' ? 'chart.amount' : `chart.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.time} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-medium whitespace-nowrap">
                {barTime(bar.time, interval)}
                <SplitMark split={splitAt.get(bar.time)} />
              </th>
              <td>{price(bar.open)}</td>
              <td>{price(bar.high)}</td>
              <td>{price(bar.low)}</td>
              <td>{price(bar.close)}</td>
              <td>{volumeText(bar.volume, bar.close, unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SplitMark({ split }: { split: SplitOut | undefined }) {
  if (split === undefined) return null
  return <span className="block font-semibold text-warn">{t('chart.split', { ratio: ratioText(split) })}</span>
}
