import { cx } from '#ui/cx.ts'

interface DemoMarkProps {
  /** The text of the note: "Demo · virtual funds". */
  children: string
  /** A line below a name, or a separate pill. Never a link. */
  form?: 'line' | 'pill' | undefined
  className?: string | undefined
}

/** The permanent note that the site uses no real money. */
export function DemoMark({ children, form = 'line', className }: DemoMarkProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-[5px] text-micro font-semibold text-warn',
        // In a narrow header, the text of some languages takes two lines, so the line height is small.
        form === 'line' && 'leading-[0.8125rem]',
        form === 'pill' && 'h-5.5 shrink-0 rounded-full bg-warn-tint px-2 whitespace-nowrap',
        className,
      )}
    >
      <i className="size-1.5 shrink-0 rounded-full bg-flame" aria-hidden="true" />
      {children}
    </span>
  )
}
