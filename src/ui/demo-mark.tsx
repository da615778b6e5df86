import { cx } from '#ui/cx.ts'

interface DemoMarkProps {
  /** The text of the note: "Demo · virtual funds". */
  children: string
  /** A line below a name, a separate pill, or a pill for headers in its own colour. Never a link. */
  form?: 'line' | 'pill' | 'practice' | undefined
  className?: string | undefined
}

/** The permanent note that no real money is used. */
export function DemoMark({ children, form = 'line', className }: DemoMarkProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-[5px] text-micro font-semibold text-warn',
        // In a narrow header, the text of some languages takes two lines, so the line height is small.
        form === 'line' && 'leading-[0.8125rem]',
        form === 'pill' && 'h-5.5 shrink-0 rounded-full bg-warn-tint px-2 whitespace-nowrap',
        form === 'practice' && 'rounded-full border border-warn bg-surface px-2 leading-4',
        className,
      )}
    >
      <i className="size-1.5 shrink-0 rounded-full bg-flame" aria-hidden="true" />
      {children}
    </span>
  )
}
