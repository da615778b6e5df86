import CircleCheck from 'lucide-react/icons/circle-check'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

export type AlertTone = 'success' | 'danger' | 'info' | 'warn'

const TONES = {
  success: { box: 'bg-ok-tint', icon: 'text-ok', Icon: CircleCheck },
  danger: { box: 'bg-danger-tint', icon: 'text-danger', Icon: CircleAlert },
  info: { box: 'bg-brand-tint', icon: 'text-brand', Icon: Info },
  warn: { box: 'bg-warn-tint', icon: 'text-warn', Icon: TriangleAlert },
} as const

interface AlertProps {
  tone: AlertTone
  /** The event, in bold. */
  title?: ReactNode
  /** The meaning of the event for the user. */
  children?: ReactNode
  action?: ReactNode
  className?: string | undefined
}

/** An inline message above a form. Screen readers announce danger immediately and other tones at the next pause. */
export function Alert({ tone, title, children, action, className }: AlertProps) {
  const { box, icon, Icon } = TONES[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-start gap-2.5 rounded-field px-3.5 py-3 text-small text-fg', box, className)}
    >
      <Icon size={18} strokeWidth={1.75} className={cx('mt-px', icon)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {title !== undefined && <b className="font-semibold">{title} </b>}
        {children}
      </div>
      {action}
    </div>
  )
}
