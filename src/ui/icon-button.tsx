import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'

interface Common {
  /** Name of the action, for screen readers and the tooltip. */
  label: string
  icon: ReactNode
  /** 40 px wide instead of 44, for rows of icons in a header. */
  tight?: boolean | undefined
  className?: string | undefined
}

type IconButtonProps = Common & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'>

const LOOK =
  'grid h-11 place-items-center rounded-field text-fg-2 hover:text-fg transition-colors shrink-0 disabled:text-fg-3 disabled:opacity-50'

/** A button with an icon only and a 44 px hit area. */
export function IconButton({ label, icon, tight = false, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(LOOK, tight ? 'w-10' : 'w-11', className)}
    >
      {icon}
    </button>
  )
}

export function IconLink({ label, icon, tight = false, className, href }: Common & { href: string }) {
  return (
    <Link href={href} aria-label={label} title={label} className={cx(LOOK, tight ? 'w-10' : 'w-11', className)}>
      {icon}
    </Link>
  )
}
