import Check from 'lucide-react/icons/check'
import Clock from 'lucide-react/icons/clock'
import CornerDownLeft from 'lucide-react/icons/corner-down-left'
import Equal from 'lucide-react/icons/equal'
import Undo2 from 'lucide-react/icons/undo-2'
import X from 'lucide-react/icons/x'
import type { LucideIcon } from 'lucide-react/types'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

/** The state or result of an order or a payment. */
export type Outcome = 'won' | 'lost' | 'draw' | 'void' | 'sold' | 'pending' | 'success' | 'rejected' | 'cancelled'

const OUTCOMES: Record<Outcome, { tone: string; Icon: LucideIcon }> = {
  won: { tone: 'bg-up-tint text-up', Icon: Check },
  lost: { tone: 'bg-down-tint text-down', Icon: X },
  draw: { tone: 'bg-surface-2 text-fg-2', Icon: Equal },
  void: { tone: 'bg-warn-tint text-warn', Icon: Undo2 },
  sold: { tone: 'bg-surface-2 text-fg-2', Icon: CornerDownLeft },
  pending: { tone: 'bg-warn-tint text-warn', Icon: Clock },
  success: { tone: 'bg-ok-tint text-ok', Icon: Check },
  rejected: { tone: 'bg-danger-tint text-danger', Icon: X },
  cancelled: { tone: 'bg-surface-2 text-fg-2', Icon: X },
}

const PILL = 'inline-flex h-5.5 items-center gap-1 rounded-pill px-2 text-caption font-semibold whitespace-nowrap'

/** A result as icon and word. */
export function OutcomePill({ outcome, children }: { outcome: Outcome; children: ReactNode }) {
  const { tone, Icon } = OUTCOMES[outcome]
  return (
    <span className={cx(PILL, tone)}>
      <Icon size={13} strokeWidth={2.25} aria-hidden="true" />
      {children}
    </span>
  )
}

/** A result as a disc: 24 px next to a result's word, smaller in rows. */
export function OutcomeDisc({ outcome, size = 24 }: { outcome: Outcome; size?: number | undefined }) {
  const { tone, Icon } = OUTCOMES[outcome]
  return (
    <span style={{ width: size, height: size }} className={cx('grid shrink-0 place-items-center rounded-full', tone)}>
      <Icon size={size * 0.58} strokeWidth={2.25} aria-hidden="true" />
    </span>
  )
}

interface PillProps {
  tone?: 'neutral' | 'brand' | 'warn' | undefined
  icon?: ReactNode
  children: ReactNode
  className?: string | undefined
}

const TONES = {
  neutral: 'bg-surface-2 text-fg-2',
  brand: 'bg-brand-tint text-brand',
  warn: 'bg-warn-tint text-warn',
} as const

/** A short text on a tinted background: "bot", "1,250 credits". */
export function Pill({ tone = 'neutral', icon, children, className }: PillProps) {
  return (
    <span className={cx(PILL, TONES[tone], className)}>
      {icon}
      {children}
    </span>
  )
}
