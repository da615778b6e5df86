import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { Spinner } from '#ui/spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'tint' | 'buy' | 'sell' | 'danger'
export type ButtonSize = 'l' | 'm' | 's'

interface Look {
  variant?: ButtonVariant | undefined
  /** 52 px on phones (l), 44 in panes (m), 36 in tables and rows (s; its touch area is still 44). */
  size?: ButtonSize | undefined
  /** Full width. Default for size l. */
  wide?: boolean | undefined
  icon?: ReactNode
  children: ReactNode
  className?: string | undefined
}

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> & {
    /** Shows a spinner instead of the icon and ignores presses. The width does not change. */
    loading?: boolean | undefined
    /** Replaces the children while loading. */
    loadingLabel?: ReactNode
  }

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-brand-solid text-on-brand hover:bg-brand-solid-hover',
  secondary: 'bg-surface text-fg shadow-[inset_0_0_0_1px_var(--line-strong)] hover:bg-surface-2',
  quiet: 'bg-surface-2 text-fg hover:bg-surface-3',
  tint: 'bg-brand-tint text-brand hover:brightness-97 dark:hover:brightness-115',
  buy: 'bg-up-solid text-white hover:brightness-94 dark:hover:brightness-108',
  sell: 'bg-down-solid text-white hover:brightness-94 dark:hover:brightness-108',
  danger: 'bg-surface text-danger shadow-[inset_0_0_0_1px_var(--danger)] hover:bg-danger-tint',
}

const SIZES: Record<ButtonSize, string> = {
  l: 'min-h-13 rounded-field px-5 py-2 text-[1rem]/[1.25rem] tracking-[-.004em]',
  m: 'min-h-11 rounded-chip px-4 py-1.5 text-small',
  s: 'hit min-h-9 rounded-small px-3 py-1 text-label',
}

const OFF = 'bg-surface-3 text-fg-3 cursor-not-allowed'

function classesOf({ variant = 'primary', size = 'l', wide = size === 'l', className }: Look, off = false): string {
  return cx(
    'relative inline-flex items-center justify-center gap-2 text-center font-semibold transition-[background-color,filter] select-none',
    SIZES[size],
    off ? OFF : VARIANTS[variant],
    wide && 'w-full',
    className,
  )
}

/** A button. `type` defaults to "button". Use one primary button per view. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    wide,
    icon,
    children,
    className,
    loading = false,
    loadingLabel,
    disabled,
    onClick,
    ...rest
  } = props
  const off = disabled === true
  return (
    <button
      type="button"
      {...rest}
      disabled={off}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      // Stays focusable while loading, so that keyboard users keep their position.
      onClick={loading ? (event) => event.preventDefault() : onClick}
      className={classesOf({ variant, size, wide, children, className }, off)}
    >
      {loading && loadingLabel !== undefined ? (
        <>
          <Spinner />
          {loadingLabel}
        </>
      ) : (
        <Face icon={icon} loading={loading}>
          {children}
        </Face>
      )}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink(props: Look & { href: string; external?: boolean | undefined }) {
  const { href, external, icon, children } = props
  return (
    <Link href={href} external={external} className={classesOf(props)}>
      {icon}
      {children}
    </Link>
  )
}

/** While loading, the content stays in place invisibly. It keeps the width and the name for screen readers. */
function Face({ icon, loading, children }: { icon: ReactNode; loading: boolean; children: ReactNode }) {
  if (!loading) {
    return (
      <>
        {icon}
        {children}
      </>
    )
  }
  return (
    <>
      <span className="absolute inset-0 grid place-items-center">
        <Spinner />
      </span>
      <span className="inline-flex items-center gap-2 opacity-0">
        {icon}
        {children}
      </span>
    </>
  )
}
