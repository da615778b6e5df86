import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface CountdownRingProps {
  /** The remaining fraction, from 1 to 0. */
  fraction: number
  size?: number | undefined
  stroke?: number | undefined
  /** The time left, shown in the middle. */
  children?: ReactNode
  className?: string | undefined
}

/**
 * A ring that empties clockwise, in linear steps of 1 s. Decorative: its text shows the time. Never mirrored in
 * right-to-left pages.
 */
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
          // Negative, so that the gap starts at the top and grows clockwise.
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
