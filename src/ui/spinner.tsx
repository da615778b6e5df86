import { cx } from '#ui/cx.ts'

/** A rotating open circle. Decorative: the parent describes the wait in words. */
export function Spinner({ size = 20, className }: { size?: number | undefined; className?: string | undefined }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      aria-hidden="true"
      className={cx('animate-spin', className)}
    >
      <path d="M21 12a9 9 0 1 1-6.2-8.56" />
    </svg>
  )
}
