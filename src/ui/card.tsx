import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface CardProps {
  children: ReactNode
  /** False for content that reaches the edges of the card: lists, tables, media. */
  padded?: boolean | undefined
  className?: string | undefined
}

export function Card({ children, padded = true, className }: CardProps) {
  return <div className={cx('card', padded && 'p-4', className)}>{children}</div>
}

/** A small heading over a group of cards or rows. */
export function SectionLabel({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <h2 className={cx('mt-3.5 mb-1.5 px-0.5 text-label font-semibold text-fg-3', className)}>{children}</h2>
}

interface SectionTitleProps {
  children: ReactNode
  action?: ReactNode
  className?: string | undefined
}

export function SectionTitle({ children, action, className }: SectionTitleProps) {
  return (
    <div className={cx('mb-3 flex items-baseline justify-between gap-3', className)}>
      <h2 className="text-title text-balance">{children}</h2>
      {action}
    </div>
  )
}
