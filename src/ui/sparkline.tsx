interface SparklineProps {
  /**
   * Prices at regular times, oldest first, about 30. Null leaves a gap. Fewer than two prices draw nothing but keep the
   * space.
   */
  points: readonly (number | null)[]
  /** The opening price, drawn as a dashed line. Default: the first point. */
  opening?: number | undefined
  /** Sets the colour, so that it matches the displayed change. */
  direction: 'up' | 'down'
  width?: number | undefined
  height?: number | undefined
}

const EDGE = 3
/** 5 px at the right end, as room for the dot at the last price. */
const END = 5

/**
 * A small price line without axes. Decorative: the change next to it gives the same information. Never mirrored in
 * right-to-left pages.
 */
export function Sparkline({ points, opening, direction, width = 64, height = 28 }: SparklineProps) {
  const known = points.filter((point) => point !== null)
  const level = opening ?? known[0]
  const last = known.at(-1)
  if (points.length < 2 || level === undefined || last === undefined) {
    return <svg width={width} height={height} aria-hidden="true" />
  }
  const low = Math.min(level, ...known)
  const high = Math.max(level, ...known)
  const span = high - low
  const y = (value: number) =>
    span === 0 ? height / 2 : round(height - EDGE - ((value - low) / span) * (height - 2 * EDGE))
  const x = (index: number) => round(1 + (index / (points.length - 1)) * (width - 1 - END))
  const path = points
    .map((value, index) => {
      if (value === null) return ''
      // A single price between two gaps becomes a dot.
      return (points[index - 1] ?? null) === null ? `M${x(index)} ${y(value)}h0` : `L${x(index)} ${y(value)}`
    })
    .join('')
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
      <circle cx={x(points.lastIndexOf(last))} cy={y(last)} r="2" fill={colour} />
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
