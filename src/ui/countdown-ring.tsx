import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface CountdownRingProps {
  /** What is left, 1 to 0. */
  fraction: number
  size?: number | undefined
  stroke?: number | undefined
  /** In the middle: the time left. */
  children?: ReactNode
  className?: string | undefined
}

/** A ring that empties clockwise, in linear steps of one second. Decorative: its text says the time. Never mirrored. */
export function CountdownRing({ fraction, size = 112, stroke = 6, children, className }: CountdownRingProps) {
  const radius = (size - stroke) / 2
  const length = 2 * Math.PI * radius
  const left = Math.min(1, Math.max(0, fraction))
  const circle = { cx: size / 2, cy: size / 2, r: radius, fill: 'none', strokeWidth: stroke }
  return (
    <div style={{ width: size, height: size }} className={cx('relative shrink-0', className)}>
      <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} className="-rotate-90" aria-hidden="true">
        <circle {...circle} stroke="var(--surface-3)" />
        <circle
          {...circle}
          stroke="var(--brand)"
          // A round cap would show as a dot on an empty ring.
          strokeLinecap={left === 0 ? 'butt' : 'round'}
          strokeDasharray={length}
          // Negative, so that the gap opens at the top and the arc flees clockwise.
          strokeDashoffset={-length * (1 - left)}
          className="ring-step"
        />
      </svg>
      {children !== undefined && (
        <div className="absolute inset-0 flex flex-col items-center justify-center">{children}</div>
      )}
    </div>
  )
}
