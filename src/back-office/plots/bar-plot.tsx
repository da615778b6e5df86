import { AxisBottom, AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { Group } from '@visx/group'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { cx } from '#ui/cx.ts'
import { Scrolled } from '#back-office/plots/scrolled.tsx'
import { type Part, stack } from '#back-office/plots/stack.ts'
import { useWidth } from '#ui/use-width.ts'
import { t } from '#back-office/i18n/t.ts'

export interface Series {
  readonly key: string
  readonly label: string
  readonly tone: Tone
}

/** One bar, or a group of bars side by side. */
export interface Bars {
  readonly key: string
  readonly label: string
  /** Label on the axis, shown where there is room. */
  readonly tick: string
  readonly values: Readonly<Record<string, number>>
}

interface BarPlotProps {
  /** Name of the plot for screen readers. */
  label: string
  /** Heading of the table's first column: the meaning of a bar. */
  barName: string
  bars: readonly Bars[]
  series: readonly Series[]
  /** Values on top of each other, or side by side. */
  kind?: 'stacked' | 'grouped'
  format: (value: number) => string
  /** Formats a value in few characters, for the axis. */
  formatShort: (value: number) => string
}

type Tone = keyof typeof TONES
const TONES = {
  brand: { fill: 'fill-brand', dot: 'bg-brand' },
  soft: { fill: 'fill-brand/45', dot: 'bg-brand/45' },
  line: { fill: 'fill-line-strong', dot: 'bg-line-strong' },
  flame: { fill: 'fill-flame', dot: 'bg-flame' },
} as const

const HEIGHT = 200
const MARGIN = { top: 8, end: 16, bottom: 24, start: 52 }
const PIXELS_PER_TICK = 56

/** A bar plot over days or symbols. It shows the figures of the selected bar, and all figures as a table. */
export function BarPlot(props: BarPlotProps) {
  const { bars, series, format } = props
  const [pointedAt, setPointedAt] = useState<number | null>(null)
  const shown = bars[pointedAt ?? bars.length - 1]
  return (
    <figure>
      <figcaption className="flex flex-wrap items-baseline gap-x-4 gap-y-1 pb-2 text-caption text-fg-2">
        <span className="text-fg-3">{shown?.label}</span>
        {series.map(({ key, label: name, tone }) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <i aria-hidden="true" className={cx('size-2 rounded-[3px]', TONES[tone].dot)} />
            {name} <b className="num font-semibold text-fg">{format(shown?.values[key] ?? 0)}</b>
          </span>
        ))}
      </figcaption>
      <Drawing {...props} pointedAt={pointedAt} onPoint={setPointedAt} />
      <AsTable {...props} />
    </figure>
  )
}

function Drawing({
  label,
  bars,
  series,
  kind = 'stacked',
  formatShort,
  pointedAt,
  onPoint,
}: BarPlotProps & { pointedAt: number | null; onPoint: (index: number | null) => void }) {
  const { ref, width } = useWidth<HTMLDivElement>()
  const innerWidth = Math.max(0, width - MARGIN.start - MARGIN.end)
  const innerHeight = HEIGHT - MARGIN.top - MARGIN.bottom
  const keys = series.map(({ key }) => key)
  const parts = bars.map(({ values }) => partsOf(values, keys, kind))
  const edges = parts.flat().flatMap(({ from, to }) => [from, to])
  const x = scaleBand({ domain: bars.map(({ key }) => key), range: [0, innerWidth], padding: 0.25 })
  const y = scaleLinear({ domain: [Math.min(0, ...edges), Math.max(1, ...edges)], range: [innerHeight, 0], nice: true })
  const every = Math.max(1, Math.ceil(bars.length / Math.max(1, innerWidth / PIXELS_PER_TICK)))
  const ticks = bars.filter((_, index) => (bars.length - 1 - index) % every === 0)
  const tickOf = new Map(bars.map(({ key, tick }) => [key, tick]))
  const fillOf = new Map(series.map(({ key, tone }) => [key, TONES[tone].fill]))

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.start
    const index = Math.floor((at / Math.max(1, innerWidth)) * bars.length)
    onPoint(index >= 0 && index < bars.length ? index : null)
  }
  return (
    <div ref={ref} dir="ltr" className="h-[200px]">
      {width > 0 && (
        <svg
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline SVG has no file for an img element
          role="img"
          aria-label={label}
          width={width}
          height={HEIGHT}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => onPoint(null)}
        >
          <Group left={MARGIN.start} top={MARGIN.top}>
            <GridRows scale={y} width={innerWidth} numTicks={4} stroke="var(--line)" />
            {parts.map((own, index) => {
              const { key = '' } = bars[index] ?? {}
              const left = x(key) ?? 0
              const share = kind === 'grouped' ? x.bandwidth() / Math.max(1, keys.length) : x.bandwidth()
              return (
                <Group key={key} className={cx(pointedAt !== null && pointedAt !== index && 'opacity-45')}>
                  {own.map(({ series: name, from, to }) => (
                    <Bar
                      key={name}
                      x={left + (kind === 'grouped' ? keys.indexOf(name) * share : 0)}
                      y={y(to)}
                      width={Math.max(1, share - (kind === 'grouped' ? 1 : 0))}
                      height={Math.max(1, y(from) - y(to))}
                      className={fillOf.get(name) ?? ''}
                    />
                  ))}
                </Group>
              )
            })}
            <line x1={0} x2={innerWidth} y1={y(0)} y2={y(0)} stroke="var(--line-strong)" />
            <AxisLeft
              scale={y}
              numTicks={4}
              hideAxisLine
              hideTicks
              tickFormat={(value) => formatShort(Number(value))}
              tickLabelProps={AXIS_TEXT.start}
            />
            <AxisBottom
              scale={x}
              top={innerHeight}
              tickValues={ticks.map(({ key }) => key)}
              tickFormat={(key) => tickOf.get(key) ?? ''}
              hideAxisLine
              hideTicks
              tickLabelProps={AXIS_TEXT.bottom}
            />
          </Group>
        </svg>
      )}
    </div>
  )
}

const AXIS_TEXT = {
  start: { fill: 'var(--text-3)', fontSize: 11, textAnchor: 'end', dx: -4, dy: 4, fontFamily: 'inherit' },
  bottom: { fill: 'var(--text-3)', fontSize: 11, textAnchor: 'middle', fontFamily: 'inherit' },
} as const

function partsOf(values: Bars['values'], keys: readonly string[], kind: 'stacked' | 'grouped'): Part[] {
  if (kind === 'stacked') return stack(values, keys)
  return keys.flatMap((key) => stack(values, [key]))
}

/** All figures of the plot as a table, collapsed at first. */
function AsTable({ label, barName, bars, series, format }: BarPlotProps) {
  return (
    <Unfold summary={t('dashboard.as_table')}>
      <table aria-label={label} className="w-full text-caption">
        <thead>
          <tr className="text-fg-3">
            <th scope="col" className="py-1 text-start font-medium">
              {barName}
            </th>
            {series.map(({ key, label: name }) => (
              <th key={key} scope="col" className="py-1 text-end font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ key, label: name, values }) => (
            <tr key={key} className="border-t border-line">
              <th scope="row" className="py-1 text-start font-normal">
                {name}
              </th>
              {series.map(({ key: one }) => (
                <td key={one} className="num py-1 text-end">
                  {format(values[one] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Unfold>
  )
}

function Unfold({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="pt-1 text-caption">
      <summary className="hit w-fit cursor-pointer text-brand">{summary}</summary>
      <Scrolled label={summary} className="mt-1 max-h-64">
        {children}
      </Scrolled>
    </details>
  )
}
