import { useId } from 'react'
import type { LinePoint } from '#core/proof/bundle-file.ts'
import type { ReceiptFacts } from '#core/proof/receipt-facts.ts'

const [WIDTH, HEIGHT, EDGE] = [640, 240, 18]

/** The price from before the entry to after the expiry, with the zones of the order. Time runs to the right, always; the rows below say it in words. */
export function OrderDrawing({ facts, line }: { facts: ReceiptFacts; line: readonly LinePoint[] }) {
  const hatch = useId()
  const { opened_ms, expires_ms, entry, decimals, direction } = facts
  const exit = facts.kind === 'result' ? facts.exit : null
  const unit = 10 ** decimals
  const level = entry.price / unit
  const points = line.toSorted((a, b) => a.q - b.q)
  const around = (expires_ms - opened_ms) * 0.18
  const [from, to] = [opened_ms - around, expires_ms + around]
  const prices = [...points.map(({ price }) => price), level, (exit ?? entry).price / unit]
  const reach = Math.max(...prices.map((price) => Math.abs(price - level))) || 1
  const x = (ms: number) => round(((Math.min(Math.max(ms, from), to) - from) / (to - from)) * WIDTH)
  const y = (price: number) => round(HEIGHT / 2 - ((price - level) / reach) * (HEIGHT / 2 - EDGE))
  const path = (isIn: (ms: number) => boolean) =>
    points
      .filter(({ time_ms }) => isIn(time_ms))
      .map(({ time_ms, price }, at) => `${at === 0 ? 'M' : 'L'}${x(time_ms)} ${y(price)}`)
      .join('')
  const [start, end, middle] = [x(opened_ms), x(expires_ms), HEIGHT / 2]
  const isBuy = direction === 'buy'
  return (
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
      <g strokeLinejoin="round" strokeLinecap="round" strokeWidth="2.5">
        <path d={path((ms) => ms <= entry.time_ms)} stroke="var(--text-3)" />
        <path d={path((ms) => ms >= entry.time_ms && ms <= expires_ms)} stroke="var(--text)" />
        <path d={path((ms) => ms >= (exit?.time_ms ?? expires_ms))} stroke="var(--text-3)" strokeDasharray="2 5" />
      </g>
      <circle cx={start} cy={middle} r="7" fill="var(--surface)" stroke="var(--brand)" strokeWidth="3" />
      {exit !== null && (
        <circle cx={end} cy={y(exit.price / unit)} r="8" fill="var(--brand)" stroke="var(--surface)" strokeWidth="2" />
      )}
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
