import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

/** The logo mark: a white candlestick with a burning wick on a petrol tile. Decorative, as the name is next to it. */
export function LogoMark({ size = 30 }: { size?: number | undefined }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7.84" fill="var(--logo)" />
      <rect x="10.5" y="12.5" width="7" height="9" rx="1.8" fill="#fff" />
      <path d="M14 21.5V24M14 12.5v-2" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" />
      <path d="M14 3.6c1.7 1.7 2.3 2.7 2.3 3.7a2.3 2.3 0 0 1-4.6 0c0-1 .6-2 2.3-3.7Z" fill="#F5B25E" />
    </svg>
  )
}

interface LogoProps {
  /** The site's name. */
  name: string
  /** The operator's own logo. It replaces mark and name. */
  logoUrl?: string | undefined
  size?: number | undefined
  /** The demo note below the name. */
  under?: ReactNode
  className?: string | undefined
}

export function Logo({ name, logoUrl, size = 30, under, className }: LogoProps) {
  return (
    <span className={cx('flex min-w-0 items-center gap-2', className)}>
      {logoUrl === undefined && <LogoMark size={size} />}
      <span className="flex min-w-0 flex-col">
        {logoUrl === undefined ? (
          <span dir="auto" className="truncate rtl:text-right text-[1.125rem]/[1.25rem] font-bold tracking-[-.02em]">
            {name}
          </span>
        ) : (
          <img src={logoUrl} alt={name} className="max-h-[30px] object-contain object-left rtl:object-right" />
        )}
        {under}
      </span>
    </span>
  )
}
