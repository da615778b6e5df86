const WIDTH = 100
const HEIGHT = 8

interface ShareBarProps {
  /** The filled part of the bar, in percent. */
  percent: number
  /** Position of the mark on the bar, in percent. */
  mark?: number | undefined
  tone: 'up' | 'down'
}

/** A share as a bar. Decorative, because the text beside it has the same figure. Never mirrored. */
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
