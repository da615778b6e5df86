interface SparklineProps {
  /** Prices, oldest first; about 30. Fewer than two draw nothing but keep the space. */
  points: readonly number[]
  /** The opening price, drawn as a dashed level; the first point when left out. */
  opening?: number | undefined
  /** Decides the colour, so that it agrees with the change shown beside it. */
  direction: 'up' | 'down'
  width?: number | undefined
  height?: number | undefined
}

const EDGE = 3
/** Leaves room for the end dot. */
const END = 5

/** A small line without axes. Decorative: the change beside it says the same in words. Never mirrored. */
export function Sparkline({ points, opening, direction, width = 64, height = 28 }: SparklineProps) {
  const level = opening ?? points[0]
  const last = points.at(-1)
  if (points.length < 2 || level === undefined || last === undefined) {
    return <svg width={width} height={height} aria-hidden="true" />
  }
  const low = Math.min(level, ...points)
  const high = Math.max(level, ...points)
  const span = high - low
  const y = (value: number) =>
    span === 0 ? height / 2 : round(height - EDGE - ((value - low) / span) * (height - 2 * EDGE))
  const x = (index: number) => round(1 + (index / (points.length - 1)) * (width - 1 - END))
  const path = points.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('')
  const colour = direction === 'up' ? 'var(--up)' : 'var(--down)'
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} fill="none" aria-hidden="true">
      <path
        d={`M0 ${y(level)}H${width}`}
        stroke="var(--line-strong)"
        strokeWidth="1"
        strokeDasharray="1.5 3"
        opacity=".7"
      />
      <path d={path} stroke={colour} strokeWidth="1.5" strokeLinejoin="round" strokeLinecap="round" />
      <circle cx={x(points.length - 1)} cy={y(last)} r="2" fill={colour} />
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
