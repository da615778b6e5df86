import { useId } from 'react'
import { type ReceiptFacts, isResult } from '#core/proof/receipt-facts.ts'
import { type PriceRange, runsOf, type TickPoint } from '#web/chart/price-course.ts'
import { t } from '#web/i18n/t.ts'
import { ageLimitMs } from '#web/live/tick-feed.ts'
import type { DrawnPrice, DrawnPrices } from '#web/receipts/drawn-prices.ts'

const [WIDTH, HEIGHT, EDGE] = [640, 240, 18]
/** The server thins the prices of the drawing to this number of points. */
const STEPS = 400

interface OrderDrawingProps {
  facts: ReceiptFacts
  prices: DrawnPrices
  /** The price ranges in the middle of a long order, whose ticks are not loaded. */
  ranges: readonly PriceRange[]
}

/**
 * The price from before the entry to after the expiry, with the zones of the order. Verified prices have a strong line,
 * other prices a thin one, and unknown prices none. Time always runs to the right. The rows below the drawing give the
 * same facts as text.
 */
export function OrderDrawing({ facts, prices, ranges }: OrderDrawingProps) {
  const hatch = useId()
  const { opened_ms, expires_ms, entry, decimals, direction } = facts
  const exit = isResult(facts) ? facts.exit : null
  const isLate = isResult(facts) && facts.late === true
  const unit = 10 ** decimals
  const decidedMs = exit?.time_ms ?? expires_ms
  const level = entry.price / unit
  const around = (expires_ms - opened_ms) * 0.18
  const [from, to] = [opened_ms - around, expires_ms + around]
  const inView = (points: readonly DrawnPrice[]) => points.filter(({ timeMs }) => timeMs >= from && timeMs <= to)
  const between = ranges.filter(({ from: start, through }) => through >= from && start <= to)
  const levels = [
    ...inView(prices.all).map(({ price }) => price),
    ...between.flatMap(({ low, high }) => [low, high]),
    level,
    (exit ?? entry).price / unit,
  ]
  const reach = Math.max(...levels.map((price) => Math.abs(price - level))) || 1
  const x = (ms: number) => round(((Math.min(Math.max(ms, from), to) - from) / (to - from)) * WIDTH)
  const y = (price: number) => round(HEIGHT / 2 - ((price - level) / reach) * (HEIGHT / 2 - EDGE))
  // Thinned prices can be two steps apart, so a shorter silence must not interrupt the line.
  const stillMs = Math.max(facts.max_tick_age_ms ?? ageLimitMs(facts.symbol, facts.market), ((to - from) / STEPS) * 2)
  const pathOf = (points: readonly DrawnPrice[]) => stepPath(runsOfPoints(points, stillMs), x, y)
  const checked = (isIn: (ms: number) => boolean) =>
    prices.checked.map((points) => pathOf(inView(points).filter(({ timeMs }) => isIn(timeMs)))).join('')
  const [start, end, middle] = [x(opened_ms), x(expires_ms), HEIGHT / 2]
  const isBuy = direction === 'buy'
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="block h-auto w-full" fill="none">
        <pattern id={hatch} width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V12" stroke="var(--down)" strokeOpacity=".28" strokeWidth="1.5" />
        </pattern>
        <rect x={start} y={isBuy ? 0 : middle} width={end - start} height={middle} fill="var(--zone-win)" />
        <rect x={start} y={isBuy ? middle : 0} width={end - start} height={middle} fill="var(--zone-lose)" />
        <rect x={start} y={isBuy ? middle : 0} width={end - start} height={middle} fill={`url(#${hatch})`} />
        <path d={`M0 ${middle / 2}H${WIDTH}M0 ${middle * 1.5}H${WIDTH}`} stroke="var(--line)" />
        <path d={`M${start} 0V${HEIGHT}`} stroke="var(--brand)" />
        <path d={`M${start} ${middle}H${WIDTH}`} stroke="var(--brand)" strokeWidth="2" />
        <path d={`M${end} 0V${HEIGHT}`} stroke="var(--brand)" strokeWidth="2" strokeDasharray="4 4" />
        <g fill="var(--text-3)">
          {between.map(({ from: start, through, low, high }) => (
            <rect
              key={start}
              x={x(start)}
              y={y(high)}
              width={Math.max(1, x(through + 1) - x(start))}
              height={Math.max(1, y(low) - y(high))}
            />
          ))}
        </g>
        <g stroke="var(--text-3)" strokeWidth="1" strokeLinejoin="round" strokeLinecap="round">
          <path d={pathOf(inView(prices.all).filter(({ timeMs }) => timeMs <= expires_ms))} />
          <path d={pathOf(inView(prices.all).filter(({ timeMs }) => timeMs >= decidedMs))} strokeDasharray="3 4" />
        </g>
        <g strokeLinejoin="round" strokeLinecap="round" strokeWidth="2.5">
          <path d={checked((ms) => ms <= entry.time_ms)} stroke="var(--text-3)" />
          <path d={checked((ms) => ms >= entry.time_ms && ms <= expires_ms)} stroke="var(--text)" />
          <path d={checked((ms) => ms >= decidedMs)} stroke="var(--text-3)" strokeDasharray="2 5" />
        </g>
        <circle cx={start} cy={middle} r="7" fill="var(--surface)" stroke="var(--brand)" strokeWidth="3" />
        {exit !== null && (
          <circle
            cx={x(exit.time_ms)}
            cy={y(exit.price / unit)}
            r="8"
            fill={isLate ? 'var(--surface)' : 'var(--brand)'}
            stroke={isLate ? 'var(--brand)' : 'var(--surface)'}
            strokeWidth={isLate ? 3 : 2}
            strokeDasharray={isLate ? '3 3' : undefined}
          />
        )}
      </svg>
      {isLate && (
        <figcaption className="border-t border-line px-4 py-2 text-caption text-fg-2">
          {t('check.late_note', { provider: facts.source ?? '' })}
        </figcaption>
      )}
      {!prices.isWhole && (
        <figcaption className="border-t border-line px-4 py-2 text-caption text-fg-3">
          {t('check.line_note')}
        </figcaption>
      )}
    </figure>
  )
}

function runsOfPoints(points: readonly DrawnPrice[], stillMs: number): TickPoint[][] {
  const ticks = points.map(({ timeMs: time, price }) => ({ time, price }))
  return runsOf([{ from: -Infinity, through: Infinity, ticks }], stillMs)
}

/** Returns a step path: each price holds until the next price of the same unbroken line. A single price is a dot. */
function stepPath(
  runs: readonly (readonly TickPoint[])[],
  x: (ms: number) => number,
  y: (price: number) => number,
): string {
  return runs
    .map((run) =>
      run.map(({ time, price }, at) => (at === 0 ? `M${x(time)} ${y(price)}h0` : `H${x(time)}V${y(price)}`)),
    )
    .flat()
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
