import CloudOff from 'lucide-react/icons/cloud-off'
import Inbox from 'lucide-react/icons/inbox'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/cx.ts'
import { useCountAsWaiting } from '#ui/state/waiting.ts'

interface EmptyProps {
  /** "No Data". */
  title: ReactNode
  /** One sentence on what will be listed here. */
  children?: ReactNode
  icon?: ReactNode
  /** At most one action. */
  action?: ReactNode
  className?: string | undefined
}

export function Empty({ title, children, icon, action, className }: EmptyProps) {
  return (
    <div className={cx('flex flex-col items-center px-6 py-6 text-center', className)}>
      <span className="text-fg-3">{icon ?? <Inbox size={28} strokeWidth={1.5} aria-hidden="true" />}</span>
      <p className="mt-2 font-semibold">{title}</p>
      {children !== undefined && <p className="max-w-[40ch] text-small text-fg-2">{children}</p>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  )
}

interface LoadErrorProps {
  /** The reason of the failure, in the user's language. */
  reason: ReactNode
  retryLabel: ReactNode
  onRetry: () => void
  /** Whether a retry is running. */
  retrying?: boolean | undefined
  className?: string | undefined
}

export function LoadError({ reason, retryLabel, onRetry, retrying, className }: LoadErrorProps) {
  return (
    <div role="alert" className={cx('flex items-center gap-3 px-4 py-3', className)}>
      <CloudOff size={20} strokeWidth={1.75} className="text-danger" aria-hidden="true" />
      <p className="min-w-0 flex-1 text-small">{reason}</p>
      <Button variant="secondary" size="s" onClick={onRetry} loading={retrying}>
        {retryLabel}
      </Button>
    </div>
  )
}

interface SkeletonProps {
  /** Numbers are pixels. Pass the exact size of the content to come. */
  width?: number | string | undefined
  height?: number | string | undefined
  round?: boolean | undefined
  className?: string | undefined
}

/** A grey placeholder that appears after 150 ms. Decorative: set `aria-busy` on the loading region. */
export function Skeleton({ width, height = 12, round = false, className }: SkeletonProps) {
  useCountAsWaiting()
  return (
    <span
      aria-hidden="true"
      style={{ width, height, borderRadius: round ? '50%' : undefined }}
      className={cx('skeleton block shrink-0', className)}
    />
  )
}

/** Placeholder rows of a loading list, 60 px high like market and history rows. */
export function SkeletonRows({ count, rowHeight = 60 }: { count: number; rowHeight?: number | undefined }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the rows are all alike and never move
        <div key={index} style={{ height: rowHeight }} className="flex items-center gap-3">
          <Skeleton width={36} height={36} round />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton width="40%" />
            <Skeleton width="24%" height={10} />
          </div>
          <div className="flex w-24 flex-col items-end gap-2">
            <Skeleton width="100%" />
            <Skeleton width="60%" height={10} />
          </div>
        </div>
      ))}
    </div>
  )
}
