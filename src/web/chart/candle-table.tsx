/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   a region that scrolls must be reachable by keyboard; rows that are drawn as a grid lose the roles of a table */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { cx } from '#ui/cx.ts'
import { fadeEnds } from '#ui/fade-ends.ts'
import { LoadError } from '#ui/states.tsx'
import type { SplitOut } from '#contract/markets.ts'
import type { Bar } from '#web/chart/bar.ts'
import { loadBars } from '#web/chart/candle-data.ts'
import { axisPrice, barTime } from '#web/chart/chart-options.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { splitBars } from '#web/chart/chart-splits.ts'
import type { IndicatorColumn } from '#web/chart/indicator-columns.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { useDesk } from '#web/options/desk.ts'
import { volumeText } from '#web/options/figures.ts'
import { volumeUnit } from '#web/options/options.ts'
import { ratioText } from '#web/symbols/split-text.ts'

const SHOWN = 30
const REFRESH_MS = 5_000

/** The last 30 candles as a table, newest first, for screen readers. */
export function CandleTable({ symbol, interval }: { symbol: ChartSymbol; interval: ChartInterval }) {
  const { productId, decimals, title, splits } = symbol
  const unit = volumeUnit.use()
  const query = useQuery({
    queryKey: ['candle-table', productId, interval],
    queryFn: ({ signal }) => loadBars({ symbol: productId, interval, limit: SHOWN }, signal),
    refetchInterval: Math.min(REFRESH_MS, intervalMs(interval)),
  })
  const bars = query.data ?? []
  const columns = useIndicatorColumns(symbol, interval, bars)
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
  const firsts = splitBars(
    bars.map((bar) => bar.time),
    intervalMs(interval),
    splits,
  )
  // If a phone has no room for all columns, the table scrolls sideways within itself.
  const isWideTable = columns.length > 0
  const row = isWideTable ? undefined : ROW
  const place = (column: (typeof COLUMNS)[number]) => (isWideTable ? WIDE_PLACES[column] : PLACES[column])
  const splitAt = new Map([...firsts].map(([index, split]) => [bars[index]?.time, split]))
  return (
    <section
      ref={fadeEnds}
      className="@container min-h-0 flex-1 overflow-auto px-4"
      tabIndex={0}
      aria-label={t('chart.table', { symbol: title, interval, zone })}
    >
      <table
        role="table"
        dir="ltr"
        className={cx('num w-full text-end text-caption', !isWideTable && '@max-[36rem]:block')}
      >
        <caption className="sr-only">{t('chart.table', { symbol: title, interval, zone })}</caption>
        <thead role="rowgroup" className={cx('sticky top-0 z-1 bg-bg text-fg-3', !isWideTable && '@max-[36rem]:block')}>
          <tr role="row" className={row}>
            {COLUMNS.map((column) => (
              <th
                key={column}
                role="columnheader"
                scope="col"
                className={cx('py-1.5 ps-3 font-medium first:ps-0 first:text-start', place(column))}
              >
                {column === 'time'
                  ? t('chart.time', { zone })
                  : t(column === 'volume' && unit === 'money' ? 'chart.amount' : `chart.${column}`)}
              </th>
            ))}
            {columns.map(({ name }) => (
              <th key={name} role="columnheader" scope="col" className="py-1.5 ps-3 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={cx(!isWideTable && '@max-[36rem]:block')}>
          {bars.toReversed().map((bar) => (
            <tr key={bar.time} role="row" className={cx('border-t border-line', row)}>
              <th role="rowheader" scope="row" className={cx('py-1 text-start font-medium', place('time'))}>
                {barTime(bar.time, interval)}
                <SplitMark split={splitAt.get(bar.time)} />
              </th>
              {PRICES.map((column) => (
                <td key={column} role="cell" className={cx('ps-3 whitespace-nowrap', place(column))}>
                  {price(bar[column])}
                </td>
              ))}
              <td role="cell" className={cx('ps-3', place('volume'))}>
                {volumeText(bar.volume, bar.close, unit)}
              </td>
              {columns.map(({ name, texts }) => (
                <td key={name} role="cell" className="ps-3 whitespace-nowrap">
                  {texts.get(bar.time) ?? <NoValue />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const PRICES = ['open', 'high', 'low', 'close'] as const
const COLUMNS = ['time', ...PRICES, 'volume'] as const

/** Phones have no room for six columns. A row takes two lines there, with low below high and close below open. */
const ROW =
  '@max-[36rem]:grid @max-[36rem]:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)] @max-[36rem]:gap-x-3 @max-[36rem]:*:ps-0'
const PLACES: Readonly<Record<(typeof COLUMNS)[number], string>> = {
  time: '@max-[36rem]:col-start-1 @max-[36rem]:row-start-1 @max-[36rem]:w-[6.5rem]',
  open: '@max-[36rem]:col-start-2 @max-[36rem]:row-start-1',
  high: '@max-[36rem]:col-start-3 @max-[36rem]:row-start-1',
  low: '@max-[36rem]:col-start-3 @max-[36rem]:row-start-2',
  close: '@max-[36rem]:col-start-2 @max-[36rem]:row-start-2',
  volume: '@max-[36rem]:col-start-1 @max-[36rem]:row-start-2 @max-[36rem]:text-start @max-[36rem]:text-fg-3',
}

/** With a column for each indicator, the time stays in view while the table scrolls sideways. */
const WIDE_PLACES: Readonly<Partial<Record<(typeof COLUMNS)[number], string>>> = {
  time: 'sticky start-0 bg-bg whitespace-nowrap',
}

/** Loads the columns of the chosen indicators, and their code. Empty while no indicator is chosen. */
function useIndicatorColumns(symbol: ChartSymbol, interval: ChartInterval, bars: readonly Bar[]) {
  const { productId, marketType, decimals } = symbol
  const stored = useDesk().indicators
  const query = useQuery({
    queryKey: ['indicator-columns', productId, interval, stored, bars.at(-1)],
    enabled: stored.length > 0 && bars.length > 0,
    // The columns of the previous bars stay until those of the new bars are computed.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<readonly IndicatorColumn[]> => {
      const [{ loadIndicatorColumns }] = await Promise.all([
        import('#web/chart/indicator-columns.ts'),
        loadTexts('more'),
      ])
      return loadIndicatorColumns({ productId, marketType, interval, decimals, stored, bars }, signal)
    },
  })
  return stored.length > 0 ? (query.data ?? []) : []
}

function NoValue() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{t('desk.not_enough')}</span>
    </>
  )
}

function SplitMark({ split }: { split: SplitOut | undefined }) {
  if (split === undefined) return null
  return <span className="block font-semibold text-warn">{t('chart.split', { ratio: ratioText(split) })}</span>
}
