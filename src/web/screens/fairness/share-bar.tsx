const WIDTH = 100
const HEIGHT = 8

interface ShareBarProps {
  /** Percent of the whole that is filled. */
  percent: number
  /** Percent at which a mark stands. */
  mark?: number | undefined
  tone: 'up' | 'down'
}

/** A share of a whole as a bar. Decorative: the text beside it says the same. Never mirrored. */
export function ShareBar({ percent, mark, tone }: ShareBarProps) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-3 w-full rounded-full"
      aria-hidden="true"
    >
      <rect width={WIDTH} height={HEIGHT} fill="var(--surface-3)" />
      <rect width={Math.min(WIDTH, percent)} height={HEIGHT} fill={`var(--${tone})`} />
      {mark !== undefined && <rect x={mark - 0.35} width={0.7} height={HEIGHT} fill="var(--text)" />}
    </svg>
  )
}
